/** Objects of teams, and the teams of an organization. */
import * as Effect from "effect/Effect"
import { Roles } from "../../access/Roles.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type TeamRow, TeamRows } from "../../accounts/TeamRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as TeamTarget from "../organizations/TeamTarget.ts"
import * as Connections from "./Connections.ts"
import type { RunningQuery } from "./RunningQuery.ts"

/** The operation of the contract with the access rules of teams. */
const listsTeams = OperationAccess.operationOf("teams", "list")

type Team = Pick<TeamRow, "id" | "name" | "slug" | "organization" | "organization_id">

/** Creates the functions that return teams. */
export const make = Effect.gen(function* () {
  const organizations = yield* OrganizationRows
  const roles = yield* Roles
  const rows = yield* TeamRows
  const users = yield* UserRows

  const team = (query: RunningQuery, { id, name, organization, organization_id, slug }: Team): object => ({
    __typename: "Team",
    id: nodeId("Team", id),
    databaseId: id,
    name,
    slug,
    combinedSlug: `${organization}/${slug}`,
    organization: async () => {
      const owner = await query.run(users.byId(organization_id))
      return owner === undefined ? null : query.account(owner)
    }
  })

  /** Returns which teams of an organization the caller sees. Undefined for none. */
  const viewerOf = async ({ caller, run }: RunningQuery, { id, login }: UserRow) => {
    const organization = await run(organizations.byLogin(login))
    if (organization === undefined) return undefined
    const role = await run(roles.onOrganization(caller, id))
    const refused = OperationAccess.accessError(listsTeams, caller, { kind: "organization", organization, role }, false)
    return refused === undefined ? TeamTarget.viewerOf(caller, role) : undefined
  }

  /** The teams of an organization that the caller sees, by name. */
  const ofOrganization = async (query: RunningQuery, owner: UserRow, given: Connections.PageArguments) => {
    const viewer = await viewerOf(query, owner)
    if (viewer === undefined) return Connections.ofList("teams", given, [], () => undefined)
    return Connections.make("teams", given, async (range) => {
      const { items, total } = await query.run(rows.list(owner.id, viewer, range))
      return { items: items.map((row) => team(query, row)), total: typeof total === "number" ? total : items.length }
    })
  }

  /** The team of an organization with a slug. Null if the caller does not see it. */
  const bySlug = async (query: RunningQuery, owner: UserRow, slug: string) => {
    const viewer = await viewerOf(query, owner)
    const row = viewer === undefined ? undefined : await query.run(rows.find(owner.id, slug, viewer))
    return row === undefined ? null : team(query, row)
  }

  return { bySlug, ofOrganization, team }
})
