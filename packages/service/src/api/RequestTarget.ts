/** Resolves the repository, organization, enterprise or user that a request addresses. */
import * as Effect from "effect/Effect"
import type { GitError } from "../git/values/GitError.ts"
import { type ServedRepository, RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { type EnterpriseRow, type OrganizationRow, OrganizationRows } from "../accounts/OrganizationRows.ts"
import type { Caller } from "../access/Caller.ts"
import * as ReadyEffects from "../base/ReadyEffects.ts"
import * as ApiError from "./ApiError.ts"
import { type Role, Roles } from "../access/Roles.ts"

/** The targets of path templates. Other templates have none. */
const kinds = {
  "/users/:username/suspended": "site",
  "/admin": "site",
  "/repos/:owner/:repo": "repository",
  "/tongs/repos/:owner/:repo": "repository",
  "/orgs/:org": "organization",
  "/organizations/:org": "organization",
  "/enterprises/:enterprise": "enterprise",
  "/user": "user",
  "/notifications": "user",
  "/tongs/user": "user"
} as const // the kinds as types

type Kinds = typeof kinds

/** The one path below `/user` that is about any account. */
const ANY_ACCOUNT_PATH = "/user/:account_id"
type AnyAccountPath = typeof ANY_ACCOUNT_PATH

type KindOfPrefix<Path> = Path extends AnyAccountPath
  ? never
  : { [P in keyof Kinds]: Path extends P | `${P}/${string}` ? Kinds[P] : never }[keyof Kinds]

/** The kind of target that a path template addresses. */
export type KindOf<Path> = [KindOfPrefix<Path>] extends [never] ? "none" : KindOfPrefix<Path>

export type TargetKind = KindOf<string> | Kinds[keyof Kinds]

/** Returns the kind of target that a path template of the contract addresses. */
export const kindOf = (path: string): TargetKind =>
  path === ANY_ACCOUNT_PATH ? "none" : (Object.entries(kinds).find(([prefix]) => isBelow(path, prefix))?.[1] ?? "none")

/** Paths whose operations all need a signed-in caller. */
const signedInPaths = [
  "/user",
  "/notifications",
  "/tongs/user",
  "/enterprises/:enterprise",
  "/installation",
  "/repos/:owner/:repo/hooks",
  "/repos/:owner/:repo/notifications",
  "/repos/:owner/:repo/subscription",
  "/orgs/:org/hooks"
] as const // the paths as types

type SignedInPath = (typeof signedInPaths)[number]

/** The operations that change nothing although their method is POST. */
const renderPaths = ["/markdown", "/markdown/raw"] as const // the paths as types

/** True if the handler of an endpoint can rely on a signed-in caller: for all writes, and below some paths. */
export type NeedsSignIn<Method, Path> = Path extends (typeof renderPaths)[number]
  ? false
  : Method extends "GET"
    ? Path extends AnyAccountPath
      ? false
      : Path extends SignedInPath | `${SignedInPath}/${string}`
        ? true
        : false
    : true

/** `NeedsSignIn` as a value. `Routes` checks that anonymous callers may not use an operation that needs sign-in. */
export const needsSignIn = (method: string, path: string): boolean =>
  !renderPaths.some((one) => one === path) &&
  (method !== "GET" || (path !== ANY_ACCOUNT_PATH && signedInPaths.some((prefix) => isBelow(path, prefix))))

const isBelow = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

interface Targets {
  /** The caller's own account. The caller has all permissions on the account. */
  readonly user: object
  readonly repository: {
    readonly repository: ServedRepository
    /** True if the path has a former name of the repository. */
    readonly renamed: boolean
  }
  readonly organization: { readonly organization: OrganizationRow }
  readonly enterprise: { readonly enterprise: EnterpriseRow }
  /** The whole forge, which only administrators of the site can see. */
  readonly site: object
  readonly none: object
}

/** A resolved target of a kind. */
export type TargetOf<K extends TargetKind> = Targets[K] & {
  readonly kind: K
  /** The role of the caller on the target. */
  readonly role: Role
}

export type RequestTarget = { readonly [K in TargetKind]: TargetOf<K> }[TargetKind]

type Params = Readonly<Record<string, string | undefined>>

type Found<T> = Effect.Effect<T, ApiError.ApiError | GitError>

/**
 * Creates the functions that resolve targets. The functions fail with a 404 if the target does not exist or is not
 * visible.
 */
export const make = Effect.gen(function* () {
  const registry = yield* RepositoryRegistry
  const organizations = yield* OrganizationRows
  const roles = yield* Roles

  const visible = <T extends RequestTarget>(target: T) =>
    target.role === "none" ? Effect.fail(ApiError.notFound()) : Effect.succeed(target)

  const findRepository = Effect.fnUntraced(function* (owner: string, repo: string, caller: Caller) {
    const named = yield* registry.find(owner, repo)
    const repository = named ?? (yield* registry.findRenamed(owner, repo))
    if (repository === undefined) return yield* ApiError.notFound()
    const role = yield* roles.onRepository(caller, repository.row)
    return yield* visible({ kind: "repository", repository, renamed: named === undefined, role })
  })

  /** Finds a repository, at once if in memory. */
  const repository = (owner: string, repo: string, caller: Caller): Found<TargetOf<"repository">> => {
    const named = registry.known(owner, repo)
    const role = named === undefined ? undefined : ReadyEffects.valueOf(roles.onRepository(caller, named.row))
    return named === undefined || role === undefined
      ? findRepository(owner, repo, caller)
      : visible({ kind: "repository", repository: named, renamed: false, role: role.value })
  }

  const organization = Effect.fnUntraced(function* (login: string, caller: Caller) {
    const organization = yield* organizations.byLogin(login)
    if (organization === undefined) return yield* ApiError.notFound()
    const role = yield* roles.onOrganization(caller, organization.id)
    return yield* visible({ kind: "organization", organization, role })
  })

  const enterprise = Effect.fnUntraced(function* (slug: string, caller: Caller) {
    // The existence of an enterprise is not public.
    if (caller.kind === "anonymous") return yield* ApiError.unauthenticated()
    const enterprise = yield* organizations.enterprise(slug)
    if (enterprise === undefined) return yield* ApiError.notFound()
    return yield* visible({ kind: "enterprise", enterprise, role: yield* roles.onEnterprise(caller, enterprise) })
  })

  const find = (kind: TargetKind, params: Params, caller: Caller): Found<RequestTarget> => {
    switch (kind) {
      case "none":
      case "user":
        return Effect.succeed({ kind, role: "admin" })
      case "site":
        return caller.kind === "anonymous"
          ? Effect.fail(ApiError.unauthenticated())
          : visible({ kind, role: roles.onSite(caller) })
      case "repository":
        return repository(params.owner ?? "", params.repo ?? "", caller)
      case "organization":
        return organization(params.org ?? "", caller)
      case "enterprise":
        return enterprise(params.enterprise ?? "", caller)
    }
  }

  return { find, repository }
})
