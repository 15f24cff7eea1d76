/** The GraphQL types of deployments and environments. */
import { connection, PAGE } from "./IssueSchema.ts"

const LIST = `deployments(${PAGE}, environments: [String!], orderBy: DeploymentOrder)`

export const definition = `
extend type Repository {
  ${LIST}: DeploymentConnection!
  environment(name: String!): Environment
  environments(${PAGE}): EnvironmentConnection!
}
extend type Commit { ${LIST}: DeploymentConnection }

enum DeploymentOrderField { CREATED_AT }
input DeploymentOrder { field: DeploymentOrderField! direction: OrderDirection! }
enum DeploymentState {
  ABANDONED ACTIVE DESTROYED ERROR FAILURE INACTIVE IN_PROGRESS PENDING QUEUED SUCCESS WAITING
}
enum DeploymentStatusState { ERROR FAILURE INACTIVE IN_PROGRESS PENDING QUEUED SUCCESS WAITING }

type Deployment implements Node {
  id: ID!
  databaseId: Int
  commit: Commit
  commitOid: String!
  creator: Actor!
  description: String
  environment: String
  latestEnvironment: String
  originalEnvironment: String
  payload: String
  task: String
  state: DeploymentState
  createdAt: DateTime!
  updatedAt: DateTime!
  repository: Repository!
  latestStatus: DeploymentStatus
  "The newest first."
  statuses(${PAGE}): DeploymentStatusConnection
}
type DeploymentStatus implements Node {
  id: ID!
  state: DeploymentStatusState!
  description: String
  environment: String
  environmentUrl: URI
  logUrl: URI
  creator: Actor!
  createdAt: DateTime!
  updatedAt: DateTime!
}
type Environment implements Node { id: ID! databaseId: Int name: String! }
${connection("Deployment")}
${connection("DeploymentStatus")}
${connection("Environment")}
`
