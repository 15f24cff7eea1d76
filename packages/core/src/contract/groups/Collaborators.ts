/** Collaborators of repositories: accounts with a role, and what follows from it. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum } from "../Scalars.ts"
import { Permissions } from "./Repository.ts"
import { RepositoryInvitation } from "./RepositoryInvitations.ts"
import { UserSummary } from "./User.ts"

/** An account with its role in a repository. */
export const Collaborator = Schema.Struct({
  ...UserSummary.fields,
  permissions: Schema.optionalKey(Permissions),
  /** The highest role that the account has by any way. */
  role_name: Schema.optionalKey(openEnum(["read", "triage", "write", "maintain", "admin", "none"]))
}).annotate({
  identifier: "Collaborator",
  ...Presentation.of({
    columns: { LOGIN: "login", ROLE: "role_name", ID: "id" },
    title: "login",
    identity: ["login"],
    arguments: { username: "login", user_id: "id" }
  })
})
export type Collaborator = typeof Collaborator.Type

/** The role of an account in a repository. `permission` is the nearest of the roles read, write and admin. */
const RepositoryPermission = Schema.Struct({
  permission: openEnum(["admin", "write", "read", "none"]),
  role_name: Schema.String,
  user: Schema.NullOr(Collaborator)
}).annotate({
  identifier: "RepositoryPermission",
  ...Presentation.of({ columns: { LOGIN: "user.login", PERMISSION: "permission", ROLE: "role_name" } })
})

/** Permissions in requests. `pull` and `push` are the roles read and write. */
export const collaboratorPermissions = ["pull", "triage", "push", "maintain", "admin"] as const

const collaboratorPath = {
  ...repositoryPath,
  ...usernamePath
}

/** Annotations of an operation on the people of a repository. */
export const repositoryPeople = (access: Operation.Access, level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: level === "read" ? "metadata" : "administration", level }]],
    scopes: ["public_repo", "repo"],
    privateScopes: ["repo"],
    access
  }) as const // literal types

/** Endpoints of collaborators. */
export class Collaborators extends Group.make("collaborators", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/collaborators", {
    params: repositoryPath,
    query: {
      affiliation: Schema.optionalKey(
        Schema.Literals(["outside", "direct", "all"]).annotate({
          description:
            "`direct`: who has a role of their own; `outside`: of these, who is not a member of the organization; `all` by default."
        })
      ),
      permission: Schema.optionalKey(
        Schema.Literals(collaboratorPermissions).annotate({ description: "Only accounts with this permission." })
      ),
      ...pageQuery
    },
    success: Paged(Schema.Array(Collaborator)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-collaborators",
      summary: "List collaborators",
      words: "people, members, access",
      ...repositoryPeople("write", "read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("check", "/repos/:owner/:repo/collaborators/:username", {
    params: collaboratorPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/check-collaborator",
      summary: "Check if an account is a collaborator",
      answers: { yes: "{username} is a collaborator", no: "{username} is not a collaborator" },
      ...repositoryPeople("write", "read")
    })
  ),
  HttpApiEndpoint.put("add", "/repos/:owner/:repo/collaborators/:username", {
    params: collaboratorPath,
    payload: Schema.Struct({
      permission: Schema.optionalKey(
        Schema.Literals([...collaboratorPermissions, "read", "write"]).annotate({
          description: "`pull` (read), `triage`, `push` (write), `maintain` or `admin`; `push` by default."
        })
      )
    }),
    success: [RepositoryInvitation.pipe(HttpApiSchema.status(201)), HttpApiSchema.NoContent],
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/add-collaborator",
      summary: "Add a collaborator",
      words: "invite, share, give access, role",
      description:
        "Invites the account, which has access when it accepts. A collaborator, or a member of the repository's organization, gets the permission at once.",
      ...repositoryPeople("administer", "write"),
      effect: "create",
      idempotent: true,
      exposure: { gives: "access", consequence: "{username|The account} gets access to the repository." }
    })
  ),
  HttpApiEndpoint.delete("remove", "/repos/:owner/:repo/collaborators/:username", {
    params: collaboratorPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/remove-collaborator",
      summary: "Remove a collaborator",
      words: "leave, revoke access",
      description:
        "Administrators remove anyone, others themselves. Cancels the account's invitations, and unassigns it from issues.",
      ...repositoryPeople("author", "write")
    })
  ),
  HttpApiEndpoint.get("getPermission", "/repos/:owner/:repo/collaborators/:username/permission", {
    params: collaboratorPath,
    success: RepositoryPermission,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-collaborator-permission-level",
      summary: "Show the role of an account",
      words: "permission level",
      ...repositoryPeople("read", "read")
    })
  )
]) {}
