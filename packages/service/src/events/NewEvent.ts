/** Events to record, and announcements to webhooks, before they are stored. */
import type { UserRow } from "../accounts/UserRows.ts"
import type { Urls } from "../api/Urls.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { RefMove } from "./PushPayload.ts"

/** Who did it, and where. */
export interface EventContext {
  readonly actor: UserRow
  readonly repository: ServedRepository
}

export interface NewEvent extends EventContext {
  /** As `CreateEvent`. */
  readonly type: string
  /** As the list of events has it. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Whether everybody may know; by default, whether the repository is public. */
  readonly public?: boolean
  /** The change of a reference that it tells of: it is told of once. */
  readonly change?: { readonly id: string; readonly move: RefMove }
  /** Where links in what webhooks are told begin: the forge's own, unless another process was to tell. */
  readonly urls?: Urls
}

/** Something that webhooks are told, and no list of events has: `{ event: "repository", action: "edited" }`. */
export interface WebhookEvent extends EventContext {
  readonly event: string
  readonly action: string
  readonly payload: Readonly<Record<string, unknown>>
}
