/** A database as the source or the target of a copy: tables whose rows are read and written in the order of their keys. */
import * as Schema from "effect/Schema"
import type * as Effect from "effect/Effect"

export type Value = number | string | Uint8Array | null

export type Row = Readonly<Record<string, Value>>

/** A table. SQLite describes the tables of both databases, because their schemas are equal. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** The columns of the primary key. All columns of a table without a primary key. */
  readonly key: ReadonlyArray<string>
  /** Columns whose order ignores the case of ASCII letters. */
  readonly names: ReadonlySet<string>
  /** True if new rows get the next number of a sequence. */
  readonly isCounted: boolean
}

/** Changes of the rows of a table. */
export interface Changes {
  readonly inserted: ReadonlyArray<Row>
  readonly updated: ReadonlyArray<Row>
  readonly deleted: ReadonlyArray<Row>
}

export interface CopyStore {
  /** Prepares the target. Fails if the target has rows that no earlier copy wrote. */
  readonly begin: Effect.Effect<void, CopyFailed>
  /** Ends the copy to the target. */
  readonly end: Effect.Effect<void, CopyFailed>
  /** Name of the database in messages. */
  readonly name: string
  /** True if texts must not have null characters. */
  readonly refusesNull: boolean
  /** Number of the last migration of the schema. */
  readonly version: Effect.Effect<number, CopyFailed>
  readonly count: (table: Table) => Effect.Effect<number, CopyFailed>
  /** Reads at most `limit` rows after a row, in the order of the key. */
  readonly page: (table: Table, after: Row | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, CopyFailed>
  /** Writes changes in one transaction. */
  readonly write: (table: Table, changes: Changes) => Effect.Effect<void, CopyFailed>
  /** The last number of a table's sequence. */
  readonly sequence: (table: Table) => Effect.Effect<number, CopyFailed>
  readonly setSequence: (table: Table, last: number) => Effect.Effect<void, CopyFailed>
}

/** Query of `version`, for both databases. */
export const VERSION = "SELECT max(migration_id) AS version FROM effect_sql_migrations"

/** A copy that cannot start or go on. `hint` is the next step. */
export class CopyFailed extends Schema.TaggedError<CopyFailed>()("CopyFailed", {
  detail: Schema.String,
  hint: Schema.String
}) {
  override get message() {
    return `${this.detail}. ${this.hint}.`
  }
}
