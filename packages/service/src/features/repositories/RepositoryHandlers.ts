import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type NewRepository, Repositories, RepositoryChange } from "@tongs/core/contract/Repositories"
import { Events } from "../../events/Events.ts"
import type { EventContext } from "../../events/NewEvent.ts"
import { RefChanges } from "../../events/RefChanges.ts"
import type { GitError } from "../../git/GitError.ts"
import { type ServedRepository, RepositoryRegistry, isRepositoryName } from "../../repositories/RepositoryRegistry.ts"
import * as RefName from "../../git/RefName.ts"
import * as CacheDependencies from "../../git/CacheDependencies.ts"
import { type Authenticated, type Caller, hasScope, isScoped } from "../../access/Caller.ts"
import { group } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import * as ApiError from "../../api/ApiError.ts"
import { Roles } from "../../access/Roles.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { RepositoryRows as Rows, type RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as InitialCommit from "./InitialCommit.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import { pickMembers } from "../../api/InputMembers.ts"
import * as Shapes from "../../api/Shapes.ts"

/** Repositories read at the same time. */
const concurrency = 8

type Sort = "created" | "updated" | "pushed" | "full_name"

const key = (row: RepositoryRow, sort: Exclude<Sort, "pushed">): string => {
  switch (sort) {
    case "created":
      return row.created_at
    case "updated":
      return row.updated_at
    case "full_name":
      return `${row.owner.login}/${row.name}`.toLowerCase()
  }
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0)

const nameInvalid = ApiError.invalid("Repository creation failed.", [
  {
    resource: "Repository",
    field: "name",
    code: "invalid",
    message: "name must be 1 to 100 letters, digits, dots, hyphens and underscores, and cannot end in .git"
  }
])

const nameTaken = ApiError.invalid("Repository creation failed.", [
  { resource: "Repository", field: "name", code: "custom", message: "name already exists on this account" }
])

/** Payload of the event of a new repository (spec part 1 §6.2). */
const created = Effect.fnUntraced(function* ({
  git,
  row
}: ServedRepository): Effect.fn.Return<Record<string, unknown>, GitError> {
  const { description } = row
  return {
    ref: null,
    ref_type: "repository",
    full_ref: "",
    master_branch: yield* git.head,
    description,
    pusher_type: "user"
  }
})

interface Edit {
  readonly action: string
  readonly changes?: Readonly<Record<string, unknown>>
}

/** Webhook actions for the differences between two versions of a repository. */
const edits = (from: RepositoryRow, to: RepositoryRow): ReadonlyArray<Edit> => {
  const edited = Object.fromEntries(
    (["description", "homepage"] as const).flatMap((name) =>
      from[name] === to[name] ? [] : [[name, { from: from[name] }]]
    ) // the names stay literals
  )
  return [
    ...(from.name === to.name ? [] : [{ action: "renamed", changes: { repository: { name: { from: from.name } } } }]),
    ...(Object.keys(edited).length === 0 ? [] : [{ action: "edited", changes: edited }]),
    ...(from.archived === to.archived ? [] : [{ action: to.archived === 1 ? "archived" : "unarchived" }]),
    ...(from.private < to.private ? [{ action: "privatized" }] : [])
  ]
}

/** Handlers of repositories. */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const accounts = yield* OrganizationRows
  const users = yield* UserRows
  const rows = yield* Rows
  const events = yield* Events
  const changes = yield* RefChanges
  const transaction = yield* Transaction.make

  const shape = Effect.fnUntraced(function* (served: ServedRepository, caller: Caller, urls: Urls) {
    return Shapes.repository(served, yield* GitFacts.read(served), yield* roles.onRepository(caller, served.row), urls)
  })

  /** Sorts by the newest commit of the default branch. The only order that reads git data of all repositories. */
  const byPush = Effect.fnUntraced(function* (rows: ReadonlyArray<RepositoryRow>) {
    const dated = yield* Effect.forEach(
      yield* registry.open(rows),
      (served) =>
        Effect.map(CacheDependencies.optional(GitFacts.read(served)), (known) => ({
          row: served.row,
          pushedAt: Option.getOrUndefined(known)?.pushedAt ?? 0
        })),
      { concurrency }
    )
    return dated.sort((a, b) => compare(a.pushedAt, b.pushedAt)).map(({ row }) => row)
  })

  /** A page of the repositories that the caller may see. */
  const list = Effect.fnUntraced(function* (
    rows: ReadonlyArray<RepositoryRow>,
    { direction, sort }: { readonly direction: "asc" | "desc" | undefined; readonly sort: Sort },
    { caller, page, urls }: RequestContext
  ) {
    const visible = yield* roles.visible(caller, rows)
    const ascending = (direction ?? (sort === "full_name" ? "asc" : "desc")) === "asc"
    const sorted =
      sort === "pushed" ? yield* byPush(visible) : visible.toSorted((a, b) => compare(key(a, sort), key(b, sort)))
    const slice = Paging.slice(ascending ? sorted : sorted.toReversed(), page)
    const roleOf = (row: RepositoryRow) => roles.onRepository(caller, row)
    const items = yield* RepositorySummaries.readSummaries(yield* registry.open(slice.items), roleOf, urls)
    return { ...slice, items }
  })

  /** Creates the default branch with an initial commit. */
  const begin = Effect.fnUntraced(function* (at: EventContext) {
    const { actor, repository } = at
    const { git } = repository
    const commit = yield* InitialCommit.writeInitialCommit(repository, actor)
    const ref = RefName.branch(yield* git.head)
    yield* changes.during(at, { ref, before: null, after: commit }, git.createRef(ref, commit))
  })

  const create = Effect.fnUntraced(function* (owner: UserRow, input: NewRepository, caller: Authenticated) {
    const { auto_init, use_squash_pr_title_as_default: _, ...creation } = input
    if (creation.private === true && isScoped(caller) && !hasScope(caller, ["repo"])) {
      return yield* ApiError.forbidden("Creating a private repository requires the repo scope", { scopes: ["repo"] })
    }
    if (caller.repositories !== undefined) {
      return yield* ApiError.forbidden("This token is restricted to selected repositories and cannot create new ones")
    }
    if (caller.installation !== undefined && caller.installation.accountId !== owner.id) {
      return yield* ApiError.forbidden(`The app is not installed on the account of ${owner.login}`)
    }
    if (!isRepositoryName(creation.name)) return yield* nameInvalid
    const at = yield* transaction(
      Effect.gen(function* () {
        const repository = yield* Effect.catchTag(registry.create(owner, creation), "NameTaken", () => nameTaken)
        const at = { actor: caller.user, repository }
        yield* events.record({ ...at, type: "CreateEvent", payload: yield* created(repository) })
        return at
      })
    )
    if (auto_init === true) yield* begin(at)
    return at.repository
  })

  /** Records the public event, and announces other changes to webhooks. */
  const announceChanges = Effect.fnUntraced(function* (at: EventContext, before: RepositoryRow) {
    const { row } = at.repository
    if (before.private === 1 && row.private === 0) yield* events.record({ ...at, type: "PublicEvent", payload: {} })
    for (const { action, changes } of edits(before, row)) {
      yield* events.announce({ ...at, event: "repository", action, payload: changes === undefined ? {} : { changes } })
    }
  })

  return group(Repositories)({
    *get(_, { caller, repository, urls }) {
      return yield* shape(repository, caller, urls)
    },

    *listForAuthenticatedUser({ direction, sort = "full_name", visibility = "all" }, context) {
      const { caller } = context
      const { organizations, repositories } = yield* accounts.shares(caller.user.id)
      const own = (yield* registry.list).filter(
        ({ id, owner, private: hidden }) =>
          (owner.id === caller.user.id || organizations.has(owner.id) || repositories.has(id)) &&
          (visibility === "all" || (visibility === "private") === (hidden === 1))
      )
      return yield* list(own, { sort, direction }, context)
    },

    *listForOrg({ direction, sort = "created" }, context) {
      const { organization } = context
      const own = (yield* registry.list).filter(({ owner }) => owner.id === organization.id)
      return yield* list(own, { sort, direction }, context)
    },

    *listForUser({ direction, sort = "full_name", username }, context) {
      const user = yield* users.byLogin(username)
      if (Option.isNone(user)) return yield* ApiError.notFound()
      const { id } = user.value
      const own = (yield* registry.list).filter(({ owner, private: hidden }) => owner.id === id && hidden === 0)
      return yield* list(own, { sort, direction }, context)
    },

    *listLanguages(_, { repository: { git } }) {
      const commit = yield* git.resolve("HEAD")
      const tree = commit === undefined ? undefined : (yield* git.commit(commit))?.tree
      const { languages } = tree === undefined ? { languages: [] } : yield* git.languageStatistics(tree)
      return Object.fromEntries(languages.map(({ bytes, name }) => [name, bytes]))
    },

    *createForAuthenticatedUser(input, { caller, urls }) {
      return yield* shape(yield* create(caller.user, input, caller), caller, urls)
    },

    *createInOrg(input, { caller, organization, urls }) {
      if (caller.kind === "anonymous") return yield* ApiError.notFound() // unreachable: the operation requires sign-in
      return yield* shape(yield* create(organization, input, caller), caller, urls)
    },

    *update(input, { caller, repository, urls }) {
      const {
        default_branch,
        use_squash_pr_title_as_default: _,
        visibility,
        ...change
      } = pickMembers(input, RepositoryChange)
      if (change.name !== undefined && !isRepositoryName(change.name)) return yield* nameInvalid
      if (repository.row.archived === 1 && change.archived !== false) return yield* ApiError.archived()
      const { git } = repository
      if (default_branch !== undefined && (yield* git.ref(RefName.branch(default_branch))) === undefined) {
        return yield* ApiError.invalid(`Branch ${default_branch} not found`, [
          { resource: "Repository", field: "default_branch", code: "invalid" }
        ])
      }
      const hidden = visibility === undefined ? change.private : visibility === "private"
      const wanted = { ...change, ...(hidden === undefined ? {} : { private: hidden }) }
      const changing = transaction(
        Effect.gen(function* () {
          // Another request may have changed the repository since this one arrived.
          const before = (yield* registry.list).find(({ id }) => id === repository.row.id) ?? repository.row
          yield* Effect.catchTag(rows.update(repository.row.id, wanted), "NameTaken", () => nameTaken)
          // The last step that can fail, because git does not take part in the transaction.
          if (default_branch !== undefined && default_branch !== (yield* git.head)) yield* git.setHead(default_branch)
          const found = yield* registry.find(before.owner.login, change.name ?? before.name)
          const updated = Option.getOrElse(found, () => repository)
          if (caller.kind !== "anonymous") yield* announceChanges({ actor: caller.user, repository: updated }, before)
          return updated
        })
      )
      // An interruption would roll back the database, but not the change in git.
      const updated = yield* Effect.uninterruptible(changing)
      return yield* shape(updated, caller, urls)
    }
  })
})
