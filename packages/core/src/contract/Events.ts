/** What happened, as lists of events (spec part 1 §6, spec part 4). */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "./Failure.ts"
import * as Group from "./Group.ts"
import * as Operation from "./Operation.ts"
import { Paged } from "./Paged.ts"
import { organizationPath, pageQuery, repositoryPath } from "./Parameters.ts"
import { Payload } from "./Payload.ts"
import * as Presentation from "./Presentation.ts"
import { OpaqueId, open, RepositoryId, Timestamp, UserId } from "./Scalars.ts"

const Actor = Schema.Struct({
  id: UserId,
  login: Schema.String,
  display_login: Schema.optionalKey(Schema.String),
  avatar_service_id: Schema.NullOr(OpaqueId),
  url: Schema.String,
  avatar_url: Schema.String
}).annotate({ identifier: "EventActor", ...Presentation.of({ columns: { LOGIN: "login" }, inline: true }) })

/** Digits. Some forges send a number (spec part 1 §6.1); it is read as text, as it travels (spec part 4). */
const EventId = Schema.Union([
  Schema.String,
  Schema.Int.pipe(Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: String, encode: Number })))
])

/** An event. What `payload` holds depends on the type; a type that this version does not know is read as it is. */
export const Event = Schema.Struct({
  id: EventId,
  type: Schema.NullOr(
    open([
      "CommitCommentEvent",
      "CreateEvent",
      "DeleteEvent",
      "DiscussionEvent",
      "ForkEvent",
      "GollumEvent",
      "IssueCommentEvent",
      "IssuesEvent",
      "MemberEvent",
      "PublicEvent",
      "PullRequestEvent",
      "PullRequestReviewEvent",
      "PullRequestReviewCommentEvent",
      "PushEvent",
      "ReleaseEvent",
      "SponsorshipEvent",
      "WatchEvent"
    ])
  ),
  actor: Actor,
  repo: Schema.Struct({ id: RepositoryId, name: Schema.String, url: Schema.String }),
  org: Schema.optionalKey(Actor),
  payload: Payload,
  public: Schema.Boolean,
  created_at: Schema.NullOr(Timestamp)
}).annotate({
  identifier: "Event",
  ...Presentation.of({
    columns: { ID: "id", TYPE: "type", ACTOR: "actor.login", REPOSITORY: "repo.name", CREATED: "created_at" },
    title: "type"
  })
})
export type Event = typeof Event.Type

const success = Paged(Schema.Array(Event))
const username = { username: Schema.String.annotate({ description: "Login of the account." }) }
/** How long a client that polls waits between two requests, in seconds. */
const pollInterval = 60

const reads = { public: true, paging: "page", pollInterval } as const

export class Events extends Group.make("events", () => [
  HttpApiEndpoint.get("listPublic", "/events", { query: pageQuery, success }).annotateMerge(
    Operation.annotations({ summary: "List public events", command: "list", ...reads, perPage: 15 })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/events", {
    params: repositoryPath,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      summary: "List events of a repository",
      command: "list-for-repository",
      ...reads,
      permission: [[Operation.metadataRead]],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listPublicForOrg", "/orgs/:org/events", {
    params: organizationPath,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      summary: "List public events of an organization",
      command: "list-for-organization",
      ...reads
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/events", {
    params: username,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(Operation.annotations({ summary: "List what a user did, where the caller may see it", ...reads })),
  HttpApiEndpoint.get("listPublicForUser", "/users/:username/events/public", {
    params: username,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(Operation.annotations({ summary: "List what a user did in public", ...reads })),
  HttpApiEndpoint.get("listReceivedForUser", "/users/:username/received_events", {
    params: username,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      summary: "List what happened in a user's repositories",
      command: "list-received-by-user",
      ...reads
    })
  )
]) {}
