import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import { forge, push, succeed } from "./CheckHandlers.test-support.ts"

/** Executes a document without errors on `acme/tool`, and returns the repository. */
const repository = Effect.fnUntraced(function* (fields: string, token = "ann") {
  const { ask } = yield* Support.TestForge
  const query = `{ repository(owner: "acme", name: "tool") { ${fields} } }`
  const { json } = yield* ask("POST", "/graphql", { token, body: { query } })
  assert.isUndefined(json.errors, JSON.stringify(json.errors))
  return json.data.repository
})

const CONTEXTS = `contexts(first: 100) { nodes {
  __typename
  ... on StatusContext { context state targetUrl createdAt description isRequired(pullRequestNumber: 1) creator { login } }
  ... on CheckRun {
    name checkSuite { app { slug } workflowRun { event workflow { name } } } status conclusion startedAt completedAt
    detailsUrl summary isRequired(pullRequestNumber: 1)
  }
} totalCount pageInfo { hasNextPage } checkRunCount checkRunCountsByState { state count }
  statusContextCount statusContextCountsByState { state count } }`

const onCommit = (fields: string, expression = "main") =>
  `object(expression: "${expression}") { oid ... on Commit { ${fields} } }`

layer(forge)("checks in GraphQL", (it) => {
  it.effect("are the rollup of a commit, as gh asks for it", () =>
    Effect.gen(function* () {
      const sha = yield* push("one")
      const none = yield* repository(onCommit("messageHeadline status { state } statusCheckRollup { state }"))
      assert.deepStrictEqual(none.object, { oid: sha, messageHeadline: "one", status: null, statusCheckRollup: null })
      yield* succeed("POST", `statuses/${sha}`, { state: "pending", context: "ci" })
      yield* succeed("POST", `statuses/${sha}`, { state: "success", context: "ci", description: "Built" }, "ben")
      const output = { title: "T", summary: "S" }
      yield* succeed("POST", "check-runs", { name: "lint", head_sha: sha, conclusion: "neutral", output })
      yield* succeed("POST", "check-runs", { name: "unit", head_sha: sha, status: "in_progress" }, "tester")
      const { object } = yield* repository(
        onCommit(`statusCheckRollup { state ${CONTEXTS} } status { state context(name: "CI") { state } }`)
      )
      assert.deepStrictEqual(object.status, { state: "SUCCESS", context: { state: "SUCCESS" } })
      const { contexts, state } = object.statusCheckRollup
      assert.strictEqual(state, "PENDING")
      assert.deepInclude(contexts, {
        totalCount: 3,
        checkRunCount: 2,
        checkRunCountsByState: [
          { state: "NEUTRAL", count: 1 },
          { state: "IN_PROGRESS", count: 1 }
        ],
        statusContextCount: 1,
        statusContextCountsByState: [{ state: "SUCCESS", count: 1 }]
      })
      const [lint, unit, ci] = contexts.nodes
      assert.deepInclude(lint, {
        name: "lint",
        status: "COMPLETED",
        conclusion: "NEUTRAL",
        summary: "S",
        isRequired: false
      })
      assert.deepStrictEqual(lint.checkSuite, { app: { slug: "linter" }, workflowRun: null })
      assert.deepInclude(unit, { name: "unit", status: "IN_PROGRESS", conclusion: null, completedAt: null })
      assert.deepInclude(ci, { __typename: "StatusContext", context: "ci", state: "SUCCESS", description: "Built" })
      assert.deepStrictEqual(ci.creator, { login: "ben" })
      yield* succeed("POST", "check-runs", { name: "lint", head_sha: sha, conclusion: "failure" })
      const failed = yield* repository(onCommit("statusCheckRollup { state }"))
      assert.strictEqual(failed.object.statusCheckRollup.state, "FAILURE")
    })
  )

  it.effect("are suites with their check runs, which nodes find", () =>
    Effect.gen(function* () {
      const sha = yield* push("two")
      const made = yield* succeed("POST", "check-runs", { name: "lint", head_sha: sha, conclusion: "success" })
      const { defaultBranchRef } = yield* repository(`defaultBranchRef { target { oid ... on Commit {
        author { name } committedDate checkSuites(first: 10) { totalCount nodes {
          id databaseId status conclusion branch { name } app { slug } commit { oid } checkRuns(first: 5) { nodes { id name } } } } } } }`)
      const { checkSuites, oid } = defaultBranchRef.target
      assert.strictEqual(oid, sha)
      assert.strictEqual(checkSuites.totalCount, 2)
      const [suite] = checkSuites.nodes
      assert.deepInclude(suite, { databaseId: made.check_suite.id, status: "COMPLETED", conclusion: "SUCCESS" })
      assert.deepStrictEqual(
        [suite.branch, suite.app, suite.commit],
        [{ name: "main" }, { slug: "linter" }, { oid: sha }]
      )
      assert.deepStrictEqual(suite.checkRuns.nodes, [{ id: made.node_id, name: "lint" }])
      const { ask } = yield* Support.TestForge
      const query = `{ run: node(id: "${made.node_id}") { ... on CheckRun { name } } suite: node(id: "${suite.id}") { ... on CheckSuite { status } } }`
      const found = yield* ask("POST", "/graphql", { token: "reader", body: { query } })
      assert.deepStrictEqual(found.json.data, { run: { name: "lint" }, suite: { status: "COMPLETED" } })
    })
  )

  it.effect("need the rights of REST; objects of every type have an id", () =>
    Effect.gen(function* () {
      const { ask } = yield* Support.TestForge
      const query = `{ repository(owner: "acme", name: "secret") { ${onCommit("statusCheckRollup { state }")} } }`
      const refused = yield* ask("POST", "/graphql", { token: "reader", body: { query } })
      assert.strictEqual(refused.json.errors[0].type, "NOT_FOUND")
      const limited = yield* ask("POST", "/graphql", { token: "viewer", body: { query } })
      assert.strictEqual(limited.json.errors[0].type, "FORBIDDEN")
      const types = yield* repository(
        'tree: object(expression: "main:") { __typename id } blob: object(expression: "main:one") { __typename oid } none: object(expression: "main:none") { oid }'
      )
      assert.deepInclude(types.tree, { __typename: "Tree" })
      assert.deepStrictEqual([types.blob.__typename, types.none], ["Blob", null])
    })
  )

  it.effect("are required by a rule of the default branch", () =>
    Effect.gen(function* () {
      const sha = yield* push("three")
      yield* succeed("POST", `statuses/${sha}`, { state: "success", context: "ci" })
      yield* succeed("POST", `statuses/${sha}`, { state: "success", context: "other" })
      const rule = {
        type: "required_status_checks",
        parameters: { required_status_checks: [{ context: "ci" }], strict_required_status_checks_policy: false }
      }
      const conditions = {
        ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] },
        repository_name: { include: ["~ALL"], exclude: [] }
      }
      yield* succeed(
        "POST",
        "/orgs/acme/rulesets",
        { name: "checks", enforcement: "active", conditions, rules: [rule] },
        "ann"
      )
      const { object } = yield* repository(onCommit("status { contexts { context isRequired(pullRequestNumber: 1) } }"))
      assert.deepStrictEqual(object.status.contexts, [
        { context: "ci", isRequired: true },
        { context: "other", isRequired: false }
      ])
    })
  )
})
