import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"
import * as AutoMerger from "./AutoMerger.test-support.ts"

const { TestForge } = Forge

const people = ["ann", "ben", "cat"]

/** A repository whose branch `main` has a `pull_request` rule, and a pull request of `ann`. All may write. */
const prepare = Effect.fnUntraced(function* (name: string, parameters: object, files: Record<string, string> = {}) {
  const { ask, get, repos } = yield* TestForge
  const at = `/repos/sea/${name}`
  yield* Fixtures.add(
    {
      users: people.map((login) => ({ login })),
      organizations: [{ login: "sea" }],
      tokens: people.map((login) => ({ token: login, user: login, scopes: ["repo"] }))
    },
    repos
  )
  const made = yield* ask("POST", "/orgs/sea/repos", { body: { name, auto_init: true } })
  assert.strictEqual(made.status, 201, made.text)
  const collaborators = people.map((login) => ({ repository: `sea/${name}`, login, permission: "write" }))
  yield* Fixtures.add({ collaborators }, repos)
  for (const [path, content] of Object.entries(files)) yield* AutoMerger.write(at, path, content, "main")
  const rule = {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 1,
    required_review_thread_resolution: false,
    ...parameters
  }
  const ruleset = yield* ask("POST", `${at}/rulesets`, {
    body: {
      name: "Reviewed",
      enforcement: "active",
      conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] } },
      rules: [{ type: "pull_request", parameters: rule }]
    }
  })
  assert.strictEqual(ruleset.status, 201, ruleset.text)
  yield* AutoMerger.branch(at, "topic")
  yield* AutoMerger.write(at, "src/a.txt", "a\n", "topic", "ann")
  const opened = yield* ask("POST", `${at}/pulls`, { token: "ann", body: { title: "A", head: "topic", base: "main" } })
  assert.strictEqual(opened.status, 201, opened.text)
  const pull = `${at}/pulls/${opened.json.number}`
  const review = (token: string, event: string, body = "x") =>
    Effect.tap(ask("POST", `${pull}/reviews`, { token, body: { event, body } }), ({ status, text }) =>
      Effect.sync(() => assert.strictEqual(status, 200, text))
    )
  const decision = Effect.map(
    ask("POST", "/graphql", {
      body: {
        query: `{ node(id: "${opened.json.node_id}") { ... on PullRequest { reviewDecision mergeStateStatus } } }`
      }
    }),
    ({ json }) => json.data.node
  )
  /** Enables an automatic merge. Returns the number of the pull request. */
  const wait = Effect.gen(function* () {
    assert.strictEqual((yield* ask("PATCH", at, { body: { allow_auto_merge: true } })).status, 200)
    const query = `mutation { enablePullRequestAutoMerge(input: { pullRequestId: "${opened.json.node_id}" }) { clientMutationId } }`
    const enabled = yield* ask("POST", "/graphql", { token: "ann", body: { query } })
    assert.isUndefined(enabled.json.errors, enabled.text)
    return opened.json.number
  })
  const merge = (body: object = {}) => ask("PUT", `${pull}/merge`, { token: "ann", body })
  const push = (token: string, content: string) => AutoMerger.write(at, "src/a.txt", content, "topic", token)
  const reviews = Effect.map(get(`${pull}/reviews`), ({ json }) =>
    json.map(({ state }: { readonly state: string }) => state)
  )
  return {
    ask,
    at,
    decision,
    get,
    merge,
    pull,
    push,
    review,
    reviews,
    ruleset: `${at}/rulesets/${ruleset.json.id}`,
    wait
  }
})

/** Asserts that a merge is refused with a sentence. */
const refusedWith = (answer: Forge.Answer, sentence: string) => {
  assert.strictEqual(answer.status, 405, answer.text)
  assert.include(answer.json.message, `ruleset "Reviewed", rule pull_request: ${sentence}`)
}

layer(AutoMerger.forge, { excludeTestServices: true })("required reviews", (it) => {
  it.effect("refuse direct changes, and merges without enough approvals", () =>
    Effect.gen(function* () {
      const { ask, at, decision, get, merge, pull, review } = yield* prepare("count", {
        required_approving_review_count: 2
      })
      const body = { message: "direct", content: "eA==" }
      const direct = yield* ask("PUT", `${at}/contents/direct.txt`, { token: "ann", body })
      assert.strictEqual(direct.status, 422)
      assert.include(direct.json.message, "Changes must be made through a pull request.")
      const missing = "At least 2 approving reviews are required by reviewers with write access."
      refusedWith(yield* merge(), missing)
      assert.deepStrictEqual(yield* decision, { reviewDecision: "REVIEW_REQUIRED", mergeStateStatus: "BLOCKED" })
      yield* review("ben", "APPROVE")
      assert.strictEqual((yield* decision).reviewDecision, "REVIEW_REQUIRED")
      refusedWith(yield* merge(), missing)
      yield* review("cat", "REQUEST_CHANGES")
      assert.strictEqual((yield* decision).reviewDecision, "CHANGES_REQUESTED")
      refusedWith(yield* merge(), missing)
      assert.strictEqual((yield* get(pull)).json.mergeable_state, "blocked")
      yield* review("cat", "APPROVE")
      assert.strictEqual((yield* get(pull)).json.mergeable_state, "clean")
      assert.deepStrictEqual(yield* decision, { reviewDecision: "APPROVED", mergeStateStatus: "CLEAN" })
      const merged = yield* merge()
      assert.strictEqual(merged.status, 200, merged.text)
    })
  )

  it.effect("dismiss approvals after a push", () =>
    Effect.gen(function* () {
      const { merge, push, review, reviews } = yield* prepare("stale", { dismiss_stale_reviews_on_push: true })
      yield* review("ben", "APPROVE")
      yield* review("cat", "COMMENT")
      yield* push("ann", "b\n")
      assert.deepStrictEqual(yield* reviews, ["DISMISSED", "COMMENTED"])
      refusedWith(yield* merge(), "At least 1 approving review is required by reviewers with write access.")
      yield* review("ben", "APPROVE")
      assert.strictEqual((yield* merge()).status, 200)
    })
  )

  it.effect("want the approval of the latest push by somebody else", () =>
    Effect.gen(function* () {
      const { merge, push, review } = yield* prepare("last", { require_last_push_approval: true })
      yield* review("ben", "APPROVE")
      yield* push("ben", "b\n")
      const sentence = "New changes require approval from someone other than the last pusher."
      refusedWith(yield* merge(), sentence)
      yield* review("ben", "APPROVE")
      refusedWith(yield* merge(), sentence)
      yield* review("cat", "APPROVE")
      assert.strictEqual((yield* merge()).status, 200)
    })
  )

  it.effect("want the approval of code owners, and resolved conversations", () =>
    Effect.gen(function* () {
      const files = { CODEOWNERS: "src/ @ben\nsrc/a.txt @cat\ndocs/ @ann\n" }
      const parameters = {
        required_approving_review_count: 0,
        require_code_owner_review: true,
        required_review_thread_resolution: true
      }
      const { ask, get, merge, pull, review } = yield* prepare("owners", parameters, files)
      yield* review("ben", "APPROVE")
      refusedWith(yield* merge(), "Waiting on code owner review from @cat.")
      yield* review("cat", "APPROVE")
      const { sha } = (yield* get(pull)).json.head
      const comment = { body: "?", commit_id: sha, path: "src/a.txt", line: 1, side: "RIGHT" }
      const thread = yield* ask("POST", `${pull}/comments`, { token: "ben", body: comment })
      assert.strictEqual(thread.status, 201, thread.text)
      refusedWith(yield* merge(), "A conversation must be resolved before this pull request can be merged.")
    })
  )

  it.effect("want the approvals of teams for some files", () =>
    Effect.gen(function* () {
      const { get, repos } = yield* TestForge
      yield* Fixtures.add(
        {
          users: people.map((login) => ({ login })),
          organizations: [{ login: "sea", members: [{ login: "cat" }] }],
          teams: [{ organization: "sea", name: "core", members: [{ login: "cat" }] }]
        },
        repos
      )
      const { id } = (yield* get("/orgs/sea/teams/core")).json
      const reviewer = (file_patterns: ReadonlyArray<string>) => ({
        file_patterns,
        minimum_approvals: 1,
        reviewer: { id, type: "Team" }
      })
      const required_reviewers = [reviewer(["docs/**"]), reviewer(["**/*", "!src/*.md"])]
      const { decision, merge, review } = yield* prepare("teams", { required_reviewers })
      yield* review("ben", "APPROVE")
      refusedWith(yield* merge(), "Waiting on required reviews from @sea/core.")
      assert.strictEqual((yield* decision).reviewDecision, "REVIEW_REQUIRED")
      yield* review("cat", "APPROVE")
      assert.strictEqual((yield* merge()).status, 200)
    })
  )

  it.effect("let only some people dismiss reviews", () =>
    Effect.gen(function* () {
      const { ask, get, pull, review } = yield* prepare("dismissals", {
        dismissal_restriction: { enabled: true, allowed_actors: [{ id: 0, type: "User" }] }
      })
      yield* review("ben", "REQUEST_CHANGES")
      const [{ id }] = (yield* get(`${pull}/reviews`)).json
      const dismiss = (options: object) =>
        ask("PUT", `${pull}/reviews/${id}/dismissals`, { body: { message: "stale" }, ...options })
      const refused = yield* dismiss({ token: "cat" })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.json.message, "restrict who may dismiss reviews")
      assert.strictEqual((yield* dismiss({})).status, 200)
    })
  )

  it.effect("end the waiting of an automatic merge", () =>
    Effect.gen(function* () {
      const { at, get, pull, review, wait } = yield* prepare("waiting", {})
      const number = yield* wait
      yield* review("ben", "COMMENT")
      assert.isFalse((yield* get(pull)).json.merged)
      yield* review("ben", "APPROVE")
      yield* AutoMerger.until(at, number, ({ merged }) => (merged === true ? true : undefined))
    })
  )

  it.effect("end the waiting of an automatic merge if they are no longer required", () =>
    Effect.gen(function* () {
      const { ask, at, ruleset, wait } = yield* prepare("waived", {})
      const number = yield* wait
      assert.strictEqual((yield* ask("PUT", ruleset, { body: { enforcement: "disabled" } })).status, 200)
      yield* AutoMerger.until(at, number, ({ merged }) => (merged === true ? true : undefined))
    })
  )

  it.effect("allow only some methods of merges", () =>
    Effect.gen(function* () {
      const parameters = { allowed_merge_methods: ["squash"], required_approving_review_count: 0 }
      const { merge } = yield* prepare("methods", parameters)
      refusedWith(yield* merge({ merge_method: "rebase" }), "Rebase merges are not allowed on this branch.")
      assert.strictEqual((yield* merge({ merge_method: "squash" })).status, 200)
    })
  )
})
