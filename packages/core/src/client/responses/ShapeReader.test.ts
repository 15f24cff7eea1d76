import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { type CatalogEntry, entries, memberNames, payloadSchema, successSchema } from "../../contract/Catalog.ts"
import * as Samples from "../../contract/Samples.test-support.ts"
import * as SchemaShape from "../../contract/SchemaShape.ts"
import type { Shape } from "../../contract/Shape.ts"
import * as ShapeReader from "./ShapeReader.ts"

type Path = ReadonlyArray<string>

/** All members of a value, at any depth. */
const paths = (value: unknown, path: Path = []): ReadonlyArray<Path> =>
  typeof value === "object" && value !== null
    ? Struct.keys(value).flatMap((name) => [[...path, name], ...paths(value[name], [...path, name])])
    : []

const at = (value: unknown, path: Path): Record<string, unknown> =>
  path.reduce((inner: unknown, name) => Object(inner)[name], value) as Record<string, unknown> // oxlint-disable-line typescript/no-unsafe-type-assertion -- a path of an object

/** JSON values of every type, including values that fit another member of the contract. */
const wrong = [
  null,
  17,
  1.5,
  -1,
  1e12,
  "",
  "x",
  "File",
  true,
  {},
  { a: 1 },
  { type: "deletion" },
  { _tag: "x" },
  [],
  ["x"]
]

const isLong = process.env["TONGS_LONG_TESTS"] !== undefined

const MANY_MEMBERS = 12

/** The values for a member: all in `npm run test:long`, a fifth of them otherwise. */
const wrongAt = (index: number) => (isLong ? wrong : wrong.filter((_, at) => at % 5 === index % 5))

/**
 * Copies of a value in which one member is missing, additional or of another type. Of a value with many members,
 * `npm test` changes every fourth: most of them are in other resources too.
 */
const variants = (value: unknown, shift: number): ReadonlyArray<unknown> => [
  value,
  ...wrong,
  ...paths(value).flatMap((path, index, all) => {
    if (!isLong && all.length > MANY_MEMBERS && index % 4 !== shift % 4) return []
    const name = path.at(-1) ?? ""
    const change = (f: (parent: Record<string, unknown>) => void) => {
      const copy = structuredClone(value)
      f(at(copy, path.slice(0, -1)))
      return copy
    }
    return [
      change((parent) => delete parent[name]),
      change((parent) => void (parent["brand_new"] = { a: [] })),
      ...wrongAt(index).map((other) => change((parent) => void (parent[name] = other)))
    ]
  })
]

/** Returns the result of a schema in the form of a reader's. */
const outcomeOf = (exit: Exit.Exit<unknown, Schema.SchemaError>) => {
  if (Exit.isSuccess(exit)) return { value: exit.value }
  const error = Cause.squash(exit.cause)
  return { message: error instanceof Error ? error.message.replace(/\n\s*/g, " ") : "" }
}

const read = (shape: Shape, value: unknown) => {
  const decoded = ShapeReader.make(shape)(value)
  return "value" in decoded ? decoded : { message: decoded.mismatch() }
}

const same = (expected: unknown, actual: unknown, value: unknown) => {
  // A comparison by `assert` of each value takes seconds.
  if (!isDeepStrictEqual(actual, expected))
    assert.deepStrictEqual(actual, expected, JSON.stringify(value).slice(0, 500))
}

type Codec = Schema.Codec<unknown, unknown>
const codec = (schema: Schema.Top): Codec => schema as Codec // oxlint-disable-line typescript/no-unsafe-type-assertion -- declarations do no I/O

const nameOf = ({ group, name }: CatalogEntry) => `${group}.${name}`

describe("a response is decoded as by its schema, with the same message if it differs", () => {
  for (const [index, entry] of entries.filter(({ status }) => status !== 204 && status !== 302).entries()) {
    const schema = successSchema(entry.endpoint)
    it(nameOf(entry), () => {
      const decode = Schema.decodeUnknownExit(codec(schema))
      const shape = SchemaShape.of(schema)
      for (const value of variants(Samples.of(schema), index)) same(outcomeOf(decode(value)), read(shape, value), value)
    })
  }
})

describe("a request body is validated as by its schema", () => {
  for (const [index, entry] of entries.entries()) {
    const schema = payloadSchema(entry.endpoint)
    if (schema === undefined) continue
    it(nameOf(entry), () => {
      const encode = Schema.encodeUnknownExit(codec(schema))
      const shape = SchemaShape.ofType(schema)
      for (const value of variants(Samples.of(schema), index)) same(outcomeOf(encode(value)), read(shape, value), value)
    })
  }
})

describe("a query is validated as by its schema", () => {
  for (const entry of entries) {
    const { query } = entry.endpoint
    if (query === undefined) continue
    it(nameOf(entry), () => {
      const encode = Schema.encodeUnknownExit(codec(query))
      const shape = SchemaShape.ofType(query)
      for (const name of memberNames(query)) {
        for (const text of [...wrong, Number.NaN, 0, 5, 367, "true", "asc", "2026-01-31T12:00:00Z"]) {
          const expected = outcomeOf(encode({ [name]: text }))
          const actual = read(shape, { [name]: text })
          // The schema also formats numbers, as the URL does.
          same("message" in expected ? expected : { value: { [name]: text } }, actual, { [name]: text })
        }
      }
    })
  }
})

it("keeps undeclared members of free-form data, whatever their name", () => {
  const value: unknown = JSON.parse('{"__proto__":"x","a":"y"}')
  assert.deepStrictEqual(read({ object: {}, others: "string" }, value), { value })
})

it("returns a value without undeclared or converted members itself, and never changes it", () => {
  const shape: Shape = { array: { object: { id: "numberAsText", "owner?": { object: { login: "string" } } } } }
  const equal = [{ id: 1 }, { id: 2, owner: { login: "ada", url: "https://forge.example/ada" } }]
  const given = structuredClone(equal)
  assert.deepStrictEqual(read(shape, given), { value: [{ id: "1" }, { id: "2", owner: { login: "ada" } }] })
  assert.deepStrictEqual(given, equal)
  const plain = { object: { "owner?": { object: { login: "string" } } } } as const // a shape
  const same = [{ owner: { login: "ada" } }, {}]
  const decoded = ShapeReader.make({ array: plain })(same)
  assert.isTrue("value" in decoded && decoded.value === same)
})
