/** Objects of teams, and the teams of an organization. */
import * as Effect from "effect/Effect"
import { Roles } from "../../access/Roles.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type TeamRow, TeamRows } from "../../accounts/TeamRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { TeamMemberRows } from "../organizations/TeamMemberRows.ts"
import * as TeamTarget from "../organizations/TeamTarget.ts"
import { groupById } from "./CheckObjects.ts"
import * as Connections from "./Connections.ts"
import type { RunningQuery } from "./RunningQuery.ts"

/** The operations of the contract with the access rules of teams and of their members. */
const listsTeams = OperationAccess.operationOf("teams", "list")
const listsMembers = OperationAccess.operationOf("teamMembers", "list")

type Team = Omit<TeamRow, "parent"> & { readonly parent?: Omit<TeamRow, "organization" | "parent"> | null }

export interface TeamArguments extends Connections.PageArguments {
  readonly query?: string | null
  readonly userLogins?: ReadonlyArray<string> | null
}

interface MemberArguments extends Connections.PageArguments {
  readonly query?: string | null
}

/** Maximum members of a team in which a query searches. */
const allMembers = { page: 1, offset: 0, perPage: 10_000 }

/** Creates the functions that return teams. */
export const make = Effect.gen(function* () {
  const members = yield* TeamMemberRows
  const organizations = yield* OrganizationRows
  const roles = yield* Roles
  const rows = yield* TeamRows
  const users = yield* UserRows

  const membersOf = async (query: RunningQuery, { id, organization_id }: Team, given: MemberArguments) => {
    const visible = await find(listsMembers, query, organization_id, id)
    if (visible === undefined) return Connections.ofList("members", given, [], () => undefined)
    const text = (given.query ?? "").toLowerCase()
    if (text === "") {
      return Connections.make("members", given, async (range) => {
        const { items, total } = await query.run(members.list(visible, "all", range))
        return { items: items.map(query.account), total: typeof total === "number" ? total : items.length }
      })
    }
    const { items } = await query.run(members.list(visible, "all", allMembers))
    const found = items.filter(({ login, name }) => `${login}\n${name ?? ""}`.toLowerCase().includes(text))
    return Connections.ofList("members", given, found, query.account)
  }

  const team = (query: RunningQuery, row: Team): object => {
    const { id, name, organization, organization_id, parent = null, slug } = row
    return {
      __typename: "Team",
      id: nodeId("Team", id),
      databaseId: id,
      name,
      slug,
      combinedSlug: `${organization}/${slug}`,
      description: row.description,
      url: `${query.urls.html}/orgs/${organization}/teams/${slug}`,
      privacy: row.privacy === "secret" ? "SECRET" : "VISIBLE",
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      parentTeam: parent === null ? null : () => team(query, { ...parent, organization }),
      members: (given: MemberArguments) => membersOf(query, row, given),
      organization: async () => {
        const owner = await query.run(users.byId(organization_id))
        return owner === undefined ? null : query.account(owner)
      }
    }
  }

  /** Returns the teams of an organization that the caller sees, by name. */
  const ofOrganization = async (query: RunningQuery, account: UserRow, given: TeamArguments) => {
    const viewer = await viewerOf(query, account)
    if (viewer === undefined) return Connections.ofList("teams", given, [], () => undefined)
    const filter = { logins: given.userLogins ?? undefined, text: given.query ?? undefined }
    return Connections.make("teams", given, async (range) => {
      const { items, total } = await query.run(rows.list(account.id, viewer, range, filter))
      return { items: items.map((row) => team(query, row)), total: typeof total === "number" ? total : items.length }
    })
  }

  const bySlug = async (query: RunningQuery, account: UserRow, slug: string): Promise<object | null> => {
    const found = await query.teamOfSlug(`${account.id} ${slug.toLowerCase()}`)
    return found === undefined ? null : team(query, found)
  }

  /** Reads the teams that the caller sees by `<organization id> <slug>`. */
  const bySlugs = async (query: RunningQuery, keys: ReadonlyArray<string>) => {
    const found = await Promise.all(
      [...groupById(keys)].map(async ([id, slugs]) => {
        const account = await query.run(users.byId(id))
        const viewer = account === undefined ? undefined : await viewerOf(query, account)
        return viewer === undefined ? [] : query.run(rows.bySlugs(id, slugs, viewer))
      })
    )
    return new Map(found.flat().map((row) => [`${row.organization_id} ${row.slug.toLowerCase()}`, row]))
  }

  /** Returns a team if the caller sees it and may run the operation on it. */
  const find = async (operation: typeof listsTeams, query: RunningQuery, organizationId: number, id: number) => {
    const account = await query.run(users.byId(organizationId))
    const viewer = account === undefined ? undefined : await viewerOf(query, account, operation)
    return viewer === undefined ? undefined : query.run(rows.find(organizationId, id, viewer))
  }

  /** Returns the team with an id. Null if the caller does not see the team. */
  const byId = async (query: RunningQuery, id: number): Promise<object | null> => {
    const row = await query.run(rows.byId(id))
    const found = row === undefined ? undefined : await find(listsTeams, query, row.organization_id, id)
    return found === undefined ? null : team(query, found)
  }

  /** Returns which teams of an organization the caller sees. Undefined if the operation is refused. */
  const viewerOf = async ({ caller, run }: RunningQuery, { id, login }: UserRow, operation = listsTeams) => {
    const organization = await run(organizations.byLogin(login))
    const role = await run(roles.onOrganization(caller, id))
    const viewer = TeamTarget.viewerOf(caller, role)
    const isRefused =
      organization === undefined ||
      OperationAccess.accessError(operation, caller, { kind: "organization", organization, role }, false) !== undefined
    return isRefused ? undefined : viewer
  }

  return { byId, bySlug, bySlugs, ofOrganization, team }
})
