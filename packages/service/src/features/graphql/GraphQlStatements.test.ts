import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { git } from "../../git/Fixture.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { data } from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

const FEW = 5
const MANY = 50
const LOOKUPS = 100

const MAIN = "keeper/hello"

const each = <A>(count: number, item: (index: number) => A) => Array.from({ length: count }, (_, index) => item(index))

/** Adds branches with one commit each. */
const addBranches = (path: string) => {
  for (const name of each(MANY, (index) => `topic-${index}`)) {
    const commit = git(path, ["commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", name])
    git(path, ["branch", name, commit])
  }
}

const setUp = Effect.gen(function* () {
  const { repos } = yield* TestForge
  const logins = each(LOOKUPS, (index) => `user-${index}`)
  const topics = each(MANY, (index) => `topic-${index}`)
  yield* Fixtures.add(
    {
      users: logins.map((login) => ({ login })),
      organizations: [
        { login: "acme", members: [{ login: "keeper", role: "owner" }, ...logins.map((login) => ({ login }))] }
      ],
      teams: logins.map((name) => ({ organization: "acme", name, members: [{ login: name }] })),
      labels: each(LOOKUPS, (index) => ({ repository: MAIN, name: `label-${index}` })),
      issues: each(LOOKUPS, (index) => ({
        repository: MAIN,
        number: index + 1,
        user: logins[index],
        title: `Lamp ${index}`,
        labels: [`label-${index}`],
        ...(index === 0 ? {} : { blocked_by: [index], parent: 1 })
      })),
      pull_requests: topics.map((head, index) => ({
        repository: MAIN,
        number: LOOKUPS + index + 1,
        user: logins[index],
        title: head,
        body: `Fixes #${index + 1}`,
        head,
        comments: [{ user: "user-1", body: "Fine" }]
      })),
      deployments: topics.map((ref) => ({
        repository: MAIN,
        ref,
        creator: "user-0",
        statuses: [{ state: "in_progress" }, { state: "success" }]
      })),
      branch_protections: [{ repository: MAIN, branch: "main", required_approving_review_count: 1 }]
    },
    repos
  )
})

const forge = Layer.provideMerge(
  Layer.effectDiscard(Effect.orDie(setUp)),
  Support.layer((repos) => addBranches(Support.repository(repos, "hello")))
)

layer(forge)("GraphQL documents", (it) => {
  let writes = 0
  /** Executes a document after a change, so that nothing is cached, and after the rights of the caller were read. */
  const measure = Effect.fnUntraced(function* (query: string, variables: object = {}) {
    const { ask } = yield* TestForge
    yield* ask("PATCH", `/repos/${MAIN}`, { body: { description: `measure ${writes++}` } })
    yield* data("{ viewer { login } }")
    let found: any // oxlint-disable-line typescript/no-explicit-any -- the type of parsed JSON
    const answer = Effect.map(data(query, variables), (result) => (found = result))
    return { statements: yield* Support.statements(Effect.orDie(answer)), found }
  })

  it.effect("of `gh pr list`, with reviews, deployments and rules, need as many statements for 5 as for 50 items", () =>
    Effect.gen(function* () {
      const list = `query PullRequestList($first: Int!) { repository(owner: "keeper", name: "hello") {
        pullRequests(first: $first, orderBy: { field: CREATED_AT, direction: DESC }) { totalCount nodes {
          number title isDraft headRefName author { login } reviewDecision
          labels(first: 3) { nodes { name } } assignees(first: 3) { nodes { login } }
          reviewRequests(first: 3) { nodes { asCodeOwner } } reactions { totalCount }
          comments(last: 1) { nodes { body } } suggestedActors(first: 1) { totalCount }
          baseRef { branchProtectionRule { requiredApprovingReviewCount } }
          repository { branchProtectionRules(first: 1) { nodes { pattern } } }
          commits(last: 1) { nodes { commit {
            deployments(last: 1) { nodes { environment latestStatus { state } } }
            statusCheckRollup { state }
            associatedPullRequests(first: 1) { nodes { number } }
          } } }
        } } } }`
      yield* measure(list, { first: FEW })
      const few = yield* measure(list, { first: FEW })
      const many = yield* measure(list, { first: MANY })
      const [{ author, baseRef, commits }] = many.found.repository.pullRequests.nodes
      assert.strictEqual(many.found.repository.pullRequests.nodes.length, MANY)
      assert.deepStrictEqual(baseRef.branchProtectionRule, { requiredApprovingReviewCount: 1 })
      assert.deepStrictEqual(commits.nodes[0].commit.deployments.nodes, [
        { environment: "production", latestStatus: { state: "SUCCESS" } }
      ])
      assert.strictEqual(author.login, `user-${MANY - 1}`)
      assert.strictEqual(many.statements, few.statements)
    })
  )

  it.effect("of issues with their relations need as many statements for 5 as for 50 items", () =>
    Effect.gen(function* () {
      const list = `query IssueList($first: Int!) { repository(owner: "keeper", name: "hello") {
        issues(first: $first) { nodes { number closedByPullRequestsReferences(first: 3) { nodes { title } }
          blockedBy(first: 9) { nodes { number } } blocking(first: 9) { nodes { number } }
          subIssues(first: 9) { nodes { number } } } } } }`
      yield* measure(list, { first: FEW })
      const few = yield* measure(list, { first: FEW })
      const many = yield* measure(list, { first: MANY })
      const titles = many.found.repository.issues.nodes.map(
        (one: { closedByPullRequestsReferences: { nodes: ReadonlyArray<{ title: string }> } }) =>
          one.closedByPullRequestsReferences.nodes[0]?.title
      )
      assert.deepStrictEqual(
        titles,
        each(MANY, (index) => `topic-${index}`)
      )
      // Answers of PostgreSQL can arrive between the requests of a batch, which then takes two statements.
      assert.isAtMost(many.statements, few.statements + 2)
    })
  )

  it.effect("need as many statements for 5 as for 100 aliases", () =>
    Effect.gen(function* () {
      const aliases = (count: number, field: (index: number) => string) =>
        each(count, (index) => `a${index}: ${field(index)}`).join(" ")
      const inRepository = (fields: string) => `{ repository(owner: "keeper", name: "hello") { ${fields} } }`
      const inOrganization = (fields: string) => `{ organization(login: "acme") { ${fields} } }`
      const lookups: ReadonlyArray<(count: number) => string> = [
        (count) => inRepository(aliases(count, (index) => `issue(number: ${index + 1}) { title }`)),
        (count) => inRepository(aliases(count, (index) => `issueOrPullRequest(number: ${index + 1}) { __typename }`)),
        (count) => inRepository(aliases(count, (index) => `label(name: "label-${index}") { id }`)),
        (count) => `{ ${aliases(count, (index) => `user(login: "user-${index}") { id }`)} }`,
        (count) => inOrganization(aliases(count, (index) => `team(slug: "user-${index}") { id }`)),
        (count) => `{ ${aliases(count, () => `repository(owner: "keeper", name: "hello") { id }`)} }`,
        (count) =>
          inRepository(
            aliases(
              count,
              (index) => `object(expression: "topic-${index % MANY}") {
                ... on Commit { associatedPullRequests(first: 1) { nodes { number } } author { user { login } } } }`
            )
          )
      ]
      for (const lookup of lookups) {
        yield* measure(lookup(FEW))
        const few = yield* measure(lookup(FEW))
        const many = yield* measure(lookup(LOOKUPS))
        assert.strictEqual(many.statements, few.statements, lookup(1))
      }
    })
  )
})
