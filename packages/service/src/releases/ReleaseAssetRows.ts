/** Database rows of assets of releases. The files are in `AssetFiles.ts`. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { accountJson, accountObject, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { timestamp } from "../base/Time.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"

const columns = {
  id: Schema.Int,
  release_id: Schema.Int,
  name: Schema.String,
  label: Schema.NullOr(Schema.String),
  content_type: Schema.String,
  /** In bytes. */
  size: Schema.Int,
  /** SHA-256 of the file in hexadecimal. */
  digest: Schema.String,
  download_count: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
}

/** An asset. Timestamps are ISO 8601. */
export const ReleaseAssetRow = Schema.Struct({
  ...columns,
  /** Null if the account was deleted. */
  uploader: Schema.NullOr(Schema.fromJsonString(UserRow))
})
export type ReleaseAssetRow = typeof ReleaseAssetRow.Type

/** An asset in the JSON of its release. */
export const AssetOfRelease = Schema.Struct({ ...columns, uploader: Schema.NullOr(UserRow) })
export type AssetOfRelease = typeof AssetOfRelease.Type

/** SQL of the assets of the release in table `release` as an array in JSON, in the order of their ids. */
export const assetsJson = (fragments: SqlFragments.SqlFragments, release: string): string => {
  const { jsonArray, jsonObject, jsonText } = fragments
  const members = Object.fromEntries(Object.keys(columns).map((name) => [name, `a.${name}`]))
  const uploader = `CASE WHEN u.id IS NULL THEN NULL ELSE ${accountObject(fragments, "u")} END`
  const ids = `SELECT * FROM release_assets WHERE release_id = ${release}.id ORDER BY id`
  return `(SELECT ${jsonText(jsonArray(jsonObject({ ...members, uploader })))}
    FROM (${ids}) a LEFT JOIN users u ON u.id = a.uploader_id)`
}

const one = decodeFirstRow(ReleaseAssetRow)
const all = decodeRows(ReleaseAssetRow)
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))
const digestRows = decodeRows(Schema.Struct({ digest: Schema.String }))

/** An asset to add, created now by default. */
export interface NewReleaseAsset {
  readonly release_id: number
  readonly uploader_id: number
  readonly name: string
  readonly label: string | null
  readonly content_type: string
  readonly size: number
  readonly digest: string
  readonly created_at?: string | undefined
}

/** Reads and writes assets of releases. */
export class ReleaseAssetRows extends Context.Service<
  ReleaseAssetRows,
  {
    /** Returns a page of the assets of a release, oldest first. */
    list(releaseId: number, page: PageRequest): Effect.Effect<Slice<ReleaseAssetRow>>
    count(releaseId: number): Effect.Effect<number>
    /** Finds an asset in a repository. */
    find(repositoryId: number, id: number): Effect.Effect<ReleaseAssetRow | undefined>
    byName(releaseId: number, name: string): Effect.Effect<ReleaseAssetRow | undefined>
    /** Adds an asset. Undefined if the release has one with this name. */
    add(asset: NewReleaseAsset): Effect.Effect<number | undefined>
    /** Changes name and label. The name must be free. */
    update(id: number, change: { readonly name: string; readonly label: string | null }): Effect.Effect<void>
    remove(id: number): Effect.Effect<void>
    countDownload(id: number): Effect.Effect<void>
    /** Digests of the files of a release, or of a repository's releases. */
    digests(
      of: { readonly releaseId: number } | { readonly repositoryId: number }
    ): Effect.Effect<ReadonlyArray<string>>
    /** Waits for other writers, and returns whether an asset has the file with this digest. */
    isReferenced(digest: string): Effect.Effect<boolean>
  }
>()("@tongs/service/releases/ReleaseAssetRows") {
  static readonly layer = Layer.effect(
    ReleaseAssetRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
      const selected = sql.literal(`
        SELECT ${Object.keys(columns)
          .map((name) => `a.${name}`)
          .join(", ")}, ${accountJson(SqlFragments.make(sql), "u")} AS uploader
        FROM release_assets a LEFT JOIN users u ON u.id = a.uploader_id`)
      const count = (releaseId: number) =>
        decodeCount(sql`SELECT count(*) AS count FROM release_assets WHERE release_id = ${releaseId}`)

      return ReleaseAssetRows.of({
        list: Effect.fn("ReleaseAssetRows.list")(function* (releaseId, { offset, perPage }) {
          const items = yield* all(
            sql`${selected} WHERE a.release_id = ${releaseId} ORDER BY a.id LIMIT ${perPage} OFFSET ${offset}`
          )
          return { items, total: yield* count(releaseId) }
        }),
        count,
        find: (repositoryId, id) =>
          one(sql`
            ${selected} JOIN releases r ON r.id = a.release_id
            WHERE a.id = ${id} AND r.repository_id = ${repositoryId}`),
        byName: (releaseId, name) => one(sql`${selected} WHERE a.release_id = ${releaseId} AND a.name = ${name}`),
        add: Effect.fn("ReleaseAssetRows.add")(function* ({ created_at, ...asset }) {
          const now = created_at ?? timestamp(yield* Clock.currentTimeMillis)
          const row = { ...asset, download_count: 0, created_at: now, updated_at: now }
          const added = yield* inserted(sql`
            INSERT INTO release_assets ${sql.insert(row)} ON CONFLICT (release_id, name) DO NOTHING RETURNING id`)
          return added?.id
        }),
        update: Effect.fnUntraced(function* (
          id: number,
          change: { readonly name: string; readonly label: string | null }
        ) {
          const updated_at = timestamp(yield* Clock.currentTimeMillis)
          yield* run(sql`UPDATE release_assets SET ${sql.update({ ...change, updated_at })} WHERE id = ${id}`)
        }),
        remove: (id) => run(sql`DELETE FROM release_assets WHERE id = ${id}`),
        countDownload: (id) => run(sql`UPDATE release_assets SET download_count = download_count + 1 WHERE id = ${id}`),
        digests: (of) => {
          const where = "releaseId" in of ? sql`r.id = ${of.releaseId}` : sql`r.repository_id = ${of.repositoryId}`
          return Effect.map(
            digestRows(sql`
              SELECT DISTINCT a.digest FROM release_assets a JOIN releases r ON r.id = a.release_id WHERE ${where}`),
            (rows) => rows.map(({ digest }) => digest)
          )
        },
        isReferenced: Effect.fnUntraced(function* (digest: string) {
          // A write, so that PostgreSQL orders it after an upload of the same file in another process.
          yield* run(sql`UPDATE release_assets SET size = size WHERE digest = ${digest}`)
          const count = yield* decodeCount(sql`SELECT count(*) AS count FROM release_assets WHERE digest = ${digest}`)
          return count > 0
        })
      })
    })
  )
}
