/**
 * The schema of a database as lines, which are equal for SQLite and PostgreSQL if the schemas mean the same. A name that
 * ignores case is `lower(name)`: in SQLite the column has the collation NOCASE, in PostgreSQL the index has the lower case.
 * The index of words (`issue_words`) is left out: an index in PostgreSQL, a table that triggers fill in SQLite.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

interface Column {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly required: number
  readonly given: string | null
  readonly identity: number
}

interface Key {
  readonly table: string
  /** Columns, separated by commas. */
  readonly columns: string
}

interface ForeignKey extends Key {
  readonly target: string
  readonly onDelete: string
  readonly onUpdate: string
}

interface Index extends Key {
  readonly name: string
  readonly isUnique: number
  readonly condition: string | null
}

interface Check {
  readonly table: string
  readonly condition: string
}

interface Trigger {
  readonly table: string
  /** `INSERT`, `UPDATE` or `DELETE`. */
  readonly event: string
}

interface Tables {
  readonly columns: ReadonlyArray<Column>
  readonly primaryKeys: ReadonlyArray<Key>
  readonly foreignKeys: ReadonlyArray<ForeignKey>
  readonly indexes: ReadonlyArray<Index>
  readonly checks: ReadonlyArray<Check>
  readonly triggers: ReadonlyArray<Trigger>
}

/** A condition or default in the same spelling for both. PostgreSQL adds types and parentheses. */
const plain = (expression: string | null) =>
  (expression ?? "").replaceAll(/::\w+|[()\s]/g, "").replace(/COLLATE"C"/g, "")

const lines = ({ checks, columns, foreignKeys, indexes, primaryKeys, triggers }: Tables): ReadonlyArray<string> =>
  [
    ...columns.map(
      ({ given, identity, name, required, table, type }) =>
        `${table}: column ${name} ${type}${required === 1 ? " NOT NULL" : ""}` +
        `${given === null ? "" : ` DEFAULT ${plain(given)}`}${identity === 1 ? " IDENTITY" : ""}`
    ),
    ...primaryKeys.map(({ columns, table }) => `${table}: primary key ${columns}`),
    ...foreignKeys.map(
      ({ columns, onDelete, onUpdate, table, target }) =>
        `${table}: foreign key ${columns} of ${target} ON DELETE ${onDelete} ON UPDATE ${onUpdate}`
    ),
    // The constraint UNIQUE has an index without a name of its own.
    ...indexes.map(
      ({ columns, condition, isUnique, name, table }) =>
        `${table}: ${isUnique === 1 ? "unique" : `index ${name}`} ${columns}${condition === null ? "" : ` WHERE ${plain(condition)}`}`
    ),
    ...checks.map(({ condition, table }) => `${table}: check ${plain(condition)}`),
    ...triggers.map(({ event, table }) => `${table}: trigger after ${event}`)
  ].toSorted()

const sqlite = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const tables = sql`(
    SELECT s.name, s.sql FROM sqlite_schema s JOIN pragma_table_list l ON l.name = s.name
    WHERE l.schema = 'main' AND l.type = 'table' AND s.name NOT LIKE 'sqlite_%' AND s.name <> 'effect_sql_migrations') t`
  const columns = yield* sql<Column>`
    SELECT t.name AS "table", c.name AS name, c.type AS type, (c."notnull" OR c.pk > 0) AS required,
      c.dflt_value AS given, c.pk = 1 AND t.sql LIKE '%AUTOINCREMENT%' AS identity
    FROM ${tables}, pragma_table_info(t.name) c`
  /** A primary key with a name that ignores case is a unique index in PostgreSQL, which has no keys of expressions. */
  const isUniqueIndex = sql`EXISTS (SELECT 1 FROM pragma_index_list(t.name) p, pragma_index_xinfo(p.name) x
    WHERE p.origin = 'pk' AND x.key = 1 AND x.coll = 'NOCASE')`
  const primaryKeys = yield* sql<Key>`
    SELECT t.name AS "table", group_concat(c.name, ',' ORDER BY c.pk) AS columns
    FROM ${tables}, pragma_table_info(t.name) c WHERE c.pk > 0 AND NOT ${isUniqueIndex} GROUP BY t.name`
  const foreignKeys = yield* sql<ForeignKey>`
    SELECT t.name AS "table", group_concat(f."from", ',' ORDER BY f.seq) AS columns,
      f."table" || ' ' || group_concat(f."to", ',' ORDER BY f.seq) AS target,
      f.on_delete AS onDelete, f.on_update AS onUpdate
    FROM ${tables}, pragma_foreign_key_list(t.name) f GROUP BY t.name, f.id`
  const indexes = yield* sql<Index>`
    SELECT t.name AS "table", i.name AS name, i."unique" AS isUnique,
      (SELECT group_concat(CASE x.coll WHEN 'NOCASE' THEN 'lower(' || x.name || ')' ELSE x.name END, ',' ORDER BY x.seqno)
        FROM pragma_index_xinfo(i.name) x WHERE x.key = 1) AS columns,
      CASE i.partial WHEN 1 THEN
        (SELECT substr(s.sql, instr(s.sql, 'WHERE ') + 6) FROM sqlite_schema s WHERE s.name = i.name) END AS condition
    FROM ${tables}, pragma_index_list(t.name) i WHERE i.origin <> 'pk' OR ${isUniqueIndex}`
  const created = yield* sql<{ readonly table: string; readonly text: string }>`
    SELECT t.name AS "table", t.sql AS text FROM ${tables}`
  const triggers = yield* sql<Trigger>`
    SELECT tbl_name AS "table", substr(name, length(tbl_name) + 2) AS event FROM sqlite_schema
    WHERE type = 'trigger' AND sql NOT LIKE '%issue_words%'`
  return {
    columns,
    primaryKeys,
    foreignKeys,
    indexes,
    checks: created.flatMap(({ table, text }) =>
      [...text.matchAll(/\bCHECK (.*?),?\n/g)].map(([, condition = ""]) => ({ table, condition }))
    ),
    triggers: triggers.map(({ event, table }) => ({ table, event: event.toUpperCase() }))
  } satisfies Tables
})

const postgres = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const isTable = sql`c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND c.relname <> 'effect_sql_migrations'`
  /** The names of a constraint's columns. */
  const namesOf = (table: string, numbers: string) =>
    sql.literal(`(SELECT string_agg(a.attname::text, ',' ORDER BY u.position)
      FROM unnest(${numbers}) WITH ORDINALITY AS u (number, position)
      JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = u.number)`)
  const columns = yield* sql<Column>`
    SELECT c.relname::text AS table, a.attname::text AS name,
      CASE format_type(a.atttypid, a.atttypmod) WHEN 'bigint' THEN 'INTEGER' WHEN 'double precision' THEN 'REAL'
        WHEN 'bytea' THEN 'BLOB' WHEN 'text' THEN CASE l.collname WHEN 'C' THEN 'TEXT' ELSE 'TEXT ' || l.collname END
        ELSE format_type(a.atttypid, a.atttypmod) END AS type,
      a.attnotnull AS required, pg_get_expr(d.adbin, d.adrelid) AS given, a.attidentity <> '' AS identity
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_collation l ON l.oid = a.attcollation
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE ${isTable}`
  const primaryKeys = yield* sql<Key>`
    SELECT c.relname::text AS table, ${namesOf("k.conrelid", "k.conkey")} AS columns
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'p' AND ${isTable}`
  const action = (column: string) =>
    sql.literal(`CASE ${column} WHEN 'a' THEN 'NO ACTION' WHEN 'c' THEN 'CASCADE'
    WHEN 'n' THEN 'SET NULL' WHEN 'd' THEN 'SET DEFAULT' ELSE 'RESTRICT' END`)
  const foreignKeys = yield* sql<ForeignKey>`
    SELECT c.relname::text AS table, ${namesOf("k.conrelid", "k.conkey")} AS columns,
      t.relname || ' ' || ${namesOf("k.confrelid", "k.confkey")} AS target,
      ${action("k.confdeltype")} AS "onDelete", ${action("k.confupdtype")} AS "onUpdate"
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
    WHERE k.contype = 'f' AND ${isTable}`
  const indexes = yield* sql<Index>`
    SELECT c.relname::text AS table, n.relname::text AS name, i.indisunique AS "isUnique",
      (SELECT string_agg(pg_get_indexdef(i.indexrelid, k, true), ',' ORDER BY k)
        FROM generate_series(1, i.indnkeyatts) k) AS columns,
      pg_get_expr(i.indpred, i.indrelid) AS condition
    FROM pg_index i JOIN pg_class n ON n.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid
    WHERE NOT i.indisprimary AND n.relname <> 'issue_words' AND ${isTable}`
  const checks = yield* sql<Check>`
    SELECT c.relname::text AS table, pg_get_expr(k.conbin, k.conrelid) AS condition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE k.contype = 'c' AND ${isTable}`
  // The trigger that orders writes is on all tables, and SQLite has one writer at a time.
  const triggers = yield* sql<Trigger>`
    SELECT event_object_table::text AS table, event_manipulation::text AS event FROM information_schema.triggers
    WHERE trigger_name <> 'order_writes' AND action_timing = 'AFTER'`
  return { columns, primaryKeys, foreignKeys, indexes, checks, triggers } satisfies Tables
})

/** Returns the lines of the client's database, sorted. */
export const describe = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> => {
  const tables = sql.onDialectOrElse({
    pg: (): Effect.Effect<Tables, SqlError> => postgres(sql),
    orElse: (): Effect.Effect<Tables, SqlError> => sqlite(sql)
  })
  return Effect.map(tables, lines)
}
