/** The rights of a token, kept for a change that the forge makes later for the caller, also after the token's end. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { UserRow } from "../accounts/UserRows.ts"
import type { Authenticated } from "./Caller.ts"
import { type InstallationRow, InstallationRows } from "./InstallationRows.ts"
import { TokenKind } from "./TokenRows.ts"

export const DeferredRights = Schema.Struct({
  kind: TokenKind,
  scopes: Schema.Array(Schema.String),
  permissions: Schema.Record(Schema.String, Schema.Literals(["read", "write"])),
  /** Ids of the repositories selected for the token. Null for all repositories of the account. */
  repositories: Schema.NullOr(Schema.Array(Schema.Int)),
  /** The app installation that limits the token. */
  installation_id: Schema.NullOr(Schema.Int)
})
export type DeferredRights = typeof DeferredRights.Type

/** Returns the rights of a caller. */
export const of = ({ installation, kind, permissions, repositories, scopes }: Authenticated): DeferredRights => ({
  kind,
  scopes,
  permissions,
  repositories: repositories === undefined ? null : [...repositories],
  installation_id: installation?.id ?? null
})

/** The installation of a caller that sends no requests, and so has no rate limit. */
const installed = (row: InstallationRow): NonNullable<Authenticated["installation"]> => ({
  id: row.id,
  appId: row.app_id,
  appSlug: row.app_slug,
  accountId: row.account.id,
  repositories: row.repositories === null ? undefined : new Set(row.repositories),
  repositoryCount: 0,
  userCount: 0,
  onEnterprisePlan: false,
  raisesUser: false,
  isSuspended: false
})

/**
 * Makes the function that returns an account as a caller with kept rights, as far as the app installation still has
 * them. Undefined if the installation was removed or is suspended.
 */
export const make = Effect.gen(function* () {
  const installations = yield* InstallationRows

  return Effect.fnUntraced(function* (
    user: UserRow,
    { installation_id, kind, permissions, repositories, scopes }: DeferredRights
  ): Effect.fn.Return<Authenticated | undefined> {
    const installation = installation_id === null ? undefined : yield* installations.find(installation_id)
    if (installation_id !== null && installation?.suspended_at !== null) return undefined
    const granted = Object.entries(permissions).filter(([name, level]) => {
      const most = installation?.permissions[name]
      return installation === undefined || most === "write" || most === level
    })
    return {
      kind,
      user,
      scopes,
      permissions: Object.fromEntries(granted),
      repositories: repositories === null ? undefined : new Set(repositories),
      repositoriesOnEnterprisePlan: false,
      installation: installation === undefined ? undefined : installed(installation),
      tokenId: 0,
      tokenHash: "",
      expiresAt: undefined,
      isSuspended: false
    }
  })
})
