/** Database rows of public keys and e-mail addresses of accounts, with which signatures are verified. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import type { SshKey } from "./SshKey.ts"
import * as RevisionCache from "../storage/RevisionCache.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../storage/RowDecoder.ts"

/** A public SSH key of an account. */
export const KeyRow = Schema.Struct({
  id: Schema.Int,
  user_id: Schema.Int,
  title: Schema.String,
  /** The public key as `<algorithm> <base64>`. */
  key: Schema.String,
  verified: Schema.Int,
  read_only: Schema.Int,
  created_at: Schema.String
})
export type KeyRow = typeof KeyRow.Type

/** An SSH key to add, verified and writable by default. */
export interface NewKey {
  readonly userId: number
  readonly title: string
  readonly key: SshKey
  readonly verified?: boolean
  readonly readOnly?: boolean
}

/** A public PGP key of an account. */
export const PgpKeyRow = Schema.Struct({ user_id: Schema.Int, armored: Schema.String, created_at: Schema.String })
export type PgpKeyRow = typeof PgpKeyRow.Type

/** A PGP key to add. */
export interface NewPgpKey {
  readonly userId: number
  /** Fingerprint in hexadecimal digits. */
  readonly fingerprint: string
  /** Ids of the key and all subkeys, 16 hexadecimal digits each. */
  readonly keyIds: ReadonlyArray<string>
  readonly armored: string
}

const EmailHolderRow = Schema.Struct({ user_id: Schema.Int, verified: Schema.Int })

/** An account that claims an e-mail address, and whether the address is verified (0 or 1). */
export type EmailHolder = typeof EmailHolderRow.Type

/** An account already has the key with this fingerprint. */
export class KeyInUse extends Schema.TaggedError<KeyInUse>()("KeyInUse", { fingerprint: Schema.String }) {}

const one = decodeFirstRow(KeyRow)
const rows = decodeRows(KeyRow)
const pgpRows = decodeRows(PgpKeyRow)
const holders = decodeRows(EmailHolderRow)
const revision = decodeFirstRow(Schema.Struct({ revision: Schema.Int }))

/** Reads and writes keys and e-mail addresses. */
export class KeyRows extends Context.Service<
  KeyRows,
  {
    /** Returns a page of the SSH keys of an account, oldest first. */
    list(userId: number, page: PageRequest, only?: "verified"): Effect.Effect<Slice<KeyRow>>
    find(userId: number, id: number): Effect.Effect<KeyRow | undefined>
    add(key: NewKey): Effect.Effect<KeyRow, KeyInUse>
    /** Deletes an SSH key. Returns false if the account has no key with this id. */
    remove(userId: number, id: number): Effect.Effect<boolean>
    byFingerprint(fingerprint: string): Effect.Effect<KeyRow | undefined>
    addPgp(key: NewPgpKey): Effect.Effect<void, KeyInUse>
    /** Returns the PGP keys with this key id or subkey id. Different keys can have the same id. */
    pgpByKeyId(keyId: string): Effect.Effect<ReadonlyArray<PgpKeyRow>>
    /** Adds an address to an account, or updates the verification of an existing address. */
    setEmail(userId: number, email: string, verified: boolean): Effect.Effect<void>
    /** Returns the accounts that claim an e-mail address. The primary address of an account counts as verified. */
    holders(email: string): Effect.Effect<ReadonlyArray<EmailHolder>>
    /** Number that changes whenever a key or an e-mail address changes. */
    readonly revision: Effect.Effect<number>
  }
>()("@tongs/service/verification/KeyRows") {
  static readonly layer = Layer.effect(
    KeyRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { hasName, name } = SqlFragments.make(sql)
      const revisions = RevisionCache.make<number>(yield* StoreRevision, 1)
      const columns = sql.literal("id, user_id, title, key, verified, read_only, created_at")
      const now = Effect.map(Clock.currentTimeMillis, timestamp)

      const list = Effect.fn("KeyRows.list")(function* (userId: number, page: PageRequest, only?: "verified") {
        const where = sql`user_id = ${userId} AND verified >= ${only === "verified" ? 1 : 0}`
        const total = yield* decodeCount(sql`SELECT count(*) AS count FROM ssh_keys WHERE ${where}`)
        const items = yield* rows(sql`
          SELECT ${columns} FROM ssh_keys WHERE ${where} ORDER BY id LIMIT ${page.perPage} OFFSET ${page.offset}`)
        return { items, total }
      })

      const add = Effect.fn("KeyRows.add")(function* ({ key, readOnly, title, userId, verified }: NewKey) {
        const row = {
          user_id: userId,
          title,
          key: key.text,
          fingerprint: key.fingerprint,
          verified: verified === false ? 0 : 1,
          read_only: readOnly === true ? 1 : 0,
          created_at: yield* now
        }
        const added = yield* one(sql`
          INSERT INTO ssh_keys ${sql.insert(row)} ON CONFLICT (fingerprint) DO NOTHING RETURNING ${columns}`)
        return added ?? (yield* new KeyInUse({ fingerprint: key.fingerprint }))
      })

      const addPgp = Effect.fn("KeyRows.addPgp")(function* ({ armored, fingerprint, keyIds, userId }: NewPgpKey) {
        const row = { user_id: userId, fingerprint, armored, created_at: yield* now }
        const added = yield* Effect.orDie(
          sql.withTransaction(
            Effect.gen(function* () {
              const ids = yield* sql<{ id: number }>`
                INSERT INTO pgp_keys ${sql.insert(row)} ON CONFLICT (fingerprint) DO NOTHING RETURNING id`
              const [pgpKey] = ids
              if (pgpKey === undefined) return false
              for (const key_id of new Set(keyIds)) {
                yield* sql`INSERT INTO pgp_key_ids ${sql.insert({ key_id, pgp_key: pgpKey.id })}`
              }
              return true
            })
          )
        )
        if (!added) return yield* new KeyInUse({ fingerprint })
      })

      return KeyRows.of({
        list,
        find: (userId, id) => one(sql`SELECT ${columns} FROM ssh_keys WHERE id = ${id} AND user_id = ${userId}`),
        add,
        remove: (userId, id) =>
          Effect.map(
            Effect.orDie(sql`DELETE FROM ssh_keys WHERE id = ${id} AND user_id = ${userId} RETURNING id`),
            (removed) => removed.length > 0
          ),
        byFingerprint: (fingerprint) => one(sql`SELECT ${columns} FROM ssh_keys WHERE fingerprint = ${fingerprint}`),
        addPgp,
        pgpByKeyId: (keyId) =>
          pgpRows(sql`
            SELECT k.user_id, k.armored, k.created_at FROM pgp_keys k JOIN pgp_key_ids i ON i.pgp_key = k.id
            WHERE i.key_id = ${keyId} ORDER BY k.id`),
        setEmail: (userId, email, verified) =>
          Effect.orDie(
            Effect.asVoid(sql`
              INSERT INTO user_emails (user_id, email, verified) VALUES (${userId}, ${email}, ${verified ? 1 : 0})
              ON CONFLICT (${name("email")}, user_id) DO UPDATE SET verified = excluded.verified`)
          ),
        holders: (email) =>
          holders(sql`
            SELECT user_id, verified FROM user_emails WHERE ${hasName("email", email)}
            UNION ALL
            SELECT id, 1 FROM users u WHERE ${hasName("email", email)}
              AND NOT EXISTS (SELECT 1 FROM user_emails e WHERE e.user_id = u.id AND ${name("e.email")} = ${name("u.email")})
            ORDER BY 2 DESC, 1`),
        revision: revisions.get(
          "revision",
          Effect.map(requireRow(revision(sql`SELECT revision FROM key_registry`)), (row) => row.revision)
        )
      })
    })
  )
}
