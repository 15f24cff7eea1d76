/** The GraphQL schema: the parts of GitHub's schema whose fields the forge resolves. */
import * as CheckSchema from "./CheckSchema.ts"
import * as DeploymentSchema from "./DeploymentSchema.ts"
import * as RuleSchema from "./RuleSchema.ts"
import * as IssueSchema from "./IssueSchema.ts"
import * as MutationSchema from "./MutationSchema.ts"
import * as PullRequestSchema from "./PullRequestSchema.ts"
import * as ReleaseSchema from "./ReleaseSchema.ts"
import * as ReviewSchema from "./ReviewSchema.ts"
import * as RepositorySchema from "./RepositorySchema.ts"

/** The types that all parts use. */
const BASE = `
scalar Base64String
scalar DateTime
scalar GitObjectID
scalar GitTimestamp
scalar URI

"An object with a global id, which REST has as node_id."
interface Node { id: ID! }

"An account that acts."
interface Actor {
  login: String!
  url: URI!
  avatarUrl(size: Int): URI!
}

"An object with a page of its own."
interface UniformResourceLocatable { resourcePath: URI! url: URI! }

type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
type RateLimit { limit: Int! cost: Int! remaining: Int! used: Int! resetAt: DateTime! nodeCount: Int! }
enum OrderDirection { ASC DESC }

type Query {
  "The signed-in user."
  viewer: User!
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  "The object of a page of the forge. Null if the page does not exist."
  resource(url: URI!): UniformResourceLocatable
  rateLimit(dryRun: Boolean): RateLimit
}
`

/** The schema in GraphQL's definition language. Members that the forge does not have are empty or null. */
export const definition = [
  BASE,
  RepositorySchema.DEFINITION,
  ReleaseSchema.DEFINITION,
  CheckSchema.DEFINITION,
  IssueSchema.definition,
  PullRequestSchema.definition,
  ReviewSchema.definition,
  RuleSchema.definition,
  DeploymentSchema.definition,
  MutationSchema.definition
].join("\n")
