/**
 * The typed client of a forge for programs with Effect. `@tongs/client` has the same client with promises.
 *
 * ```ts
 * import { Forge, Scheduler } from "@tongs/core"
 *
 * const sha = Forge.use((forge) => forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })).pipe(
 *   Effect.map(({ object }) => object.sha),
 *   Effect.provide(Forge.layer({ baseUrl: "https://forge.example/api/v3" })),
 *   Effect.provide([Scheduler.layerMemory, FetchHttpClient.layer])
 * )
 * ```
 */
export type { CallOptions, JsonForm, MarkdownForm, Priority, RawOptions, TextForm } from "./client/CallOptions.ts"
export type { Client } from "./client/Client.ts"
export type { ClientOptions } from "./client/ClientOptions.ts"
export type { Credential, Token } from "./client/Credential.ts"
export type { DownloadOptions, DownloadPart, DownloadProgress } from "./client/DownloadOptions.ts"
export { Forge } from "./client/Forge.ts"
export type { GitHubRoute, RouteData, RouteInput, RouteItem } from "./client/GitHubRoute.ts"
export type { Wait } from "./client/WaitLog.ts"
export type { RawInput, RawResponse } from "./client/RawCall.ts"
export { age } from "./client/ResponseAge.ts"
export {
  BadCredentials,
  Conflict,
  type Failure,
  Forbidden,
  ForgeError,
  Gone,
  isFailure,
  NotFound,
  RateLimited,
  ServiceFailed,
  Unreachable,
  UnexpectedResponse,
  Unsupported,
  UntrustedLink,
  ValidationFailed
} from "./contract/Failure.ts"
export { BudgetStore } from "./limits/BudgetStore.ts"
export { Scheduler } from "./limits/Scheduler.ts"
export type { BudgetStatus } from "./limits/BudgetStatus.ts"
export type { Page } from "./paging/Page.ts"
export type { NumberedPageOptions, PageOptions, Pages } from "./paging/Pages.ts"
