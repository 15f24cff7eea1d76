/** Lists of repository and account events. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath, usernamePath } from "../Parameters.ts"
import { Payload } from "./Payload.ts"
import * as Presentation from "../Presentation.ts"
import { OpaqueId, openEnum, RepositoryId, Timestamp, UserId } from "../Scalars.ts"

const Actor = Schema.Struct({
  id: UserId,
  login: Schema.String,
  display_login: Schema.optionalKey(Schema.String),
  avatar_service_id: Schema.NullOr(OpaqueId),
  url: Schema.String,
  avatar_url: Schema.String
}).annotate({ identifier: "EventActor", ...Presentation.of({ columns: { LOGIN: "login" }, inline: true }) })

/** An event id as digits. A number, which some forges send, decodes as text. */
const EventId = Schema.Union([
  Schema.String,
  Schema.Int.pipe(Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: String, encode: Number })))
])

/** An event. The type determines the members of `payload`. Events of unknown types decode unchanged. */
export const Event = Schema.Struct({
  id: EventId,
  type: Schema.NullOr(
    openEnum([
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
    title: "type",
    arguments: {
      owner: { path: "repo.name", pattern: "^([^/]+)/" },
      repo: { path: "repo.name", pattern: "^[^/]+/(.+)$" },
      username: "actor.login",
      org: "org.login"
    }
  })
})
export type Event = typeof Event.Type

const success = Paged(Schema.Array(Event))
/** Minimum seconds between two requests of a polling client. */
const POLL_INTERVAL = 60

const reads = { public: true, paging: "page", pollInterval: POLL_INTERVAL } as const

/** Endpoints of events. */
export class Events extends Group.make("events", () => [
  HttpApiEndpoint.get("listPublic", "/events", { query: pageQuery, success }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-public-events",
      summary: "List public events",
      command: "list",
      ...reads,
      perPage: 15
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/events", {
    params: repositoryPath,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-repo-events",
      summary: "List events of a repository",
      words: "feed, news",
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
      operationId: "activity/list-public-org-events",
      summary: "List public events of an organization",
      command: "list-for-organization",
      ...reads
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/events", {
    params: usernamePath,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-events-for-authenticated-user",
      summary: "List events by a user that the caller may see",
      ...reads,
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listPublicForUser", "/users/:username/events/public", {
    params: usernamePath,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-public-events-for-user",
      summary: "List public events by a user",
      ...reads
    })
  ),
  HttpApiEndpoint.get("listReceivedForUser", "/users/:username/received_events", {
    params: usernamePath,
    query: pageQuery,
    success,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "activity/list-received-events-for-user",
      summary: "List events in the repositories of a user",
      command: "list-received-by-user",
      ...reads,
      privateScopes: ["repo"]
    })
  )
]) {}
