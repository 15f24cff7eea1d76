/** The GraphQL types of git objects, statuses, check runs and check suites. */

const PAGE = "first: Int, last: Int, after: String, before: String"

const GIT_OBJECT = `
  id: ID!
  oid: GitObjectID!
  abbreviatedOid: String!
  commitUrl: URI!
  commitResourcePath: URI!
  repository: Repository!`

const REQUIRED = `isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean!`

export const DEFINITION = `
extend type Repository {
  "A git object by its id, or by a revision such as main or main:README.md."
  object(oid: GitObjectID, expression: String): GitObject
}

interface GitObject {${GIT_OBJECT}
}
type Tree implements Node & GitObject {${GIT_OBJECT}
  "At most 1,000 entries."
  entries: [TreeEntry!]
}
type TreeEntry {
  name: String!
  nameRaw: Base64String!
  "Null in a tree that the query names by its id."
  path: String
  pathRaw: Base64String
  extension: String
  type: String!
  mode: Int!
  oid: GitObjectID!
  size: Int!
  object: GitObject
  submodule: Submodule
  repository: Repository!
}
type Submodule {
  name: String!
  nameRaw: Base64String!
  gitUrl: URI!
  branch: String
  path: String!
  pathRaw: Base64String!
  subprojectCommitOid: GitObjectID
}
type Blob implements Node & GitObject {${GIT_OBJECT}
  byteSize: Int!
  isBinary: Boolean
  "True if the text is only a part of the content."
  isTruncated: Boolean!
  "Null for binary content."
  text: String
}
type Tag implements Node & GitObject {${GIT_OBJECT}
  name: String!
  message: String
  tagger: GitActor
  target: GitObject!
}

"The commits that last changed the lines of a file."
type Blame { ranges: [BlameRange!]! }
type BlameRange {
  startingLine: Int!
  endingLine: Int!
  commit: Commit!
  "From 1 for the newest to 10 for the oldest lines of the file."
  age: Int!
}

"A person in a commit."
type GitActor { name: String email: String date: DateTime avatarUrl(size: Int): URI! user: User }
type GitActorEdge { cursor: String! node: GitActor }
type GitActorConnection { nodes: [GitActor] edges: [GitActorEdge] totalCount: Int! pageInfo: PageInfo! }

type Commit implements Node & GitObject & UniformResourceLocatable {${GIT_OBJECT}
  url: URI!
  message: String!
  messageHeadline: String!
  messageBody: String!
  author: GitActor
  committer: GitActor
  authors(${PAGE}): GitActorConnection!
  authoredDate: DateTime!
  committedDate: DateTime!
  "The newest statuses. Null if the commit has none."
  status: Status
  "The newest statuses and check runs. Null if the commit has none."
  statusCheckRollup: StatusCheckRollup
  checkSuites(${PAGE}, filterBy: CheckSuiteFilter): CheckSuiteConnection
  "The pull requests that bring the commit, or merged it."
  associatedPullRequests(${PAGE}): PullRequestConnection
  "The commit and its ancestors, newest first."
  history(${PAGE}, path: String, since: GitTimestamp, until: GitTimestamp): CommitHistoryConnection!
  parents(${PAGE}): CommitConnection!
  tree: Tree!
  treeUrl: URI!
  blame(path: String!): Blame!
  "The entry of a file or folder. Null if the commit does not have the path."
  file(path: String!): TreeEntry
  resourcePath: URI!
}
type CommitEdge { cursor: String! node: Commit }
type CommitConnection { nodes: [Commit] edges: [CommitEdge] totalCount: Int! pageInfo: PageInfo! }
type CommitHistoryConnection { nodes: [Commit] edges: [CommitEdge] totalCount: Int! pageInfo: PageInfo! }

enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }
enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
enum CheckConclusionState {
  ACTION_REQUIRED CANCELLED FAILURE NEUTRAL SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT
}
enum CheckRunState {
  ACTION_REQUIRED CANCELLED COMPLETED FAILURE IN_PROGRESS NEUTRAL PENDING QUEUED SKIPPED STALE STARTUP_FAILURE SUCCESS
  TIMED_OUT WAITING
}
input CheckSuiteFilter { appId: Int checkName: String }
input CheckRunFilter { checkName: String status: CheckStatusState appId: Int checkType: CheckRunType }
enum CheckRunType { ALL LATEST }

"A check that rules of the base branch can require. The base branch is the default branch."
interface RequirableByPullRequest { ${REQUIRED} }

type Status {
  state: StatusState!
  contexts: [StatusContext!]!
  context(name: String!): StatusContext
  commit: Commit
}

type StatusContext implements Node & RequirableByPullRequest {
  id: ID!
  context: String!
  state: StatusState!
  description: String
  targetUrl: URI
  avatarUrl(size: Int): URI
  createdAt: DateTime!
  creator: Actor
  commit: Commit
  ${REQUIRED}
}

type StatusCheckRollup {
  state: StatusState!
  commit: Commit
  contexts(${PAGE}): StatusCheckRollupContextConnection!
}
union StatusCheckRollupContext = CheckRun | StatusContext
type StatusCheckRollupContextEdge { cursor: String! node: StatusCheckRollupContext }
type StatusCheckRollupContextConnection {
  nodes: [StatusCheckRollupContext]
  edges: [StatusCheckRollupContextEdge]
  totalCount: Int!
  pageInfo: PageInfo!
  checkRunCount: Int!
  checkRunCountsByState: [CheckRunStateCount!]
  statusContextCount: Int!
  statusContextCountsByState: [StatusContextStateCount!]
}
type CheckRunStateCount { state: CheckRunState! count: Int! }
type StatusContextStateCount { state: StatusState! count: Int! }

type CheckRun implements Node & RequirableByPullRequest {
  id: ID!
  databaseId: Int
  name: String!
  status: CheckStatusState!
  conclusion: CheckConclusionState
  startedAt: DateTime
  completedAt: DateTime
  detailsUrl: URI
  externalId: String
  permalink: URI!
  url: URI!
  title: String
  summary: String
  text: String
  checkSuite: CheckSuite!
  repository: Repository!
  ${REQUIRED}
}
type CheckRunEdge { cursor: String! node: CheckRun }
type CheckRunConnection { nodes: [CheckRun] edges: [CheckRunEdge] totalCount: Int! pageInfo: PageInfo! }

type CheckSuite implements Node {
  id: ID!
  databaseId: Int
  app: App
  branch: Ref
  commit: Commit
  creator: User
  status: CheckStatusState!
  conclusion: CheckConclusionState
  createdAt: DateTime!
  updatedAt: DateTime!
  repository: Repository!
  checkRuns(${PAGE}, filterBy: CheckRunFilter): CheckRunConnection
  workflowRun: WorkflowRun
}
type CheckSuiteEdge { cursor: String! node: CheckSuite }
type CheckSuiteConnection { nodes: [CheckSuite] edges: [CheckSuiteEdge] totalCount: Int! pageInfo: PageInfo! }
type WorkflowRun implements Node & UniformResourceLocatable {
  id: ID!
  databaseId: Int
  event: String!
  runNumber: Int!
  checkSuite: CheckSuite!
  createdAt: DateTime!
  updatedAt: DateTime!
  url: URI!
  resourcePath: URI!
  workflow: Workflow!
}
type Workflow implements Node {
  id: ID!
  databaseId: Int
  name: String!
  createdAt: DateTime!
  updatedAt: DateTime!
}
type App implements Node { id: ID! databaseId: Int name: String! slug: String! description: String url: URI! }
`
