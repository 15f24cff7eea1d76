/** Everything that GraphQL shows a caller, and all that a caller can try to change. */
import * as Effect from "effect/Effect"
import * as CompleteSelections from "@tongs/service/features/graphql/CompleteSelections.test-support"
import { TestForge } from "@tongs/service/main/Forge.test-support"

/** The largest id of a row that the documents ask for. */
const MAX_ID = 40

/** Fields of the root that name private resources or search for them. */
const ROOTS = `{
  repository(owner: "harbor", name: "hello") { name description issue(number: 1) { title } }
  secret: repository(owner: "harbor", name: "secret") { name }
  viewer {
    login repositories(first: 100) { totalCount nodes { nameWithOwner } } organizations(first: 100) { nodes { login } }
  }
  organization(login: "harbor") {
    repositories(first: 100) { totalCount nodes { nameWithOwner } } teams(first: 100) { totalCount nodes { name slug } }
  }
  repositoryOwner(login: "olive") { repositories(first: 100) { totalCount nodes { nameWithOwner } } }
  ships: search(query: "ships", type: ISSUE, first: 100) {
    issueCount nodes { ... on Issue { title } ... on PullRequest { title } }
  }
  named: search(query: "repo:harbor/hello", type: ISSUE, first: 100) { issueCount edges { node { ... on Issue { title } } } }
  pulls: search(query: "is:pr author:piers", type: ISSUE_ADVANCED, first: 100) {
    issueCount nodes { ... on PullRequest { title headRefName } }
  }
  repositories: search(query: "hello", type: REPOSITORY, first: 100) { repositoryCount nodes { ... on Repository { name } } }
  owned: search(query: "user:harbor", type: REPOSITORY, first: 100) { repositoryCount nodes { ... on Repository { name } } }
  email: search(query: "olive@marsh.example", type: USER, first: 100) { userCount nodes { ... on User { login name } } }
}`

export interface Answer {
  readonly query: string
  readonly status: number
  readonly json: unknown
}

/** Returns the answers to documents that ask for all fields of all nodes, and for the fields of the root. */
export const readAll = Effect.fnUntraced(function* (token: string) {
  const { ask } = yield* TestForge
  const answers: Array<Answer> = []
  const send = Effect.fnUntraced(function* (name: string, query: string, variables: object) {
    const { json, status } = yield* ask("POST", "/graphql", { token, body: { query, variables } })
    answers.push({ query: name, status, json })
  })
  for (const type of CompleteSelections.nodeTypes) {
    const ids = Array.from({ length: MAX_ID }, (_, index) => Buffer.from(`${type}:${index + 1}`).toString("base64url"))
    yield* send(type, CompleteSelections.nodesOf(type, 1), { ids })
  }
  yield* send("roots", ROOTS, {})
  return answers
})

/** Returns the texts of a value of JSON. */
export const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : []
}

const IDS = `{
  repository(owner: "harbor", name: "hello") {
    id label(name: "bug") { id } ref(qualifiedName: "main") { target { oid } }
    side: ref(qualifiedName: "side") { id target { oid } }
    other: issue(number: 2) { id }
    issue(number: 1) { id comments(first: 1) { nodes { id } } linkedBranches(first: 1) { nodes { id } } }
    pullRequest(number: 20) {
      id reviews(first: 1) { nodes { id comments(first: 1) { nodes { id } } } } reviewThreads(first: 1) { nodes { id } }
    }
  }
  organization(login: "harbor") { id }
  user(login: "piers") { id }
}`

/** Members of the inputs that are not required, but without which a mutation changes nothing. */
const optional: Readonly<Record<string, ReadonlyArray<string>>> = {
  updateIssue: ["title"],
  updateLabel: ["name"],
  updatePullRequest: ["title"],
  updateRepository: ["description"],
  replaceActorsForAssignable: ["actorIds"],
  submitPullRequestReview: ["pullRequestReviewId"],
  addPullRequestReviewThread: ["pullRequestId", "line"],
  requestReviews: ["userIds"],
  requestReviewsByLogin: ["userLogins"],
  createRepository: ["ownerId"]
}

/** Creates a linked branch and a blocking issue, and returns the inputs of all mutations, of rows of `harbor/hello`. */
export const inputs = Effect.gen(function* () {
  const { ask } = yield* TestForge
  const send = (query: string, variables = {}) =>
    Effect.map(ask("POST", "/graphql", { token: "owner", body: { query, variables } }), ({ json }) => json)
  const before = (yield* send(IDS)).data.repository
  yield* send("mutation($input: CreateLinkedBranchInput!) { createLinkedBranch(input: $input) { clientMutationId } }", {
    input: { issueId: before.issue.id, oid: before.ref.target.oid, name: "linked" }
  })
  yield* send("mutation($input: AddBlockedByInput!) { addBlockedBy(input: $input) { clientMutationId } }", {
    input: { issueId: before.issue.id, blockingIssueId: before.other.id }
  })
  const { organization, repository, user } = (yield* send(IDS)).data
  const { issue, label, other, pullRequest, ref, side } = repository
  const [review] = pullRequest.reviews.nodes
  const values: Readonly<Record<string, unknown>> = {
    repositoryId: repository.id,
    ownerId: organization.id,
    issueId: issue.id,
    subIssueId: other.id,
    blockingIssueId: other.id,
    refId: side.id,
    branch: { repositoryNameWithOwner: "harbor/hello", branchName: "side" },
    expectedHeadOid: side.target.oid,
    assignableId: issue.id,
    labelableId: issue.id,
    lockableId: issue.id,
    subjectId: issue.id,
    labelIds: [label.id],
    assigneeIds: [user.id],
    actorIds: [user.id],
    userIds: [user.id],
    userLogins: ["nell"],
    linkedBranchId: issue.linkedBranches.nodes[0].id,
    oid: ref.target.oid,
    pullRequestId: pullRequest.id,
    pullRequestReviewId: review.id,
    pullRequestReviewCommentId: review.comments.nodes[0].id,
    pullRequestReviewThreadId: pullRequest.reviewThreads.nodes[0].id,
    threadId: pullRequest.reviewThreads.nodes[0].id,
    title: "Changed",
    body: "Changed",
    name: "changed",
    message: "Changed",
    description: "Changed",
    color: "00ff00",
    content: "ROCKET",
    event: "COMMENT",
    path: "src/danish.ts",
    line: 1,
    baseRefName: "main",
    headRefName: "side",
    visibility: "PRIVATE"
  }
  const ids: Readonly<Record<string, string>> = {
    updateIssue: issue.id,
    updateIssueComment: issue.comments.nodes[0].id,
    deleteIssueComment: issue.comments.nodes[0].id,
    updateLabel: label.id,
    deleteLabel: label.id,
    deletePullRequestReviewComment: review.comments.nodes[0].id
  }
  const valueOf = (name: string, member: string) => {
    if (member === "id") return ids[name]
    return name === "createCommitOnBranch" && member === "message" ? { headline: "Changed" } : values[member]
  }
  return [...CompleteSelections.mutations].map(([name, required]) => {
    const members = [...required, ...(optional[name] ?? [])]
    return { name, input: Object.fromEntries(members.map((member) => [member, valueOf(name, member)])) }
  })
})

/** Sends a mutation, and returns the types of its errors. */
export const mutate = Effect.fnUntraced(function* (token: string, name: string, input: object) {
  const { ask } = yield* TestForge
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const query = `mutation($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`
  const { json, status } = yield* ask("POST", "/graphql", { token, body: { query, variables: { input } } })
  const errors: ReadonlyArray<{ readonly type?: string; readonly message: string }> = json.errors ?? []
  return { status, errors: errors.map(({ message, type }) => `${type ?? "INVALID"} ${message}`) }
})

const repository = (field: string) => `repository(owner: "harbor", name: "hello") { ${field} }`
const pull = (field: string) => repository(`pullRequest(number: 20) { ${field} }`)
const commit = (field: string) => repository(`object(oid: "{commit}") { ... on Commit { ${field} } }`)
const node = (type: string, id: number, field: string) =>
  `node(id: "${Buffer.from(`${type}:${id}`).toString("base64url")}") { ... on ${type} { ${field} } }`
const HELLO = "/repos/harbor/hello"

/** Reads of the REST API, and fields of GraphQL with the same data. The first field needs no other permission. */
export const equals: ReadonlyArray<readonly [path: string, fields: ReadonlyArray<string>]> = [
  [HELLO, [repository("name"), node("Repository", 1, "name")]],
  [`${HELLO}/issues/1`, [repository("issue(number: 1) { title }"), node("Issue", 1, "title")]],
  [`${HELLO}/issues/comments/1`, [node("IssueComment", 1, "body")]],
  [`${HELLO}/issues`, [repository("issues(first: 1) { nodes { title } }")]],
  [`${HELLO}/labels/bug`, [repository('label(name: "bug") { name }'), node("Label", 1, "name")]],
  [`${HELLO}/milestones/1`, [repository("milestone(number: 1) { title }"), node("Milestone", 1, "title")]],
  [`${HELLO}/assignees`, [repository("assignableUsers(first: 1) { nodes { login } }")]],
  [`${HELLO}/pulls/20`, [pull("headRefName")]],
  [`${HELLO}/pulls`, [repository("pullRequests(first: 1) { nodes { headRefName } }")]],
  [
    `${HELLO}/pulls/20/reviews/30`,
    [pull("reviews(first: 1) { nodes { body } }"), node("PullRequestReview", 30, "body")]
  ],
  [`${HELLO}/pulls/comments/21`, [node("PullRequestReviewComment", 21, "body")]],
  [
    `${HELLO}/git/ref/heads/main`,
    [
      repository('ref(qualifiedName: "main") { name }'),
      repository("defaultBranchRef { target { oid } }"),
      commit("message"),
      repository('object(expression: "main") { oid }')
    ]
  ],
  [`${HELLO}/releases/tags/v1`, [repository('release(tagName: "v1") { name }'), node("Release", 1, "name")]],
  [`${HELLO}/releases/latest`, [repository("latestRelease { name }")]],
  [`${HELLO}/check-runs/1`, [node("CheckRun", 1, "name")]],
  [`${HELLO}/actions/runs/1`, [node("WorkflowRun", 1, "event")]],
  [`${HELLO}/pulls/20/commits`, [pull("commits(first: 1) { nodes { commit { message } } }")]],
  [
    `${HELLO}/commits`,
    [
      repository("defaultBranchRef { target { ... on Commit { history(first: 1) { nodes { oid } } } } }"),
      pull("commits(first: 1) { nodes { commit { history(first: 1) { nodes { oid } } } } }")
    ]
  ],
  [`${HELLO}/compare/main...side`, [repository('defaultBranchRef { compare(headRef: "side") { status } }')]],
  [`${HELLO}/git/trees/{commit}`, [commit("tree { oid }"), repository('object(expression: "main:") { oid }')]],
  [
    `${HELLO}/contents/README.md`,
    [
      commit('file(path: "README.md") { name }'),
      commit('blame(path: "README.md") { ranges { commit { oid } } }'),
      repository('object(expression: "main:README.md") { ... on Blob { text } }')
    ]
  ],
  [`${HELLO}/rulesets`, [repository("rulesets(first: 1) { nodes { name } }")]],
  [
    `${HELLO}/branches/guarded/protection`,
    [
      repository("branchProtectionRules(first: 1) { nodes { pattern } }"),
      repository('ref(qualifiedName: "guarded") { branchProtectionRule { pattern } }')
    ]
  ],
  [`${HELLO}/deployments`, [repository("deployments(first: 1) { nodes { environment } }")]],
  [`${HELLO}/environments`, [repository("environments(first: 1) { nodes { name } }")]],
  [`${HELLO}/collaborators`, [repository("collaborators(first: 1) { nodes { login } }")]],
  ["/orgs/harbor/rulesets", ['organization(login: "harbor") { rulesets(first: 1) { nodes { name } } }']],
  ["/orgs/harbor/teams", ['organization(login: "harbor") { teams(first: 1) { nodes { name } } }']]
]

/** True for a value that holds a text. */
const isShown = (value: unknown): boolean => textsOf(value).length > 0

/** Returns true for each field that shows something, and the status of the read by REST. */
export const compare = Effect.fnUntraced(function* (
  token: string,
  [path, fields]: (typeof equals)[number],
  replace: (text: string) => string
) {
  const { ask, get } = yield* TestForge
  const { status } = yield* get(replace(path), { token })
  const shown: Array<boolean> = []
  for (const field of fields) {
    const { json } = yield* ask("POST", "/graphql", { token, body: { query: replace(`{ ${field} }`) } })
    shown.push(isShown(json.data))
  }
  return { status, shown }
})
