/** Credentials, kept as hashes. */
import { createHash, randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../http/Time.ts"
import { stored } from "./Stored.ts"
import { UserRow } from "./Users.ts"

/** Kinds of tokens (spec part 1 §5.3), as the fixture file names them. */
export const TokenKind = Schema.Literals(["classic", "fine_grained", "oauth", "app_user", "installation", "workflow"])
export type TokenKind = typeof TokenKind.Type

const TokenRow = Schema.Struct({
  hash: Schema.String,
  kind: TokenKind,
  scopes: Schema.fromJsonString(Schema.Array(Schema.String)),
  permissions: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Literals(["read", "write"]))),
  expires_at: Schema.NullOr(Schema.String),
  user: Schema.fromJsonString(UserRow)
})
export type TokenRow = typeof TokenRow.Type

export interface NewToken {
  readonly userId: number
  readonly kind: TokenKind
  readonly scopes?: ReadonlyArray<string>
  readonly permissions?: Readonly<Record<string, "read" | "write">>
  readonly expiresAt?: string
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex")
const one = stored(TokenRow)

export class Tokens extends Context.Service<
  Tokens,
  {
    /** The token and the account that it acts for. */
    find(token: Redacted.Redacted<string>): Effect.Effect<Option.Option<TokenRow>>
    /** Keeps a token that is given, or a new one. */
    add(token: NewToken, value?: Redacted.Redacted<string>): Effect.Effect<Redacted.Redacted<string>>
  }
>()("@tongs/service/storage/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return Tokens.of({
        find: (token) =>
          one(sql`
            SELECT t.hash, t.kind, t.scopes, t.permissions, t.expires_at,
              json_object('id', u.id, 'login', u.login, 'type', u.type, 'name', u.name, 'email', u.email,
                'site_admin', u.site_admin, 'created_at', u.created_at, 'updated_at', u.updated_at) AS user
            FROM tokens t JOIN users u ON u.id = t.user_id
            WHERE t.hash = ${hashOf(Redacted.value(token))}`),
        add: Effect.fn("Tokens.add")(function* (token: NewToken, value?: Redacted.Redacted<string>) {
          const secret = value ?? Redacted.make(`tongs_${randomBytes(24).toString("base64url")}`)
          const row = {
            hash: hashOf(Redacted.value(secret)),
            user_id: token.userId,
            kind: token.kind,
            scopes: JSON.stringify(token.scopes ?? []),
            permissions: JSON.stringify(token.permissions ?? {}),
            expires_at: token.expiresAt ?? null,
            created_at: timestamp(yield* Clock.currentTimeMillis)
          }
          yield* Effect.orDie(sql`
            INSERT INTO tokens ${sql.insert(row)}
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, kind = excluded.kind,
              scopes = excluded.scopes, permissions = excluded.permissions, expires_at = excluded.expires_at`)
          return secret
        })
      })
    })
  )
}
