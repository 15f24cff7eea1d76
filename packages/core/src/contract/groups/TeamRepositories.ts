/** Repositories of teams. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath, teamPath } from "../Parameters.ts"
import { collaboratorPermissions } from "./Collaborators.ts"
import { MinimalRepository, Repository } from "./Repository.ts"
import { organizationPeople } from "./Teams.ts"

const params = { ...teamPath, ...repositoryPath }

/** Access rules of a change: the team is of an organization, and its repositories need administration. */
const writes = {
  ...organizationPeople("write", "read"),
  permission: [
    [
      { target: "organization", category: "members", level: "read" },
      { target: "repository", category: "administration", level: "write" }
    ]
  ],
  scopes: ["repo"]
} as const // literal types

/** Endpoints of repositories of teams. */
export class TeamRepositories extends Group.make("teamRepositories", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/teams/:team_slug/repos", {
    params: teamPath,
    query: pageQuery,
    success: Paged(Schema.Array(MinimalRepository)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/list-repos-in-org",
      summary: "List repositories of a team",
      description: "Includes the repositories of parent teams. `permissions` are those of the team.",
      ...organizationPeople("read", "read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("check", "/orgs/:org/teams/:team_slug/repos/:owner/:repo", {
    params,
    success: [HttpApiSchema.NoContent, Repository],
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/check-permissions-for-repo-in-org",
      summary: "Check if a team has access to a repository",
      description: "With the media type `repository`, returns the repository with the permissions of the team.",
      answers: { yes: "The team has access to {repo}", no: "The team has no access to {repo}" },
      ...organizationPeople("read", "read")
    })
  ),
  HttpApiEndpoint.put("add", "/orgs/:org/teams/:team_slug/repos/:owner/:repo", {
    params,
    payload: Schema.Struct({
      permission: Schema.optionalKey(
        Schema.Literals(collaboratorPermissions).annotate({
          description: "`pull` (read), `triage`, `push` (write), `maintain` or `admin`; `push` by default."
        })
      )
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/add-or-update-repo-permissions-in-org",
      summary: "Give a team access to a repository, or change its permission",
      words: "share with team",
      description: "For administrators of the repository. The repository belongs to the organization of the team.",
      ...writes,
      effect: "create",
      idempotent: true,
      exposure: {
        gives: "access",
        consequence: "Members of the team and of its child teams get access to {repo|the repository}."
      }
    })
  ),
  HttpApiEndpoint.delete("remove", "/orgs/:org/teams/:team_slug/repos/:owner/:repo", {
    params,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "teams/remove-repo-in-org",
      summary: "Remove a repository from a team",
      words: "revoke access",
      description: "For maintainers of the team and administrators of the repository. Unassigns who loses access.",
      ...writes
    })
  )
]) {}
