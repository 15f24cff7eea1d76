import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { branch, create, open, query, tested, write } from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => void Support.repository(repos, "adopted"))

/** Runs a mutation, and returns its payload and its first error. */
const mutate = Effect.fnUntraced(function* (
  name: string,
  input: object,
  selection = "pullRequest { id number state isDraft }",
  options: Support.Ask = {}
) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
  const text = `mutation M($input: ${type}) { m: ${name}(input: $input) { ${selection} } }`
  const { data, errors } = yield* query(text, { input }, options)
  return { value: data?.m, error: errors?.[0] }
})

layer(forge)("mutations of pull requests", (it) => {
  it.effect("create, change, close, reopen and merge a pull request", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const { at, id: repositoryId } = yield* create("life")
      yield* branch(at, "topic")
      const head = yield* write(at, "new.txt", "x\n", "topic")
      yield* branch(at, "other")
      const label = (yield* ask("POST", `${at}/labels`, { body: { name: "odd", color: "ff0000" } })).json
      const milestone = (yield* ask("POST", `${at}/milestones`, { body: { title: "first" } })).json
      const user = (yield* get("/user")).json

      const input = { repositoryId, title: "New", body: "Text", baseRefName: "main", headRefName: "topic", draft: true }
      const { value } = yield* mutate("createPullRequest", input)
      assert.deepInclude(value.pullRequest, { number: 1, state: "OPEN", isDraft: true })
      const pullRequestId = value.pullRequest.id
      const { error: repeated } = yield* mutate("createPullRequest", { ...input, headRefName: `${owner}:topic` })
      assert.deepInclude(repeated, { message: `A pull request already exists for ${owner}:topic.` })

      assert.isUndefined(
        (yield* mutate("updatePullRequest", {
          pullRequestId,
          title: "Newer",
          baseRefName: "other",
          labelIds: [label.node_id],
          assigneeIds: [user.node_id],
          milestoneId: milestone.node_id
        })).error
      )
      const changed = (yield* get(`${at}/pulls/1`)).json
      assert.deepStrictEqual(
        [changed.title, changed.body, changed.base.ref, changed.labels[0].name, changed.milestone.title],
        ["Newer", "Text", "other", "odd", "first"]
      )
      assert.strictEqual(changed.assignees[0].login, owner)
      yield* mutate("updatePullRequest", { pullRequestId, baseRefName: "main", milestoneId: null })

      const { error: draft } = yield* mutate("mergePullRequest", { pullRequestId })
      assert.deepInclude(draft, { type: "UNPROCESSABLE", message: "Pull Request is still a draft" })
      const ready = yield* mutate("markPullRequestReadyForReview", { pullRequestId })
      assert.isFalse(ready.value.pullRequest.isDraft)
      assert.isTrue((yield* mutate("convertPullRequestToDraft", { pullRequestId })).value.pullRequest.isDraft)
      yield* mutate("markPullRequestReadyForReview", { pullRequestId })
      assert.strictEqual((yield* mutate("closePullRequest", { pullRequestId })).value.pullRequest.state, "CLOSED")
      const { error: closed } = yield* mutate("convertPullRequestToDraft", { pullRequestId })
      assert.deepInclude(closed, { type: "UNPROCESSABLE" })
      assert.strictEqual((yield* mutate("reopenPullRequest", { pullRequestId })).value.pullRequest.state, "OPEN")

      const stale = { pullRequestId, expectedHeadOid: "1".repeat(40), mergeMethod: "SQUASH" }
      assert.deepInclude((yield* mutate("mergePullRequest", stale)).error, { type: "UNPROCESSABLE" })
      const merge = { ...stale, expectedHeadOid: head, commitHeadline: "Headline", commitBody: "Body" }
      const merged = yield* mutate(
        "mergePullRequest",
        merge,
        "actor { login } pullRequest { state mergeCommit { message } }"
      )
      assert.deepStrictEqual(merged.value, {
        actor: { login: owner },
        pullRequest: { state: "MERGED", mergeCommit: { message: "Headline\n\nBody" } }
      })
      const events = (yield* get(`${at}/issues/1/events`)).json.map(({ event }: { event: string }) => event)
      assert.includeMembers(events, ["ready_for_review", "convert_to_draft", "closed", "reopened", "merged"])
    })
  )

  for (const method of ["MERGE", "SQUASH", "REBASE"]) {
    it.effect(`revert a pull request that was merged by the method ${method}`, () =>
      Effect.gen(function* () {
        const { ask, get, owner } = yield* TestForge
        const { at } = yield* create(`revert-${method.toLowerCase()}`)
        const { id: pullRequestId } = yield* open(at, "topic")
        yield* write(at, "second.txt", "x\n", "topic")
        const revert = (input: object = {}) =>
          mutate("revertPullRequest", { pullRequestId, ...input }, "revertPullRequest { number isDraft }")
        assert.deepInclude((yield* revert()).error, { message: "The pull request was not merged" })
        const before = (yield* get(`${at}/commits/main`)).json.commit.tree.sha
        assert.isUndefined((yield* mutate("mergePullRequest", { pullRequestId, mergeMethod: method })).error)
        const main = yield* write(at, "main.txt", "x\n", "main")
        const { error, value } = yield* revert({ draft: true })
        assert.isUndefined(error)
        assert.deepStrictEqual(value.revertPullRequest, { number: 2, isDraft: true })
        const pull = (yield* get(`${at}/pulls/2`)).json
        assert.deepInclude(pull, {
          title: 'Revert "Add topic"',
          body: `Reverts ${owner}/revert-${method.toLowerCase()}#1`
        })
        assert.deepStrictEqual([pull.base.ref, pull.head.ref], ["main", "revert-1-topic"])
        assert.strictEqual(pull.commits, method === "REBASE" ? 2 : 1)
        assert.sameMembers(
          (yield* get(`${at}/pulls/2/files`)).json.map((file: { filename: string }) => file.filename),
          ["second.txt", "topic"]
        )
        assert.deepInclude((yield* get(`${at}/compare/main...revert-1-topic`)).json.merge_base_commit, { sha: main })

        const again = yield* revert({ title: "Other", body: "Text" })
        assert.strictEqual((yield* get(`${at}/pulls/${again.value.revertPullRequest.number}`)).json.title, "Other")
        assert.isUndefined((yield* mutate("markPullRequestReadyForReview", { pullRequestId: pull.node_id })).error)
        assert.strictEqual((yield* ask("PUT", `${at}/pulls/2/merge`)).status, 200)
        assert.notStrictEqual((yield* get(`${at}/commits/main`)).json.commit.tree.sha, before)
        assert.match((yield* revert()).error?.message, /couldn’t be reverted automatically/)
        const branches = (yield* get(`${at}/branches`)).json.map(({ name }: { name: string }) => name)
        assert.sameMembers(branches, ["main", "topic", "revert-1-topic", "revert-1-topic-1"])
      })
    )
  }

  it.effect("bring the base into the head", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { at } = yield* create("behind")
      const { head, id: pullRequestId } = yield* open(at, "topic")
      const main = yield* write(at, "main.txt", "x\n", "main")
      yield* mutate("updatePullRequestBranch", { pullRequestId, expectedHeadOid: head, updateMethod: "MERGE" })
      const tip = (yield* get(`${at}/commits/topic`)).json
      assert.deepStrictEqual(
        tip.parents.map(({ sha }: { sha: string }) => sha),
        [head, main]
      )
      yield* tested(at, 1)
    })
  )

  it.effect("copy the commits of the head onto the base", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { at } = yield* create("rebased")
      const { head, id: pullRequestId } = yield* open(at, "topic")
      const update = (input: object = {}) =>
        mutate("updatePullRequestBranch", { pullRequestId, updateMethod: "REBASE", ...input })
      assert.match((yield* update()).error?.message, /no new commits on the base branch/)
      const main = yield* write(at, "main.txt", "x\n", "main")
      assert.match((yield* update({ expectedHeadOid: main })).error?.message, /expected head sha/)
      assert.isUndefined((yield* update({ expectedHeadOid: head })).error)
      const tip = (yield* get(`${at}/commits/topic`)).json
      assert.deepStrictEqual([tip.commit.message, tip.parents.length, tip.parents[0].sha], ["write topic", 1, main])
      assert.strictEqual((yield* get(`${at}/pulls/1`)).json.head.sha, tip.sha)
      yield* write(at, "topic", "other\n", "main")
      assert.match((yield* update()).error?.message, /merge conflict between base and head/)
    })
  )

  it.effect("have the rights of the REST API", () =>
    Effect.gen(function* () {
      const { ask, get, repos } = yield* TestForge
      yield* Fixtures.add(
        {
          users: [{ login: "reader" }],
          tokens: [{ token: "reader", user: "reader", scopes: ["repo"] }]
        },
        repos
      )
      const { at } = yield* create("rights")
      const { id: pullRequestId } = yield* open(at, "topic", { draft: true })
      const label = (yield* ask("POST", `${at}/labels`, { body: { name: "odd", color: "ff0000" } })).json
      for (const [name, more] of [
        ["markPullRequestReadyForReview", {}],
        ["convertPullRequestToDraft", {}],
        ["updatePullRequest", { title: "Mine" }],
        ["updatePullRequest", { labelIds: [label.node_id] }],
        ["closePullRequest", {}],
        ["mergePullRequest", {}],
        ["enablePullRequestAutoMerge", {}],
        ["disablePullRequestAutoMerge", {}],
        ["revertPullRequest", {}]
      ] as const) {
        const { error } = yield* mutate(name, { pullRequestId, ...more }, undefined, { token: "reader" })
        assert.strictEqual(error?.type, "FORBIDDEN", name)
      }
      const stored = (yield* get(`${at}/pulls/1`)).json
      assert.deepStrictEqual([stored.title, stored.state, stored.draft, stored.labels], ["Add topic", "open", true, []])
      yield* ask("PATCH", at, { body: { private: true } })
      const { error } = yield* mutate("closePullRequest", { pullRequestId }, undefined, { token: "reader" })
      assert.strictEqual(error?.type, "NOT_FOUND")
    })
  )
})
