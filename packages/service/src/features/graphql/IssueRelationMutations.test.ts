import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import * as PullRequests from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

const RELATIONS = `query($id: ID!) { node(id: $id) { ... on Issue {
  parent { number } subIssues(first: 9) { nodes { number } } blockedBy(first: 9) { nodes { number } } issueType { name }
} } }`

/** Creates issues of a repository of an organization with the types `Bug` and, disabled, `Chore`. */
const setUp = Effect.gen(function* () {
  const { ask, repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  const content = {
    organizations: [{ login: "harbor", members: [{ login: "keeper", role: "owner" }] }],
    repositories: [{ full_name: "harbor/boats" }],
    users: [{ login: "mia" }],
    tokens: [{ token: "mia", user: "mia", kind: "classic", scopes: ["repo"] }]
  }
  writeFileSync(file, JSON.stringify(content))
  yield* Fixtures.load(file)
  for (const [name, is_enabled] of [
    ["Bug", true],
    ["Chore", false]
  ] as const) {
    const { status } = yield* ask("POST", "/orgs/harbor/issue-types", { body: { name, is_enabled } })
    assert.strictEqual(status, 200)
  }
  const ids = yield* Effect.forEach([1, 2, 3], () =>
    Effect.map(ask("POST", "/repos/harbor/boats/issues", { body: { title: "One" } }), ({ json }) =>
      String(json.node_id)
    )
  )
  const [first = "", second = "", third = ""] = ids
  const mutate = (name: string, input: object, options: Support.Ask = {}) =>
    PullRequests.query(
      `mutation($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { issue { number } } }`,
      { input },
      options
    )
  const relationsOf = (id: string) => Effect.map(PullRequests.data(RELATIONS, { id }), ({ node }) => node)
  return { first, second, third, mutate, relationsOf }
})

layer(Support.layer((repos) => void Support.repository(repos, "hello"), { dialect: "github" }))(
  "relations of issues in GraphQL",
  (it) => {
    it.effect("are added, ordered and removed, and a type is set, with the rights of the REST API", () =>
      Effect.gen(function* () {
        const { first, mutate, relationsOf, second, third } = yield* setUp
        const { data } = yield* mutate("addSubIssue", { issueId: first, subIssueId: second })
        assert.deepStrictEqual(data.addSubIssue.issue, { number: 1 })
        yield* mutate("addSubIssue", { issueId: first, subIssueId: third })
        yield* mutate("reprioritizeSubIssue", { issueId: first, subIssueId: third, beforeId: second })
        yield* mutate("addBlockedBy", { issueId: first, blockingIssueId: third })
        const { repository } = yield* PullRequests.data(
          `{ repository(owner: "harbor", name: "boats") { issueTypes(first: 9) { nodes { id name } } } }`
        )
        const { nodes } = repository.issueTypes
        assert.deepStrictEqual(
          nodes.map(({ name }: { readonly name: string }) => name),
          ["Bug"]
        )
        yield* mutate("updateIssueIssueType", { issueId: first, issueTypeId: nodes[0].id })
        assert.deepStrictEqual(yield* relationsOf(first), {
          parent: null,
          subIssues: { nodes: [{ number: 3 }, { number: 2 }] },
          blockedBy: { nodes: [{ number: 3 }] },
          issueType: { name: "Bug" }
        })
        assert.deepStrictEqual((yield* relationsOf(second)).parent, { number: 1 })

        const again = yield* mutate("addSubIssue", { issueId: second, subIssueId: third })
        assert.strictEqual(again.errors[0].type, "UNPROCESSABLE")
        assert.isUndefined(
          (yield* mutate("addSubIssue", { issueId: second, subIssueId: third, replaceParent: true })).errors
        )
        for (const [name, input] of [
          ["removeSubIssue", { issueId: first, subIssueId: second }],
          ["removeBlockedBy", { issueId: first, blockingIssueId: third }],
          ["updateIssueIssueType", { issueId: first, issueTypeId: null }]
        ] as const) {
          const refused = yield* mutate(name, input, { token: "mia" })
          assert.strictEqual(refused.errors[0].type, "FORBIDDEN", name)
          assert.isUndefined((yield* mutate(name, input)).errors)
        }
        assert.deepStrictEqual(yield* relationsOf(first), {
          parent: null,
          subIssues: { nodes: [] },
          blockedBy: { nodes: [] },
          issueType: null
        })
      })
    )

    it.effect("show the pull requests that close an issue", () =>
      Effect.gen(function* () {
        const { ask } = yield* TestForge
        const { at } = yield* PullRequests.create("closing")
        const { json: issue } = yield* ask("POST", `${at}/issues`, { body: { title: "Dark" } })
        const open = yield* PullRequests.open(at, "light", { body: `Fixes #${issue.number}` })
        yield* PullRequests.open(at, "mention", { body: `See #${issue.number}` })
        const closed = yield* PullRequests.open(at, "old", { body: `Closes #${issue.number}` })
        yield* ask("PATCH", `${at}/pulls/${closed.number}`, { body: { state: "closed" } })
        const { node } = yield* PullRequests.data(
          `query($id: ID!) { node(id: $id) { ... on Issue {
          open: closedByPullRequestsReferences(first: 9) { nodes { number } totalCount }
          all: closedByPullRequestsReferences(first: 9, includeClosedPrs: true) { nodes { number } }
        } } }`,
          { id: issue.node_id }
        )
        assert.deepStrictEqual(node, {
          open: { nodes: [{ number: open.number }], totalCount: 1 },
          all: { nodes: [{ number: open.number }, { number: closed.number }] }
        })
      })
    )
  }
)
