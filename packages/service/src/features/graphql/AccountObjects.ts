/** Objects of users, organizations, bots and mannequins. */
import * as Effect from "effect/Effect"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import { Roles } from "../../access/Roles.ts"
import { accountNodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import { mayRead } from "./RepositoryObjects.ts"
import * as RuleObjects from "./RuleObjects.ts"
import type { RunningQuery } from "./RunningQuery.ts"
import * as TeamObjects from "./TeamObjects.ts"

const listsOrganizations = OperationAccess.operationOf("organizations", "listForAuthenticatedUser")

interface RepositoryArguments extends Connections.PageArguments {
  readonly privacy?: "PUBLIC" | "PRIVATE" | null
  readonly isFork?: boolean | null
  readonly orderBy?: { readonly field: keyof typeof orders; readonly direction: "ASC" | "DESC" } | null
}

/** Times and names by which repositories are sorted. The forge counts no stars. */
const orders = {
  CREATED_AT: ({ created_at }: RepositoryRow) => created_at,
  UPDATED_AT: ({ updated_at }: RepositoryRow) => updated_at,
  PUSHED_AT: ({ updated_at }: RepositoryRow) => updated_at,
  NAME: ({ name }: RepositoryRow) => name.toLowerCase(),
  STARGAZERS: () => ""
}

const types: ReadonlySet<string> = new Set(["Bot", "Mannequin", "Organization"])

const isOfKind = ({ parent_id }: RepositoryRow, isFork: boolean | null | undefined) =>
  (isFork ?? undefined) === undefined || isFork === (parent_id !== null)

/** Creates the functions that return accounts. */
export const make = Effect.gen(function* () {
  const organizationRows = yield* OrganizationRows
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const rules = yield* RuleObjects.make
  const teams = yield* TeamObjects.make
  const users = yield* UserRows

  /** The organizations of the caller. The API never shows the organizations of another user. */
  const organizations = Effect.fnUntraced(function* (
    query: RunningQuery,
    member: UserRow,
    page: Connections.PageArguments
  ) {
    const { caller } = query
    const refused = OperationAccess.accessError(listsOrganizations, caller, { kind: "user", role: "admin" }, false)
    if (refused !== undefined) return yield* refused
    const found = caller.user.id === member.id ? yield* organizationRows.ofMember(member.id) : []
    return Connections.ofList("organizations", page, found, query.account)
  })

  const repositories = Effect.fnUntraced(function* (query: RunningQuery, owner: UserRow, given: RepositoryArguments) {
    const { isFork, orderBy, privacy } = given
    const own = (yield* registry.list).filter((row) => row.owner.id === owner.id && isOfKind(row, isFork))
    const visible = (yield* roles.visible(query.caller, own)).filter(
      (row) => (privacy ?? undefined) === undefined || (privacy === "PRIVATE") === (row.private === 1)
    )
    const order = orderBy ?? undefined
    const sorted = order === undefined ? visible : Connections.sorted(visible, orders[order.field], order.direction)
    const page = Connections.ofList("repositories", given, sorted, (row) => row)
    const served = new Map((yield* registry.open(page.nodes)).map((one) => [one.row.id, one]))
    const create = Effect.fnUntraced(function* (row: RepositoryRow) {
      const found = served.get(row.id)
      if (found === undefined) return undefined
      const readable = { served: found, role: yield* roles.onRepository(query.caller, row) }
      return mayRead(query.caller, readable) ? query.repository(readable) : undefined
    })
    const nodes = yield* Effect.forEach(page.nodes, create)
    return Connections.withNodes(page, nodes)
  })

  const account = (query: RunningQuery, row: UserRow): object => ({
    __typename: types.has(row.type) ? row.type : "User",
    id: accountNodeId(row),
    databaseId: row.id,
    login: row.login,
    name: row.name,
    url: `${query.urls.html}/${row.login}`,
    resourcePath: `/${row.login}`,
    avatarUrl: `${query.urls.html}/avatars/u/${row.id}`,
    repositories: (given: RepositoryArguments) => query.run(repositories(query, row, given)),
    organizations: (page: Connections.PageArguments) => query.run(organizations(query, row, page)),
    team: ({ slug }: { readonly slug: string }) => teams.bySlug(query, row, slug),
    teams: (given: TeamObjects.TeamArguments) => teams.ofOrganization(query, row, given),
    rulesets: (given: RuleObjects.RulesetArguments) => rules.ofOrganization(query, row, given)
  })

  /** Returns the account with a login and one of these types, or the error in GitHub's words. */
  const byLogin = Effect.fnUntraced(function* (query: RunningQuery, login: string, type: "User" | "Organization") {
    const found = yield* Effect.promise(() => query.accountOfLogin(SqlFragments.lower(login)))
    return found?.type === type
      ? account(query, found)
      : yield* Effect.fail(
          QueryError.unresolved(`${type === "User" ? "a User" : "an Organization"} with the login of '${login}'`)
        )
  })

  /** Reads accounts by their logins in lower case. */
  const byLogins = async (query: RunningQuery, logins: ReadonlyArray<string>) => {
    const found = await query.run(users.byLogins(logins))
    return new Map(found.map((row) => [SqlFragments.lower(row.login), row]))
  }

  return { account, byLogin, byLogins }
})
