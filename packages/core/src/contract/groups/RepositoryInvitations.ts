/** Invitations to repositories: of a repository, and those that the signed-in user got. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { conflict, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum, Timestamp } from "../Scalars.ts"
import { RepositorySummary } from "./Repository.ts"
import { UserSummary } from "./User.ts"

const invitationPermissions = ["read", "write", "maintain", "triage", "admin"] as const

/** An invitation to a repository. It expires after seven days. */
export const RepositoryInvitation = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  repository: RepositorySummary,
  invitee: Schema.NullOr(UserSummary),
  inviter: Schema.NullOr(UserSummary),
  permissions: openEnum(invitationPermissions),
  created_at: Timestamp,
  expired: Schema.optionalKey(Schema.Boolean),
  url: Schema.String,
  html_url: Schema.String
}).annotate({
  identifier: "RepositoryInvitation",
  ...Presentation.of({
    columns: {
      ID: "id",
      REPOSITORY: "repository.full_name",
      INVITEE: "invitee.login",
      PERMISSION: "permissions",
      INVITER: "inviter.login",
      CREATED: "created_at",
      EXPIRED: "expired"
    },
    identity: ["id"],
    arguments: { invitation_id: "id" }
  })
})
export type RepositoryInvitation = typeof RepositoryInvitation.Type

const invitationId = { invitation_id: Schema.Int.annotate({ description: "Id of the invitation." }) }
const invitationPath = { ...repositoryPath, ...invitationId }

const administration = (level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "administration", level }]],
    scopes: ["public_repo", "repo"],
    privateScopes: ["repo"],
    access: "administer"
  }) as const // literal types

const own = (level: "read" | "write") =>
  ({
    permission: [[{ target: "user", category: "private_repository_invitations", level }]],
    scopes: ["repo", "repo:invite"],
    access: "read"
  }) as const // literal types

/** Endpoints of invitations. */
export class RepositoryInvitations extends Group.make("repositoryInvitations", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/invitations", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(RepositoryInvitation)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-invitations",
      summary: "List invitations to a repository",
      ...administration("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/invitations/:invitation_id", {
    params: invitationPath,
    payload: Schema.Struct({
      permissions: Schema.optionalKey(
        Schema.Literals(invitationPermissions).annotate({ description: "The role that the account gets." })
      )
    }),
    success: RepositoryInvitation,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-invitation",
      summary: "Change the permission of an invitation",
      ...administration("write"),
      exposure: { gives: "access", consequence: "The invited account gets this role when it accepts." }
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/invitations/:invitation_id", {
    params: invitationPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-invitation",
      summary: "Cancel an invitation",
      ...administration("write")
    })
  ),
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/repository_invitations", {
    query: pageQuery,
    success: Paged(Schema.Array(RepositoryInvitation)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-invitations-for-authenticated-user",
      summary: "List invitations that you got",
      words: "my invitations",
      command: "list-own",
      ...own("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.patch("accept", "/user/repository_invitations/:invitation_id", {
    params: invitationId,
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/accept-invitation-for-authenticated-user",
      summary: "Accept an invitation",
      words: "join repository",
      noContent: "Accepted the invitation",
      ...own("write"),
      idempotent: false,
      reversible: false,
      notModified: true
    })
  ),
  HttpApiEndpoint.delete("decline", "/user/repository_invitations/:invitation_id", {
    params: invitationId,
    success: HttpApiSchema.NoContent,
    error: [notFound, conflict]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/decline-invitation-for-authenticated-user",
      summary: "Decline an invitation",
      words: "refuse, reject",
      noContent: "Declined the invitation",
      ...own("write"),
      notModified: true
    })
  )
]) {}
