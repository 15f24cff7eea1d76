import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import { branch, create, data, open, query, tested, write } from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => void Support.repository(repos, "adopted"))

/** What gh asks for by `pr view --json` with all fields. */
const ALL = `
  number title body state isDraft url permalink fullDatabaseId closed closedAt createdAt updatedAt
  baseRefName baseRefOid headRefName headRefOid isCrossRepository maintainerCanModify mergeable mergeStateStatus
  additions deletions changedFiles mergedAt mergedBy { login ... on User { id name } }
  mergeCommit { oid } potentialMergeCommit { oid }
  headRepository { id name nameWithOwner } headRepositoryOwner { id login ... on User { name } }
  autoMergeRequest { mergeMethod enabledBy { login } } isInMergeQueue isMergeQueueEnabled reviewDecision
  reviewRequests(first: 100) {
    nodes { requestedReviewer { __typename ... on User { login name } ... on Team { name slug organization { login } } } }
  }
  reviews(first: 100) { nodes { author { login } state } totalCount }
  latestReviews(first: 100) { nodes { state commit { oid } } }
  commits(first: 100) { nodes { commit { oid messageHeadline authors(first: 1) { nodes { name email } } } } totalCount }
  files(first: 100) { nodes { path additions deletions changeType } }
  rollup: commits(last: 1) {
    nodes { commit { statusCheckRollup { contexts(first: 100) { nodes { __typename ... on StatusContext {
      context state isRequired } } } } } }
  }
  baseRef { name compare(headRef: "topic") { aheadBy behindBy status } branchProtectionRule { requiresStrictStatusChecks } }
  closingIssuesReferences(first: 10) { nodes { number } }
  projectItems(first: 10) { totalCount } labels(first: 100) { nodes { name } } assignees(first: 100) { nodes { login } }`

layer(forge)("GraphQL of pull requests", (it) => {
  it.effect("has all fields that gh asks for", () =>
    Effect.gen(function* () {
      const { ask, get, owner } = yield* TestForge
      const { at } = yield* create("whole")
      yield* ask("POST", `${at}/issues`, { body: { title: "Broken" } })
      const { head, number } = yield* open(at, "topic", { body: "Fixes #1 and fixes #1" })
      const main = yield* write(at, "other.txt", "x\n", "main")
      yield* ask("POST", `${at}/statuses/${head}`, { body: { state: "failure", context: "ci" } })
      yield* tested(at, number)
      const stored = (yield* get(`${at}/pulls/${number}`)).json
      const { repository } = yield* data(
        `query Q($owner: String!) { repository(owner: $owner, name: "whole") {
          id pullRequest(number: ${number}) { id ${ALL}
            merge: viewerMergeHeadlineText(mergeType: MERGE) squash: viewerMergeHeadlineText(mergeType: SQUASH)
            squashBody: viewerMergeBodyText(mergeType: SQUASH) } } }`,
        { owner }
      )
      const found = repository.pullRequest
      const person = { name: owner, email: found.commits.nodes[0].commit.authors.nodes[0].email }
      assert.deepStrictEqual(found, {
        id: stored.node_id,
        number,
        title: "Add topic",
        body: "Fixes #1 and fixes #1",
        state: "OPEN",
        isDraft: false,
        url: stored.html_url,
        permalink: stored.html_url,
        fullDatabaseId: String(stored.id),
        closed: false,
        closedAt: null,
        createdAt: stored.created_at,
        updatedAt: stored.updated_at,
        baseRefName: "main",
        baseRefOid: main,
        headRefName: "topic",
        headRefOid: head,
        isCrossRepository: false,
        maintainerCanModify: false,
        mergeable: "MERGEABLE",
        mergeStateStatus: "UNSTABLE",
        additions: 2,
        deletions: 0,
        changedFiles: 1,
        mergedAt: null,
        mergedBy: null,
        mergeCommit: null,
        potentialMergeCommit: { oid: stored.merge_commit_sha },
        headRepository: { id: repository.id, name: "whole", nameWithOwner: `${owner}/whole` },
        headRepositoryOwner: { id: stored.head.user.node_id, login: owner, name: null },
        autoMergeRequest: null,
        isInMergeQueue: false,
        isMergeQueueEnabled: false,
        reviewDecision: null,
        reviewRequests: { nodes: [] },
        reviews: { nodes: [], totalCount: 0 },
        latestReviews: { nodes: [] },
        commits: {
          nodes: [{ commit: { oid: head, messageHeadline: "write topic", authors: { nodes: [person] } } }],
          totalCount: 1
        },
        files: { nodes: [{ path: "topic", additions: 2, deletions: 0, changeType: "ADDED" }] },
        rollup: {
          nodes: [
            {
              commit: {
                statusCheckRollup: {
                  contexts: {
                    nodes: [{ __typename: "StatusContext", context: "ci", state: "FAILURE", isRequired: false }]
                  }
                }
              }
            }
          ]
        },
        baseRef: {
          name: "main",
          compare: { aheadBy: 1, behindBy: 1, status: "DIVERGED" },
          branchProtectionRule: null
        },
        closingIssuesReferences: { nodes: [{ number: 1 }] },
        projectItems: { totalCount: 0 },
        labels: { nodes: [] },
        assignees: { nodes: [] },
        merge: `Merge pull request #${number} from ${owner}/topic`,
        squash: `write topic (#${number})`,
        squashBody: ""
      })
    })
  )

  it.effect("pages through the commits of a pull request, before and after its test", () =>
    Effect.gen(function* () {
      const { get, owner } = yield* TestForge
      const { at } = yield* create("commits")
      const { number } = yield* open(at, "topic")
      for (const name of ["b", "c", "d"]) yield* write(at, name, "x\n", "topic")
      const pages = Effect.map(
        data(
          `query Q($owner: String!) { repository(owner: $owner, name: "commits") { pullRequest(number: ${number}) {
            first: commits(first: 3) { nodes { commit { oid } } totalCount pageInfo { hasNextPage endCursor } }
            last: commits(last: 2) { nodes { commit { oid } } pageInfo { hasPreviousPage } }
            tip: commits(last: 1) { nodes { commit { oid } } }
          } } }`,
          { owner }
        ),
        ({ repository }) => repository.pullRequest
      )
      const untested = yield* pages
      yield* tested(at, number)
      const found = yield* pages
      const listed = (yield* get(`${at}/pulls/${number}/commits`)).json.map((one: { sha: string }) => one.sha)
      const oids = ({ nodes }: { nodes: ReadonlyArray<{ commit: { oid: string } }> }) =>
        nodes.map(({ commit }) => commit.oid)
      assert.lengthOf(listed, 4)
      for (const one of [untested, found]) {
        assert.deepStrictEqual([oids(one.first), one.first.totalCount], [listed.slice(0, 3), 4])
        assert.deepStrictEqual(oids(one.last), listed.slice(2))
        assert.deepStrictEqual(oids(one.tip), listed.slice(3))
      }
    })
  )

  it.effect("lists pull requests by state, branch and label, by node, number, commit, reference and search", () =>
    Effect.gen(function* () {
      const { ask, owner } = yield* TestForge
      const { at } = yield* create("lists")
      const one = yield* open(at, "one")
      const two = yield* open(at, "two", { draft: true })
      const three = yield* open(at, "three")
      yield* ask("PATCH", `${at}/pulls/${one.number}`, { body: { state: "closed" } })
      yield* ask("PATCH", `${at}/issues/${two.number}`, { body: { labels: ["odd"] } })
      assert.strictEqual((yield* ask("PUT", `${at}/pulls/${three.number}/merge`, { body: {} })).status, 200)
      const found = yield* data(
        `query Q($owner: String!, $id: ID!, $oid: GitObjectID!) {
          repository(owner: $owner, name: "lists") {
            all: pullRequests(first: 2, orderBy: { field: CREATED_AT, direction: DESC }) {
              totalCount nodes { number } edges { node { number } } pageInfo { hasNextPage endCursor } }
            open: pullRequests(states: [OPEN]) { totalCount nodes { number isDraft } }
            closed: pullRequests(states: [CLOSED]) { nodes { number state } }
            merged: pullRequests(states: [MERGED]) { nodes { number state mergeCommit { oid } mergedBy { login } } }
            ended: pullRequests(states: [CLOSED, MERGED]) { nodes { number } }
            branch: pullRequests(headRefName: "two", baseRefName: "main") { nodes { number } }
            other: pullRequests(baseRefName: "other") { nodes { number } }
            labeled: pullRequests(labels: ["odd", "none"]) { nodes { number } }
            ref(qualifiedName: "refs/heads/two") { associatedPullRequests(first: 5) { nodes { number } } }
            object(oid: $oid) { ... on Commit { associatedPullRequests(first: 5) { nodes { number } } } }
            issueOrPullRequest(number: 2) { __typename }
            pullRequestTemplates { body }
          }
          node(id: $id) { ... on PullRequest { number headRefName } }
          search(query: "repo:${owner}/lists is:pr state:open", type: ISSUE, first: 5) {
            issueCount nodes { __typename ... on PullRequest { number headRefName } } }
        }`,
        { owner, id: two.id, oid: three.head }
      )
      const { repository } = found
      const numbers = (name: string) => repository[name].nodes.map((node: { number: number }) => node.number)
      assert.deepStrictEqual([repository.all.totalCount, numbers("all")], [3, [three.number, two.number]])
      assert.isTrue(repository.all.pageInfo.hasNextPage)
      assert.deepStrictEqual(repository.open.nodes, [{ number: two.number, isDraft: true }])
      assert.deepStrictEqual(repository.closed.nodes, [{ number: one.number, state: "CLOSED" }])
      assert.deepInclude(repository.merged.nodes[0], { state: "MERGED", mergedBy: { login: owner } })
      assert.match(repository.merged.nodes[0].mergeCommit.oid, /^[0-9a-f]{40}$/)
      assert.deepStrictEqual(["ended", "branch", "other", "labeled"].map(numbers), [
        [one.number, three.number],
        [two.number],
        [],
        [two.number]
      ])
      assert.deepStrictEqual(repository.ref.associatedPullRequests.nodes, [{ number: two.number }])
      assert.deepStrictEqual(repository.object.associatedPullRequests.nodes, [{ number: three.number }])
      assert.strictEqual(repository.issueOrPullRequest.__typename, "PullRequest")
      assert.deepStrictEqual(found.node, { number: two.number, headRefName: "two" })
      assert.deepStrictEqual(found.search, {
        issueCount: 1,
        nodes: [{ __typename: "PullRequest", number: two.number, headRefName: "two" }]
      })
      for (const [terms, expected] of [
        ["draft:true", [two.number]],
        ["draft:false is:open", []],
        ["is:merged", [three.number]],
        ["merged:<=2100-01-01T00:00:00Z", [three.number]],
        ["-merged:<2100-01-01 is:closed", [one.number]],
        ["merged:>2100-01-01", []],
        ["is:unmerged base:main", [one.number, two.number]],
        ["head:two", [two.number]],
        ["base:two", []],
        ["review-requested:@me", []]
      ] as const) {
        const { search } = yield* data(
          `{ search(query: "repo:${owner}/lists sort:created-asc ${terms}", type: ISSUE) { nodes { ... on PullRequest { number } } } }`
        )
        assert.deepStrictEqual(
          search.nodes.map((node: { number: number }) => node.number),
          [...expected],
          terms
        )
      }
      for (const [field, message] of [
        ["pullRequest(number: 99)", "Could not resolve to a PullRequest with the number of 99."],
        ["issue(number: 2)", "Could not resolve to an Issue with the number of 2."]
      ]) {
        const { errors } = yield* query(`{ repository(owner: "${owner}", name: "lists") { ${field} { id } } }`)
        assert.deepInclude(errors[0], { type: "NOT_FOUND", message })
      }
    })
  )

  it.effect("reads templates of pull requests", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      const { at } = yield* create("templates")
      yield* write(at, ".github/PULL_REQUEST_TEMPLATE.md", "Why?\n", "main")
      yield* write(at, "docs/pull_request_template/long.md", "Why, at length?\n", "main")
      yield* branch(at, "other")
      const { repository } = yield* data(
        `{ repository(owner: "${owner}", name: "templates") { pullRequestTemplates { filename body } viewerDefaultMergeMethod } }`
      )
      assert.deepStrictEqual(repository, {
        pullRequestTemplates: [
          { filename: "PULL_REQUEST_TEMPLATE.md", body: "Why?\n" },
          { filename: "long.md", body: "Why, at length?\n" }
        ],
        viewerDefaultMergeMethod: "MERGE"
      })
    })
  )

  it.effect("of `gh pr list` need as many statements for 1 as for 5 pull requests", () =>
    Effect.gen(function* () {
      const { ask, owner } = yield* TestForge
      const { at } = yield* create("many")
      for (const name of ["a", "b", "c", "d", "e"]) {
        const { head, number } = yield* open(at, name, { body: "Fixes #1" })
        yield* ask("POST", `${at}/statuses/${head}`, { body: { state: "success", context: "ci" } })
        yield* tested(at, number)
      }
      const measure = Effect.fnUntraced(function* (first: number) {
        // Changes the database, so that nothing is cached.
        yield* ask("PATCH", at, { body: { description: `measures ${first}` } })
        let states: ReadonlyArray<string> = []
        const answer = Effect.map(
          data(
            `query Q($owner: String!, $first: Int = 5) { repository(owner: $owner, name: "many") {
              pullRequests(states: OPEN, first: $first, orderBy: { field: CREATED_AT, direction: DESC }) { nodes {
                number title isDraft mergeable mergeStateStatus baseRefName headRefName additions isCrossRepository
                headRepository { name } headRepositoryOwner { login } baseRef { name }
                closingIssuesReferences(first: 1) { totalCount }
                commits(last: 1) { nodes { commit {
                  statusCheckRollup { state contexts(first: 100) { totalCount } }
                  associatedPullRequests(first: 5) { nodes { number } }
                } } }
              } } } }`,
            { owner, first }
          ),
          ({ repository }) => {
            states = repository.pullRequests.nodes.map((one: { mergeStateStatus: string }) => one.mergeStateStatus)
          }
        )
        return { statements: yield* Support.statements(Effect.orDie(answer)), states }
      })
      const [one, all] = [yield* measure(1), yield* measure(5)]
      assert.deepStrictEqual([one.states.length, all.states], [1, Array.from({ length: 5 }, () => "CLEAN")])
      assert.strictEqual(all.statements, one.statements)
    })
  )

  it.effect("may have the fields of `gh pr status` and of `gh pr list --json` with all names", () =>
    Effect.gen(function* () {
      const { owner } = yield* TestForge
      yield* create("large")
      const selection = `number reviews(first: 100) { nodes { state commit { oid } } }
        commits(first: 100) { nodes { commit { oid authors(first: 100) { nodes { name email user { id login } } } } } }
        comments(first: 100) { nodes { id body url author { login } reactionGroups { content users { totalCount } } } }
        rollup: commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { nodes {
          __typename ... on CheckRun { name status conclusion startedAt completedAt detailsUrl } } } } } } }`
      const list = (first: string) =>
        `query Q($first: Int = 10) { repository(owner: "${owner}", name: "large") {
          pullRequests(first: ${first}) { nodes { ${selection} } } }
          a: search(query: "is:pr draft:true base:main head:topic", type: ISSUE, first: $first) {
            nodes { ... on PullRequest { ${selection} } } }
          b: search(query: "is:merged review-requested:@me", type: ISSUE, first: $first) { issueCount } }`
      const { b, repository } = yield* data(list("30"))
      assert.deepStrictEqual([b.issueCount, repository.pullRequests.nodes], [0, []])
      const { errors } = yield* query(list("100"))
      assert.match(errors[0].message, / possible nodes which exceeds the maximum limit of 500,000\.$/)
    })
  )
})
