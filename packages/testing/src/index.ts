/** A forge for tests: in this process, with git, rate limits, faults and a clock that the test controls. */
export { startForge } from "./startForge.ts"
export type { CommitOptions, Files, RepositoryBuilder, RepositoryOptions, TestRepository } from "./RepositoryBuilder.ts"
export type { ReceivedRequest, RequestLog } from "./RequestLog.ts"
export type { Route } from "./RoutePattern.ts"
export type {
  AppOptions,
  DeliveryFault,
  FailOptions,
  ForgeOptions,
  LimitOptions,
  Occurrence,
  Permissions,
  Snapshot,
  TestApp,
  TestForge,
  TestUser,
  TimeSpan,
  TokenOptions,
  WebhookOptions
} from "./TestForge.ts"
export type { ReceivedDelivery } from "./WebhookInbox.ts"
