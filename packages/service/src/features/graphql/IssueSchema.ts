/** The GraphQL types of issues, their labels, milestones, comments and reactions. */

/** Arguments of a connection. */
export const PAGE = "first: Int, last: Int, after: String, before: String"

/** Returns the types of a connection. */
export const connection = (name: string, node = name) => `
type ${name}Edge { cursor: String! node: ${node} }
type ${name}Connection { nodes: [${node}] edges: [${name}Edge] totalCount: Int! pageInfo: PageInfo! }`

/** The fields that issues and pull requests have. */
export const CONVERSATION = `
  id: ID!
  databaseId: Int
  fullDatabaseId: String
  number: Int!
  title: String!
  body: String!
  url: URI!
  resourcePath: URI!
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  closed: Boolean!
  closedAt: DateTime
  createdAt: DateTime!
  updatedAt: DateTime!
  locked: Boolean!
  activeLockReason: LockReason
  viewerDidAuthor: Boolean!
  viewerCanReact: Boolean!
  repository: Repository!
  milestone: Milestone
  assignees(${PAGE}): UserConnection!
  assignedActors(${PAGE}): AssigneeConnection!
  labels(${PAGE}): LabelConnection
  comments(${PAGE}, orderBy: IssueCommentOrder): IssueCommentConnection!
  reactionGroups: [ReactionGroup!]
  reactions(${PAGE}): ReactionConnection!
  "The accounts that can be assigned, selected by login or name."
  suggestedActors(${PAGE}, query: String): AssigneeConnection!
  projectCards(${PAGE}): ProjectCardConnection!
  projectItems(${PAGE}, includeArchived: Boolean): ProjectV2ItemConnection!`

/** Returns the type of a custom field. */
const issueField = (type: string, more = "") => `
type IssueField${type} implements Node & IssueFieldCommon {
  id: ID! name: String! fullDatabaseId: String description: String visibility: IssueFieldVisibility!
  dataType: IssueFieldDataType! ${more}
}`

export const definition = `
extend type Query {
  search(query: String!, type: SearchType!, ${PAGE}): SearchResultItemConnection!
}

extend type Repository {
  issue(number: Int!): Issue
  issueOrPullRequest(number: Int!): IssueOrPullRequest
  issues(
    ${PAGE}, states: [IssueState!], labels: [String!], orderBy: IssueOrder, filterBy: IssueFilters
  ): IssueConnection!
  pinnedIssues(${PAGE}): PinnedIssueConnection
  label(name: String!): Label
  labels(${PAGE}, query: String, orderBy: LabelOrder): LabelConnection
  milestone(number: Int!): Milestone
  milestones(${PAGE}, states: [MilestoneState!], query: String, orderBy: MilestoneOrder): MilestoneConnection
  assignableUsers(${PAGE}, query: String): UserConnection!
  mentionableUsers(${PAGE}, query: String): UserConnection!
  suggestedActors(
    ${PAGE}, capabilities: [RepositorySuggestedActorFilter!]!, query: String, loginNames: String
  ): ActorConnection!
  "Empty: the forge has no custom fields of issues."
  issueFields(${PAGE}): IssueFieldsConnection
  issueTemplates: [IssueTemplate!]
  "The types that issues can have. Null unless the owner is an organization."
  issueTypes(${PAGE}): IssueTypeConnection
}

enum RepositorySuggestedActorFilter { CAN_BE_ASSIGNED CAN_BE_AUTHOR }
enum SearchType { ISSUE ISSUE_ADVANCED REPOSITORY USER }
enum IssueState { OPEN CLOSED }
enum IssueStateReason { COMPLETED NOT_PLANNED REOPENED DUPLICATE }
enum LockReason { OFF_TOPIC TOO_HEATED RESOLVED SPAM }
enum MilestoneState { OPEN CLOSED }
enum CommentAuthorAssociation { COLLABORATOR CONTRIBUTOR FIRST_TIMER FIRST_TIME_CONTRIBUTOR MANNEQUIN MEMBER NONE OWNER }
enum ReactionContent { THUMBS_UP THUMBS_DOWN LAUGH HOORAY CONFUSED HEART ROCKET EYES }
enum IssueOrderField { CREATED_AT UPDATED_AT COMMENTS }
enum LabelOrderField { NAME CREATED_AT ISSUE_COUNT }
enum MilestoneOrderField { DUE_DATE CREATED_AT UPDATED_AT NUMBER }
enum IssueCommentOrderField { UPDATED_AT }
input IssueOrder { field: IssueOrderField! direction: OrderDirection! }
input LabelOrder { field: LabelOrderField! direction: OrderDirection! }
input MilestoneOrder { field: MilestoneOrderField! direction: OrderDirection! }
input IssueCommentOrder { field: IssueCommentOrderField! direction: OrderDirection! }
input IssueFilters {
  assignee: String createdBy: String labels: [String!] mentioned: String milestone: String milestoneNumber: String
  since: DateTime states: [IssueState!] type: String issueFieldValues: [IssueFieldValueFilter!]
}

"An issue or a comment."
interface Comment { id: ID! author: Actor authorAssociation: CommentAuthorAssociation! body: String! createdAt: DateTime! updatedAt: DateTime! }
interface Lockable { locked: Boolean! activeLockReason: LockReason }
interface Labelable { labels(${PAGE}): LabelConnection }
interface Assignable { assignees(${PAGE}): UserConnection! assignedActors(${PAGE}): AssigneeConnection! }
interface Closable { closed: Boolean! closedAt: DateTime }
interface Reactable { id: ID! reactionGroups: [ReactionGroup!] viewerCanReact: Boolean! }

union IssueOrPullRequest = Issue | PullRequest
union SearchResultItem = Issue | PullRequest | Repository | User | Organization
union Assignee = User | Bot | Organization | Mannequin

type Issue implements Node & Comment & Lockable & Labelable & Assignable & Closable & Reactable & UniformResourceLocatable {
  ${CONVERSATION}
  state: IssueState!
  stateReason(enableDuplicate: Boolean): IssueStateReason
  isPinned: Boolean
  issueType: IssueType
  parent: Issue
  subIssues(${PAGE}): IssueConnection!
  subIssuesSummary: SubIssuesSummary!
  blockedBy(${PAGE}): IssueConnection!
  blocking(${PAGE}): IssueConnection!
  linkedBranches(${PAGE}): LinkedBranchConnection!
  "The pull requests whose merge closes the issue. Without includeClosedPrs only the open ones."
  closedByPullRequestsReferences(
    ${PAGE}, includeClosedPrs: Boolean = false, orderByState: Boolean = false
  ): PullRequestConnection
  "Empty: the forge has no custom fields of issues."
  issueFieldValues(${PAGE}): IssueFieldValueConnection
}

interface IssueFieldCommon { name: String! fullDatabaseId: String description: String visibility: IssueFieldVisibility! dataType: IssueFieldDataType! }
enum IssueFieldVisibility { ALL ORG_ONLY }
enum IssueFieldDataType { DATE NUMBER SINGLE_SELECT TEXT }
enum IssueFieldSingleSelectOptionColor { BLUE GRAY GREEN ORANGE PINK PURPLE RED YELLOW }
${["Date", "Number", "Text"].map((type) => issueField(type)).join("")}
${issueField("SingleSelect", "options: [IssueFieldSingleSelectOption!]!")}
type IssueFieldSingleSelectOption {
  id: ID! name: String! description: String color: IssueFieldSingleSelectOptionColor! priority: Int
}
union IssueFields = IssueFieldDate | IssueFieldNumber | IssueFieldSingleSelect | IssueFieldText
type IssueFieldDateValue { field: IssueFields value: String! }
type IssueFieldNumberValue { field: IssueFields value: Float! }
type IssueFieldSingleSelectValue { field: IssueFields value: String! optionId: String name: String! }
type IssueFieldTextValue { field: IssueFields value: String! }
union IssueFieldValue =
  IssueFieldDateValue | IssueFieldNumberValue | IssueFieldSingleSelectValue | IssueFieldTextValue
"Selects no issue: the forge has no custom fields of issues."
input IssueFieldValueFilter {
  fieldName: String! dateValue: String numberValue: Float singleSelectOptionValue: String textValue: String
}
${connection("IssueFields")}
${connection("IssueFieldValue")}

type IssueComment implements Node & Comment & Reactable {
  id: ID!
  databaseId: Int
  fullDatabaseId: String
  body: String!
  url: URI!
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  createdAt: DateTime!
  updatedAt: DateTime!
  includesCreatedEdit: Boolean!
  isMinimized: Boolean!
  minimizedReason: String
  viewerDidAuthor: Boolean!
  viewerCanReact: Boolean!
  reactionGroups: [ReactionGroup!]
  issue: Issue!
  repository: Repository!
}

type Label implements Node {
  id: ID!
  name: String!
  color: String!
  description: String
  isDefault: Boolean!
  createdAt: DateTime
  updatedAt: DateTime
  url: URI!
  repository: Repository!
}

type Milestone implements Node & Closable & UniformResourceLocatable {
  resourcePath: URI!
  id: ID!
  number: Int!
  title: String!
  description: String
  dueOn: DateTime
  state: MilestoneState!
  closed: Boolean!
  closedAt: DateTime
  createdAt: DateTime!
  updatedAt: DateTime!
  creator: Actor
  url: URI!
  progressPercentage: Float!
}

type IssueType implements Node { id: ID! name: String! description: String color: String isEnabled: Boolean! }
type IssueTemplate { name: String! about: String title: String body: String filename: String! }
type ReactionGroup { content: ReactionContent! users: ReactingUsers! reactors: ReactingUsers! }
type ReactingUsers { totalCount: Int! }
type ReactionConnection { totalCount: Int! }
${connection("Actor")}
type SubIssuesSummary { total: Int! completed: Int! percentCompleted: Int! }
type PinnedIssue { issue: Issue! }
${connection("Issue")}
${connection("IssueComment")}
${connection("Label")}
${connection("Milestone")}
${connection("Assignee")}
${connection("IssueType")}
${connection("PinnedIssue")}
type SearchResultItemEdge { cursor: String! node: SearchResultItem }
type SearchResultItemConnection {
  nodes: [SearchResultItem] edges: [SearchResultItemEdge] issueCount: Int! repositoryCount: Int! userCount: Int! pageInfo: PageInfo!
}

"Empty: the forge has no linked branches."
type LinkedBranch implements Node { id: ID! ref: Ref }
${connection("LinkedBranch")}
type Project implements Node {
  id: ID! name: String! number: Int! body: String state: ProjectState! resourcePath: URI! url: URI!
}
${connection("Project")}
type ProjectColumn { name: String! }
"Empty: the forge has no projects."
type ProjectCard { project: Project! column: ProjectColumn }
${connection("ProjectCard")}
type ProjectV2 implements Node {
  id: ID! title: String! number: Int! closed: Boolean! resourcePath: URI! url: URI!
}
${connection("ProjectV2")}
type ProjectV2ItemFieldSingleSelectValue { name: String optionId: String }
union ProjectV2ItemFieldValue = ProjectV2ItemFieldSingleSelectValue
"Empty: the forge has no projects."
type ProjectV2Item implements Node {
  id: ID!
  project: ProjectV2!
  fieldValueByName(name: String!): ProjectV2ItemFieldValue
}
${connection("ProjectV2Item")}
`
