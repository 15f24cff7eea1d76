/**
 * Loads the fixture file, a JSON file with initial data for the forge. Every key is optional. Rows use the field names
 * of the API. If the file is invalid, nothing is added; the error has the position and the reason.
 */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SqlClient from "effect/sql/SqlClient"
import { codeOf } from "../base/SystemError.ts"
import * as Features from "../features/Features.ts"
import { FixtureError } from "../api/FixtureSection.ts"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const pathOf = (path: ReadonlyArray<PropertyKey>) =>
  path
    .map((key) => (typeof key === "number" || /^\d+$/.test(String(key)) ? `[${String(key)}]` : `.${String(key)}`))
    .join("")

const read = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: (cause) => new FixtureError({ path, detail: unreadable(cause) })
  })
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => new FixtureError({ path, detail: cause instanceof Error ? cause.message : String(cause) })
  })
})

const unreadable = (cause: unknown): string => {
  const code = codeOf(cause)
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "no such file"
    case "EISDIR":
      return "a folder, not a file"
    case "EACCES":
    case "EPERM":
      return "no permission to read it"
    default:
      return `it cannot be read (${String(code ?? cause)})`
  }
}

/** Adds the rows of a fixture file in one transaction. Fails with `FixtureError` if the file is missing or invalid. */
export const load = Effect.fn("Fixtures.load")(function* (file: string) {
  const path = resolve(file)
  const value = yield* read(path)
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return yield* new FixtureError({ path, detail: "the file must contain a JSON object" })
  }
  return yield* add(value, dirname(path))
})

/** Adds rows in one transaction, as from a fixture file in `folder`. Fails with `FixtureError` if a row is invalid. */
export const add = Effect.fn("Fixtures.add")(function* (value: object, folder: string) {
  const known = yield* Features.fixtures(folder)
  const unknown = Object.keys(value).find((key) => !known.some((section) => section.key === key))
  if (unknown !== undefined) {
    const keys = known.map(({ key }) => key).join(", ")
    return yield* new FixtureError({ path: unknown, detail: `unknown key. Use one of ${keys}` })
  }
  const given = new Map(Object.entries(value))
  const decoded = yield* Effect.forEach(known, (section) =>
    // Decodes within the effect, because relative times need the effect's clock.
    Schema.decodeUnknownEffect(Schema.Array(section.row))(given.get(section.key) ?? [], {
      errors: "all",
      onExcessProperty: "error"
    }).pipe(
      Effect.map((rows) => ({ section, rows })),
      Effect.mapError((error) => {
        const [issue] = formatIssue(error.issue).issues
        const keys = (issue?.path ?? []).map((key) => (typeof key === "object" ? key.key : key))
        return new FixtureError({
          path: `${section.key}${pathOf(keys)}`,
          detail: issue?.message ?? "it cannot be read"
        })
      })
    )
  )
  yield* Effect.forEach(decoded, ({ rows, section }) => section.distinct(rows), { discard: true })
  const sql = yield* SqlClient.SqlClient
  yield* sql
    .withTransaction(Effect.forEach(decoded, ({ rows, section }) => section.apply(rows), { discard: true }))
    .pipe(Effect.catchTag("SqlError", Effect.die))
})
