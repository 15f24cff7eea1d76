/** Events and webhook events to record. */
import type * as Effect from "effect/Effect"
import type { GitError } from "../git/values/GitError.ts"
import type { UserRow } from "../accounts/UserRows.ts"
import type { Urls } from "../api/Urls.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { RefMove } from "./PushPayload.ts"

/** The acting user and the repository of an event. */
export interface EventContext {
  readonly actor: UserRow
  readonly repository: ServedRepository
}

export interface NewEvent extends EventContext {
  /** Type of the event, for example `CreateEvent`. */
  readonly type: string
  /** Payload that lists of events show. */
  readonly payload: Readonly<Record<string, unknown>>
  /** True if everyone can see the event. By default true in public repositories. */
  readonly public?: boolean
  /** The reference change that caused the event. Each change has at most one event. */
  readonly change?: { readonly id: string; readonly move: RefMove }
  /** Further writes of the event's transaction. Not run if the change has an event already. */
  readonly effects?: Effect.Effect<void, GitError>
  /** Base URLs of links in webhook payloads, by default the URLs of this forge. */
  readonly urls?: Urls
}

/**
 * An event that only webhooks receive, not lists of events, for example `{ event: "repository", action: "edited" }`.
 */
export interface WebhookEvent extends EventContext {
  readonly event: string
  /** Null for an event without actions, for example `status`. */
  readonly action: string | null
  readonly payload: Readonly<Record<string, unknown>>
  /** The only app that receives the event. By default all webhooks do that subscribe to it. */
  readonly appId?: number
}

/** An event of an organization without a repository, which only webhooks of the organization receive. */
export interface OrganizationEvent {
  readonly actor: UserRow
  readonly organization: UserRow
  readonly event: string
  readonly action: string
  /** The repository that the event names, if any. */
  readonly repository?: ServedRepository
  readonly payload: Readonly<Record<string, unknown>>
}
