/** Creates the webhook payloads of events, in the `service` dialect. */
import * as Effect from "effect/Effect"
import type { GitError } from "../git/values/GitError.ts"
import type { Urls } from "../api/Urls.ts"
import * as GitFacts from "../api/GitFacts.ts"
import * as Shapes from "../api/Shapes.ts"
import type { UserRow } from "../accounts/UserRows.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { EventContext, NewEvent } from "./NewEvent.ts"
import { nodeId } from "../api/NodeId.ts"
import type { ListeningHook } from "../webhooks/HookRows.ts"
import type { WebhookMessage } from "../webhooks/Outbox.ts"

/** A webhook event and the payload, without the members common to all payloads. */
export interface WebhookEventPayload {
  readonly event: string
  readonly action: string | null
  readonly payload: Effect.Effect<Readonly<Record<string, unknown>>, GitError>
}

/** Creates a repository without the permissions of a caller. */
export const repository = Effect.fnUntraced(function* (served: ServedRepository, urls: Urls) {
  const { permissions: _, ...shape } = Shapes.repository(served, yield* GitFacts.read(served), "read", urls)
  return shape
})

/** Creates the members common to all payloads: repository, organization and sender. */
export const common = Effect.fnUntraced(function* ({ actor, repository: served }: EventContext, urls: Urls) {
  const { owner } = served.row
  return {
    repository: yield* repository(served, urls),
    ...(owner.type === "Organization" ? { organization: organization(owner, urls) } : {}),
    sender: Shapes.userSummary(actor, urls)
  }
})

/** Creates the short form of an organization. The name is also the description. */
export const organization = (row: UserRow, urls: Urls) => ({
  ...Shapes.organizationSummary(row, urls),
  description: row.name
})

/** Adds the installation to a message for the webhook of an app. */
export const forHook = ({ installation_id: id }: ListeningHook, message: WebhookMessage): WebhookMessage =>
  id === null
    ? message
    : {
        ...message,
        installationId: id,
        payload: { ...message.payload, installation: { id, node_id: nodeId("IntegrationInstallation", id) } }
      }

/** Returns the webhook events that an event causes. `push` creates the payload if a reference moved. */
export const webhookEvents = (
  { payload, type }: Pick<NewEvent, "payload" | "type">,
  push: WebhookEventPayload["payload"] | undefined
): ReadonlyArray<WebhookEventPayload> => {
  const plain = (event: string, own: Readonly<Record<string, unknown>> = payload): WebhookEventPayload => ({
    event,
    action: typeof own.action === "string" ? own.action : null,
    payload: Effect.succeed(own)
  })
  const pushed: ReadonlyArray<WebhookEventPayload> =
    push === undefined ? [] : [{ event: "push", action: null, payload: push }]
  switch (type) {
    case "CreateEvent":
      return payload.ref_type === "repository"
        ? [plain("repository", { action: "created" })]
        : [plain("create"), ...pushed]
    case "DeleteEvent":
      return [plain("delete"), ...pushed]
    case "PushEvent":
      return pushed
    case "PublicEvent":
      return [plain("public", {}), plain("repository", { action: "publicized" })]
    case "PullRequestReviewEvent":
      // Lists of events say that the review was created.
      return [plain("pull_request_review", { ...payload, action: "submitted" })]
    default:
      // The name follows from the type: `CommitCommentEvent` becomes `commit_comment`.
      return [
        plain(
          type
            .replace(/Event$/, "")
            .replace(/(?<=[a-z])(?=[A-Z])/g, "_")
            .toLowerCase()
        )
      ]
  }
}
