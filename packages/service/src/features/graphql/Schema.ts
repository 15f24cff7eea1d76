/** The GraphQL schema: the part of GitHub's schema that `gh` needs to find, view and clone repositories. */

/** The schema in GraphQL's definition language. Members that the forge does not have are empty or null. */
export const DEFINITION = `
type Query {
  "The signed-in user."
  viewer: User!
  repository(owner: String!, name: String!): Repository
  "A user or an organization."
  repositoryOwner(login: String!): RepositoryOwner
}

interface RepositoryOwner {
  id: ID!
  login: String!
  url: String!
  repositories(first: Int, after: String, privacy: RepositoryPrivacy, isFork: Boolean, ownerAffiliations: [RepositoryAffiliation], orderBy: RepositoryOrder): RepositoryConnection!
}

type User implements RepositoryOwner {
  id: ID!
  login: String!
  name: String
  url: String!
  repositories(first: Int, after: String, privacy: RepositoryPrivacy, isFork: Boolean, ownerAffiliations: [RepositoryAffiliation], orderBy: RepositoryOrder): RepositoryConnection!
  organizations(first: Int): OrganizationConnection!
}

type Organization implements RepositoryOwner {
  id: ID!
  login: String!
  name: String
  url: String!
  repositories(first: Int, after: String, privacy: RepositoryPrivacy, isFork: Boolean, ownerAffiliations: [RepositoryAffiliation], orderBy: RepositoryOrder): RepositoryConnection!
}

type OrganizationConnection { nodes: [Organization] totalCount: Int! }
type RepositoryConnection { nodes: [Repository] totalCount: Int! pageInfo: PageInfo! }
type PageInfo { hasNextPage: Boolean! endCursor: String }

enum RepositoryPrivacy { PUBLIC PRIVATE }
enum RepositoryAffiliation { OWNER COLLABORATOR ORGANIZATION_MEMBER }
enum RepositoryVisibility { PUBLIC PRIVATE INTERNAL }
enum RepositoryPermission { ADMIN MAINTAIN WRITE TRIAGE READ }
enum RepositoryOrderField { CREATED_AT UPDATED_AT PUSHED_AT NAME STARGAZERS }
enum OrderDirection { ASC DESC }
enum IssueState { OPEN CLOSED }
enum PullRequestState { OPEN CLOSED MERGED }
input RepositoryOrder { field: RepositoryOrderField! direction: OrderDirection! }

type Repository {
  id: ID!
  databaseId: Int
  name: String!
  nameWithOwner: String!
  owner: RepositoryOwner!
  description: String
  url: String!
  sshUrl: String!
  homepageUrl: String
  createdAt: String!
  pushedAt: String
  updatedAt: String!
  visibility: RepositoryVisibility!
  isArchived: Boolean!
  isEmpty: Boolean!
  isFork: Boolean!
  isInOrganization: Boolean!
  isMirror: Boolean!
  isPrivate: Boolean!
  isTemplate: Boolean!
  viewerPermission: RepositoryPermission
  viewerCanAdminister: Boolean!
  hasDiscussionsEnabled: Boolean!
  hasIssuesEnabled: Boolean!
  hasProjectsEnabled: Boolean!
  hasWikiEnabled: Boolean!
  mergeCommitAllowed: Boolean!
  rebaseMergeAllowed: Boolean!
  squashMergeAllowed: Boolean!
  deleteBranchOnMerge: Boolean!
  diskUsage: Int
  forkCount: Int!
  stargazerCount: Int!
  defaultBranchRef: Ref
  parent: Repository
  templateRepository: Repository
  primaryLanguage: Language
  languages(first: Int): LanguageConnection
  repositoryTopics(first: Int): RepositoryTopicConnection!
  licenseInfo: License
  latestRelease: Release
  watchers: Count!
  issues(states: [IssueState!]): Count!
  pullRequests(states: [PullRequestState!]): Count!
}

type Ref { name: String! prefix: String! target: GitObject }
type GitObject { oid: String! }
type Language { name: String! }
type LanguageEdge { size: Int! node: Language! }
type LanguageConnection { edges: [LanguageEdge] totalSize: Int! totalCount: Int! }
type Topic { name: String! }
type RepositoryTopic { topic: Topic! }
type RepositoryTopicConnection { nodes: [RepositoryTopic] totalCount: Int! }
type License { key: String! name: String! nickname: String }
type Release { name: String tagName: String! url: String! publishedAt: String }
type Count { totalCount: Int! }
`
