/** Database rows of access tokens, which contain only a hash of each token. */
import { createHash, randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { timestamp } from "../base/Time.ts"
import { decodeFirstRow } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { accountJson, UserRow } from "../accounts/UserRows.ts"

/** Kinds of access tokens. The fixture file uses the same names. */
export const TokenKind = Schema.Literals(["classic", "fine_grained", "oauth", "app_user", "installation", "workflow"])
export type TokenKind = typeof TokenKind.Type

const Permissions = Schema.Record(Schema.String, Schema.Literals(["read", "write"]))

/** The app installation of a token, with the numbers that determine the rate limit. */
const Installation = Schema.Struct({
  id: Schema.Int,
  app_id: Schema.Int,
  app_slug: Schema.String,
  account_id: Schema.Int,
  permissions: Permissions,
  /** Ids of the repositories selected for the installation. Null for all repositories of the account. */
  repositories: Schema.NullOr(Schema.Array(Schema.Int)),
  /** Number of repositories of the installation, and number of users of the organization. */
  repository_count: Schema.Int,
  user_count: Schema.Int,
  /** Plan of the organization with the installation. Null for a user's account. */
  plan: Schema.NullOr(Schema.String),
  /** 1 if the installation is suspended, else 0. */
  suspended: Schema.Int,
  /** 1 if the app belongs to an organization with the enterprise plan of which the user is a member, else 0. */
  raises_user: Schema.Int
})

const TokenRow = Schema.Struct({
  id: Schema.Int,
  hash: Schema.String,
  kind: TokenKind,
  scopes: Schema.fromJsonString(Schema.Array(Schema.String)),
  permissions: Schema.fromJsonString(Permissions),
  /** Ids of the repositories selected for the token. Null for all repositories of the account. */
  repositories: Schema.NullOr(Schema.fromJsonString(Schema.Array(Schema.Int))),
  /** The plan of the organization that owns the first selected repository. */
  repositories_plan: Schema.NullOr(Schema.String),
  installation: Schema.NullOr(Schema.fromJsonString(Installation)),
  expires_at: Schema.NullOr(Schema.String),
  /** When the account was suspended. Null for an account that may sign in. */
  suspended_at: Schema.NullOr(Schema.String),
  user: Schema.fromJsonString(UserRow)
})
export type TokenRow = typeof TokenRow.Type

export interface NewToken {
  readonly userId: number
  readonly kind: TokenKind
  readonly scopes?: ReadonlyArray<string>
  /** Permissions of a token with an installation; by default the permissions of the installation. */
  readonly permissions?: Readonly<Record<string, "read" | "write">>
  readonly installationId?: number
  /** Ids of the repositories selected for the token. By default all of the account. */
  readonly repositories?: ReadonlyArray<number>
  readonly expiresAt?: string
}

export const hashOf = (token: string) => createHash("sha256").update(token).digest("hex")
const one = decodeFirstRow(TokenRow)

export const generateToken = (): string => `tongs_${randomBytes(24).toString("base64url")}`

export class TokenRows extends Context.Service<
  TokenRows,
  {
    /** Finds a token with the account. */
    find(token: Redacted.Redacted<string>): Effect.Effect<TokenRow | undefined>
    /** Adds a token, by default with a generated value, and returns the value. Deletes expired installation tokens. */
    add(token: NewToken, value?: Redacted.Redacted<string>): Effect.Effect<Redacted.Redacted<string>>
    /** Deletes a token. */
    revoke(id: number): Effect.Effect<void>
  }
>()("@tongs/service/access/TokenRows") {
  static readonly layer = Layer.effect(
    TokenRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { firstOfJson, isNotAfter, json, jsonArray, jsonObject, jsonText } = fragments
      const selected = `
        CASE i.selection WHEN 'selected' THEN (
          SELECT ${jsonText(jsonArray("s.repository_id"))}
          FROM installation_repositories s WHERE s.installation_id = i.id) END`
      const repositoryCount = `
        CASE i.selection WHEN 'selected'
          THEN (SELECT count(*) FROM installation_repositories s WHERE s.installation_id = i.id)
          ELSE (SELECT count(*) FROM repositories r WHERE r.owner_id = i.account_id) END`
      const raisesUser = `
        CASE WHEN EXISTS (
          SELECT 1 FROM organizations o JOIN memberships m ON m.organization_id = o.user_id
          WHERE o.user_id = a.owner_id AND o.plan = 'enterprise_cloud' AND m.user_id = t.user_id) THEN 1 ELSE 0 END`
      const members = {
        id: "i.id",
        app_id: "i.app_id",
        app_slug: "a.slug",
        account_id: "i.account_id",
        permissions: json("i.permissions"),
        repositories: json(selected),
        repository_count: repositoryCount,
        user_count: "(SELECT count(*) FROM memberships m WHERE m.organization_id = i.account_id)",
        plan: "(SELECT plan FROM organizations o WHERE o.user_id = i.account_id)",
        suspended: "CASE WHEN i.suspended_at IS NULL THEN 0 ELSE 1 END",
        raises_user: raisesUser
      }
      const installation = sql.literal(
        `CASE WHEN i.id IS NULL THEN NULL ELSE ${jsonText(jsonObject(members))} END AS installation`
      )
      const account = sql.literal(accountJson(fragments, "u"))
      return TokenRows.of({
        find: (token) =>
          one(sql`
            SELECT t.id, t.hash, t.kind, t.scopes, t.permissions, t.repositories, t.expires_at, u.suspended_at, ${installation},
              (SELECT o.plan FROM repositories r JOIN organizations o ON o.user_id = r.owner_id
                WHERE r.id = ${sql.literal(firstOfJson("t.repositories"))}) AS repositories_plan,
              ${account} AS user
            FROM tokens t
            JOIN users u ON u.id = t.user_id
            LEFT JOIN installations i ON i.id = t.installation_id
            LEFT JOIN apps a ON a.id = i.app_id
            WHERE t.hash = ${hashOf(Redacted.value(token))}`),
        add: Effect.fn("Tokens.add")(function* (token: NewToken, value?: Redacted.Redacted<string>) {
          const secret = value ?? Redacted.make(generateToken())
          const now = timestamp(yield* Clock.currentTimeMillis)
          yield* Effect.orDie(sql`DELETE FROM tokens WHERE kind = 'installation' AND ${isNotAfter("expires_at", now)}`)
          const row = {
            hash: hashOf(Redacted.value(secret)),
            user_id: token.userId,
            kind: token.kind,
            scopes: JSON.stringify(token.scopes ?? []),
            permissions: JSON.stringify(token.permissions ?? {}),
            installation_id: token.installationId ?? null,
            repositories: token.repositories === undefined ? null : JSON.stringify(token.repositories),
            expires_at: token.expiresAt ?? null,
            created_at: now
          }
          yield* Effect.orDie(sql`
            INSERT INTO tokens ${sql.insert(row)}
            ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, kind = excluded.kind,
              scopes = excluded.scopes, permissions = excluded.permissions, expires_at = excluded.expires_at,
              installation_id = excluded.installation_id, repositories = excluded.repositories`)
          return secret
        }),
        revoke: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM tokens WHERE id = ${id}`))
      })
    })
  )
}
