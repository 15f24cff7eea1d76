/** Events and webhook events before they are stored. */
import type { UserRow } from "../accounts/UserRows.ts"
import type { Urls } from "../api/Urls.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { RefMove } from "./PushPayload.ts"

/** The user and repository of an event. */
export interface EventContext {
  readonly actor: UserRow
  readonly repository: ServedRepository
}

export interface NewEvent extends EventContext {
  /** For example `CreateEvent`. */
  readonly type: string
  /** The payload in lists of events. */
  readonly payload: Readonly<Record<string, unknown>>
  /** True for a public event; by default, if the repository is public. */
  readonly public?: boolean
  /** The change of a reference behind the event; it gets one event only. */
  readonly change?: { readonly id: string; readonly move: RefMove }
  /** Root of the URLs in webhook payloads; by default that of this forge. */
  readonly urls?: Urls
}

/** An event for webhooks that no list of events contains: `{ event: "repository", action: "edited" }`. */
export interface WebhookEvent extends EventContext {
  readonly event: string
  readonly action: string
  readonly payload: Readonly<Record<string, unknown>>
}
