import * as Effect from "effect/Effect"
import { Forks as Group } from "@tongs/core/contract/groups/Forks"
import type { Authenticated } from "../../access/Caller.ts"
import { atLeast, Roles } from "../../access/Roles.ts"
import { BlockRows } from "../../accounts/BlockRows.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import type { UserRow } from "../../accounts/UserRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as GitFacts from "../../api/GitFacts.ts"
import { group } from "../../api/Handlers.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import * as RepositorySummaries from "../../api/RepositorySummaries.ts"
import type { RequestContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Paging from "../../base/Paging.ts"
import { Events } from "../../events/Events.ts"
import * as WebhookPayloads from "../../events/WebhookPayloads.ts"
import { unavailable } from "../../git/values/GitError.ts"
import { ForkRows } from "../../repositories/ForkRows.ts"
import { Forks } from "../../repositories/Forks.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { isForkable, RepositoryRows, type RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { creationError, memberCreationError, nameTaken } from "../repositories/RepositoryCreation.ts"
import * as UpstreamShapes from "../repositories/UpstreamShapes.ts"

/** Seconds for which a request waits for the fork. The fork is completed also afterwards. */
const WAIT_SECONDS = 20

/** Maximum suffix of the name of a fork whose own name is taken. */
const MAX_SUFFIX = 100

const orders = {
  newest: (a: RepositoryRow, b: RepositoryRow) => b.id - a.id,
  oldest: (a: RepositoryRow, b: RepositoryRow) => a.id - b.id,
  stargazers: (a: RepositoryRow, b: RepositoryRow) => b.stars - a.stars || b.id - a.id,
  watchers: (a: RepositoryRow, b: RepositoryRow) => b.stars - a.stars || b.id - a.id
}

const organizationInvalid = (login: string) =>
  ApiError.invalid("Validation Failed", [
    {
      resource: "Fork",
      field: "organization",
      code: "invalid",
      message: `'${login}' is not an organization of which you are a member`
    }
  ])

/** Handlers of forks. */
export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  const events = yield* Events
  const forkRows = yield* ForkRows
  const forks = yield* Forks
  const organizations = yield* OrganizationRows
  const publicUrl = yield* PublicUrl
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const rows = yield* RepositoryRows
  const upstreams = yield* UpstreamShapes.make

  /** Finds the account that gets the fork. */
  const findOwner = Effect.fnUntraced(function* (login: string | undefined, caller: Authenticated) {
    if (login === undefined) return { owner: caller.user, refused: undefined }
    const organization = yield* organizations.byLogin(login)
    if (organization === undefined) return yield* organizationInvalid(login)
    const role = yield* roles.onOrganization(caller, organization.id)
    if (!atLeast(role, "write")) return yield* organizationInvalid(login)
    return { owner: organization, refused: memberCreationError(organization, role) }
  })

  /** Returns the name, or the first unused one with a number. Fails if the caller chose a name that is taken. */
  const freeName = Effect.fnUntraced(function* (
    owner: UserRow,
    upstream: ServedRepository,
    chosen: string | undefined
  ) {
    const name = chosen ?? upstream.row.name
    for (let suffix = 0; suffix < MAX_SUFFIX; suffix++) {
      const candidate = suffix === 0 ? name : `${name}-${suffix}`
      if ((yield* rows.find(owner.login, candidate)) === undefined) return candidate
      if (chosen !== undefined) break
    }
    return yield* nameTaken
  })

  const shape = Effect.fnUntraced(function* (fork: ServedRepository, { caller, urls }: RequestContext) {
    const role = yield* roles.onRepository(caller, fork.row)
    const resource = Shapes.repository(fork, yield* GitFacts.read(fork), role, urls)
    return { ...resource, ...(yield* upstreams(fork, caller, urls)) }
  })

  const record = (caller: Authenticated, upstream: ServedRepository) => (fork: ServedRepository) =>
    Effect.gen(function* () {
      const forkee = yield* WebhookPayloads.repository(fork, yield* publicUrl.urls)
      const at = { actor: caller.user, repository: upstream }
      yield* events.record({ ...at, type: "ForkEvent", payload: { action: "forked", forkee } })
      yield* events.announce({
        actor: caller.user,
        repository: fork,
        event: "repository",
        action: "created",
        payload: {}
      })
    })

  return group(Group)({
    *list({ sort = "newest" }, { caller, page, repository, urls }) {
      const all = (yield* registry.list).filter((row) => row.parent_id === repository.row.id)
      const visible = (yield* roles.visible(caller, all)).toSorted(orders[sort])
      const { items, total } = Paging.slice(visible, page)
      const roleOf = (row: RepositoryRow) => roles.onRepository(caller, row)
      const keyed = yield* RepositorySummaries.readSummaries(yield* registry.open(items), roleOf, urls)
      return { keyed: () => keyed, total }
    },

    *create({ default_branch_only, name, organization }, context) {
      const { caller, repository } = context
      const { row } = repository
      const { owner, refused } = yield* findOwner(organization, caller)
      if (refused !== undefined) return yield* refused
      const isSameName = name === undefined || name.toLowerCase() === row.name.toLowerCase()
      if (owner.id === row.owner.id && isSameName) {
        return yield* ApiError.invalid("Validation Failed", [
          {
            resource: "Fork",
            field: "name",
            code: "custom",
            message: `${owner.login} owns the repository; choose another name, or an organization that gets the fork`
          }
        ])
      }
      if (!isForkable(row)) {
        return yield* ApiError.forbidden("The repository exists, but forking is disabled.")
      }
      if (yield* blocks.has(row.owner.id, caller.user.id)) {
        return yield* ApiError.forbidden("The owner of the repository has blocked you")
      }
      const isPrivate = row.private === 1
      const problem = creationError(owner, { name: name ?? row.name, private: isPrivate }, caller)
      if (problem !== undefined) return yield* problem
      const existing = yield* forkRows.ofOwner(row, owner.id)
      const [found] = yield* registry.open(existing === undefined ? [] : yield* registry.byIds([existing]))
      if (found !== undefined) return yield* shape(found, context)
      const making = forks.create(repository, {
        owner,
        name: yield* freeName(owner, repository, name),
        defaultBranchOnly: default_branch_only === true,
        record: record(caller, repository)
      })
      const fork = yield* making.pipe(
        Effect.timeoutOption(`${WAIT_SECONDS} seconds`),
        Effect.catchTags({
          NameTaken: () => Effect.fail(nameTaken),
          NotForkable: ({ detail, reason }) =>
            Effect.fail(reason === "empty" ? ApiError.forbidden(detail) : ApiError.invalid(detail))
        })
      )
      if (fork._tag === "None") {
        return yield* unavailable(
          "The fork is still being made, because the repository is large. Send the request again."
        )
      }
      return yield* shape(fork.value, context)
    }
  })
})
