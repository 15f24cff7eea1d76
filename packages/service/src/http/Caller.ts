/** Who calls: an account by one of its tokens, or nobody (spec part 1 §5). */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { BadCredentials } from "@tongs/core/contract/Failure"
import * as Remembered from "../storage/Remembered.ts"
import { StoreRevision } from "../storage/Sqlite.ts"
import { type TokenKind, Tokens } from "../storage/Tokens.ts"
import type { UserRow } from "../storage/Users.ts"

export interface Anonymous {
  readonly kind: "anonymous"
}

export interface Authenticated {
  readonly kind: TokenKind
  readonly user: UserRow
  readonly scopes: ReadonlyArray<string>
  readonly permissions: Readonly<Record<string, "read" | "write">>
  /** Names the token without telling it: an ETag belongs to the token that got it. */
  readonly tokenHash: string
  readonly expiresAt: number | undefined
}

export type Caller = Anonymous | Authenticated

const anonymous: Anonymous = { kind: "anonymous" }

/** Kinds that are governed by scopes; the others are governed by permissions. */
export const isScoped = (caller: Authenticated): boolean => caller.kind === "classic" || caller.kind === "oauth"

/** Scopes that a scope holds within it. */
const implied = (scope: string): ReadonlyArray<string> => {
  if (scope === "repo") return ["repo", "public_repo"]
  const [level, rest] = scope.split(":", 2)
  if (rest === undefined) return [scope]
  if (level === "admin") return [scope, `write:${rest}`, `read:${rest}`]
  return level === "write" ? [scope, `read:${rest}`] : [scope]
}

/** Whether the token has one of the scopes, or one that includes it. No scopes: none is needed. */
export const hasScope = (caller: Authenticated, accepted: ReadonlyArray<string>): boolean =>
  accepted.length === 0 || caller.scopes.flatMap(implied).some((scope) => accepted.includes(scope))

/** How many tokens are remembered between requests. */
const maxRemembered = 1000

/** The credential of an `Authorization` header. `token` and Basic with the token as password are what clients send too. */
const credential = (header: string): Redacted.Redacted<string> | undefined => {
  const [scheme, value] = header.trim().split(/\s+/, 2)
  if (value === undefined || value === "") return undefined
  switch (scheme?.toLowerCase()) {
    case "bearer":
    case "token":
      return Redacted.make(value)
    case "basic": {
      const [, password] = Buffer.from(value, "base64").toString("utf8").split(":", 2)
      return password === undefined || password === "" ? undefined : Redacted.make(password)
    }
    default:
      return undefined
  }
}

export class Callers extends Context.Service<
  Callers,
  {
    /** The caller of a request by its `Authorization` header. */
    identify(request: string, authorization: string | undefined): Effect.Effect<Caller, BadCredentials>
  }
>()("@tongs/service/http/Callers") {
  static readonly layer = Layer.effect(
    Callers,
    Effect.gen(function* () {
      const tokens = yield* Tokens
      const known = Remembered.make<Authenticated>(yield* StoreRevision, maxRemembered)

      const find = Effect.fnUntraced(function* (authorization: string) {
        const token = credential(authorization)
        if (token === undefined) return undefined
        const row = yield* tokens.find(token)
        if (Option.isNone(row)) return undefined
        const { expires_at, hash, kind, permissions, scopes, user } = row.value
        const expiresAt = expires_at === null ? undefined : Date.parse(expires_at)
        return { kind, permissions, scopes, user, tokenHash: hash, expiresAt } satisfies Authenticated
      })

      return Callers.of({
        identify: Effect.fnUntraced(function* (request, authorization) {
          if (authorization === undefined) return anonymous
          const caller = yield* known.get(authorization, find(authorization))
          const now = yield* Clock.currentTimeMillis
          if (caller === undefined || (caller.expiresAt !== undefined && caller.expiresAt <= now)) {
            return yield* new BadCredentials({ request, detail: "Bad credentials" })
          }
          return caller
        })
      })
    })
  )
}
