/** The contract: every endpoint of the forge, declared once. */
import * as HttpApi from "effect/http-api/HttpApi"
import { ActionsCaches } from "./groups/ActionsCaches.ts"
import { AgentConfigurations } from "./groups/AgentConfiguration.ts"
import { Apps } from "./groups/Apps.ts"
import { Artifacts } from "./groups/Artifacts.ts"
import { Assignees } from "./groups/Assignees.ts"
import { Autolinks } from "./groups/Autolinks.ts"
import { Billing } from "./groups/Billing.ts"
import { Blocks } from "./groups/Blocks.ts"
import { Branches } from "./groups/Branches.ts"
import { BranchProtections } from "./groups/BranchProtections.ts"
import { BranchRestrictions } from "./groups/BranchRestrictions.ts"
import { CacheLimits } from "./groups/CacheLimits.ts"
import { CheckRuns } from "./groups/CheckRuns.ts"
import { CheckSuites } from "./groups/CheckSuites.ts"
import { CodeIndex } from "./groups/CodeIndex.ts"
import { CodeNavigation } from "./groups/CodeNavigation.ts"
import { CodeOwners } from "./groups/CodeOwners.ts"
import { CodeSearch } from "./groups/CodeSearch.ts"
import { Collaborators } from "./groups/Collaborators.ts"
import { CommitComments } from "./groups/CommitComments.ts"
import { Commits } from "./groups/Commits.ts"
import { Comparisons } from "./groups/Comparisons.ts"
import { Contents } from "./groups/Contents.ts"
import { CustomProperties } from "./groups/CustomProperties.ts"
import { DeployKeys } from "./groups/DeployKeys.ts"
import { DeploymentBranchPolicies } from "./groups/DeploymentBranchPolicies.ts"
import { DeploymentProtectionRules } from "./groups/DeploymentProtectionRules.ts"
import { Deployments } from "./groups/Deployments.ts"
import { DeploymentStatuses } from "./groups/DeploymentStatuses.ts"
import { Emails } from "./groups/Emails.ts"
import { Environments } from "./groups/Environments.ts"
import { EnvironmentSecrets } from "./groups/EnvironmentSecrets.ts"
import { EnvironmentVariables } from "./groups/EnvironmentVariables.ts"
import { Events } from "./groups/Events.ts"
import { FilePaths } from "./groups/FilePaths.ts"
import { Followers } from "./groups/Followers.ts"
import { Forks } from "./groups/Forks.ts"
import { GitCommits } from "./groups/GitCommits.ts"
import { Gitignore } from "./groups/Gitignore.ts"
import { GitBlobs, GitTags, GitTrees } from "./groups/GitObjects.ts"
import { GitRefs } from "./groups/GitRefs.ts"
import { GpgKeys } from "./groups/GpgKeys.ts"
import { History } from "./groups/History.ts"
import { Insights } from "./groups/Insights.ts"
import { Installations } from "./groups/Installations.ts"
import { ImmutableReleases } from "./groups/ImmutableReleases.ts"
import { IssueComments } from "./groups/IssueComments.ts"
import { IssueEvents } from "./groups/IssueEvents.ts"
import { IssueDependencies, SubIssues } from "./groups/IssueRelations.ts"
import { Issues } from "./groups/Issues.ts"
import { IssueTypes } from "./groups/IssueTypes.ts"
import { Keys } from "./groups/Keys.ts"
import { Labels } from "./groups/Labels.ts"
import { Licenses } from "./groups/Licenses.ts"
import { Markdown } from "./groups/Markdown.ts"
import { Meta } from "./groups/Meta.ts"
import { Milestones } from "./groups/Milestones.ts"
import { Notifications } from "./groups/Notifications.ts"
import { OrganizationHooks } from "./groups/OrganizationHooks.ts"
import { OrganizationInvitations } from "./groups/OrganizationInvitations.ts"
import { OrganizationMembers } from "./groups/OrganizationMembers.ts"
import { OrganizationMemberships } from "./groups/OrganizationMemberships.ts"
import { OrganizationSecrets } from "./groups/OrganizationSecrets.ts"
import { Organizations } from "./groups/Organizations.ts"
import { OrganizationVariables } from "./groups/OrganizationVariables.ts"
import { OutsideCollaborators } from "./groups/OutsideCollaborators.ts"
import { ProjectViews } from "./groups/ProjectViews.ts"
import { Pulls } from "./groups/Pulls.ts"
import { RateLimit } from "./groups/RateLimit.ts"
import { Reactions } from "./groups/Reactions.ts"
import { ReleaseAssets } from "./groups/ReleaseAssets.ts"
import { Releases } from "./groups/Releases.ts"
import { Repositories } from "./groups/Repositories.ts"
import { RepositoryHooks } from "./groups/RepositoryHooks.ts"
import { RepositoryRulesets } from "./groups/RepositoryRulesets.ts"
import { RepositoryInvitations } from "./groups/RepositoryInvitations.ts"
import { RepositorySecrets } from "./groups/RepositorySecrets.ts"
import { RepositoryVariables } from "./groups/RepositoryVariables.ts"
import { ReviewComments } from "./groups/ReviewComments.ts"
import { ReviewRequests } from "./groups/ReviewRequests.ts"
import { Reviews } from "./groups/Reviews.ts"
import { Root } from "./groups/Root.ts"
import { RuleSuites } from "./groups/RuleSuites.ts"
import { Rulesets } from "./groups/Rulesets.ts"
import { RunReports } from "./groups/RunReports.ts"
import { SavedSearches } from "./groups/SavedSearches.ts"
import { Search } from "./groups/Search.ts"
import { SshSigningKeys } from "./groups/SshSigningKeys.ts"
import { Stars } from "./groups/Stars.ts"
import { Statuses } from "./groups/Statuses.ts"
import { Suggestions } from "./groups/Suggestions.ts"
import { Tags } from "./groups/Tags.ts"
import { TeamMembers } from "./groups/TeamMembers.ts"
import { TeamRepositories } from "./groups/TeamRepositories.ts"
import { Teams } from "./groups/Teams.ts"
import { Users } from "./groups/Users.ts"
import { Watching } from "./groups/Watching.ts"
import { WorkflowJobs } from "./groups/WorkflowJobs.ts"
import { WorkflowPolicies } from "./groups/WorkflowPolicies.ts"
import { PendingDeployments } from "./groups/PendingDeployments.ts"
import { WorkflowRuns } from "./groups/WorkflowRuns.ts"
import { Workflows } from "./groups/Workflows.ts"
import { WorkTrees } from "./groups/WorkTrees.ts"

/** Every group of the contract by name. A new group must be added here. */
export const groups = {
  root: Root,
  rateLimit: RateLimit,
  users: Users,
  followers: Followers,
  emails: Emails,
  organizations: Organizations,
  repositories: Repositories,
  forks: Forks,
  branches: Branches,
  branchProtections: BranchProtections,
  branchRestrictions: BranchRestrictions,
  tags: Tags,
  gitRefs: GitRefs,
  gitCommits: GitCommits,
  gitTrees: GitTrees,
  gitBlobs: GitBlobs,
  gitTags: GitTags,
  commits: Commits,
  contents: Contents,
  codeOwners: CodeOwners,
  search: Search,
  issues: Issues,
  issueComments: IssueComments,
  issueEvents: IssueEvents,
  assignees: Assignees,
  labels: Labels,
  milestones: Milestones,
  subIssues: SubIssues,
  issueDependencies: IssueDependencies,
  issueTypes: IssueTypes,
  reactions: Reactions,
  commitComments: CommitComments,
  reviewComments: ReviewComments,
  statuses: Statuses,
  checkRuns: CheckRuns,
  checkSuites: CheckSuites,
  deployments: Deployments,
  deploymentStatuses: DeploymentStatuses,
  environments: Environments,
  deploymentBranchPolicies: DeploymentBranchPolicies,
  deploymentProtectionRules: DeploymentProtectionRules,
  releases: Releases,
  releaseAssets: ReleaseAssets,
  immutableReleases: ImmutableReleases,
  workflows: Workflows,
  workflowRuns: WorkflowRuns,
  pendingDeployments: PendingDeployments,
  workflowJobs: WorkflowJobs,
  artifacts: Artifacts,
  actionsCaches: ActionsCaches,
  events: Events,
  repositoryHooks: RepositoryHooks,
  organizationHooks: OrganizationHooks,
  workflowPolicies: WorkflowPolicies,
  cacheLimits: CacheLimits,
  repositorySecrets: RepositorySecrets,
  environmentSecrets: EnvironmentSecrets,
  organizationSecrets: OrganizationSecrets,
  repositoryVariables: RepositoryVariables,
  environmentVariables: EnvironmentVariables,
  organizationVariables: OrganizationVariables,
  billing: Billing,
  projectViews: ProjectViews,
  pulls: Pulls,
  reviews: Reviews,
  reviewRequests: ReviewRequests,
  agentConfigurations: AgentConfigurations,
  keys: Keys,
  gpgKeys: GpgKeys,
  sshSigningKeys: SshSigningKeys,
  deployKeys: DeployKeys,
  collaborators: Collaborators,
  repositoryInvitations: RepositoryInvitations,
  watching: Watching,
  notifications: Notifications,
  organizationMembers: OrganizationMembers,
  organizationMemberships: OrganizationMemberships,
  organizationInvitations: OrganizationInvitations,
  outsideCollaborators: OutsideCollaborators,
  teams: Teams,
  teamMembers: TeamMembers,
  teamRepositories: TeamRepositories,
  blocks: Blocks,
  stars: Stars,
  autolinks: Autolinks,
  markdown: Markdown,
  licenses: Licenses,
  gitignore: Gitignore,
  meta: Meta,
  rulesets: Rulesets,
  repositoryRulesets: RepositoryRulesets,
  ruleSuites: RuleSuites,
  installations: Installations,
  apps: Apps,
  customProperties: CustomProperties,
  insights: Insights,
  // Groups of extensions
  codeSearch: CodeSearch,
  codeNavigation: CodeNavigation,
  history: History,
  comparisons: Comparisons,
  filePaths: FilePaths,
  codeIndex: CodeIndex,
  savedSearches: SavedSearches,
  workTrees: WorkTrees,
  suggestions: Suggestions,
  runReports: RunReports
}

const { root, ...others } = groups

/** The contract. */
export class Api extends HttpApi.make("forge").add(root, ...Object.values(others)) {}
