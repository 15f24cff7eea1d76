/** A forge for tests: in this process, with git, rate limits, faults and a clock that the test controls. */
export { startForge } from "./startForge.ts"
export type { Files } from "./FastImport.ts"
export type { CommitOptions, RepositoryBuilder, RepositoryOptions, TestRepository } from "./RepositoryBuilder.ts"
export type { FixtureRows } from "./FixtureRows.ts"
export type { RuleFixture } from "./RulesetFixture.ts"
export type { ReceivedRequest, RequestLog } from "./RequestLog.ts"
export type { Route } from "./RoutePattern.ts"
export type {
  AppOptions,
  ArtifactOptions,
  CheckRunOptions,
  CommentOptions,
  DeliveryFault,
  DeploymentOptions,
  FailOptions,
  ForgeOptions,
  IssueOptions,
  LabelOptions,
  LimitOptions,
  MilestoneOptions,
  InvitationOptions,
  NotificationOptions,
  Occurrence,
  Permissions,
  PullRequestOptions,
  ReleaseOptions,
  ReviewOptions,
  RulesetOptions,
  Snapshot,
  StatusOptions,
  TestApp,
  TestIssue,
  TestForge,
  ThreadOptions,
  TestUser,
  TimeSpan,
  TeamOptions,
  TokenOptions,
  ValueOptions,
  UsageOptions,
  WebhookOptions
} from "./TestForge.ts"
export type { ReceivedDelivery } from "./WebhookInbox.ts"
