/** Database rows of secrets and variables, which have the same owners and the same visibility. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { valueVisibilities } from "@tongs/core/contract/groups/OrganizationValues"
import type { PageRequest, Slice } from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import type { RepositoryRow } from "../../repositories/RepositoryRows.ts"
import { decodeCount, decodeFirstRow, decodeRows } from "../../storage/RowDecoder.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"

/** The organization, repository or environment that has a secret or variable. */
export interface ValueOwner {
  readonly kind: "organization" | "repository" | "environment"
  readonly id: number
}

/** Columns of secrets and variables. */
export const valueFields = {
  id: Schema.Int,
  /** In upper case. */
  name: Schema.String,
  /** Only of organizations. */
  visibility: Schema.NullOr(Schema.Literals(valueVisibilities)),
  created_at: Schema.String,
  updated_at: Schema.String
}

const ValueRow = Schema.Struct(valueFields)
export type ValueRow = typeof ValueRow.Type

/** The visibility of a secret or variable of an organization, and its selected repositories. */
export interface Selection {
  readonly visibility?: (typeof valueVisibilities)[number] | undefined
  readonly repositories?: ReadonlyArray<number> | undefined
}

/** Reads and writes secrets or variables. The content is the sealed box of a secret, or the value of a variable. */
export interface ValueRows<Row extends ValueRow> {
  /** Returns a page of an owner's values, by name. */
  list(owner: ValueOwner, page: PageRequest): Effect.Effect<Slice<Row> & { readonly total: number }>
  /** Returns a page of the values of the organization that a repository has, by name. */
  ofOrganization(repository: RepositoryRow, page: PageRequest): Effect.Effect<Slice<Row>>
  find(owner: ValueOwner, name: string): Effect.Effect<Row | undefined>
  count(owner: ValueOwner): Effect.Effect<number>
  /** Adds a value, created now by default. Returns undefined if the owner has one of this name. */
  add(
    owner: ValueOwner,
    value: { readonly name: string; readonly content: string; readonly createdAt?: string | undefined },
    visibility?: Selection["visibility"]
  ): Effect.Effect<number | undefined>
  update(
    id: number,
    change: { readonly name?: string | undefined; readonly content?: string | undefined },
    visibility?: Selection["visibility"]
  ): Effect.Effect<void>
  remove(id: number): Effect.Effect<void>
  /** Returns the ids of the selected repositories. */
  repositories(id: number): Effect.Effect<ReadonlyArray<number>>
  setRepositories(id: number, repositories: ReadonlyArray<number>): Effect.Effect<void>
  addRepository(id: number, repositoryId: number): Effect.Effect<void>
  removeRepository(id: number, repositoryId: number): Effect.Effect<void>
}

const ids = decodeRows(Schema.Struct({ repository_id: Schema.Int }))
const added = decodeFirstRow(Schema.Struct({ id: Schema.Int }))

/** Creates the functions of the table `<noun>s`. `columns` are those of `row`, and `contentColumn` has the content. */
export const make = <Row extends ValueRow, I>(
  sql: SqlClient.SqlClient,
  noun: "secret" | "variable",
  contentColumn: string,
  row: Schema.Codec<Row, I>,
  columns: ReadonlyArray<string>
): ValueRows<Row> => {
  const { isOneOf } = SqlFragments.make(sql)
  const all = decodeRows(row)
  const one = decodeFirstRow(row)
  const table = sql.literal(`${noun}s`)
  const selection = sql.literal(`${noun}_repositories`)
  const key = sql.literal(`${noun}_id`)
  const selected = sql.literal(columns.map((column) => `v.${column}`).join(", "))
  const run = (statement: Effect.Effect<unknown, unknown>) => Effect.orDie(Effect.asVoid(statement))
  const of = ({ id, kind }: ValueOwner) => sql`${sql.literal(`v.${kind}_id`)} = ${id}`

  const page = Effect.fnUntraced(function* (where: Fragment, { offset, perPage }: PageRequest) {
    const items = yield* all(sql`
      SELECT ${selected} FROM ${table} v WHERE ${where} ORDER BY v.name LIMIT ${perPage} OFFSET ${offset}`)
    return { items, total: yield* decodeCount(sql`SELECT count(*) AS count FROM ${table} v WHERE ${where}`) }
  })

  const addRepository = (id: number, repositoryId: number) =>
    run(sql`INSERT INTO ${selection} (${key}, repository_id) VALUES (${id}, ${repositoryId}) ON CONFLICT DO NOTHING`)

  return {
    list: (owner, range) => page(of(owner), range),
    ofOrganization: ({ id, owner, private: hidden }, range) =>
      page(
        sql`v.organization_id = ${owner.id} AND (v.visibility = 'all'
          OR (v.visibility = 'private' AND ${hidden} = 1)
          OR (v.visibility = 'selected' AND EXISTS (
            SELECT 1 FROM ${selection} s WHERE s.${key} = v.id AND s.repository_id = ${id})))`,
        range
      ),
    find: (owner, name) =>
      one(sql`SELECT ${selected} FROM ${table} v WHERE ${of(owner)} AND v.name = ${name.toUpperCase()}`),
    count: (owner) => decodeCount(sql`SELECT count(*) AS count FROM ${table} v WHERE ${of(owner)}`),
    add: Effect.fnUntraced(function* ({ id, kind }, { content, createdAt, name }, visibility) {
      const now = createdAt ?? timestamp(yield* Clock.currentTimeMillis)
      const values = {
        [`${kind}_id`]: id,
        [contentColumn]: content,
        name: name.toUpperCase(),
        visibility: visibility ?? null,
        created_at: now,
        updated_at: now
      }
      const inserted = yield* added(sql`INSERT INTO ${table} ${sql.insert(values)} ON CONFLICT DO NOTHING RETURNING id`)
      return inserted?.id
    }),
    update: Effect.fnUntraced(function* (id, { content, name }, visibility) {
      const updated_at = timestamp(yield* Clock.currentTimeMillis)
      const renamed = name === undefined ? {} : { name: name.toUpperCase() }
      const changed = content === undefined ? {} : { [contentColumn]: content }
      const values = { ...changed, ...renamed, ...(visibility === undefined ? {} : { visibility }), updated_at }
      yield* run(sql`UPDATE ${table} SET ${sql.update(values)} WHERE id = ${id}`)
    }),
    remove: (id) => run(sql`DELETE FROM ${table} WHERE id = ${id}`),
    repositories: (id) =>
      Effect.map(ids(sql`SELECT repository_id FROM ${selection} WHERE ${key} = ${id}`), (found) =>
        found.map(({ repository_id }) => repository_id)
      ),
    setRepositories: Effect.fnUntraced(function* (id, repositories) {
      yield* run(sql`DELETE FROM ${selection} WHERE ${key} = ${id}`)
      yield* run(sql`
        INSERT INTO ${selection} (${key}, repository_id)
        SELECT v.id, r.id FROM ${table} v JOIN repositories r ON r.owner_id = v.organization_id
        WHERE v.id = ${id} AND ${isOneOf("r.id", repositories)}`)
    }),
    addRepository,
    removeRepository: (id, repositoryId) =>
      run(sql`DELETE FROM ${selection} WHERE ${key} = ${id} AND repository_id = ${repositoryId}`)
  }
}
