/** GraphQL and the REST API give the same values of the same resources, and lists in the same order. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestForge } from "@tongs/service/main/Forge.test-support"
import * as Fixtures from "@tongs/service/main/Fixtures"
import { Demonstration, MAIN } from "./Demonstration.test-support.ts"
import * as GeneratedIssues from "./GeneratedIssues.test-support.ts"

// The types of parsed JSON: assertions look into it.
type Json = any // oxlint-disable-line typescript/no-explicit-any -- the type of JSON.parse

/** A field of GraphQL with its selection, and the value of the REST API. */
type Pair = readonly [selection: string, value: (resource: Json) => unknown, of?: (field: Json) => unknown]

/** Items of a page, and number of generated issues. */
const PER_PAGE = 100
const GENERATED = 60

const upper = (text: Json) => (typeof text === "string" ? text.toUpperCase().replaceAll(/[ -]/g, "_") : (text ?? null))

/** Pairs of fields with equal values: names of GraphQL and REST. */
const equal = (names: Readonly<Record<string, string>>): ReadonlyArray<Pair> =>
  Object.entries(names).map(([field, name]) => [field, (resource) => resource[name] ?? null])

/** Pairs of fields with states, which are in upper case in GraphQL. */
const states = (names: Readonly<Record<string, string>>): ReadonlyArray<Pair> =>
  Object.entries(names).map(([field, name]) => [field, (resource) => upper(resource[name])])

const login = (field: string, name: string): Pair => [
  `${field} { login }`,
  (resource) => resource[name]?.login ?? null,
  (account) => account?.login ?? null
]

const total = (field: string, name: string): Pair => [
  `${field} { totalCount }`,
  (one) => one[name],
  (list) => list.totalCount
]

const names = (field: string, name: string, member: string): Pair => [
  `${field}(first: 100) { nodes { ${member} } }`,
  (resource) => resource[name].map((one: Json) => one[member]),
  ({ nodes }) => nodes.map((one: Json) => one[member])
]

const oid = (field: string, value: (resource: Json) => unknown): Pair => [
  `${field} { oid }`,
  value,
  (commit) => commit?.oid ?? null
]

const person = (field: "author" | "committer"): Pair => [
  `${field} { name email date user { login } }`,
  ({ commit, [field]: account }) => ({
    ...commit[field],
    user: account?.type === "User" ? { login: account.login } : null
  })
]

const account = equal({ databaseId: "id", login: "login", url: "html_url", avatarUrl: "avatar_url" })
const times = equal({ createdAt: "created_at", updatedAt: "updated_at" })
const conversation: ReadonlyArray<Pair> = [
  ...equal({ databaseId: "id", url: "html_url", authorAssociation: "author_association" }),
  ...times,
  ["body", ({ body }) => body ?? ""],
  login("author", "user")
]
const issue: ReadonlyArray<Pair> = [
  ...conversation,
  ...equal({ number: "number", title: "title", closedAt: "closed_at", locked: "locked" }),
  ...states({ activeLockReason: "active_lock_reason" }),
  names("labels", "labels", "name"),
  names("assignees", "assignees", "login"),
  ["milestone { number }", ({ milestone }) => milestone?.number ?? null, (one) => one?.number ?? null]
]
const lines = equal({ path: "path", diffHunk: "diff_hunk", originalPosition: "original_position" })

/** The pairs by the type of GraphQL. */
const pairs: Readonly<Record<string, ReadonlyArray<Pair>>> = {
  User: [...account, ...equal({ name: "name" })],
  Organization: [...account, ...equal({ name: "name" })],
  Repository: [
    ...equal({ databaseId: "id", name: "name", nameWithOwner: "full_name", description: "description" }),
    ...equal({ url: "html_url", sshUrl: "ssh_url", homepageUrl: "homepage", pushedAt: "pushed_at" }),
    ...equal({ isArchived: "archived", isFork: "fork", isPrivate: "private", isTemplate: "is_template" }),
    ...equal({ hasIssuesEnabled: "has_issues", hasProjectsEnabled: "has_projects", hasWikiEnabled: "has_wiki" }),
    ...equal({ hasDiscussionsEnabled: "has_discussions", forkCount: "forks_count", diskUsage: "size" }),
    ...equal({ stargazerCount: "stargazers_count", mergeCommitAllowed: "allow_merge_commit" }),
    ...equal({ squashMergeAllowed: "allow_squash_merge", rebaseMergeAllowed: "allow_rebase_merge" }),
    ...equal({ autoMergeAllowed: "allow_auto_merge", deleteBranchOnMerge: "delete_branch_on_merge" }),
    ...equal({ webCommitSignoffRequired: "web_commit_signoff_required", allowUpdateBranch: "allow_update_branch" }),
    ...times,
    ...states({ visibility: "visibility" }),
    login("owner", "owner"),
    total("watchers", "subscribers_count"),
    [
      "defaultBranchRef { name }",
      ({ default_branch: name, size }) => (size === 0 ? null : name),
      (ref) => ref?.name ?? null
    ],
    ["primaryLanguage { name }", ({ language }) => language, (one) => one?.name ?? null],
    ["licenseInfo { key }", ({ license }) => license?.key ?? null, (one) => one?.key ?? null],
    ["parent { nameWithOwner }", ({ parent }) => parent?.full_name ?? null, (one) => one?.nameWithOwner ?? null],
    [
      "repositoryTopics(first: 100) { nodes { topic { name } } }",
      ({ topics }) => topics,
      ({ nodes }) => nodes.map(({ topic }: Json) => topic.name)
    ]
  ],
  Issue: [
    ...issue,
    ...states({ state: "state", stateReason: "state_reason" }),
    total("comments", "comments"),
    ["issueType { name }", ({ type }) => type?.name ?? null, (one) => one?.name ?? null],
    [
      "subIssuesSummary { total completed percentCompleted }",
      ({ sub_issues_summary: { completed, percent_completed, total } }) => ({
        total,
        completed,
        percentCompleted: percent_completed
      })
    ],
    [
      "reactionGroups { users { totalCount } }",
      ({ reactions }) => reactions.total_count,
      (groups) => groups.reduce((sum: number, { users }: Json) => sum + users.totalCount, 0)
    ]
  ],
  PullRequest: [
    ...issue,
    ...equal({ isDraft: "draft", merged: "merged", mergedAt: "merged_at", additions: "additions" }),
    ...equal({ deletions: "deletions", changedFiles: "changed_files", maintainerCanModify: "maintainer_can_modify" }),
    ["state", ({ merged, state }) => (merged ? "MERGED" : upper(state))],
    ["baseRefName", ({ base }) => base.ref],
    ["baseRefOid", ({ base }) => base.sha],
    ["headRefName", ({ head }) => head.ref],
    ["headRefOid", ({ head }) => head.sha],
    [
      "headRepository { nameWithOwner }",
      ({ head }) => head.repo?.full_name ?? null,
      (one) => one?.nameWithOwner ?? null
    ],
    login("mergedBy", "merged_by"),
    oid("mergeCommit", ({ merge_commit_sha: sha, merged }) => (merged ? sha : null)),
    total("commits", "commits"),
    total("comments", "comments"),
    [
      "reviewThreads(first: 100) { nodes { comments { totalCount } } }",
      (pull) => pull.review_comments,
      ({ nodes }) => nodes.reduce((sum: number, { comments }: Json) => sum + comments.totalCount, 0)
    ],
    [
      "reviewRequests(first: 100) { nodes { requestedReviewer { ... on User { login } ... on Team { login: slug } } } }",
      ({ requested_reviewers: users, requested_teams: teams }) =>
        new Set([...users.map((one: Json) => one.login), ...teams.map((one: Json) => one.slug)]),
      ({ nodes }) => new Set(nodes.map(({ requestedReviewer }: Json) => requestedReviewer.login))
    ]
  ],
  IssueComment: conversation,
  PullRequestReview: [
    ...equal({ databaseId: "id", url: "html_url", authorAssociation: "author_association", state: "state" }),
    ...equal({ submittedAt: "submitted_at" }),
    ["body", ({ body }) => body ?? ""],
    login("author", "user"),
    oid("commit", ({ commit_id: sha }) => sha)
  ],
  PullRequestReviewComment: [
    ...conversation,
    ...lines,
    // A comment on a whole file has line 1 in the REST API.
    ["line", ({ line, subject_type: type }) => (type === "file" ? null : line)],
    ["originalLine", ({ original_line: line, subject_type: type }) => (type === "file" ? null : line)],
    ...equal({ startLine: "start_line", position: "position" }),
    ...equal({ originalStartLine: "original_start_line" }),
    ...states({ subjectType: "subject_type" }),
    oid("commit", ({ commit_id: sha }) => sha),
    oid("originalCommit", ({ original_commit_id: sha }) => sha),
    ["replyTo { databaseId }", ({ in_reply_to_id: id }) => id ?? null, (one) => one?.databaseId ?? null],
    ["pullRequestReview { databaseId }", ({ pull_request_review_id: id }) => id, (one) => one?.databaseId ?? null]
  ],
  Label: equal({ name: "name", color: "color", description: "description", isDefault: "default" }),
  Milestone: [
    ...equal({ number: "number", title: "title", description: "description", dueOn: "due_on", url: "html_url" }),
    ...equal({ closedAt: "closed_at" }),
    ...times,
    ...states({ state: "state" }),
    login("creator", "creator")
  ],
  Release: [
    ...equal({ databaseId: "id", name: "name", tagName: "tag_name", description: "body", isDraft: "draft" }),
    ...equal({ isPrerelease: "prerelease", url: "html_url", publishedAt: "published_at", immutable: "immutable" }),
    ...times,
    login("author", "author"),
    names("releaseAssets", "assets", "name")
  ],
  Commit: [
    ...equal({ oid: "sha", url: "html_url" }),
    ["message", ({ commit }) => commit.message],
    person("author"),
    person("committer"),
    oid("tree", ({ commit }) => commit.tree.sha),
    [
      "parents(first: 100) { nodes { oid } }",
      ({ parents }) => parents.map(({ sha }: Json) => sha),
      ({ nodes }) => nodes.map((one: Json) => one.oid)
    ]
  ],
  CheckRun: [
    ...equal({ databaseId: "id", name: "name", startedAt: "started_at", completedAt: "completed_at" }),
    ...equal({ detailsUrl: "details_url", externalId: "external_id", url: "html_url" }),
    ...states({ status: "status", conclusion: "conclusion" }),
    ["title", ({ output }) => output.title],
    ["summary", ({ output }) => output.summary],
    ["text", ({ output }) => output.text],
    ["checkSuite { databaseId }", ({ check_suite: suite }) => suite.id, (suite) => suite.databaseId]
  ],
  StatusContext: [
    ...equal({ context: "context", description: "description", createdAt: "created_at", targetUrl: "target_url" }),
    ...states({ state: "state" }),
    login("creator", "creator")
  ],
  CheckSuite: [
    ...equal({ databaseId: "id" }),
    ...times,
    ...states({ status: "status", conclusion: "conclusion" }),
    oid("commit", ({ head_sha: sha }) => sha),
    ["app { slug }", ({ app }) => app?.slug ?? null, (app) => app?.slug ?? null]
  ],
  WorkflowRun: [
    ...equal({ databaseId: "id", event: "event", runNumber: "run_number", url: "html_url" }),
    ...times,
    ["workflow { databaseId }", ({ workflow_id: id }) => id, (workflow) => workflow.databaseId]
  ],
  Workflow: [...equal({ databaseId: "id", name: "name" }), ...times],
  Ref: [["name", ({ ref }) => ref.replace(/^refs\/[^/]+\//, "")], oid("target", ({ object }) => object.sha)],
  Team: equal({ databaseId: "id", name: "name", slug: "slug", description: "description", url: "html_url" }),
  Deployment: [
    ...equal({ databaseId: "id", commitOid: "sha", task: "task", environment: "environment" }),
    ...equal({ originalEnvironment: "original_environment", description: "description" }),
    ...times,
    login("creator", "creator")
  ],
  Environment: equal({ databaseId: "id", name: "name" })
}

/** The lists of the REST API with the type of their items. The third part is the member with the items. */
const listsOf = (at: string): ReadonlyArray<readonly [type: string, path: string, member?: string]> => [
  ["Issue", `${at}/issues?state=all`],
  ["PullRequest", `${at}/pulls?state=all`],
  ["IssueComment", `${at}/issues/comments`],
  ["PullRequestReviewComment", `${at}/pulls/comments`],
  ["Label", `${at}/labels`],
  ["Milestone", `${at}/milestones?state=all`],
  ["Release", `${at}/releases`],
  ["Commit", `${at}/commits`],
  ["WorkflowRun", `${at}/actions/runs`, "workflow_runs"],
  ["Workflow", `${at}/actions/workflows`, "workflows"],
  ["Ref", `${at}/git/matching-refs/`],
  ["Deployment", `${at}/deployments`],
  ["Environment", `${at}/environments`, "environments"]
]

/** Types of which an empty repository has no list. */
const needsCommits: ReadonlySet<string> = new Set(["Commit", "Ref"])

/** Resources of which a list of the REST API has only a part. */
const isPartial: ReadonlySet<string> = new Set(["User", "Organization", "Repository", "PullRequest"])

/** Lists of GraphQL and of the REST API with the same items in the same order. */
const orders: ReadonlyArray<readonly [selection: string, path: string, member?: string]> = [
  ["issues(first: 100, orderBy: { field: CREATED_AT, direction: DESC })", "issues?state=all&sort=created"],
  ["issues(first: 100, orderBy: { field: UPDATED_AT, direction: ASC })", "issues?state=all&sort=updated&direction=asc"],
  ["issues(first: 100, orderBy: { field: COMMENTS, direction: DESC })", "issues?state=all&sort=comments"],
  ['issues(first: 100, states: [OPEN], labels: ["bug"])', "issues?labels=bug&sort=created&direction=asc"],
  ["pullRequests(first: 100)", "pulls?state=all&sort=created&direction=asc"],
  [
    "pullRequests(first: 100, orderBy: { field: UPDATED_AT, direction: DESC })",
    "pulls?state=all&sort=updated&direction=desc"
  ],
  ['pullRequests(first: 100, states: [OPEN], baseRefName: "main")', "pulls?base=main&sort=created&direction=asc"],
  ["labels(first: 100)", "labels"],
  ["milestones(first: 100, orderBy: { field: DUE_DATE, direction: ASC })", "milestones?state=all&sort=due_on"],
  ["releases(first: 100, orderBy: { field: CREATED_AT, direction: DESC })", "releases"],
  ['refs(first: 100, refPrefix: "refs/heads/")', "git/matching-refs/heads/"],
  ['refs(first: 100, refPrefix: "refs/tags/")', "git/matching-refs/tags/"],
  ["deployments(first: 100, orderBy: { field: CREATED_AT, direction: DESC })", "deployments"],
  ["environments(first: 100)", "environments", "environments"],
  ["collaborators(first: 100)", "collaborators"],
  ["assignableUsers(first: 100)", "assignees"],
  ["rulesets(first: 100)", "rulesets"]
]

layer(Demonstration.layer, { excludeTestServices: true, timeout: 60_000 })("GraphQL and the REST API", (it) => {
  /** Reads the pages of a list. */
  const read = Effect.fnUntraced(function* (path: string, member?: string) {
    const { get } = yield* Demonstration
    const found = yield* get(`${path}${path.includes("?") ? "&" : "?"}per_page=${PER_PAGE}`)
    const items: ReadonlyArray<Json> = member === undefined ? found : found[member]
    return items
  })

  const data = Effect.fnUntraced(function* (query: string, variables: object = {}) {
    const { execute } = yield* Demonstration
    const { data, errors } = yield* execute(query, variables)
    assert.isUndefined(errors, `${query.slice(0, 300)} ${JSON.stringify(errors)?.slice(0, 500)}`)
    return data
  })

  /** Compares resources with the nodes of their ids. Returns their number. */
  const compare = Effect.fnUntraced(function* (type: string, resources: ReadonlyArray<Json>) {
    const { get } = yield* Demonstration
    const whole = isPartial.has(type)
      ? yield* Effect.forEach(resources, ({ url }) => get(new URL(url).pathname))
      : resources
    const fields = pairs[type] ?? []
    const selection = fields.map(([field], index) => field.replace(/^\w+/, `f${index}: $&`)).join(" ")
    const query = `query N($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on ${type} { ${selection} } } }`
    const { nodes } = yield* data(query, { ids: whole.map(({ node_id: id }) => id) })
    for (const [index, resource] of whole.entries()) {
      const node = nodes[index]
      assert.deepStrictEqual([node?.__typename, node?.id], [type, resource.node_id])
      for (const [at, [field, expected, of = (value: Json) => value]] of fields.entries()) {
        assert.deepStrictEqual(
          of(node[`f${at}`]),
          expected(resource),
          `${field} of ${resource.url ?? resource.html_url}`
        )
      }
    }
    return whole.length
  })

  it.effect("give the same values of all resources", () =>
    Effect.gen(function* () {
      const counts = new Map<string, number>()
      const check = Effect.fnUntraced(function* (type: string, resources: ReadonlyArray<Json>) {
        const wanted = resources.filter((one) => type !== "Issue" || one.pull_request === undefined)
        if (wanted.length > 0) counts.set(type, (counts.get(type) ?? 0) + (yield* compare(type, wanted)))
      })
      const repositories = yield* read("/user/repos")
      yield* check("Repository", repositories)
      const owners = new Map(repositories.map(({ owner }) => [owner.login, owner]))
      yield* check(
        "User",
        [...owners.values()].filter(({ type }) => type === "User")
      )
      yield* check(
        "Organization",
        [...owners.values()].filter(({ type }) => type === "Organization")
      )
      yield* check("Team", yield* read("/orgs/north-pier/teams"))
      for (const { full_name, size } of repositories) {
        for (const [type, path, member] of listsOf(`/repos/${full_name}`)) {
          if (size > 0 || !needsCommits.has(type)) yield* check(type, yield* read(path, member))
        }
        for (const { head, number } of yield* read(`/repos/${full_name}/pulls?state=all`)) {
          const at = `/repos/${full_name}/commits/${head.sha}`
          yield* check("PullRequestReview", yield* read(`/repos/${full_name}/pulls/${number}/reviews`))
          yield* check("StatusContext", yield* read(`${at}/statuses`))
          yield* check("CheckRun", yield* read(`${at}/check-runs`, "check_runs"))
          yield* check("CheckSuite", yield* read(`${at}/check-suites`, "check_suites"))
        }
      }
      assert.deepStrictEqual([...counts.keys()].toSorted(), Object.keys(pairs).toSorted())
    })
  )

  it.effect("give lists in the same order", () =>
    Effect.gen(function* () {
      const lists = orders
        .map(([selection], index) =>
          [
            `l${index}: ${selection} { totalCount nodes { id } }`,
            `end${index}: ${selection.replace("first: 100", "last: 2")} { nodes { id } }`,
            `none${index}: ${selection.replace("first: 100", "first: 0")} { totalCount nodes { id } }`
          ].join(" ")
        )
        .join(" ")
      const { repository } = yield* data(`{ repository(owner: "north-pier", name: "lighthouse") { ${lists} } }`)
      for (const [index, [selection, path, member]] of orders.entries()) {
        const items = (yield* read(`${MAIN}/${path}`, member)).filter(
          (one) => !path.startsWith("issues") || one.pull_request === undefined
        )
        const { nodes, totalCount } = repository[`l${index}`]
        assert.isNotEmpty(nodes, selection)
        assert.strictEqual(totalCount, items.length, selection)
        const idsOf = (list: Json) => list.nodes.map(({ id }: Json) => id)
        const ids = items.map(({ node_id: id }) => id)
        assert.deepStrictEqual(idsOf(repository[`l${index}`]), ids, selection)
        assert.deepStrictEqual(idsOf(repository[`end${index}`]), ids.slice(-2), `${selection}, the last two`)
        assert.deepStrictEqual(repository[`none${index}`], { totalCount, nodes: [] }, `${selection}, none`)
      }
    })
  )

  it.effect("give the same values of generated issues and comments, in the same order", () =>
    Effect.gen(function* () {
      const { repos } = yield* TestForge
      yield* Fixtures.add({ ...GeneratedIssues.names, issues: GeneratedIssues.make(GENERATED) }, repos)
      const [owner, name] = GeneratedIssues.REPOSITORY.split("/")
      const issues = yield* read(`/repos/${GeneratedIssues.REPOSITORY}/issues?state=all&sort=updated`)
      const comments = yield* read(`/repos/${GeneratedIssues.REPOSITORY}/issues/comments`)
      assert.isAtLeast(yield* compare("Issue", issues), GENERATED)
      assert.isAtLeast(yield* compare("IssueComment", comments), GENERATED / 2)
      const query = `query L($owner: String!, $name: String!) { repository(owner: $owner, name: $name) {
        issues(first: 100, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { id } } } }`
      const { repository } = yield* data(query, { owner, name })
      assert.deepStrictEqual(
        repository.issues.nodes.map(({ id }: Json) => id),
        issues.map(({ node_id: id }) => id)
      )
    })
  )
})
