/** Artifacts of workflow runs. The archives are files: see `Archives.ts`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import type { PageRequest } from "../../base/Paging.ts"
import { decodeCount, decodeFirstRow, decodeRows, requireRow } from "../../storage/RowDecoder.ts"

/** An artifact. Timestamps are ISO 8601, the size is in bytes. */
export const ArtifactRow = Schema.Struct({
  id: Schema.Int,
  repository_id: Schema.Int,
  name: Schema.String,
  /** SHA-256 of the archive in hexadecimal. */
  digest: Schema.String,
  size_in_bytes: Schema.Int,
  /** The workflow run that uploaded the artifact. */
  run_id: Schema.NullOr(Schema.Int),
  head_repository_id: Schema.NullOr(Schema.Int),
  head_branch: Schema.NullOr(Schema.String),
  head_sha: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  updated_at: Schema.String,
  expires_at: Schema.String
})
export type ArtifactRow = typeof ArtifactRow.Type

/** Filter and order, by age, of a repository's artifacts. */
export interface ArtifactFilter {
  readonly name?: string | undefined
  /** null selects artifacts without a run. */
  readonly run?: number | null | undefined
  readonly descending: boolean
}

const one = decodeFirstRow(ArtifactRow)
const all = decodeRows(ArtifactRow)
const digests = decodeRows(Schema.Struct({ digest: Schema.String }))

export class ArtifactRows extends Context.Service<
  ArtifactRows,
  {
    list(repositoryId: number, selection: ArtifactFilter, page: PageRequest): Effect.Effect<ReadonlyArray<ArtifactRow>>
    count(repositoryId: number, selection: ArtifactFilter): Effect.Effect<number>
    find(repositoryId: number, id: number): Effect.Effect<ArtifactRow | undefined>
    add(artifact: Omit<ArtifactRow, "id">): Effect.Effect<ArtifactRow>
    remove(id: number): Effect.Effect<void>
    /** True if an artifact uses the archive with this digest. */
    isReferenced(digest: string): Effect.Effect<boolean>
    /** True if an artifact that has not expired references the archive. `at` is ISO 8601. */
    isUnexpired(digest: string, at: string): Effect.Effect<boolean>
    /** Digests of the archives of a repository's artifacts. */
    digests(repositoryId: number): Effect.Effect<ReadonlyArray<string>>
    /** Digests that no unexpired artifact references. `at` is ISO 8601. */
    unreferencedDigests(at: string): Effect.Effect<ReadonlyArray<string>>
  }
>()("@tongs/service/features/artifacts/ArtifactRows") {
  static readonly layer = Layer.effect(
    ArtifactRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const selected = (repositoryId: number, { name, run }: ArtifactFilter) =>
        sql`FROM artifacts WHERE ${sql.and([
          sql`repository_id = ${repositoryId}`,
          ...(name === undefined ? [] : [sql`name = ${name}`]),
          ...(run === undefined ? [] : [sql`run_id IS NOT DISTINCT FROM ${run}`])
        ])}`
      return ArtifactRows.of({
        list: (repositoryId, selection, { offset, perPage }) => {
          const direction = sql.literal(selection.descending ? "DESC" : "ASC")
          return all(sql`
            SELECT * ${selected(repositoryId, selection)}
            ORDER BY created_at ${direction}, id ${direction} LIMIT ${perPage} OFFSET ${offset}`)
        },
        count: (repositoryId, selection) =>
          decodeCount(sql`SELECT count(*) AS count ${selected(repositoryId, selection)}`),
        find: (repositoryId, id) =>
          one(sql`SELECT * FROM artifacts WHERE id = ${id} AND repository_id = ${repositoryId}`),
        add: (artifact) => requireRow(one(sql`INSERT INTO artifacts ${sql.insert(artifact)} RETURNING *`)),
        remove: (id) => Effect.orDie(Effect.asVoid(sql`DELETE FROM artifacts WHERE id = ${id}`)),
        isReferenced: (digest) =>
          Effect.map(
            decodeCount(sql`SELECT count(*) AS count FROM artifacts WHERE digest = ${digest}`),
            (count) => count > 0
          ),
        isUnexpired: (digest, at) =>
          Effect.map(
            decodeCount(sql`SELECT count(*) AS count FROM artifacts WHERE digest = ${digest} AND expires_at > ${at}`),
            (count) => count > 0
          ),
        digests: (repositoryId) =>
          Effect.map(
            digests(sql`SELECT DISTINCT digest FROM artifacts WHERE repository_id = ${repositoryId}`),
            (found) => found.map(({ digest }) => digest)
          ),
        unreferencedDigests: (at) =>
          Effect.map(
            digests(sql`SELECT digest FROM artifacts GROUP BY digest HAVING max(expires_at) <= ${at}`),
            (found) => found.map(({ digest }) => digest)
          )
      })
    })
  )
}
