/** Database rows of the public keys of accounts, with which signatures are verified. */
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

/** A public SSH key of an account that signs, but does not sign in. */
export const SigningKeyRow = Schema.Struct({
  id: Schema.Int,
  user_id: Schema.Int,
  title: Schema.String,
  /** The public key as `<algorithm> <base64>`. */
  key: Schema.String,
  created_at: Schema.String
})
export type SigningKeyRow = typeof SigningKeyRow.Type

/** An account whose SSH key made a signature. `verified` is 0 or 1. */
const SignerRow = Schema.Struct({ user_id: Schema.Int, verified: Schema.Int, created_at: Schema.String })
export type SignerRow = typeof SignerRow.Type

/** A public PGP key of an account. */
export const PgpKeyRow = Schema.Struct({
  id: Schema.Int,
  user_id: Schema.Int,
  name: Schema.NullOr(Schema.String),
  armored: Schema.String,
  created_at: Schema.String,
  /** Ids of the key and its subkeys, as rows, by their PGP key ids. */
  parts: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))
})
export type PgpKeyRow = typeof PgpKeyRow.Type

/** A PGP key to add. */
export interface NewPgpKey {
  readonly userId: number
  readonly name?: string | null
  /** Fingerprint in hexadecimal digits. */
  readonly fingerprint: string
  /** Ids of the key and all subkeys, 16 hexadecimal digits each. */
  readonly keyIds: ReadonlyArray<string>
  readonly armored: string
}

/** An account already has the key with this fingerprint. */
export class KeyInUse extends Schema.TaggedError<KeyInUse>()("KeyInUse", { fingerprint: Schema.String }) {}

const one = decodeFirstRow(KeyRow)
const rows = decodeRows(KeyRow)
const signingRows = decodeRows(SigningKeyRow)
const oneSigning = decodeFirstRow(SigningKeyRow)
const signers = decodeRows(SignerRow)
const pgpRows = decodeRows(PgpKeyRow)
const onePgp = decodeFirstRow(PgpKeyRow)
const revision = decodeFirstRow(Schema.Struct({ revision: Schema.Int }))

/** Reads and writes keys. */
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
    /** Returns a page of the signing keys of an account, oldest first. */
    listSigning(userId: number, page: PageRequest): Effect.Effect<Slice<SigningKeyRow>>
    findSigning(userId: number, id: number): Effect.Effect<SigningKeyRow | undefined>
    hasSigning(userId: number, fingerprint: string): Effect.Effect<boolean>
    addSigning(key: NewKey): Effect.Effect<SigningKeyRow, KeyInUse>
    removeSigning(userId: number, id: number): Effect.Effect<boolean>
    /** Returns the accounts with this key, of either kind, oldest first. */
    signers(fingerprint: string): Effect.Effect<ReadonlyArray<SignerRow>>
    /** Returns a page of the PGP keys of an account, oldest first. */
    listPgp(userId: number, page: PageRequest): Effect.Effect<Slice<PgpKeyRow>>
    findPgp(userId: number, id: number): Effect.Effect<PgpKeyRow | undefined>
    /** Adds a PGP key. Returns its id. */
    addPgp(key: NewPgpKey): Effect.Effect<number, KeyInUse>
    removePgp(userId: number, id: number): Effect.Effect<boolean>
    /** Returns the PGP keys with this key id or subkey id. Different keys can have the same id. */
    pgpByKeyId(keyId: string): Effect.Effect<ReadonlyArray<PgpKeyRow>>
    /** Number that changes whenever a key or an e-mail address changes. */
    readonly revision: Effect.Effect<number>
  }
>()("@tongs/service/verification/KeyRows") {
  static readonly layer = Layer.effect(
    KeyRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { jsonMembers, jsonText } = SqlFragments.make(sql)
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

      const addSigning = Effect.fn("KeyRows.addSigning")(function* ({ key, title, userId }: NewKey) {
        const { fingerprint, text } = key
        const row = { user_id: userId, title, key: text, fingerprint, created_at: yield* now }
        const added = yield* oneSigning(sql`
          INSERT INTO ssh_signing_keys ${sql.insert(row)}
          ON CONFLICT (fingerprint) DO NOTHING RETURNING id, user_id, title, key, created_at`)
        return added ?? (yield* new KeyInUse({ fingerprint }))
      })

      const addPgp = Effect.fn("KeyRows.addPgp")(function* (key: NewPgpKey) {
        const { armored, fingerprint, keyIds, name = null, userId } = key
        const row = { user_id: userId, fingerprint, name, armored, created_at: yield* now }
        const added = yield* Effect.orDie(
          sql.withTransaction(
            Effect.gen(function* () {
              const [pgpKey] = yield* sql<{ id: number }>`
                INSERT INTO pgp_keys ${sql.insert(row)} ON CONFLICT (fingerprint) DO NOTHING RETURNING id`
              if (pgpKey === undefined) return undefined
              for (const key_id of new Set(keyIds))
                yield* sql`INSERT INTO pgp_key_parts ${sql.insert({ key_id, pgp_key: pgpKey.id })}`
              return pgpKey.id
            })
          )
        )
        return added ?? (yield* new KeyInUse({ fingerprint }))
      })

      const parts = jsonText(`(SELECT ${jsonMembers("p.key_id", "p.id")} FROM pgp_key_parts p WHERE p.pgp_key = k.id)`)
      const pgpColumns = sql.literal(`k.id, k.user_id, k.name, k.armored, k.created_at, ${parts} AS parts`)

      /** Deletes a row of an account. Returns false if there is none. */
      const removeFrom = (table: "ssh_keys" | "ssh_signing_keys" | "pgp_keys", userId: number, id: number) =>
        Effect.map(
          Effect.orDie(sql`DELETE FROM ${sql(table)} WHERE id = ${id} AND user_id = ${userId} RETURNING id`),
          (removed) => removed.length > 0
        )

      return KeyRows.of({
        list,
        find: (userId, id) => one(sql`SELECT ${columns} FROM ssh_keys WHERE id = ${id} AND user_id = ${userId}`),
        add,
        remove: (userId, id) => removeFrom("ssh_keys", userId, id),
        byFingerprint: (fingerprint) => one(sql`SELECT ${columns} FROM ssh_keys WHERE fingerprint = ${fingerprint}`),
        listSigning: Effect.fn("KeyRows.listSigning")(function* (userId, { offset, perPage }) {
          const total = yield* decodeCount(
            sql`SELECT count(*) AS count FROM ssh_signing_keys WHERE user_id = ${userId}`
          )
          const items = yield* signingRows(sql`
            SELECT id, user_id, title, key, created_at FROM ssh_signing_keys WHERE user_id = ${userId}
            ORDER BY id LIMIT ${perPage} OFFSET ${offset}`)
          return { items, total }
        }),
        findSigning: (userId, id) =>
          oneSigning(sql`
            SELECT id, user_id, title, key, created_at FROM ssh_signing_keys WHERE id = ${id} AND user_id = ${userId}`),
        hasSigning: (userId, fingerprint) =>
          Effect.map(
            Effect.orDie(
              sql`SELECT 1 FROM ssh_signing_keys WHERE fingerprint = ${fingerprint} AND user_id = ${userId}`
            ),
            (rows) => rows.length > 0
          ),
        addSigning,
        removeSigning: (userId, id) => removeFrom("ssh_signing_keys", userId, id),
        signers: (fingerprint) =>
          signers(sql`
            SELECT user_id, verified, created_at FROM ssh_keys WHERE fingerprint = ${fingerprint}
            UNION ALL
            SELECT user_id, 1, created_at FROM ssh_signing_keys WHERE fingerprint = ${fingerprint}
            ORDER BY created_at, user_id`),
        listPgp: Effect.fn("KeyRows.listPgp")(function* (userId, { offset, perPage }) {
          const total = yield* decodeCount(sql`SELECT count(*) AS count FROM pgp_keys WHERE user_id = ${userId}`)
          const items = yield* pgpRows(sql`
            SELECT ${pgpColumns} FROM pgp_keys k WHERE k.user_id = ${userId}
            ORDER BY k.id LIMIT ${perPage} OFFSET ${offset}`)
          return { items, total }
        }),
        findPgp: (userId, id) =>
          onePgp(sql`SELECT ${pgpColumns} FROM pgp_keys k WHERE k.id = ${id} AND k.user_id = ${userId}`),
        addPgp,
        removePgp: (userId, id) => removeFrom("pgp_keys", userId, id),
        pgpByKeyId: (keyId) =>
          pgpRows(sql`
            SELECT ${pgpColumns} FROM pgp_keys k JOIN pgp_key_parts i ON i.pgp_key = k.id
            WHERE i.key_id = ${keyId} ORDER BY k.id`),
        revision: revisions.get(
          "revision",
          Effect.map(requireRow(revision(sql`SELECT revision FROM key_registry`)), (row) => row.revision)
        )
      })
    })
  )
}
