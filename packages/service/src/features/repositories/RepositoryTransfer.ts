/** Transfers a repository to another account, with what follows from the change of its owner. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Authenticated } from "../../access/Caller.ts"
import { hasScope, isScoped } from "../../access/Caller.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { Events } from "../../events/Events.ts"
import * as LostAssignments from "../../issues/LostAssignments.ts"
import { isRepositoryName, RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as TeamChanges from "../organizations/TeamChanges.ts"
import * as TeamTarget from "../organizations/TeamTarget.ts"
import * as NewOwner from "./NewOwner.ts"
import { nameInvalid } from "./RepositoryCreation.ts"

interface Transfer {
  readonly new_owner: string
  readonly new_name?: string
  readonly team_ids?: ReadonlyArray<number>
}

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "Repository", field, code: "custom", message }])

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const events = yield* Events
  const lost = yield* LostAssignments.make
  const newOwner = yield* NewOwner.make
  const organizations = yield* OrganizationRows
  const publicUrl = yield* PublicUrl
  const registry = yield* RepositoryRegistry
  const rows = yield* RepositoryRows
  const teamChanges = yield* TeamChanges.make
  const teams = yield* TeamRows
  const transaction = yield* Transaction.make
  const users = yield* UserRows

  /** Finds the new owner, an account in which the caller may create repositories. */
  const findOwner = Effect.fnUntraced(function* (login: string, caller: Authenticated) {
    const found = yield* newOwner(login, caller)
    if (found !== undefined) return found
    return (yield* users.byLogin(login)) === undefined
      ? yield* invalid("new_owner", `There is no account ${login}`)
      : yield* invalid(
          "new_owner",
          `${login} would have to accept the transfer, and this forge sends no requests. ` +
            "Transfer to your account, or to an organization in which you can create repositories."
        )
  })

  /** Finds the teams of the new owner that get access. */
  const findTeams = Effect.fnUntraced(function* (
    ids: ReadonlyArray<number>,
    { owner, role }: NewOwner.NewOwner,
    caller: Authenticated
  ) {
    const viewer = TeamTarget.viewerOf(caller, role)
    if (ids.length > 0 && (owner.type !== "Organization" || viewer === undefined)) {
      return yield* invalid("team_ids", "Only repositories of organizations have teams")
    }
    return yield* Effect.forEach(new Set(ids), (id) =>
      Effect.flatMap(viewer === undefined ? Effect.undefined : teams.find(owner.id, id, viewer), (team) =>
        team === undefined ? Effect.fail(invalid("team_ids", `no team with the id ${id}`)) : Effect.succeed(team)
      )
    )
  })

  /** Changes the rows that depend on the owner. */
  const leave = Effect.fnUntraced(function* (id: number, from: UserRow, to: UserRow) {
    yield* sql`DELETE FROM team_repositories WHERE repository_id = ${id}`
    yield* sql`DELETE FROM secret_repositories WHERE repository_id = ${id}`
    yield* sql`DELETE FROM variable_repositories WHERE repository_id = ${id}`
    yield* sql`DELETE FROM repository_properties WHERE repository_id = ${id}`
    yield* sql`UPDATE issues SET type_id = NULL WHERE repository_id = ${id} AND type_id IS NOT NULL`
    // The owner needs no role, and collaborators of a personal repository can push.
    yield* sql`DELETE FROM collaborators WHERE repository_id = ${id} AND user_id = ${to.id}`
    if (to.type !== "Organization") {
      yield* sql`DELETE FROM collaborators WHERE repository_id = ${id} AND permission IN ('read', 'triage')`
    }
    if (from.type !== "Organization") yield* organizations.setCollaboration(id, from.id, "admin")
  }, Effect.orDie)

  return Effect.fnUntraced(function* (input: Transfer, { caller, repository }: SignedInRepositoryContext) {
    const { row } = repository
    const name = input.new_name ?? row.name
    if (!isRepositoryName(name)) return yield* nameInvalid
    const target = yield* findOwner(input.new_owner, caller)
    if (target.owner.id === row.owner.id) {
      return yield* invalid("new_owner", `${target.owner.login} owns ${repository.fullName} already`)
    }
    if (row.private === 1 && isScoped(caller) && !hasScope(caller, ["repo"])) {
      return yield* ApiError.forbidden("Transferring a private repository requires the repo scope", {
        scopes: ["repo"]
      })
    }
    const { owner } = target
    const added = yield* findTeams(input.team_ids ?? [], target, caller)
    const change = Effect.gen(function* () {
      const moving = rows.transfer(row.id, owner.id, name)
      yield* Effect.catchTag(moving, "NameTaken", () =>
        Effect.fail(invalid("new_owner", `${owner.login}/${name} exists already`))
      )
      yield* leave(row.id, row.owner, owner)
      const moved = (yield* registry.find(owner.login, name)) ?? (yield* ApiError.notFound())
      const at = { actor: caller.user, repository: moved }
      for (const team of added) {
        yield* teamChanges.setRepository({ actor: caller.user, organization: owner }, team, moved, "read")
      }
      yield* lost.ofRepository(at)
      const urls = yield* publicUrl.urls
      const from =
        row.owner.type === "Organization"
          ? { organization: Shapes.organizationSummary(row.owner, urls) }
          : { user: Shapes.userSummary(row.owner, urls) }
      yield* events.announce({
        ...at,
        event: "repository",
        action: "transferred",
        payload: { changes: { owner: { from } } }
      })
      if (name !== row.name) {
        const payload = { changes: { repository: { name: { from: row.name } } } }
        yield* events.announce({ ...at, event: "repository", action: "renamed", payload })
      }
    })
    yield* transaction(change)
  })
})
