/**
 * SQL that SQLite and PostgreSQL write differently. The row services build their statements with these functions, and
 * do not know the database.
 *
 * **Details**
 *
 * Arguments named `expression` are SQL and must not contain text of users.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

export interface SqlFragments {
  /**
   * A column with a name, for comparisons, sorting and conflict targets that ignore the case of ASCII letters. In
   * SQLite the column has the collation NOCASE, in PostgreSQL the index has the lower case.
   */
  readonly name: (expression: string) => Fragment
  /** Condition: a column has a name, ignoring the case of ASCII letters. */
  readonly hasName: (expression: string, name: string) => Fragment
  /** An object in JSON. The values are expressions. */
  readonly jsonObject: (members: Readonly<Record<string, string>>) => string
  /** An aggregate: the array in JSON of an expression's values. */
  readonly jsonArray: (expression: string) => string
  /** An aggregate: an object in JSON of names and values. */
  readonly jsonMembers: (name: string, value: string) => string
  /** A text in JSON as a part of `jsonObject`, `jsonArray` or `jsonMembers`. */
  readonly json: (expression: string) => string
  /** The text of `jsonObject`, `jsonArray` or `jsonMembers`, as a result column. */
  readonly jsonText: (expression: string) => string
  /** The first number of an array in JSON. Null if the text is null. */
  readonly firstOfJson: (expression: string) => string
  /** Condition: an array of texts in JSON has one of the values. */
  readonly jsonHasAny: (expression: string, values: ReadonlyArray<string>) => Fragment
  /** Condition: a number is one of the values. The statement is the same for any number of values. */
  readonly isOneOf: (expression: string, values: ReadonlyArray<number>) => Fragment
  /** Condition: a text is one of the values. The statement is the same for any number of values. */
  readonly isOneOfTexts: (expression: string, values: ReadonlyArray<string>) => Fragment
  /** Condition: a column has one of the names, ignoring the case of ASCII letters. */
  readonly hasOneOfNames: (expression: string, names: ReadonlyArray<string>) => Fragment
  /** A table of pairs of numbers, with the columns `first` and `second`. */
  readonly numberPairs: (pairs: ReadonlyArray<readonly [number, number]>) => Fragment
  /** Condition: a time (ISO 8601 with any offset) is at or before another one. */
  readonly isNotAfter: (expression: string, time: string) => Fragment
  /** Condition: a row of `issue_texts` has all words, in any order. */
  readonly hasWords: (alias: string, words: ReadonlyArray<string>) => Fragment
  /** A table of the ids of the rows of `issue_texts` that have all words, in any order. */
  readonly idsWithWords: (words: ReadonlyArray<string>) => Fragment
  /** An aggregate: the integers of an expression, separated by commas. Null without rows. */
  readonly numberList: (expression: string) => string
  /** Condition: a text contains another one, ignoring the case of ASCII letters. */
  readonly contains: (expression: string, text: string) => Fragment
  /** The larger one of two numbers that are not null. */
  readonly greatest: (one: string, other: string) => string
  /** Names the index to use. SQLite estimates the number of rows by rules of thumb, PostgreSQL by statistics. */
  readonly indexedBy: (index: string) => Fragment
  /** Statement after rows with given ids: the next id of the table is larger. In SQLite it is so without a statement. */
  readonly followIds: (table: string) => Effect.Effect<void>
}

/** Returns the fragments of the client's database. */
export const make = (sql: SqlClient.SqlClient): SqlFragments =>
  sql.onDialectOrElse({ pg: () => postgres(sql), orElse: () => sqlite(sql) })

const membersOf = (members: Readonly<Record<string, string>>) =>
  Object.entries(members)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(", ")

const sqlite = (sql: SqlClient.SqlClient): SqlFragments => {
  const isOneOf = (expression: string, values: ReadonlyArray<number | string>) =>
    sql`${sql.literal(expression)} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`
  const idsWithWords = (words: ReadonlyArray<string>) => sql`(
    SELECT rowid AS id FROM issue_words WHERE issue_words MATCH ${words.map((word) => `"${word}"`).join(" ")})`
  return {
    contains: (expression, text) => sql`instr(lower(${sql.literal(expression)}), lower(${text})) > 0`,
    greatest: (one, other) => `max(${one}, ${other})`,
    name: (expression) => sql.literal(expression),
    hasName: (expression, name) => sql`${sql.literal(expression)} = ${name}`,
    jsonObject: (members) => `json_object(${membersOf(members)})`,
    jsonArray: (expression) => `json_group_array(${expression})`,
    jsonMembers: (name, value) => `json_group_object(${name}, ${value})`,
    json: (expression) => `json(${expression})`,
    jsonText: (expression) => expression,
    firstOfJson: (expression) => `json_extract(${expression}, '$[0]')`,
    jsonHasAny: (expression, values) =>
      sql`EXISTS (SELECT 1 FROM json_each(${sql.literal(expression)}) WHERE ${sql.in("value", values)})`,
    isOneOf,
    isOneOfTexts: isOneOf,
    hasOneOfNames: isOneOf,
    numberPairs: (pairs) => sql`(
      SELECT json_extract(value, '$[0]') AS first, json_extract(value, '$[1]') AS second
      FROM json_each(${JSON.stringify(pairs)}))`,
    isNotAfter: (expression, time) => sql`datetime(${sql.literal(expression)}) <= datetime(${time})`,
    hasWords: (alias, words) => sql`${sql.literal(alias)}.id IN ${idsWithWords(words)}`,
    idsWithWords,
    numberList: (expression) => `group_concat(${expression})`,
    indexedBy: (index) => sql.literal(`INDEXED BY ${index}`),
    followIds: () => Effect.void
  }
}

/** Replaces NUL characters and lone surrogates, which PostgreSQL's texts and JSON cannot have, by U+FFFD. */
export const storable = (text: string) => text.toWellFormed().replaceAll("\0", "\uFFFD")

/** Lower case of ASCII letters, as in the indexes on names. */
export const lower = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

const postgres = (sql: SqlClient.SqlClient): SqlFragments => {
  const hasWords = (alias: string, words: ReadonlyArray<string>) =>
    sql`string_to_array(${sql.literal(alias)}.words, ' ') @> string_to_array(${words.join(" ")}, ' ')`
  return {
    contains: (expression, text) => sql`strpos(lower(${sql.literal(expression)}), lower(${text})) > 0`,
    greatest: (one, other) => `greatest(${one}, ${other})`,
    name: (expression) => sql.literal(`lower(${expression})`),
    hasName: (expression, name) => sql`lower(${sql.literal(expression)}) = lower(${name} COLLATE "C")`,
    jsonObject: (members) => `json_build_object(${membersOf(members)})`,
    jsonArray: (expression) => `coalesce(json_agg(${expression}), '[]')`,
    jsonMembers: (name, value) => `coalesce(json_object_agg(${name}, ${value}), '{}')`,
    json: (expression) => `CAST(${expression} AS json)`,
    jsonText: (expression) => `CAST(${expression} AS text)`,
    firstOfJson: (expression) => `CAST(CAST(${expression} AS json) ->> 0 AS bigint)`,
    jsonHasAny: (expression, values) =>
      sql`EXISTS (SELECT 1 FROM jsonb_array_elements_text(CAST(${sql.literal(expression)} AS jsonb))
      WHERE ${sql.in("value", values)})`,
    isOneOf: (expression, values) =>
      sql`${sql.literal(expression)} IN (
      SELECT CAST(value AS bigint) FROM jsonb_array_elements_text(CAST(${JSON.stringify(values)} AS jsonb)))`,
    isOneOfTexts: (expression, values) =>
      sql`${sql.literal(expression)} IN (
      SELECT value FROM jsonb_array_elements_text(CAST(${JSON.stringify(values.map(storable))} AS jsonb)))`,
    hasOneOfNames: (expression, names) =>
      sql`lower(${sql.literal(expression)}) IN (
      SELECT lower(value COLLATE "C")
      FROM jsonb_array_elements_text(CAST(${JSON.stringify(names.map(storable))} AS jsonb)))`,
    numberPairs: (pairs) => sql`(
    SELECT CAST(value ->> 0 AS bigint) AS first, CAST(value ->> 1 AS bigint) AS second
    FROM jsonb_array_elements(CAST(${JSON.stringify(pairs)} AS jsonb)))`,
    isNotAfter: (expression, time) =>
      sql`CAST(${sql.literal(expression)} AS timestamptz) <= CAST(${time} AS timestamptz)`,
    hasWords,
    idsWithWords: (words) => sql`(SELECT w.id FROM issue_texts w WHERE ${hasWords("w", words)})`,
    numberList: (expression) => `string_agg(CAST(${expression} AS text), ',')`,
    indexedBy: () => sql.literal(""),
    followIds: (table) =>
      Effect.orDie(
        Effect.asVoid(sql`
        SELECT setval(pg_get_serial_sequence(${table}, 'id'), greatest(1, max(id)))
        FROM ${sql(table)} HAVING max(id) > nextval(pg_get_serial_sequence(${table}, 'id'))`)
      )
  }
}
