/** The caller of a request: an account with a token, or anonymous. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { BadCredentials, Forbidden } from "@tongs/core/contract/Failure"
import * as OAuthScopes from "@tongs/core/contract/OAuthScopes"
import type { Permission } from "@tongs/core/contract/Operation"
import { type AppRow, InstallationRows } from "./InstallationRows.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import type { RepositoryRow } from "../repositories/RepositoryRows.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { type TokenKind, type TokenRow, TokenRows } from "./TokenRows.ts"
import type { UserRow } from "../accounts/UserRows.ts"
import * as Permissions from "./Permissions.ts"

export interface Anonymous {
  readonly kind: "anonymous"
  /**
   * The OAuth app that authenticates with client id and secret. The app can read public data, with the app's rate
   * limit.
   */
  readonly app?: AppRow
}

export interface Authenticated {
  readonly kind: TokenKind
  readonly user: UserRow
  readonly scopes: ReadonlyArray<string>
  readonly permissions: Permissions.Permissions
  /** Ids of the repositories selected for the token. Undefined for all repositories of the account. */
  readonly repositories: ReadonlySet<number> | undefined
  /** True if the selected repositories belong to an organization with the enterprise plan. */
  readonly repositoriesOnEnterprisePlan: boolean
  /** The app installation that limits the token. Undefined for tokens without one. */
  readonly installation: Installation | undefined
  /** Opaque number of the token, never reused. */
  readonly tokenId: number
  /** Hash of the token. The hash is part of ETags, which are valid for one token only. */
  readonly tokenHash: string
  readonly expiresAt: number | undefined
  /** True if the account is suspended. The token is then refused. */
  readonly isSuspended: boolean
}

export interface Installation {
  readonly id: number
  readonly appId: number
  readonly appSlug: string
  readonly accountId: number
  /** Ids of the repositories selected for the installation. Undefined for all repositories of the account. */
  readonly repositories: ReadonlySet<number> | undefined
  /** Numbers of repositories and users: more than 20 of either raise the installation's rate limit. */
  readonly repositoryCount: number
  readonly userCount: number
  /** True if the account of the installation is an organization with the enterprise plan. */
  readonly onEnterprisePlan: boolean
  /** True if the user is a member of an organization with the enterprise plan that owns the app. */
  readonly raisesUser: boolean
  /** True if the installation is suspended. The token is then refused. */
  readonly isSuspended: boolean
}

export type Caller = Anonymous | Authenticated

/** Identifies the account of a caller, independent of the token. All anonymous callers have the same key. */
export const accountKey = (caller: Caller): string =>
  caller.kind === "anonymous" ? "anonymous" : `user ${caller.user.id}`

/** Message for requests of a suspended installation. */
export const SUSPENDED_INSTALLATION = "This installation has been suspended"

const anonymous: Anonymous = { kind: "anonymous" }

/** True if the caller's token has OAuth scopes. All other tokens have permissions instead. */
export const isScoped = (caller: Authenticated): boolean => caller.kind === "classic" || caller.kind === "oauth"

/**
 * True if the token has an accepted OAuth scope, or a scope that includes an accepted one. Also true if `accepted` is
 * empty.
 */
export const hasScope = (caller: Authenticated, accepted: ReadonlyArray<string>): boolean =>
  OAuthScopes.suffice(caller.scopes, accepted)

/** True if a token with permissions has the given permission. */
export const hasPermission = ({ kind, permissions }: Authenticated, permission: Permission): boolean => {
  const { category, level, target } = permission
  // A workflow token has permissions only on the repository of the workflow.
  if (kind === "workflow" && target !== "repository") return false
  const held = Permissions.grantedLevel(permissions, permission)
  // Every token that can access a repository can read the repository's metadata.
  return held === "write" || held === level || (category === "metadata" && level === "read")
}

/** True if a token is not limited to other repositories. Does not check the role of the token's account. */
export const includesRepository = (caller: Authenticated, { id, owner }: RepositoryRow): boolean => {
  const { installation, repositories } = caller
  if (repositories !== undefined && !repositories.has(id)) return false
  if (installation === undefined) return true
  return installation.accountId === owner.id && installation.repositories?.has(id) !== false
}

/** Returns the permissions of an installation token: the `granted` ones, reduced to the `requested` ones if any. */
const within = (granted: Permissions.Permissions, requested: Permissions.Permissions): Permissions.Permissions => {
  if (Object.keys(requested).length === 0) return granted
  return Object.fromEntries(
    Object.entries(requested).flatMap(([category, level]) => {
      const most = granted[category]
      return most === undefined ? [] : [[category, most === "write" ? level : most] as const] // a pair
    })
  )
}

const authenticated = (row: TokenRow): Authenticated => {
  const { expires_at, hash, id, installation, kind, permissions, repositories, scopes, user } = row
  return {
    kind,
    user,
    scopes,
    permissions: installation === null ? permissions : within(installation.permissions, permissions),
    repositories: repositories === null ? undefined : new Set(repositories),
    repositoriesOnEnterprisePlan: row.repositories_plan === "enterprise_cloud",
    installation: installation === null ? undefined : installed(installation),
    tokenId: id,
    tokenHash: hash,
    expiresAt: expires_at === null ? undefined : Date.parse(expires_at),
    isSuspended: row.suspended_at !== null
  }
}

const installed = (row: NonNullable<TokenRow["installation"]>): Installation => ({
  id: row.id,
  appId: row.app_id,
  appSlug: row.app_slug,
  accountId: row.account_id,
  repositories: row.repositories === null ? undefined : new Set(row.repositories),
  repositoryCount: row.repository_count,
  userCount: row.user_count,
  onEnterprisePlan: row.plan === "enterprise_cloud",
  raisesUser: row.raises_user === 1,
  isSuspended: row.suspended === 1
})

/** Maximum number of cached tokens. */
const MAX_REMEMBERED = 1000

interface Credential {
  /** User name, if the request uses Basic authentication. */
  readonly name?: string
  readonly secret: Redacted.Redacted<string>
}

/**
 * Parses an `Authorization` header. Accepts `Bearer`, `token`, and Basic with the token as password. OAuth apps use
 * Basic with client id and secret.
 */
const credential = (header: string): Credential | undefined => {
  const [scheme, value] = header.trim().split(/\s+/, 2)
  if (value === undefined || value === "") return undefined
  switch (scheme?.toLowerCase()) {
    case "bearer":
    case "token":
      return { secret: Redacted.make(value) }
    case "basic": {
      const [, name, password] = /^([^:]*):(.+)$/s.exec(Buffer.from(value, "base64").toString("utf8")) ?? []
      return name === undefined || password === undefined ? undefined : { name, secret: Redacted.make(password) }
    }
    default:
      return undefined
  }
}

export class Callers extends Context.Service<
  Callers,
  {
    /** Authenticates a request by the `Authorization` header. Fails with `Forbidden` if the account or installation is suspended. */
    identify(request: string, authorization: string | undefined): Effect.Effect<Caller, BadCredentials | Forbidden>
  }
>()("@tongs/service/access/Callers") {
  static readonly layer = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const tokens = yield* TokenRows
      const installations = yield* InstallationRows
      const clock = yield* Clock.Clock
      const known = RevisionCache.make<Caller>(yield* StoreRevision, MAX_REMEMBERED)

      const find = Effect.fnUntraced(function* (authorization: string) {
        const given = credential(authorization)
        if (given === undefined) return undefined
        const row = yield* tokens.find(given.secret)
        if (row !== undefined) return authenticated(row)
        if (given.name === undefined) return undefined
        const app = yield* installations.byClient(given.name, given.secret)
        return app === undefined ? undefined : ({ kind: "anonymous", app } satisfies Anonymous)
      })

      return Callers.of({
        identify: (request, authorization) => {
          if (authorization === undefined) return Effect.succeed(anonymous)
          const check = (caller: Caller | undefined): Effect.Effect<Caller, BadCredentials | Forbidden> => {
            if (caller === undefined || hasExpired(caller, clock.currentTimeMillisUnsafe()))
              return Effect.fail(new BadCredentials({ request, detail: "Bad credentials" }))
            const suspension = caller.kind === "anonymous" ? undefined : suspensionOf(caller)
            return suspension === undefined
              ? Effect.succeed(caller)
              : Effect.fail(new Forbidden({ request, detail: suspension }))
          }
          const caller = known.find(authorization)
          return caller === undefined
            ? Effect.flatMap(known.get(authorization, find(authorization)), check)
            : check(caller)
        }
      })
    })
  )
}

const hasExpired = (caller: Caller, now: number) =>
  caller.kind !== "anonymous" && caller.expiresAt !== undefined && caller.expiresAt <= now

/** Returns why a token is refused, in GitHub's words. Undefined for a token that is not. */
const suspensionOf = ({ installation, isSuspended }: Authenticated) => {
  if (isSuspended) return "Sorry. Your account was suspended"
  return installation?.isSuspended === true ? SUSPENDED_INSTALLATION : undefined
}
