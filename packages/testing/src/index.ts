/** A forge for tests: in this process, with git, rate limits, faults and a clock that the test controls. */
export { startForge } from "./startForge.ts"
export type { DeliveryFault } from "./DeliveryFaults.ts"
export type { Occurrence } from "./Faults.ts"
export type { CommitOptions, Files, RepositoryBuilder, RepositoryOptions, TestRepository } from "./RepositoryBuilder.ts"
export type { ReceivedRequest, RequestLog } from "./RequestLog.ts"
export type { Route } from "./RoutePattern.ts"
export type { Snapshot } from "./Snapshot.ts"
export type {
  AppOptions,
  FailOptions,
  ForgeOptions,
  LimitOptions,
  Permissions,
  TestApp,
  TestForge,
  TestUser,
  TokenOptions,
  WebhookOptions
} from "./TestForge.ts"
export type { ReceivedDelivery } from "./WebhookInbox.ts"
