/** Notifications of the signed-in user: a thread for each conversation, which ends after five months. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, QueryBoolean, Timestamp } from "../Scalars.ts"
import { RepositorySummary } from "./Repository.ts"

/** Why a user is notified of a conversation, or subscribed to it. `subscribed`: watches the repository. */
export const notificationReasons = [
  "assign",
  "author",
  "comment",
  "manual",
  "mention",
  "review_requested",
  "state_change",
  "subscribed",
  "team_mention"
] as const // literal types

/** A conversation with something new for the user. */
export const NotificationThread = Schema.Struct({
  id: Schema.String,
  repository: RepositorySummary,
  subject: Schema.Struct({
    title: Schema.String,
    url: Schema.String,
    latest_comment_url: Schema.String,
    /** Kind of the subject: `Issue`. */
    type: Schema.String
  }),
  reason: openEnum(notificationReasons),
  unread: Schema.Boolean,
  updated_at: Timestamp,
  last_read_at: Schema.NullOr(Timestamp),
  url: Schema.String,
  subscription_url: Schema.String
}).annotate({
  identifier: "NotificationThread",
  ...Presentation.of({
    columns: {
      ID: "id",
      UNREAD: "unread",
      REPOSITORY: "repository.full_name",
      SUBJECT: "subject.title",
      REASON: "reason",
      UPDATED: "updated_at"
    },
    title: "subject.title",
    identity: ["id"],
    arguments: {
      thread_id: "id",
      owner: "repository.owner.login",
      repo: "repository.name",
      issue_number: { path: "subject.url", pattern: "/issues/(\\d+)$" }
    }
  })
})
export type NotificationThread = typeof NotificationThread.Type

/** The subscription of the signed-in user to a conversation. */
export const ThreadSubscription = Schema.Struct({
  subscribed: Schema.Boolean,
  /** True if the user is notified of nothing in the conversation. */
  ignored: Schema.Boolean,
  reason: Schema.NullOr(Schema.String),
  created_at: Schema.NullOr(Timestamp),
  url: Schema.String,
  thread_url: Schema.optionalKey(Schema.String)
}).annotate({
  identifier: "ThreadSubscription",
  ...Presentation.of({
    columns: { SUBSCRIBED: "subscribed", IGNORED: "ignored", REASON: "reason", SINCE: "created_at" }
  })
})
export type ThreadSubscription = typeof ThreadSubscription.Type

const threadPath = { thread_id: Schema.Int.annotate({ description: "Id of the thread." }) }

const time = (description: string) => Schema.optionalKey(Timestamp.annotate({ description }))

const listQuery = {
  all: Schema.optionalKey(QueryBoolean.annotate({ description: "Also threads that were read." })),
  participating: Schema.optionalKey(
    QueryBoolean.annotate({ description: "Only threads in which you take part or are mentioned." })
  ),
  since: time("Only threads updated at this time or later (ISO 8601)."),
  before: time("Only threads updated before this time (ISO 8601)."),
  ...pageQuery
}

const lastRead = {
  last_read_at: time("Mark only threads that were updated at this time or earlier; by default now.")
}

/** Access rules: tokens of apps and fine-grained tokens have no notifications. */
const own = { permission: "refused", scopes: ["notifications", "repo"], access: "read" } as const // literal types
const ofRepository = { ...own, privateScopes: ["repo"] } as const // literal types
const polled = { paging: "page", pollInterval: 60 } as const // literal types

/** Endpoints of notifications. */
export class Notifications extends Group.make("notifications", () => [
  HttpApiEndpoint.get("list", "/notifications", {
    query: listQuery,
    success: Paged(Schema.Array(NotificationThread)),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-notifications-for-authenticated-user",
      summary: "List notifications",
      words: "inbox, unread",
      ...own,
      ...polled,
      perPage: 50
    })
  ),
  HttpApiEndpoint.put("markRead", "/notifications", {
    payload: Schema.Struct(lastRead),
    success: HttpApiSchema.Empty(205),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/mark-notifications-as-read",
      summary: "Mark all notifications as read",
      ...own,
      notModified: true,
      effect: "update",
      reversible: false
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/notifications", {
    params: repositoryPath,
    query: listQuery,
    success: Paged(Schema.Array(NotificationThread)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-repo-notifications-for-authenticated-user",
      summary: "List notifications of a repository",
      ...ofRepository,
      ...polled
    })
  ),
  HttpApiEndpoint.put("markReadForRepo", "/repos/:owner/:repo/notifications", {
    params: repositoryPath,
    payload: Schema.Struct(lastRead),
    success: HttpApiSchema.Empty(205),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/mark-repo-notifications-as-read",
      summary: "Mark the notifications of a repository as read",
      ...ofRepository,
      effect: "update",
      reversible: false
    })
  ),
  HttpApiEndpoint.get("get", "/notifications/threads/:thread_id", {
    params: threadPath,
    success: NotificationThread,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "activity/get-thread", summary: "Get a notification", ...own })
  ),
  HttpApiEndpoint.patch("markThreadRead", "/notifications/threads/:thread_id", {
    params: threadPath,
    success: HttpApiSchema.Empty(205),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/mark-thread-as-read",
      summary: "Mark a notification as read",
      ...own,
      notModified: true,
      effect: "update",
      reversible: false
    })
  ),
  HttpApiEndpoint.delete("markThreadDone", "/notifications/threads/:thread_id", {
    params: threadPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/mark-thread-as-done",
      summary: "Mark a notification as done",
      words: "archive, clear",
      description: "The thread is not listed until something new happens in it.",
      ...own
    })
  ),
  HttpApiEndpoint.get("getSubscription", "/notifications/threads/:thread_id/subscription", {
    params: threadPath,
    success: ThreadSubscription,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/get-thread-subscription-for-authenticated-user",
      summary: "Show if you are subscribed to a conversation",
      ...own
    })
  ),
  HttpApiEndpoint.put("setSubscription", "/notifications/threads/:thread_id/subscription", {
    params: threadPath,
    payload: Schema.Struct({
      ignored: Schema.optionalKey(Schema.Boolean.annotate({ description: "Notify of nothing in the conversation." }))
    }),
    success: ThreadSubscription,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/set-thread-subscription",
      summary: "Subscribe to a conversation or ignore it",
      words: "mute",
      ...own,
      notModified: true,
      effect: "update"
    })
  ),
  HttpApiEndpoint.delete("deleteSubscription", "/notifications/threads/:thread_id/subscription", {
    params: threadPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/delete-thread-subscription",
      summary: "Unsubscribe from a conversation",
      description: "Until you take part again or are mentioned. Watchers of the repository are still notified.",
      ...own,
      notModified: true,
      reversible: true
    })
  )
]) {}
