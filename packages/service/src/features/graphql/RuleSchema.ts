/** The GraphQL types of rulesets and of protected branches. */
import { connection, PAGE } from "./IssueSchema.ts"

export const definition = `
extend type Repository {
  "By default with those of the organization."
  rulesets(${PAGE}, includeParents: Boolean = true, targets: [RepositoryRulesetTarget!]): RepositoryRulesetConnection
  "Empty if the viewer may not read them."
  branchProtectionRules(${PAGE}): BranchProtectionRuleConnection!
}
extend type Organization {
  rulesets(${PAGE}, includeParents: Boolean = true, targets: [RepositoryRulesetTarget!]): RepositoryRulesetConnection
}
extend type Ref {
  "Null if the viewer may not read it."
  branchProtectionRule: BranchProtectionRule
}

enum RepositoryRulesetTarget { BRANCH PUSH REPOSITORY TAG }
enum RuleEnforcement { ACTIVE DISABLED EVALUATE }
union RuleSource = Organization | Repository
type RepositoryRule { "The type, for example PULL_REQUEST." type: String! }
type RepositoryRuleset implements Node {
  id: ID!
  databaseId: Int
  name: String!
  target: RepositoryRulesetTarget
  enforcement: RuleEnforcement!
  source: RuleSource!
  createdAt: DateTime!
  updatedAt: DateTime!
  rules(${PAGE}): RepositoryRuleConnection
}
"The protection of one branch."
type BranchProtectionRule implements Node {
  id: ID!
  databaseId: Int
  "Name of the branch."
  pattern: String!
  isAdminEnforced: Boolean!
  allowsDeletions: Boolean!
  allowsForcePushes: Boolean!
  blocksCreations: Boolean!
  lockBranch: Boolean!
  lockAllowsFetchAndMerge: Boolean!
  requiresCommitSignatures: Boolean!
  requiresConversationResolution: Boolean!
  requiresLinearHistory: Boolean!
  requiresApprovingReviews: Boolean!
  requiredApprovingReviewCount: Int
  requiresCodeOwnerReviews: Boolean!
  dismissesStaleReviews: Boolean!
  requireLastPushApproval: Boolean!
  restrictsReviewDismissals: Boolean!
  restrictsPushes: Boolean!
  requiresStatusChecks: Boolean!
  requiresStrictStatusChecks: Boolean!
  requiredStatusCheckContexts: [String]
  repository: Repository
}
${connection("RepositoryRuleset")}
${connection("RepositoryRule")}
${connection("BranchProtectionRule")}
`
