/** Node ids: opaque ids that are unique over all resources of the forge, in REST (`node_id`) and GraphQL (`id`). */

/** The types of resources that have node ids, by the names of GitHub's GraphQL types. */
const types = [
  "App",
  "Artifact",
  "Blob",
  "Bot",
  "BranchProtectionRule",
  "CheckRun",
  "CheckSuite",
  "Commit",
  "CommitComment",
  "Deployment",
  "DeploymentBranchPolicy",
  "DeploymentProtectionRule",
  "DeploymentStatus",
  "Environment",
  "IntegrationInstallation",
  "Issue",
  "IssueComment",
  "IssueEvent",
  "IssueType",
  "Label",
  "License",
  "LinkedBranch",
  "Mannequin",
  "Milestone",
  "Organization",
  "OrganizationInvitation",
  "ProjectView",
  "PullRequest",
  "PullRequestReview",
  "PullRequestReviewComment",
  "PullRequestReviewThread",
  "Reaction",
  "Ref",
  "Release",
  "ReleaseAsset",
  "Repository",
  "RepositoryInvitation",
  "RepositoryRuleset",
  "StatusContext",
  "Tag",
  "Team",
  "Tree",
  "User",
  "Workflow",
  "WorkflowRun"
] as const
export type NodeType = (typeof types)[number]

/** A resource by type and id in the database. Git objects and references have `<repository id>:<name>`. */
export interface Node {
  readonly type: NodeType
  readonly id: string
}

const isNodeType = (name: string): name is NodeType => types.some((type) => type === name)

/** Returns the node id of a resource, the same on every call. */
export const nodeId = (type: NodeType, id: string | number): string =>
  Buffer.from(`${type}:${id}`).toString("base64url")

/** Returns the node id of an account, whose type is a column of the database. */
export const accountNodeId = ({ id, type }: { readonly id: number; readonly type: string }): string =>
  nodeId(type === "Organization" || type === "Bot" || type === "Mannequin" ? type : "User", id)

/** The inverse of `nodeId`: returns the resource, or `undefined` if `nodeId` does not return this text. */
export const fromNodeId = (text: string): Node | undefined => {
  const decoded = Buffer.from(text, "base64url").toString()
  const colon = decoded.indexOf(":")
  const type = decoded.slice(0, colon)
  const id = decoded.slice(colon + 1)
  return colon > 0 && id !== "" && isNodeType(type) && nodeId(type, id) === text ? { type, id } : undefined
}
