/** Outside collaborators: accounts with roles in repositories of an organization of which they are no members. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, usernamePath } from "../Parameters.ts"
import { Member } from "./Member.ts"
import { twoFactorFilter } from "./OrganizationMembers.ts"
import { organizationPeople } from "./Teams.ts"

const params = { ...organizationPath, ...usernamePath }

/** Endpoints of outside collaborators. */
export class OutsideCollaborators extends Group.make("outsideCollaborators", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/outside_collaborators", {
    params: organizationPath,
    query: { filter: twoFactorFilter, ...pageQuery },
    success: Paged(Schema.Array(Member)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-outside-collaborators",
      summary: "List outside collaborators of an organization",
      ...organizationPeople("administer", "read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.put("convert", "/orgs/:org/outside_collaborators/:username", {
    params,
    payload: Schema.Struct({
      async: Schema.optionalKey(Schema.Boolean.annotate({ description: "Without effect: the change is immediate." }))
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/convert-member-to-outside-collaborator",
      summary: "Convert a member to an outside collaborator",
      description: "The account keeps only the roles that it has by its teams or of its own.",
      ...organizationPeople("administer", "write"),
      reversible: false
    })
  ),
  HttpApiEndpoint.delete("remove", "/orgs/:org/outside_collaborators/:username", {
    params,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/remove-outside-collaborator",
      summary: "Remove an outside collaborator from all repositories",
      ...organizationPeople("administer", "write")
    })
  )
]) {}
