import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { AutoMergeQueue } from "../../events/AutoMergeQueue.ts"
import { AutoMergeRows } from "../../issues/AutoMergeRows.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import { create, enable, events, forge, mutate, open, pass, until, write } from "./AutoMerger.test-support.ts"

const { TestForge } = Forge

const merged = (at: string, number: number) => until(at, number, (pull) => (pull.merged === true ? pull : undefined))
const ended = (at: string, number: number) => until(at, number, (pull) => (pull.auto_merge === null ? pull : undefined))

layer(forge)("automatic merges", (it) => {
  it.effect("merge as the user who enabled them when the required check passes", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("checked")
      const hook = { config: { url: "http://127.0.0.1:9/hook", content_type: "json" }, events: ["pull_request"] }
      yield* ask("POST", `${at}/hooks`, { body: hook })
      const before = (yield* get(`${at}/commits/main`)).json.sha
      const { head, id, number } = yield* open(at, "topic")
      const request = { mergeMethod: "SQUASH", commitHeadline: "Headline", commitBody: "Body", expectedHeadOid: head }
      const { error, value } = yield* enable(id, request)
      assert.isUndefined(error)
      const autoMergeRequest = {
        mergeMethod: "SQUASH",
        commitHeadline: "Headline",
        commitBody: "Body",
        enabledBy: { login: "mia" }
      }
      const pullRequest = { number, state: "OPEN", autoMergeRequest }
      assert.deepStrictEqual(value, { actor: { login: "mia" }, pullRequest })
      const waiting = (yield* get(`${at}/pulls/${number}`)).json
      assert.deepInclude(waiting.auto_merge, { merge_method: "squash", commit_title: "Headline" })
      assert.strictEqual(waiting.auto_merge.enabled_by.login, "mia")
      assert.strictEqual((yield* get(`${at}/pulls`)).json[0].auto_merge.commit_message, "Body")

      yield* pass(at, head, "pending")
      yield* pass(at, head)
      const pull = yield* merged(at, number)
      assert.strictEqual(pull.merged_by.login, "mia")
      assert.strictEqual(pull.auto_merge.merge_method, "squash")
      const commit = (yield* get(`${at}/commits/main`)).json
      assert.strictEqual(commit.sha, pull.merge_commit_sha)
      assert.match(commit.commit.message, /^Headline\n\nBody/)
      assert.deepStrictEqual(
        commit.parents.map(({ sha }: { readonly sha: string }) => sha),
        [before]
      )
      assert.deepStrictEqual(yield* events(at, number), ["auto_squash_enabled"])
    })
  )

  it.effect("wait for a deployment to each environment that a rule names", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("deployed", { environments: ["Staging"] })
      const { head, id, number } = yield* open(at, "topic")
      assert.isUndefined((yield* enable(id)).error)
      yield* pass(at, head)
      yield* until(at, number, ({ mergeable_state: state }) => (state === "blocked" ? true : undefined))
      const refused = yield* ask("PUT", `${at}/pulls/${number}/merge`, { token: "mia" })
      assert.deepStrictEqual([refused.status, refused.json.errors[0].field], [405, "required_deployments"])
      const body = { ref: head, environment: "staging", required_contexts: [] }
      const made = yield* ask("POST", `${at}/deployments`, { body })
      assert.strictEqual(made.status, 201, made.text)
      const report = (state: string) => ask("POST", `${at}/deployments/${made.json.id}/statuses`, { body: { state } })
      yield* report("failure")
      yield* until(at, number, ({ mergeable_state: state }) => (state === "blocked" ? true : undefined))
      yield* report("success")
      yield* merged(at, number)
      const { json } = yield* get(`${at}/issues/${number}/events`)
      assert.lengthOf(
        json.filter(({ event }: { readonly event: string }) => event === "deployed"),
        1
      )
    })
  )

  it.effect("wait for a conflict to be resolved", () =>
    Effect.gen(function* () {
      const at = yield* create("conflict")
      const { id, number } = yield* open(at, "topic")
      yield* write(at, "topic.txt", "other\n", "main")
      yield* until(at, number, ({ mergeable }) => (mergeable === false ? true : undefined))
      assert.isUndefined((yield* enable(id)).error)
      const head = yield* write(at, "topic.txt", "other\n", "topic")
      yield* pass(at, head)
      yield* write(at, "topic.txt", "x\n", "main")
      yield* write(at, "topic.txt", "other\n", "main")
      yield* merged(at, number)
    })
  )

  it.effect("wait for the commits of the base branch, if the rule wants them", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("strict", { strict: true })
      const { head, id, number } = yield* open(at, "topic")
      yield* write(at, "main.txt", "x\n", "main")
      yield* pass(at, head)
      yield* until(at, number, ({ mergeable_state: state }) => (state === "behind" ? true : undefined))
      const { json, status } = yield* ask("PUT", `${at}/pulls/${number}/merge`, { token: "mia" })
      assert.strictEqual(status, 405)
      assert.match(json.message, /Head branch is out of date/)
      assert.isUndefined((yield* enable(id)).error)
      yield* ask("PUT", `${at}/pulls/${number}/update-branch`)
      const { sha } = (yield* get(`${at}/commits/topic`)).json
      yield* pass(at, sha)
      assert.strictEqual((yield* merged(at, number)).head.sha, sha)
    })
  )

  it.effect("are refused in GitHub's words", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      const at = yield* create("refused")
      const { head, id, number } = yield* open(at, "topic")
      const message = (input: object = {}) => Effect.map(enable(id, input), ({ error }) => error?.message)
      assert.strictEqual((yield* enable(id, {}, "rex")).error?.type, "FORBIDDEN")
      assert.match(yield* message({ expectedHeadOid: "1".repeat(40) }), /^Head branch was modified\./)
      assert.match(
        (yield* mutate("disablePullRequestAutoMerge", { pullRequestId: id })).error?.message,
        /^Can't disable auto-merge for this pull request/
      )
      yield* ask("PATCH", at, { body: { allow_auto_merge: false } })
      assert.strictEqual(yield* message(), "Auto merge is not allowed for this repository")
      yield* ask("PATCH", at, { body: { allow_auto_merge: true, allow_rebase_merge: false } })
      assert.strictEqual(yield* message({ mergeMethod: "REBASE" }), "Rebase merges are not allowed on this repository.")
      yield* pass(at, head)
      assert.strictEqual(yield* message(), "Pull request Pull request is in clean status")
      yield* ask("PATCH", `${at}/pulls/${number}`, { body: { state: "closed" } })
      assert.strictEqual(yield* message(), "Pull request Pull request is closed")
      const draft = yield* open(at, "draft", { draft: true })
      assert.match((yield* enable(draft.id)).error?.message, /is in draft status$/)
    })
  )

  it.effect("end by request, as a draft, when the pull request is closed, and without write access", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("ended")
      const { head, id, number } = yield* open(at, "topic")
      const pullRequestId = id
      const off = Effect.map(get(`${at}/pulls/${number}`), ({ json }) => json.auto_merge === null)
      yield* enable(id)
      assert.isNull(
        (yield* mutate("disablePullRequestAutoMerge", { pullRequestId })).value.pullRequest.autoMergeRequest
      )
      yield* enable(id)
      const { error } = yield* mutate("disablePullRequestAutoMerge", { pullRequestId }, "rex")
      assert.strictEqual(error?.type, "FORBIDDEN")
      const query = `mutation { convertPullRequestToDraft(input: { pullRequestId: "${id}" }) { clientMutationId } }`
      yield* ask("POST", "/graphql", { body: { query } })
      assert.isTrue(yield* off)
      yield* ask("POST", "/graphql", {
        body: { query: query.replace("convertPullRequestToDraft", "markPullRequestReadyForReview") }
      })
      yield* enable(id)
      yield* ask("PATCH", `${at}/pulls/${number}`, { body: { state: "closed" } })
      assert.isTrue(yield* off)
      yield* ask("PATCH", `${at}/pulls/${number}`, { body: { state: "open" } })
      assert.isUndefined((yield* enable(id)).error)
      yield* ask("DELETE", `${at}/collaborators/mia`)
      yield* pass(at, head)
      assert.isFalse((yield* ended(at, number)).merged)
      assert.strictEqual((yield* events(at, number)).filter((name) => name === "auto_merge_disabled").length, 4)
    })
  )

  it.effect("end when a user without write access pushes", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const at = yield* create("fork")
      const fork = yield* ask("POST", `${at}/forks`, { token: "rex" })
      assert.strictEqual(fork.status, 202, fork.text)
      yield* write("/repos/rex/fork", "rex.txt", "x\n", "main", "rex")
      const body = { title: "From rex", base: "main", head: "rex:main" }
      const made = yield* ask("POST", `${at}/pulls`, { token: "rex", body })
      assert.strictEqual(made.status, 201, made.text)
      const number = Number(made.json.number)
      yield* until(at, number, ({ mergeable }) => (mergeable === null ? undefined : true))
      assert.isUndefined((yield* enable(made.json.node_id)).error)
      const head = yield* write("/repos/rex/fork", "rex.txt", "y\n", "main", "rex")
      assert.isNull((yield* get(`${at}/pulls/${number}`)).json.auto_merge)
      assert.deepStrictEqual(yield* events(at, number), ["auto_merge_enabled", "auto_merge_disabled"])
      yield* pass(at, head)
      assert.isFalse((yield* get(`${at}/pulls/${number}`)).json.merged)
    })
  )

  it.effect("that waited for a check are found at the start of the forge", () =>
    Effect.gen(function* () {
      const at = yield* create("restart")
      const { head, id, number } = yield* open(at, "topic")
      const { issue } = yield* until(at, number, (pull) => ({ issue: Number(pull.id) }))
      const mia = yield* requireRow((yield* UserRows).byLogin("mia"))
      yield* pass(at, head)
      const rights = {
        kind: "classic",
        scopes: ["repo"],
        permissions: {},
        repositories: null,
        installation_id: null
      } as const
      const row = { method: "merge", title: null, message: null, author_email: null, rights } as const
      yield* (yield* AutoMergeRows).set(issue, mia.id, row, "2026-01-01T00:00:00Z")
      yield* (yield* AutoMergeQueue).offer({ _tag: "All" })
      assert.strictEqual((yield* merged(at, number)).merged_by.login, "mia")
      assert.strictEqual((yield* enable(id)).error?.message, "Pull request Pull request is closed")
    })
  )

  it.effect("merge as the app that enabled them", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      const at = yield* create("app")
      const installation = { id: 7, account: "acme", app_slug: "merger", events: [] }
      const permissions = { contents: "write", pull_requests: "write", metadata: "read" }
      yield* Fixtures.add(
        {
          installations: [{ ...installation, permissions }],
          tokens: [{ token: "merger", kind: "installation", installation: 7 }]
        },
        repos
      )
      const first = yield* open(at, "first")
      const second = yield* open(at, "second")
      for (const { id } of [first, second]) assert.isUndefined((yield* enable(id, {}, "merger")).error)
      yield* pass(at, first.head)
      assert.strictEqual((yield* merged(at, first.number)).merged_by.login, "merger[bot]")
      const narrowed = { ...permissions, contents: "read" }
      yield* Fixtures.add({ installations: [{ ...installation, permissions: narrowed }] }, repos)
      yield* pass(at, second.head)
      assert.isFalse((yield* ended(at, second.number)).merged)
    })
  )
})
