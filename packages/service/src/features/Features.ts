/**
 * Registers the features of the forge: handlers of contract groups, database rows, and sections of the fixture file. A
 * section can refer to rows of earlier sections.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { FixtureSection } from "../api/FixtureSection.ts"
import * as ActionsCacheHandlers from "./runs/ActionsCacheHandlers.ts"
import * as CacheLimitHandlers from "./actions/CacheLimitHandlers.ts"
import * as PendingDeploymentHandlers from "./runs/PendingDeploymentHandlers.ts"
import * as RunReportHandlers from "./runs/RunReportHandlers.ts"
import * as WorkflowHandlers from "./runs/WorkflowHandlers.ts"
import * as WorkflowJobHandlers from "./runs/WorkflowJobHandlers.ts"
import * as WorkflowPolicyHandlers from "./actions/WorkflowPolicyHandlers.ts"
import * as WorkflowRunHandlers from "./runs/WorkflowRunHandlers.ts"
import * as AgentConfigurationHandlers from "./agents/AgentConfigurationHandlers.ts"
import * as AppHandlers from "./apps/AppHandlers.ts"
import { AppRegistrationRows } from "./apps/AppRegistrationRows.ts"
import * as InstallationHandlers from "./apps/InstallationHandlers.ts"
import * as ArtifactHandlers from "./artifacts/ArtifactHandlers.ts"
import { ArtifactRows } from "./artifacts/ArtifactRows.ts"
import * as BillingHandlers from "./billing/BillingHandlers.ts"
import { UsageRows } from "./billing/UsageRows.ts"
import * as BlockHandlers from "./blocks/BlockHandlers.ts"
import { BlockRows } from "../accounts/BlockRows.ts"
import * as CheckRunHandlers from "./checks/CheckRunHandlers.ts"
import * as CheckSuiteHandlers from "./checks/CheckSuiteHandlers.ts"
import * as StatusHandlers from "./checks/StatusHandlers.ts"
import * as CodeIndexHandlers from "./codeIndex/CodeIndexHandlers.ts"
import * as CodeNavigationHandlers from "./codeNavigation/CodeNavigationHandlers.ts"
import * as CodeOwnersHandlers from "./codeOwners/CodeOwnersHandlers.ts"
import * as CodeSearchHandlers from "./codeSearch/CodeSearchHandlers.ts"
import * as CollaboratorHandlers from "./collaborators/CollaboratorHandlers.ts"
import { CollaboratorRows } from "./collaborators/CollaboratorRows.ts"
import * as InvitationHandlers from "./collaborators/InvitationHandlers.ts"
import { InvitationRows } from "./collaborators/InvitationRows.ts"
import * as CommitCommentHandlers from "./comments/CommitCommentHandlers.ts"
import { CommitCommentRows } from "./comments/CommitCommentRows.ts"
import * as CommitHandlers from "./commits/CommitHandlers.ts"
import * as ComparisonHandlers from "./comparisons/ComparisonHandlers.ts"
import * as ContentHandlers from "./contents/ContentHandlers.ts"
import * as CustomPropertyHandlers from "./customProperties/CustomPropertyHandlers.ts"
import * as DeployKeyHandlers from "./deployKeys/DeployKeyHandlers.ts"
import { DeployKeyRows } from "./deployKeys/DeployKeyRows.ts"
import * as DeploymentHandlers from "./deployments/DeploymentHandlers.ts"
import * as DeploymentStatusHandlers from "./deployments/DeploymentStatusHandlers.ts"
import * as BranchPolicyHandlers from "./environments/BranchPolicyHandlers.ts"
import * as EnvironmentHandlers from "./environments/EnvironmentHandlers.ts"
import * as ProtectionRuleHandlers from "./environments/ProtectionRuleHandlers.ts"
import * as EventHandlers from "./events/EventHandlers.ts"
import * as FilePathHandlers from "./filePaths/FilePathHandlers.ts"
import * as ForkHandlers from "./forks/ForkHandlers.ts"
import * as GitCommitHandlers from "./gitData/GitCommitHandlers.ts"
import * as GitObjectHandlers from "./gitData/GitObjectHandlers.ts"
import * as GitRefHandlers from "./gitData/GitRefHandlers.ts"
import * as HistoryHandlers from "./history/HistoryHandlers.ts"
import * as OrganizationHookHandlers from "./hooks/OrganizationHookHandlers.ts"
import * as RepositoryHookHandlers from "./hooks/RepositoryHookHandlers.ts"
import * as InsightHandlers from "./insights/InsightHandlers.ts"
import { RequestRows } from "./insights/RequestRows.ts"
import * as AssigneeHandlers from "./issues/AssigneeHandlers.ts"
import * as IssueCommentHandlers from "./issues/IssueCommentHandlers.ts"
import * as IssueEventHandlers from "./issues/IssueEventHandlers.ts"
import * as IssueHandlers from "./issues/IssueHandlers.ts"
import * as IssueRelationHandlers from "./issues/IssueRelationHandlers.ts"
import * as IssueTypeHandlers from "./issues/IssueTypeHandlers.ts"
import * as LabelHandlers from "./issues/LabelHandlers.ts"
import * as ReactionHandlers from "./issues/ReactionHandlers.ts"
import * as GpgKeyHandlers from "./keys/GpgKeyHandlers.ts"
import * as KeyHandlers from "./keys/KeyHandlers.ts"
import * as SigningKeyHandlers from "./keys/SigningKeyHandlers.ts"
import * as MilestoneHandlers from "./milestones/MilestoneHandlers.ts"
import * as NotificationHandlers from "./notifications/NotificationHandlers.ts"
import * as WatchingHandlers from "./notifications/WatchingHandlers.ts"
import { NotificationRows } from "../notifications/NotificationRows.ts"
import * as OrganizationHandlers from "./organizations/OrganizationHandlers.ts"
import * as OrganizationInvitationHandlers from "./organizations/OrganizationInvitationHandlers.ts"
import { OrganizationInvitationRows } from "./organizations/OrganizationInvitationRows.ts"
import * as OrganizationMemberHandlers from "./organizations/OrganizationMemberHandlers.ts"
import { OrganizationMemberRows } from "./organizations/OrganizationMemberRows.ts"
import * as OrganizationMembershipHandlers from "./organizations/OrganizationMembershipHandlers.ts"
import * as OutsideCollaboratorHandlers from "./organizations/OutsideCollaboratorHandlers.ts"
import * as PullRequestHandlers from "./pulls/PullRequestHandlers.ts"
import { ProjectRows } from "./projects/ProjectRows.ts"
import * as ProjectViewHandlers from "./projects/ProjectViewHandlers.ts"
import * as RateLimitHandlers from "./rateLimit/RateLimitHandlers.ts"
import * as ImmutableReleaseHandlers from "./releases/ImmutableReleaseHandlers.ts"
import * as ReleaseAssetHandlers from "./releases/ReleaseAssetHandlers.ts"
import * as ReleaseHandlers from "./releases/ReleaseHandlers.ts"
import * as BranchHandlers from "./repositories/BranchHandlers.ts"
import * as RepositoryHandlers from "./repositories/RepositoryHandlers.ts"
import * as TagHandlers from "./repositories/TagHandlers.ts"
import * as ReviewCommentHandlers from "./reviews/ReviewCommentHandlers.ts"
import * as ReviewHandlers from "./reviews/ReviewHandlers.ts"
import * as ReviewRequestHandlers from "./reviews/ReviewRequestHandlers.ts"
import * as SuggestionHandlers from "./reviews/SuggestionHandlers.ts"
import * as RootHandlers from "./root/RootHandlers.ts"
import * as RepositoryRulesetHandlers from "./rulesets/RepositoryRulesetHandlers.ts"
import * as RulesetHandlers from "./rulesets/RulesetHandlers.ts"
import * as RuleSuiteHandlers from "./rulesets/RuleSuiteHandlers.ts"
import * as BranchProtectionHandlers from "./branchProtection/BranchProtectionHandlers.ts"
import * as BranchRestrictionHandlers from "./branchProtection/BranchRestrictionHandlers.ts"
import * as SavedSearchHandlers from "./savedSearches/SavedSearchHandlers.ts"
import { SavedSearchRows } from "./savedSearches/SavedSearchRows.ts"
import * as SearchHandlers from "./search/SearchHandlers.ts"
import * as TeamHandlers from "./organizations/TeamHandlers.ts"
import * as TeamMemberHandlers from "./organizations/TeamMemberHandlers.ts"
import { TeamMemberRows } from "./organizations/TeamMemberRows.ts"
import * as TeamRepositoryHandlers from "./organizations/TeamRepositoryHandlers.ts"
import { TeamRepositoryRows } from "./organizations/TeamRepositoryRows.ts"
import * as AutolinkHandlers from "./autolinks/AutolinkHandlers.ts"
import * as MarkdownHandlers from "./markdown/MarkdownHandlers.ts"
import * as MetaHandlers from "./meta/MetaHandlers.ts"
import * as TemplateHandlers from "./templates/TemplateHandlers.ts"
import * as EnvironmentSecretHandlers from "./secrets/EnvironmentSecretHandlers.ts"
import * as EnvironmentVariableHandlers from "./secrets/EnvironmentVariableHandlers.ts"
import * as OrganizationSecretHandlers from "./secrets/OrganizationSecretHandlers.ts"
import * as OrganizationVariableHandlers from "./secrets/OrganizationVariableHandlers.ts"
import * as RepositorySecretHandlers from "./secrets/RepositorySecretHandlers.ts"
import * as RepositoryVariableHandlers from "./secrets/RepositoryVariableHandlers.ts"
import { SecretBoxes } from "./secrets/SecretBoxes.ts"
import { SecretRows } from "./secrets/SecretRows.ts"
import { VariableRows } from "./secrets/VariableRows.ts"
import * as StarHandlers from "./stars/StarHandlers.ts"
import { StarRows } from "./stars/StarRows.ts"
import * as EmailHandlers from "./users/EmailHandlers.ts"
import * as FollowerHandlers from "./users/FollowerHandlers.ts"
import { FollowerRows } from "./users/FollowerRows.ts"
import { ProfileRows } from "./users/ProfileRows.ts"
import * as UserHandlers from "./users/UserHandlers.ts"
import * as WorkTreeHandlers from "./workTrees/WorkTreeHandlers.ts"

const features = [
  { handlers: [RootHandlers.make] },
  { handlers: [RateLimitHandlers.make] },
  {
    handlers: [UserHandlers.make, FollowerHandlers.make, EmailHandlers.make],
    rows: () => Layer.merge(ProfileRows.layer, FollowerRows.layer),
    fixtures: () => import("./users/AccountFixtures.ts")
  },
  {
    handlers: [
      OrganizationHandlers.make,
      OrganizationMemberHandlers.make,
      OrganizationMembershipHandlers.make,
      OrganizationInvitationHandlers.make,
      OutsideCollaboratorHandlers.make
    ],
    rows: () => Layer.merge(OrganizationMemberRows.layer, OrganizationInvitationRows.layer)
  },
  {
    handlers: [RepositoryHandlers.make, BranchHandlers.make, TagHandlers.make],
    fixtures: () => import("./repositories/RepositoryFixtures.ts")
  },
  { handlers: [CustomPropertyHandlers.make], fixtures: () => import("./customProperties/CustomPropertyFixtures.ts") },
  { handlers: [ForkHandlers.make] },
  { handlers: [GitRefHandlers.make, GitCommitHandlers.make, GitObjectHandlers.make] },
  { handlers: [CommitHandlers.make] },
  { handlers: [ContentHandlers.make] },
  { handlers: [CodeOwnersHandlers.make] },
  { handlers: [SearchHandlers.make] },
  { handlers: [CodeSearchHandlers.make] },
  { handlers: [CodeNavigationHandlers.make] },
  {
    handlers: [SavedSearchHandlers.make],
    rows: () => SavedSearchRows.layer,
    fixtures: () => import("./savedSearches/SavedSearchFixtures.ts")
  },
  { handlers: [CodeIndexHandlers.make] },
  { handlers: [HistoryHandlers.make] },
  { handlers: [ComparisonHandlers.make] },
  { handlers: [FilePathHandlers.make] },
  { handlers: [WorkTreeHandlers.make] },
  {
    handlers: [ProjectViewHandlers.make],
    rows: () => ProjectRows.layer,
    fixtures: () => import("./projects/ProjectFixtures.ts")
  },
  { handlers: [AgentConfigurationHandlers.make], fixtures: () => import("./agents/AgentConfigurationFixtures.ts") },
  {
    handlers: [BillingHandlers.make],
    rows: () => UsageRows.layer,
    fixtures: () => import("./billing/UsageFixtures.ts")
  },
  {
    handlers: [CommitCommentHandlers.make],
    rows: () => CommitCommentRows.layer,
    fixtures: () => import("./comments/CommentFixtures.ts")
  },
  {
    handlers: [MilestoneHandlers.make],
    fixtures: () => import("./milestones/MilestoneFixtures.ts")
  },
  {
    handlers: [
      IssueHandlers.make,
      IssueCommentHandlers.make,
      IssueEventHandlers.make,
      AssigneeHandlers.make,
      LabelHandlers.make,
      IssueRelationHandlers.make,
      IssueTypeHandlers.make,
      ReactionHandlers.make
    ],
    fixtures: () => import("./issues/IssueFixtures.ts")
  },
  { handlers: [PullRequestHandlers.make], fixtures: () => import("./pulls/PullRequestFixtures.ts") },
  {
    handlers: [ArtifactHandlers.make],
    rows: () => ArtifactRows.layer,
    fixtures: () => import("./artifacts/ArtifactFixtures.ts")
  },
  { handlers: [WorkflowPolicyHandlers.make, CacheLimitHandlers.make] },
  {
    handlers: [KeyHandlers.make, GpgKeyHandlers.make, SigningKeyHandlers.make],
    fixtures: () => import("./keys/KeyFixtures.ts")
  },
  {
    handlers: [CollaboratorHandlers.make, InvitationHandlers.make],
    rows: () => Layer.merge(CollaboratorRows.layer, InvitationRows.layer),
    fixtures: () => import("./collaborators/InvitationFixtures.ts")
  },
  {
    handlers: [TeamHandlers.make, TeamMemberHandlers.make, TeamRepositoryHandlers.make],
    rows: () => Layer.merge(TeamMemberRows.layer, TeamRepositoryRows.layer),
    fixtures: () => import("./organizations/TeamFixtures.ts")
  },
  { handlers: [], fixtures: () => import("./organizations/OrganizationInvitationFixtures.ts") },
  {
    handlers: [ReviewHandlers.make, ReviewCommentHandlers.make, ReviewRequestHandlers.make, SuggestionHandlers.make],
    fixtures: () => import("./reviews/ReviewFixtures.ts")
  },
  {
    handlers: [ReleaseHandlers.make, ReleaseAssetHandlers.make, ImmutableReleaseHandlers.make],
    fixtures: () => import("./releases/ReleaseFixtures.ts")
  },
  {
    handlers: [DeployKeyHandlers.make],
    rows: () => DeployKeyRows.layer,
    fixtures: () => import("./deployKeys/DeployKeyFixtures.ts")
  },
  {
    handlers: [RepositoryHookHandlers.make, OrganizationHookHandlers.make],
    fixtures: () => import("./hooks/HookFixtures.ts")
  },
  {
    handlers: [WatchingHandlers.make, NotificationHandlers.make],
    rows: () => NotificationRows.layer,
    fixtures: () => import("./notifications/NotificationFixtures.ts")
  },
  { handlers: [EventHandlers.make], fixtures: () => import("./events/EventFixtures.ts") },
  { handlers: [BlockHandlers.make], rows: () => BlockRows.layer, fixtures: () => import("./blocks/BlockFixtures.ts") },
  { handlers: [AutolinkHandlers.make], fixtures: () => import("./autolinks/AutolinkFixtures.ts") },
  { handlers: [MarkdownHandlers.make, MetaHandlers.make, TemplateHandlers.make] },
  { handlers: [StarHandlers.make], rows: () => StarRows.layer, fixtures: () => import("./stars/StarFixtures.ts") },
  {
    handlers: [RulesetHandlers.make, RepositoryRulesetHandlers.make, RuleSuiteHandlers.make],
    fixtures: () => import("./rulesets/RulesetFixtures.ts")
  },
  {
    handlers: [AppHandlers.make, InstallationHandlers.make],
    rows: () => AppRegistrationRows.layer,
    fixtures: () => import("./apps/AppFixtures.ts")
  },
  {
    handlers: [BranchProtectionHandlers.make, BranchRestrictionHandlers.make],
    fixtures: () => import("./branchProtection/BranchProtectionFixtures.ts")
  },
  {
    handlers: [StatusHandlers.make, CheckRunHandlers.make, CheckSuiteHandlers.make],
    fixtures: () => import("./checks/CheckFixtures.ts")
  },
  {
    handlers: [EnvironmentHandlers.make, BranchPolicyHandlers.make, ProtectionRuleHandlers.make],
    fixtures: () => import("./environments/EnvironmentFixtures.ts")
  },
  {
    handlers: [DeploymentHandlers.make, DeploymentStatusHandlers.make],
    fixtures: () => import("./deployments/DeploymentFixtures.ts")
  },
  {
    handlers: [
      RepositorySecretHandlers.make,
      EnvironmentSecretHandlers.make,
      OrganizationSecretHandlers.make,
      RepositoryVariableHandlers.make,
      EnvironmentVariableHandlers.make,
      OrganizationVariableHandlers.make
    ],
    rows: (data: string) => Layer.mergeAll(SecretBoxes.layer(data), SecretRows.layer, VariableRows.layer),
    fixtures: () => import("./secrets/ValueFixtures.ts")
  },
  {
    handlers: [
      WorkflowHandlers.make,
      WorkflowRunHandlers.make,
      PendingDeploymentHandlers.make,
      WorkflowJobHandlers.make,
      ActionsCacheHandlers.make,
      RunReportHandlers.make
    ],
    fixtures: () => import("./runs/RunFixtures.ts")
  },
  { handlers: [], fixtures: () => import("./apps/TokenFixtures.ts") },
  {
    handlers: [InsightHandlers.make],
    rows: (data: string, isShared: boolean) => RequestRows.layer(data, isShared),
    fixtures: () => import("./insights/RequestFixtures.ts")
  }
]

/** The handlers of every group of the contract. */
export const handlers = Effect.map(Effect.all(features.map(({ handlers }) => handlers).flat()), (groups) =>
  groups.flat()
)

/**
 * Rows of the features in data folder `data`. Rows that a lower layer reads are in the folder of that layer. `isShared`
 * if several processes are one forge.
 */
export const rows = (data: string, isShared: boolean) => {
  const layers = features.map(({ rows }) => rows?.(data, isShared) ?? Layer.empty)
  return Layer.mergeAll(Layer.empty, ...layers)
}

/** Sections of the fixture file, in the order of loading. Paths in the file are relative to `folder`. */
export const fixtures = Effect.fnUntraced(function* (folder: string) {
  const modules = yield* Effect.promise(() =>
    Promise.all(features.map(({ fixtures }) => Promise.resolve(fixtures?.())))
  )
  const sections = modules.map((module) => module?.sections(folder) ?? []).flat()
  const all: ReadonlyArray<FixtureSection<Services<(typeof sections)[number]>>> = sections
  return all
})

type Services<Section> = Section extends FixtureSection<infer R> ? R : never
