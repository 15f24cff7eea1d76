/** Database rows of releases. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { accountJson, UserRow } from "../accounts/UserRows.ts"
import type { PageRequest, Slice } from "../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../storage/RowDecoder.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { AssetOfRelease, assetsJson } from "./ReleaseAssetRows.ts"

const columns = {
  id: Schema.Int,
  repository_id: Schema.Int,
  author_id: Schema.NullOr(Schema.Int),
  tag_name: Schema.String,
  target_commitish: Schema.String,
  name: Schema.NullOr(Schema.String),
  body: Schema.NullOr(Schema.String),
  /** 0 or 1, as the next two. */
  draft: Schema.Int,
  prerelease: Schema.Int,
  immutable: Schema.Int,
  /** Orders the releases that became the latest one. Null if the release never did. */
  latest: Schema.NullOr(Schema.Int),
  mentions_count: Schema.Int,
  created_at: Schema.String,
  published_at: Schema.NullOr(Schema.String),
  updated_at: Schema.String
}

/** A release with its assets and the numbers of reactions. Timestamps are ISO 8601. */
export const ReleaseRow = Schema.Struct({
  ...columns,
  /** Null if the account was deleted. */
  author: Schema.NullOr(Schema.fromJsonString(UserRow)),
  assets: Schema.fromJsonString(Schema.Array(AssetOfRelease)),
  reactions: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))
})
export type ReleaseRow = typeof ReleaseRow.Type

/** The columns of a release that requests change. */
export type ReleaseColumns = Omit<ReleaseRow, "id" | "repository_id" | "author_id" | "author" | "assets" | "reactions">

/** A release to add. */
export type NewReleaseRow = ReleaseColumns & { readonly repository_id: number; readonly author_id: number }

/** The order of a list, newest first by default. */
export interface ReleaseOrder {
  readonly field: "created_at" | "name"
  readonly descending: boolean
}

const byDate: ReleaseOrder = { field: "created_at", descending: true }

const one = decodeFirstRow(ReleaseRow)
const all = decodeRows(ReleaseRow)
const inserted = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Reads and writes releases. */
export class ReleaseRows extends Context.Service<
  ReleaseRows,
  {
    /** Returns a page of the releases of a repository. */
    list(
      repositoryId: number,
      withDrafts: boolean,
      page: Pick<PageRequest, "offset" | "perPage">,
      order?: ReleaseOrder
    ): Effect.Effect<Slice<ReleaseRow> & { readonly total: number }>
    find(repositoryId: number, id: number): Effect.Effect<ReleaseRow | undefined>
    /** Finds a release of any repository. */
    byId(id: number): Effect.Effect<ReleaseRow | undefined>
    /** Finds the published release with a tag. With drafts, the newest draft with the tag if none is published. */
    byTag(repositoryId: number, tag: string, withDrafts?: boolean): Effect.Effect<ReleaseRow | undefined>
    /** Finds the latest release: never a draft or a prerelease. */
    latest(repositoryId: number): Effect.Effect<ReleaseRow | undefined>
    /** Returns the order number for a release that becomes the latest one. */
    nextLatest(repositoryId: number): Effect.Effect<number>
    /** Adds a release. Undefined if a published release has the tag. */
    add(release: NewReleaseRow): Effect.Effect<number | undefined>
    /** Changes a release. False if another published release has the tag. */
    update(id: number, change: Partial<ReleaseColumns>): Effect.Effect<boolean>
    remove(id: number): Effect.Effect<void>
  }
>()("@tongs/service/releases/ReleaseRows") {
  static readonly layer = Layer.effect(
    ReleaseRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const fragments = SqlFragments.make(sql)
      const { jsonMembers, jsonText } = fragments
      const own = Object.keys(columns).map((name) => `r.${name}`)
      const selected = sql.literal(`
        SELECT ${own.join(", ")}, ${accountJson(fragments, "author")} AS author, ${assetsJson(fragments, "r")} AS assets,
          (SELECT ${jsonText(jsonMembers("content", "count"))} FROM (
            SELECT content, count(*) AS count FROM reactions WHERE release_id = r.id GROUP BY content) counts
          ) AS reactions
        FROM releases r LEFT JOIN users author ON author.id = r.author_id`)
      const visible = (repositoryId: number, withDrafts: boolean) =>
        withDrafts ? sql`r.repository_id = ${repositoryId}` : sql`r.repository_id = ${repositoryId} AND r.draft = 0`

      return ReleaseRows.of({
        list: Effect.fn("ReleaseRows.list")(function* (repositoryId, withDrafts, page, order = byDate) {
          const direction = order.descending ? "DESC" : "ASC"
          const by = order.field === "name" ? "coalesce(r.name, r.tag_name)" : "r.created_at"
          const items = yield* all(sql`
            ${selected} WHERE ${visible(repositoryId, withDrafts)}
            ORDER BY ${sql.literal(`${by} ${direction}, r.id ${direction}`)}
            LIMIT ${page.perPage} OFFSET ${page.offset}`)
          const total = yield* decodeCount(
            sql`SELECT count(*) AS count FROM releases r WHERE ${visible(repositoryId, withDrafts)}`
          )
          return { items, total }
        }),
        find: (repositoryId, id) => one(sql`${selected} WHERE r.id = ${id} AND r.repository_id = ${repositoryId}`),
        byId: (id) => one(sql`${selected} WHERE r.id = ${id}`),
        byTag: (repositoryId, tag, withDrafts = false) =>
          one(sql`
            ${selected} WHERE ${visible(repositoryId, withDrafts)} AND r.tag_name = ${tag}
            ORDER BY r.draft, r.id DESC LIMIT 1`),
        latest: (repositoryId) =>
          one(sql`
            ${selected} WHERE ${visible(repositoryId, false)} AND r.prerelease = 0
            ORDER BY coalesce(r.latest, 0) DESC, r.created_at DESC, r.id DESC LIMIT 1`),
        nextLatest: (repositoryId) =>
          decodeCount(
            sql`SELECT coalesce(max(latest), 0) + 1 AS count FROM releases WHERE repository_id = ${repositoryId}`
          ),
        add: (release) =>
          Effect.map(
            inserted(sql`INSERT INTO releases ${sql.insert(release)} ON CONFLICT DO NOTHING RETURNING id`),
            (row) => row?.id
          ),
        update: Effect.fnUntraced(function* (id: number, change: Partial<ReleaseColumns>) {
          const taken = yield* decodeCount(sql`
            SELECT count(*) AS count FROM releases o JOIN releases r ON r.id = ${id}
            WHERE o.repository_id = r.repository_id AND o.id <> r.id AND o.draft = 0
              AND ${change.draft ?? sql`r.draft`} = 0 AND o.tag_name = ${change.tag_name ?? sql`r.tag_name`}`)
          if (taken > 0) return false
          yield* Effect.orDie(sql`UPDATE releases SET ${sql.update(change)} WHERE id = ${id}`)
          return true
        }),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM releases WHERE id = ${id}`))
      })
    })
  )
}
