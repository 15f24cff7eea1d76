import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type NewTeam, Teams, type TeamChange } from "@tongs/core/contract/groups/Teams"
import * as Shapes from "../../api/Shapes.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import type { Caller } from "../../access/Caller.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { type TeamContent, type TeamRow, TeamRows } from "../../accounts/TeamRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { SignedInOrganizationContext } from "../../api/RequestContext.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Characters from "../../base/Characters.ts"
import { timestamp } from "../../base/Time.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as TeamChanges from "./TeamChanges.ts"
import { TeamRepositoryRows } from "./TeamRepositoryRows.ts"
import * as TeamShapes from "./TeamShapes.ts"
import { slugOf } from "./TeamSlug.ts"
import * as TeamTarget from "./TeamTarget.ts"

/** Maximum lengths of a name and of a description, in characters. */
const MAX_NAME = 100
const MAX_DESCRIPTION = 1024

/** Maximum number of levels of nested teams. */
const MAX_LEVELS = 20

/** Maximum numbers of maintainers and of repositories of a new team. */
const MAX_ITEMS = 100

const invalid = (field: string, message: string) =>
  ApiError.invalid(`Validation Failed: ${message}`, [{ resource: "Team", field, code: "invalid", message }])
const taken = invalid("name", "Name must be unique for this org")

/** Handlers of teams. */
export const make = Effect.gen(function* () {
  const changes = yield* TeamChanges.make
  const organizations = yield* OrganizationRows
  const registry = yield* RepositoryRegistry
  const repositories = yield* TeamRepositoryRows
  const roles = yield* Roles
  const target = yield* TeamTarget.make
  const teams = yield* TeamRows
  const transaction = yield* Transaction.make

  const full = Effect.fnUntraced(function* (rows: ReadonlyArray<TeamRow>, caller: Caller, urls: Urls) {
    const details = yield* repositories.details(
      rows.map(({ id }) => id),
      caller
    )
    const served = yield* registry.list
    return rows.flatMap((row) => {
      const found = details.get(row.id)
      return found === undefined ? [] : [TeamShapes.teamFull(row, found, served, urls)]
    })
  })

  const one = Effect.fnUntraced(function* (row: TeamRow, { caller, urls }: { caller: Caller; urls: Urls }) {
    const [shape] = yield* full([row], caller, urls)
    return shape ?? (yield* ApiError.notFound())
  })

  /** Finds the new parent of a team. Its members' roles follow, so only its maintainers nest teams in it. */
  const parentOf = Effect.fnUntraced(function* (
    { parent_team_id: id, parent_team_slug: slug }: TeamChange,
    child: TeamRow | undefined,
    context: SignedInOrganizationContext
  ) {
    const name = id === undefined ? slug : id
    if (name === undefined) return child?.parent ?? null
    if (name === null) return null
    const parent = yield* target.named(name, context)
    if (parent === undefined) return yield* invalid("parent_team_id", "The parent team does not exist")
    if (parent.id === child?.parent?.id) return parent
    if (parent.privacy === "secret") return yield* invalid("parent_team_id", "A secret team cannot have child teams")
    yield* target.check(yield* target.maintains(context, parent))
    const above = yield* teams.ancestors(parent.id)
    if (child !== undefined && above.has(child.id))
      return yield* invalid("parent_team_id", "A team cannot be below itself or its child teams")
    const height = child === undefined ? 1 : yield* teams.height(child.id)
    if (above.size + height > MAX_LEVELS)
      return yield* invalid("parent_team_id", `Teams can be nested in at most ${MAX_LEVELS} levels`)
    return parent
  })

  /** Returns the members of a new or changed team. */
  const contentOf = Effect.fnUntraced(function* (
    given: TeamChange,
    before: TeamRow | undefined,
    context: SignedInOrganizationContext
  ) {
    const name = (given.name ?? before?.name ?? "").trim()
    const description = given.description === undefined ? (before?.description ?? null) : given.description
    const slug = slugOf(name)
    if (slug === "") return yield* invalid("name", "name needs a letter or a digit")
    if (Characters.exceed(name, MAX_NAME) || slug.length > MAX_NAME)
      return yield* invalid("name", `name is longer than ${MAX_NAME} characters`)
    if (Characters.exceed(description ?? "", MAX_DESCRIPTION))
      return yield* invalid("description", `description is longer than ${MAX_DESCRIPTION} characters`)
    const parent = yield* parentOf(given, before, context)
    const privacy = given.privacy ?? (parent === null ? (before?.privacy ?? "secret") : "closed")
    if (privacy === "secret" && parent !== null) return yield* invalid("privacy", "A nested team cannot be secret")
    if (privacy === "secret" && before !== undefined && (yield* teams.height(before.id)) > 1)
      return yield* invalid("privacy", "A team with child teams cannot be secret")
    return {
      name,
      slug,
      description: description === "" ? null : description,
      privacy,
      notification_setting: given.notification_setting ?? before?.notification_setting ?? "notifications_enabled",
      parentId: parent?.id ?? null
    } satisfies TeamContent
  })

  const maintainersOf = Effect.fnUntraced(function* (
    logins: ReadonlyArray<string>,
    { caller, organization }: SignedInOrganizationContext
  ) {
    if (logins.length > MAX_ITEMS) return yield* invalid("maintainers", `At most ${MAX_ITEMS} maintainers`)
    const isMember = (userId: number) =>
      Effect.map(organizations.role(organization.id, userId), (role) => role !== undefined)
    const found = (yield* isMember(caller.user.id)) ? [caller.user] : []
    for (const login of new Set(logins)) {
      const user = yield* target.person(login)
      if (!(yield* isMember(user.id)))
        return yield* invalid("maintainers", `${user.login} is not a member of the organization`)
      if (!found.some(({ id }) => id === user.id)) found.push(user)
    }
    return found
  })

  const repositoriesOf = Effect.fnUntraced(function* (
    names: ReadonlyArray<string>,
    { caller, organization }: SignedInOrganizationContext
  ) {
    if (names.length > MAX_ITEMS) return yield* invalid("repo_names", `At most ${MAX_ITEMS} repositories`)
    const found: Array<ServedRepository> = []
    for (const name of new Set(names)) {
      const [owner = "", repo = ""] = name.includes("/") ? name.split("/", 2) : [organization.login, name]
      const repository = yield* registry.find(owner, repo)
      const role = repository === undefined ? "none" : yield* roles.onRepository(caller, repository.row)
      if (repository?.row.owner.id !== organization.id || role === "none")
        return yield* invalid("repo_names", `${name} is not a repository of the organization`)
      yield* target.check(atLeast(role, "admin"), "Must have admin rights to Repository.")
      found.push(repository)
    }
    return found
  })

  const create = Effect.fnUntraced(function* (given: NewTeam, context: SignedInOrganizationContext) {
    const { caller, organization } = context
    yield* teams.lock(organization.id)
    const content = yield* contentOf(given, undefined, context)
    const maintainers = yield* maintainersOf(given.maintainers ?? [], context)
    const added = yield* repositoriesOf(given.repo_names ?? [], context)
    const createdAt = timestamp(yield* Clock.currentTimeMillis)
    const team = (yield* teams.add({ ...content, organizationId: organization.id, createdAt })) ?? (yield* taken)
    const at = { actor: caller.user, organization }
    yield* changes.created(at, team)
    for (const user of maintainers) yield* changes.setMember(at, team, user, "maintainer")
    for (const repository of added)
      yield* changes.setRepository(at, team, repository, given.permission === "push" ? "write" : "read")
    return team
  })

  return group(Teams)({
    *list({ team_type }, { caller, organization, page, role, urls }) {
      const viewer = TeamTarget.viewerOf(caller, role)
      // The forge has no teams of enterprises.
      if (viewer === undefined || team_type === "enterprise") return { items: [], total: 0 }
      const { items, total } = yield* teams.list(organization.id, viewer, page)
      return { items: items.map((row) => Shapes.team(row, urls)), total }
    },

    *create(given, context) {
      return yield* one(yield* transaction(create(given, context)), context)
    },

    *get({ team_slug }, context) {
      return yield* one(yield* target.find(team_slug, context), context)
    },

    *update({ team_slug, ...given }, context) {
      const { caller, organization } = context
      const changing = Effect.gen(function* () {
        yield* teams.lock(organization.id)
        const before = yield* target.find(team_slug, context)
        yield* target.check(yield* target.maintains(context, before))
        const content = yield* contentOf(given, before, context)
        const at = { actor: caller.user, organization }
        return (yield* changes.edit(at, before, content, timestamp(yield* Clock.currentTimeMillis))) ?? (yield* taken)
      })
      return yield* one(yield* transaction(changing), context)
    },

    *delete({ team_slug }, context) {
      const { caller, organization } = context
      yield* transaction(
        Effect.gen(function* () {
          yield* teams.lock(organization.id)
          const team = yield* target.find(team_slug, context)
          yield* target.check(yield* target.maintains(context, team))
          const all = yield* teams.withDescendants(team.id)
          yield* target.check(
            all.length === 1 || context.role === "admin",
            "You must be an organization owner to delete a team with child teams."
          )
          yield* changes.remove({ actor: caller.user, organization }, team, all)
        })
      )
    },

    *listChildren({ team_slug }, context) {
      const { id } = yield* target.find(team_slug, context)
      const { items, total } = yield* teams.children(id, context.page)
      return { items: items.map((row) => Shapes.team(row, context.urls)), total }
    },

    *listForAuthenticatedUser(_, { caller, page, urls }) {
      const { items, total } = yield* teams.ofUser(caller.user.id, page)
      return { items: yield* full(items, caller, urls), total }
    },

    *listForRepo(_, { caller, page, repository, urls }) {
      const { id, owner } = repository.row
      const viewer = TeamTarget.viewerOf(caller, yield* roles.onOrganization(caller, owner.id))
      if (owner.type !== "Organization" || viewer === undefined) return { items: [], total: 0 }
      const { items, total } = yield* repositories.teams(id, viewer, page)
      const rows = yield* teams.byIds(
        owner.id,
        items.map((item) => item.id)
      )
      const permissions = new Map(items.map((item) => [item.id, item.permission]))
      return {
        items: rows.map((row) => TeamShapes.teamOfRepository(row, permissions.get(row.id) ?? "read", urls)),
        total
      }
    }
  })
})
