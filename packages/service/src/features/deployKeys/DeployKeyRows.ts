/** Database rows of deploy keys. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../../storage/RowDecoder.ts"
import { KeyInUse, KeyRows } from "../../verification/KeyRows.ts"
import type { SshKey } from "../../verification/SshKey.ts"

/** A deploy key. `created_at` is ISO 8601. */
export const DeployKeyRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  title: Schema.String,
  /** The public key as `<algorithm> <base64>`. */
  key: Schema.String,
  fingerprint: Schema.String,
  /** 0 or 1. */
  read_only: Schema.Int,
  created_at: Schema.String,
  /** Login. Null if the account was deleted. */
  added_by: Schema.NullOr(Schema.String)
})
export type DeployKeyRow = typeof DeployKeyRow.Type

/** A deploy key to add, created now by default. */
export interface NewDeployKey {
  readonly repositoryId: number
  readonly userId: number
  readonly title: string
  readonly key: SshKey
  readonly readOnly: boolean
  readonly createdAt?: string | undefined
}

const one = decodeFirstRow(DeployKeyRow)
const all = decodeRows(DeployKeyRow)
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes deploy keys. */
export class DeployKeyRows extends Context.Service<
  DeployKeyRows,
  {
    /** Returns a page of the deploy keys of a repository, oldest first. */
    list(repositoryId: number, page: PageRequest): Effect.Effect<Slice<DeployKeyRow>>
    find(repositoryId: number, id: number): Effect.Effect<DeployKeyRow | undefined>
    byFingerprint(fingerprint: string): Effect.Effect<DeployKeyRow | undefined>
    /** Adds a key. Fails if an account or a repository has the key. */
    add(key: NewDeployKey): Effect.Effect<DeployKeyRow, KeyInUse>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/features/deployKeys/DeployKeyRows") {
  static readonly layer = Layer.effect(
    DeployKeyRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* KeyRows
      const selected = sql.literal(
        "SELECT k.*, u.login AS added_by FROM deploy_keys k LEFT JOIN users u ON u.id = k.added_by_id"
      )
      const find = (repositoryId: number, id: number) =>
        one(sql`${selected} WHERE k.repository_id = ${repositoryId} AND k.id = ${id}`)

      return DeployKeyRows.of({
        list: Effect.fn("DeployKeyRows.list")(function* (repositoryId, { offset, perPage }) {
          const items = yield* all(sql`
            ${selected} WHERE k.repository_id = ${repositoryId} ORDER BY k.id LIMIT ${perPage} OFFSET ${offset}`)
          const total = yield* decodeCount(
            sql`SELECT count(*) AS count FROM deploy_keys WHERE repository_id = ${repositoryId}`
          )
          return { items, total }
        }),
        find,
        byFingerprint: (fingerprint) => one(sql`${selected} WHERE k.fingerprint = ${fingerprint}`),
        add: Effect.fn("DeployKeyRows.add")(function* ({ createdAt, key, readOnly, repositoryId, title, userId }) {
          const { fingerprint, text } = key
          if ((yield* keys.byFingerprint(fingerprint)) !== undefined) return yield* new KeyInUse({ fingerprint })
          const row = {
            repository_id: repositoryId,
            added_by_id: userId,
            title,
            key: text,
            fingerprint,
            read_only: readOnly ? 1 : 0,
            created_at: createdAt ?? timestamp(yield* Clock.currentTimeMillis)
          }
          const inserted = yield* added(sql`
            INSERT INTO deploy_keys ${sql.insert(row)} ON CONFLICT (fingerprint) DO NOTHING RETURNING id`)
          if (inserted === undefined) return yield* new KeyInUse({ fingerprint })
          return yield* requireRow(find(repositoryId, inserted.id))
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM deploy_keys WHERE id = ${id}`))
      })
    })
  )
}
