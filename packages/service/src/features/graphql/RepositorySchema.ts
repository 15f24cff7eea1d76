/** The GraphQL types of accounts and repositories. */

const REPOSITORIES = `repositories(
    first: Int, last: Int, after: String, before: String, privacy: RepositoryPrivacy, isFork: Boolean,
    ownerAffiliations: [RepositoryAffiliation], affiliations: [RepositoryAffiliation], orderBy: RepositoryOrder
  ): RepositoryConnection!`

const ACTOR = `
  id: ID!
  login: String!
  url: URI!
  avatarUrl(size: Int): URI!
  resourcePath: URI!
  databaseId: Int`

export const DEFINITION = `
extend type Query {
  repository(owner: String!, name: String!, followRenames: Boolean): Repository
  "A user or an organization."
  repositoryOwner(login: String!): RepositoryOwner
  user(login: String!): User
  organization(login: String!): Organization
}

interface RepositoryOwner {
  id: ID!
  login: String!
  url: URI!
  avatarUrl(size: Int): URI!
  ${REPOSITORIES}
}

type User implements Node & Actor & RepositoryOwner & UniformResourceLocatable {${ACTOR}
  name: String
  ${REPOSITORIES}
  organizations(first: Int, last: Int, after: String, before: String): OrganizationConnection!
}

type Organization implements Node & Actor & RepositoryOwner & UniformResourceLocatable {${ACTOR}
  name: String
  ${REPOSITORIES}
}

type Bot implements Node & Actor & UniformResourceLocatable {${ACTOR}
}

"The author of imported content who has no account."
type Mannequin implements Node & Actor & UniformResourceLocatable {${ACTOR}
  name: String
}

type OrganizationEdge { cursor: String! node: Organization }
type OrganizationConnection { nodes: [Organization] edges: [OrganizationEdge] totalCount: Int! pageInfo: PageInfo! }
type UserEdge { cursor: String! node: User }
type UserConnection { nodes: [User] edges: [UserEdge] totalCount: Int! pageInfo: PageInfo! }
type RepositoryEdge { cursor: String! node: Repository }
type RepositoryConnection { nodes: [Repository] edges: [RepositoryEdge] totalCount: Int! pageInfo: PageInfo! }

enum RepositoryPrivacy { PUBLIC PRIVATE }
enum RepositoryAffiliation { OWNER COLLABORATOR ORGANIZATION_MEMBER }
enum RepositoryVisibility { PUBLIC PRIVATE INTERNAL }
enum RepositoryPermission { ADMIN MAINTAIN WRITE TRIAGE READ }
enum RepositoryOrderField { CREATED_AT UPDATED_AT PUSHED_AT NAME STARGAZERS }
input RepositoryOrder { field: RepositoryOrderField! direction: OrderDirection! }

type Repository implements Node & UniformResourceLocatable {
  id: ID!
  resourcePath: URI!
  databaseId: Int
  name: String!
  nameWithOwner: String!
  owner: RepositoryOwner!
  description: String
  url: URI!
  sshUrl: String!
  homepageUrl: URI
  createdAt: DateTime!
  pushedAt: DateTime
  updatedAt: DateTime!
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
  autoMergeAllowed: Boolean!
  allowUpdateBranch: Boolean!
  webCommitSignoffRequired: Boolean!
  diskUsage: Int
  forkCount: Int!
  "True if the viewer can fork the repository."
  viewerCanFork: Boolean
  forkingAllowed: Boolean!
  forks(
    first: Int, last: Int, after: String, before: String, privacy: RepositoryPrivacy,
    affiliations: [RepositoryAffiliation], ownerAffiliations: [RepositoryAffiliation], orderBy: RepositoryOrder
  ): RepositoryConnection!
  stargazerCount: Int!
  defaultBranchRef: Ref
  ref(qualifiedName: String!): Ref
  "The references with a prefix such as refs/tags/, by name."
  refs(
    first: Int, last: Int, after: String, before: String, refPrefix: String!, query: String, direction: OrderDirection,
    orderBy: RefOrder
  ): RefConnection
  collaborators(
    first: Int, last: Int, after: String, before: String, affiliation: CollaboratorAffiliation, login: String,
    query: String
  ): RepositoryCollaboratorConnection
  "False: the forge has no alerts."
  hasVulnerabilityAlertsEnabled: Boolean!
  "Null: the forge has no merge queues."
  mergeQueue(branch: String): MergeQueue
  parent: Repository
  templateRepository: Repository
  primaryLanguage: Language
  languages(first: Int, last: Int, after: String, before: String): LanguageConnection
  repositoryTopics(first: Int, last: Int, after: String, before: String): RepositoryTopicConnection!
  licenseInfo: License
  watchers(first: Int, last: Int, after: String, before: String): Count!
  "Null: the forge does not keep the time."
  archivedAt: DateTime
  "Null: the forge does not detect codes of conduct."
  codeOfConduct: CodeOfConduct
  contactLinks: [RepositoryContactLink!]
  fundingLinks: [FundingLink!]!
  isBlankIssuesEnabled: Boolean!
  isSecurityPolicyEnabled: Boolean
  securityPolicyUrl: URI
  "True for the repository of a user's profile, which has the user's name."
  isUserConfigurationRepository: Boolean!
  "Null: the forge mirrors no repositories."
  mirrorUrl: URI
  "The picture of the owner."
  openGraphImageUrl: URI!
  usesCustomOpenGraphImage: Boolean!
  projects(
    first: Int, last: Int, after: String, before: String, states: [ProjectState!], search: String
  ): ProjectConnection!
  projectsV2(first: Int, last: Int, after: String, before: String, query: String): ProjectV2Connection!
  viewerHasStarred: Boolean!
  viewerSubscription: SubscriptionState
  viewerDefaultCommitEmail: String
  "The verified addresses, the primary first."
  viewerPossibleCommitEmails: [String!]
  "The first method of merges that the repository allows."
  viewerDefaultMergeMethod: PullRequestMergeMethod!
}

enum CollaboratorAffiliation { ALL DIRECT OUTSIDE }
type RepositoryCollaboratorEdge { cursor: String! node: User! permission: RepositoryPermission! }
type RepositoryCollaboratorConnection {
  nodes: [User] edges: [RepositoryCollaboratorEdge] totalCount: Int! pageInfo: PageInfo!
}
type MergeQueue { id: ID! }
enum RefOrderField { ALPHABETICAL TAG_COMMIT_DATE }
input RefOrder { field: RefOrderField! direction: OrderDirection! }
type RefEdge { cursor: String! node: Ref }
type RefConnection { nodes: [Ref] edges: [RefEdge] totalCount: Int! pageInfo: PageInfo! }

type Ref implements Node {
  id: ID!
  name: String!
  prefix: String!
  target: GitObject
  repository: Repository!
  "Compares a branch, or owner:branch of a fork, with this branch."
  compare(headRef: String!): Comparison
  "The pull requests whose head is this branch."
  associatedPullRequests(
    first: Int, last: Int, after: String, before: String, states: [PullRequestState!], labels: [String!],
    baseRefName: String, headRefName: String, orderBy: IssueOrder
  ): PullRequestConnection!
}
enum ComparisonStatus { AHEAD BEHIND DIVERGED IDENTICAL }
type Comparison {
  aheadBy: Int!
  behindBy: Int!
  status: ComparisonStatus!
  baseTarget: GitObject!
  headTarget: GitObject!
}
type Language { name: String! }
type LanguageEdge { size: Int! node: Language! }
type LanguageConnection { edges: [LanguageEdge] totalSize: Int! totalCount: Int! }
type Topic { name: String! }
type RepositoryTopic { topic: Topic! }
type RepositoryTopicConnection { nodes: [RepositoryTopic] totalCount: Int! pageInfo: PageInfo! }
type License { key: String! name: String! nickname: String }
type CodeOfConduct implements Node { id: ID! key: String! name: String! url: URI }
type RepositoryContactLink { about: String! name: String! url: URI! }
enum FundingPlatform {
  BUY_ME_A_COFFEE COMMUNITY_BRIDGE CUSTOM GITHUB ISSUEHUNT KO_FI LFX_CROWDFUNDING LIBERAPAY OPEN_COLLECTIVE PATREON
  POLAR THANKS_DEV TIDELIFT
}
type FundingLink { platform: FundingPlatform! url: URI! }
enum SubscriptionState { IGNORED SUBSCRIBED UNSUBSCRIBED }
enum ProjectState { OPEN CLOSED }
type Count { totalCount: Int! }
`
