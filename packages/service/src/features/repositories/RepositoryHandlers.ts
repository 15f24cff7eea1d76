import * as Effect from "effect/Effect"
import {
  type NewOrganizationRepository,
  Repositories,
  RepositoryChange
} from "@tongs/core/contract/groups/Repositories"
import { Events } from "../../events/Events.ts"
import type { EventContext } from "../../events/NewEvent.ts"
import { type ServedRepository, RepositoryRegistry, isRepositoryName } from "../../repositories/RepositoryRegistry.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as RefName from "../../git/values/RefName.ts"
import * as CacheDependencies from "../../git/values/CacheDependencies.ts"
import type { Authenticated, Caller } from "../../access/Caller.ts"
import { group, redirect } from "../../api/Handlers.ts"
import * as Paging from "../../base/Paging.ts"
import * as ApiError from "../../api/ApiError.ts"
import { type Role, Roles } from "../../access/Roles.ts"
import type { Urls } from "../../api/Urls.ts"
import * as RevisionCache from "../../storage/RevisionCache.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { RepositoryRows as Rows, type RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"
import { SourceArchives } from "../sourceArchives/SourceArchives.ts"
import { creationError, memberCreationError, nameInvalid, nameTaken } from "./RepositoryCreation.ts"
import * as RepositoryDeletion from "./RepositoryDeletion.ts"
import * as ContributorList from "./ContributorList.ts"
import * as TopicNames from "./TopicNames.ts"
import * as InitialCommit from "./InitialCommit.ts"
import * as NewOwner from "./NewOwner.ts"
import * as NewRepositories from "./NewRepositories.ts"
import * as TemplateCopy from "./TemplateCopy.ts"
import * as RepositoryTransfer from "./RepositoryTransfer.ts"
import * as RequestTarget from "../../api/RequestTarget.ts"
import * as TeamChanges from "../organizations/TeamChanges.ts"
import * as TeamTarget from "../organizations/TeamTarget.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import * as RepositorySettings from "../../repositories/RepositorySettings.ts"
import * as MaintainerSettings from "./MaintainerSettings.ts"
import * as ForkVisibility from "./ForkVisibility.ts"
import * as UpstreamShapes from "./UpstreamShapes.ts"
import * as RepositoryFilters from "./RepositoryFilters.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import { pickMembers } from "../../api/InputMembers.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as ItemSearchHandlers from "../search/ItemSearchHandlers.ts"

/** Repositories read at the same time. */
const CONCURRENCY = 8

/** Number of repositories on a page of the list of all public ones. */
const PUBLIC_PAGE = 100

/** Maximum number of selections with cached rows. */
const MAX_SELECTIONS = 200

/** Selects the repositories of a list. */
interface Selection {
  /** Name of the list. Together with `query`, the name determines `choose`. */
  readonly list: string
  readonly query: { readonly direction?: "asc" | "desc" | undefined; readonly sort: Sort }
  readonly choose: Effect.Effect<(row: RepositoryRow) => boolean>
}

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

const isEqual = (a: ReadonlyArray<string>, b: ReadonlyArray<string>) => JSON.stringify(a) === JSON.stringify(b)

const typeConflict = ApiError.invalid("If you specify visibility or affiliation, you cannot specify type.")

const affiliationInvalid = ApiError.invalid(
  "Invalid affiliation. Use owner, collaborator and organization_member, separated by commas."
)

interface Edit {
  readonly action: string
  readonly changes?: Readonly<Record<string, unknown>>
}

/** A version of a repository. Git has the default branch. */
interface Version extends RepositoryRow {
  readonly default_branch: string
}

/** Webhook actions for the differences between two versions of a repository. */
const edits = (from: Version, to: Version): ReadonlyArray<Edit> => {
  const edited = Object.fromEntries(
    (["description", "homepage", "default_branch"] as const).flatMap((name) =>
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

/** A repository that cannot be found, for whatever reason, does not exist for the caller. */
const hidden = (error: ApiError.ApiError | GitError) => (error._tag === "GitError" ? error : ApiError.notFound())

const settingInvalid = ({ field, message }: { readonly field: string; readonly message: string }) =>
  ApiError.invalid("Validation Failed", [{ resource: "Repository", field, code: "custom", message }])

/** Returns the changed settings, or fails with 422 if they cannot be together. */
const appliedSettings = (before: RepositorySettings.Row, change: RepositorySettings.Change) => {
  const applied = RepositorySettings.apply(before, change)
  return "problem" in applied ? Effect.fail(settingInvalid(applied.problem)) : Effect.succeed(applied.change)
}

export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const searches = yield* ItemSearchHandlers.make
  const accounts = yield* OrganizationRows
  const users = yield* UserRows
  const rows = yield* Rows
  const events = yield* Events
  const archives = yield* SourceArchives
  const contributors = yield* ContributorList.make
  const transaction = yield* Transaction.make
  const revision = yield* StoreRevision
  const remove = yield* RepositoryDeletion.make
  const creations = yield* NewRepositories.make
  const copyTemplate = yield* TemplateCopy.make
  const { sign } = yield* CommitSigning
  const newOwner = yield* NewOwner.make
  const targets = yield* RequestTarget.make
  const transfer = yield* RepositoryTransfer.make
  const teams = yield* TeamRows
  const teamChanges = yield* TeamChanges.make
  const upstreams = yield* UpstreamShapes.make
  const changeNetwork = yield* ForkVisibility.make

  const shape = Effect.fnUntraced(function* (served: ServedRepository, caller: Caller, urls: Urls) {
    const role = yield* roles.onRepository(caller, served.row)
    const resource = Shapes.repository(served, yield* GitFacts.read(served), role, urls)
    const one = { ...resource, ...(yield* upstreams(served, caller, urls)) }
    const { template_id } = served.row
    return template_id === null ? one : { ...one, template_repository: yield* template(template_id, caller, urls) }
  })

  /** Creates the template of a repository. Null if the caller cannot read the template. */
  const template = Effect.fnUntraced(function* (id: number, caller: Caller, urls: Urls) {
    const listed = yield* registry.byIds([id])
    const [served] = yield* registry.open(yield* roles.visible(caller, listed))
    if (served === undefined) return null
    const role = yield* roles.onRepository(caller, served.row)
    return Shapes.repository(served, yield* GitFacts.read(served), role, urls)
  })

  /** Sorts by the newest commit of the default branch. The only order that reads git data of all repositories. */
  const byPush = Effect.fnUntraced(function* (rows: ReadonlyArray<RepositoryRow>) {
    const dated = yield* Effect.forEach(
      yield* registry.open(rows),
      (served) =>
        Effect.map(CacheDependencies.optional(GitFacts.read(served)), (known) => ({
          row: served.row,
          pushedAt: known?.pushedAt ?? 0
        })),
      { concurrency: CONCURRENCY }
    )
    return dated.sort((a, b) => compare(a.pushedAt, b.pushedAt)).map(({ row }) => row)
  })

  /** The selected repositories that the caller may see, in order. */
  const selectedRows = Effect.fnUntraced(function* ({ choose, query }: Selection, caller: Caller) {
    const { direction, sort } = query
    const visible = yield* roles.visible(caller, (yield* registry.list).filter(yield* choose))
    const ascending = (direction ?? (sort === "full_name" ? "asc" : "desc")) === "asc"
    const sorted =
      sort === "pushed" ? yield* byPush(visible) : visible.toSorted((a, b) => compare(key(a, sort), key(b, sort)))
    return ascending ? sorted : sorted.toReversed()
  })

  const selections = RevisionCache.make<ReadonlyArray<RepositoryRow>>(revision, MAX_SELECTIONS)

  /**
   * Like `selectedRows`, but cached until the database changes. The order by pushes also depends on git data and is not
   * cached.
   */
  const cachedRows = Effect.fnUntraced(function* (selection: Selection, caller: Caller) {
    if (selection.query.sort === "pushed") return yield* selectedRows(selection, caller)
    const token = caller.kind === "anonymous" ? "" : caller.tokenId
    // The number of served repositories grows with an adoption, which need not change the database.
    const { length } = yield* registry.list
    const key = `${token} ${length} ${selection.list} ${JSON.stringify(selection.query)}`
    return yield* selections.get(key, selectedRows(selection, caller))
  })

  /** A page of the repositories that the caller may see. */
  const list = Effect.fnUntraced(function* (selection: Selection, { caller, page, urls }: RequestContext) {
    const slice = Paging.slice(yield* cachedRows(selection, caller), page)
    const roleOf = (row: RepositoryRow) => roles.onRepository(caller, row)
    const keyed = yield* RepositorySummaries.readSummaries(yield* registry.open(slice.items), roleOf, urls)
    return { keyed: () => keyed, total: slice.total }
  })

  /** Creates a repository of an account. `role`: that of the caller on an organization. */
  const create = Effect.fnUntraced(function* (
    owner: UserRow,
    role: Role,
    input: (typeof NewOrganizationRepository)["Type"],
    caller: Authenticated
  ) {
    const { team_id, use_squash_pr_title_as_default: _, visibility, ...settings } = input
    const isPrivate = visibility === undefined ? settings.private : visibility === "private"
    const options = { ...settings, ...(isPrivate === undefined ? {} : { private: isPrivate }) }
    const refused = creationError(owner, options, caller)
    if (refused !== undefined) return yield* refused
    const applied = yield* appliedSettings(RepositorySettings.defaults, settings)
    const team = team_id === undefined ? undefined : yield* teamOf(team_id, owner, role, caller)
    const files = yield* InitialCommit.filesOf(settings, owner)
    const giveRole = creatorRole(owner, role, caller)
    const more = Effect.fnUntraced(function* (at: EventContext) {
      if (team !== undefined) {
        yield* teamChanges.setRepository({ actor: at.actor, organization: owner }, team, at.repository, "read")
      }
      yield* giveRole(at)
    })
    const wanted = { actor: caller.user, owner, options: { ...options, ...applied }, more }
    return files === undefined
      ? yield* creations.empty(wanted)
      : yield* creations.withContent(
          wanted,
          Effect.fnUntraced(function* (git) {
            const commit = yield* InitialCommit.write(git, caller.user, files, sign)
            const defaultBranch = yield* git.head
            return { defaultBranch, commits: new Map([[defaultBranch, commit]]) }
          })
        )
  })

  /** Makes a member who creates a repository of an organization its administrator. */
  const creatorRole = (owner: UserRow, role: Role, { installation }: Authenticated) => {
    const isMember = owner.type === "Organization" && role !== "admin" && installation === undefined
    return ({ actor, repository }: EventContext) =>
      isMember ? accounts.setCollaboration(repository.row.id, actor.id, "admin") : Effect.void
  }

  /** Finds the team of an organization that gets access to a new repository. */
  const teamOf = Effect.fnUntraced(function* (id: number, { id: ownerId, type }: UserRow, role: Role, caller: Caller) {
    const viewer = TeamTarget.viewerOf(caller, role)
    const isOrganization = type === "Organization" && viewer !== undefined
    const team = isOrganization ? yield* teams.find(ownerId, id, viewer) : undefined
    if (team !== undefined) return team
    const message = isOrganization ? `no team with the id ${id}` : "only repositories of organizations have teams"
    return yield* settingInvalid({ field: "team_id", message })
  })

  /** Records the public event, and announces other changes to webhooks. */
  const announceChanges = Effect.fnUntraced(function* (at: EventContext, before: Version) {
    const { git, row } = at.repository
    if (before.private === 1 && row.private === 0) yield* events.record({ ...at, type: "PublicEvent", payload: {} })
    for (const { action, changes } of edits(before, { ...row, default_branch: yield* git.head })) {
      yield* events.announce({ ...at, event: "repository", action, payload: changes === undefined ? {} : { changes } })
    }
  })

  return group(Repositories)({
    *get(_, { caller, repository, urls }) {
      return yield* shape(repository, caller, urls)
    },

    *listForAuthenticatedUser(query, context) {
      const { affiliation, sort = "full_name", type, visibility } = query
      if (type !== undefined && (affiliation ?? visibility) !== undefined) return yield* typeConflict
      const affiliations = RepositoryFilters.parseAffiliations(affiliation ?? RepositoryFilters.affiliationOfType(type))
      if (affiliations === undefined) return yield* affiliationInvalid
      const { user } = context.caller
      const choose = Effect.map(accounts.shares(user.id), ({ organizations, repositories }) => {
        const isAffiliated = ({ id, owner }: RepositoryRow) =>
          (affiliations.has("owner") && owner.id === user.id) ||
          (affiliations.has("organization_member") && organizations.has(owner.id)) ||
          (affiliations.has("collaborator") && repositories.has(id))
        return (row: RepositoryRow) => isAffiliated(row) && RepositoryFilters.isOfType(row, visibility ?? type ?? "all")
      })
      return yield* list({ list: "own", query: { ...query, sort }, choose }, context)
    },

    *listForOrg(query, context) {
      const { sort = "created", type = "all" } = query
      const { id } = context.organization
      const choose = Effect.succeed(
        (row: RepositoryRow) => row.owner.id === id && RepositoryFilters.isOfType(row, type)
      )
      return yield* list({ list: `organization ${id}`, query: { ...query, sort }, choose }, context)
    },

    *listForUser(query, context) {
      const { sort = "full_name", type = "owner" } = query
      const user = yield* users.byLogin(query.username)
      if (user === undefined) return yield* ApiError.notFound()
      const { id } = user
      const choose = Effect.map(
        accounts.shares(id),
        ({ repositories }) =>
          (row: RepositoryRow) =>
            row.private === 0 &&
            ((type !== "member" && row.owner.id === id) || (type !== "owner" && repositories.has(row.id)))
      )
      return yield* list({ list: `user ${id}`, query: { ...query, sort }, choose }, context)
    },

    *listLanguages(_, { repository: { git } }) {
      const commit = yield* git.resolve("HEAD")
      const tree = commit === undefined ? undefined : (yield* git.commit(commit))?.tree
      const { languages } = tree === undefined ? { languages: [] } : yield* git.languageStatistics(tree)
      return Object.fromEntries(languages.map(({ bytes, name }) => [name, bytes]))
    },

    *listContributors({ anon }, context) {
      return yield* contributors(anon === "1" || anon === "true", context)
    },

    *getAllTopics(_, { repository }) {
      return { names: repository.row.topics }
    },

    *replaceAllTopics({ names }, { caller, repository }) {
      if (repository.row.archived === 1) return yield* ApiError.archived()
      const topics = yield* TopicNames.read(names)
      const { id, name, owner, topics: before } = repository.row
      yield* transaction(
        Effect.gen(function* () {
          yield* Effect.orDie(rows.update(id, { topics })) // only a new name can be taken
          if (isEqual(topics, before)) return
          const updated = (yield* registry.find(owner.login, name)) ?? repository
          const payload = { changes: { topics: { from: before } } }
          const at = { actor: caller.user, repository: updated }
          yield* events.announce({ ...at, event: "repository", action: "edited", payload })
        })
      )
      return { names: topics }
    },

    *downloadTarball({ ref }, context) {
      return redirect(yield* archives.link("tar.gz", ref, context))
    },

    *downloadZipball({ ref }, context) {
      return redirect(yield* archives.link("zip", ref, context))
    },

    *createForAuthenticatedUser(input, { caller, urls }) {
      return yield* shape(yield* create(caller.user, "admin", input, caller), caller, urls)
    },

    *createInOrg(input, { caller, organization, role, urls }) {
      const refused = memberCreationError(organization, role)
      if (refused !== undefined) return yield* refused
      if (input.delete_branch_on_merge === true && role !== "admin") {
        return yield* ApiError.forbidden(`Only owners of ${organization.login} can set delete_branch_on_merge`)
      }
      return yield* shape(yield* create(organization, role, input, caller), caller, urls)
    },

    *createUsingTemplate(input, { caller, urls }) {
      const { include_all_branches = false, name, private: isPrivate, template_owner, template_repo } = input
      const finding = targets.repository(template_owner, template_repo, caller)
      const { repository: source } = yield* Effect.mapError(finding, hidden)
      if ((yield* roles.readable(caller, [source.row])).length === 0) return yield* ApiError.notFound()
      if (source.row.is_template === 0) {
        return yield* settingInvalid({ field: "template", message: `${source.fullName} is not a template` })
      }
      const login = input.owner ?? caller.user.login
      const target = yield* newOwner(login, caller)
      if (target === undefined) {
        return yield* settingInvalid({ field: "owner", message: `You cannot create a repository for ${login}` })
      }
      const options = { name, description: input.description, private: isPrivate, templateId: source.row.id }
      const refused = creationError(target.owner, options, caller)
      if (refused !== undefined) return yield* refused
      const wanted = {
        actor: caller.user,
        owner: target.owner,
        options,
        more: creatorRole(target.owner, target.role, caller)
      }
      const created = yield* creations.withContent(wanted, (git, gitDir) =>
        copyTemplate(source.git, include_all_branches, caller.user, git, gitDir)
      )
      return yield* shape(created, caller, urls)
    },

    *transfer(input, context) {
      const { permissions: _, ...before } = yield* shape(context.repository, context.caller, context.urls)
      yield* transfer(input, context)
      return before
    },

    *listPublic({ since = 0 }, context) {
      const found = (yield* registry.list)
        .filter((row) => row.private === 0 && row.id > since)
        .toSorted((one, other) => one.id - other.id)
      const page = found.slice(0, PUBLIC_PAGE)
      const roleOf = (row: RepositoryRow) => roles.onRepository(context.caller, row)
      const keyed = yield* RepositorySummaries.readSummaries(yield* registry.open(page), roleOf, context.urls)
      const last = page.at(-1)
      const next = found.length > page.length && last !== undefined ? { next: { since: String(last.id) } } : {}
      return { keyed: () => keyed, total: next }
    },

    *delete(_, context) {
      yield* remove(context)
    },

    *update(input, context) {
      const { caller, repository, urls } = context
      const settings = pickMembers(input, RepositoryChange)
      yield* MaintainerSettings.check(settings, context)
      const { default_branch, use_squash_pr_title_as_default: _, visibility, ...change } = settings
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
      yield* appliedSettings(repository.row, wanted) // before a change of git
      const changing = transaction(
        Effect.gen(function* () {
          // Another request may have changed the repository since this request arrived.
          const [before = repository.row] = yield* registry.byIds([repository.row.id])
          yield* changeNetwork(before, hidden)
          const updating = rows.update(repository.row.id, { ...wanted, ...(yield* appliedSettings(before, wanted)) })
          yield* Effect.catchTag(updating, "NameTaken", () => nameTaken)
          const head = yield* git.head
          // Comes last, because `setHead` can fail and git does not take part in the transaction.
          if (default_branch !== undefined && default_branch !== head) yield* git.setHead(default_branch)
          const found = yield* registry.find(before.owner.login, change.name ?? before.name)
          const updated = found ?? repository
          yield* announceChanges({ actor: caller.user, repository: updated }, { ...before, default_branch: head })
          return updated
        })
      )
      // An interruption would roll back the database, but not the change in git.
      const updated = yield* Effect.uninterruptible(changing)
      return yield* shape(updated, caller, urls)
    },

    *search(input, context) {
      return yield* searches.repositories(input, context)
    },

    *searchTopics(input, context) {
      return yield* searches.topics(input, context)
    }
  })
})
