/** The size of the built client in the bundle of a web page, and the added size per operation. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { entriesOfGroup, groups } from "@tongs/core/contract/CatalogEntry"
import * as BundleSize from "../bench/size/BundleSize.ts"

/** Maximum sizes in bytes, minified and with gzip. */
const INITIAL = 62_000
const FIRST_CALL = 15_000
/** Maximum bytes of a group: a fixed part, and a part per operation. */
const GROUP = 720
const OPERATION = 350
/**
 * Maximum bytes of the table of routes (per operation), of the table of groups (per group), and of the code that reads
 * the tables.
 */
const ROUTE = 12
const LOADER = 40
const READER = 900

const advice = {
  initial:
    "Only the names of the groups may grow with the contract. Load what is new with the first call that needs it.",
  group:
    "Its shapes are too large. Leave out members that nobody needs, declare a resource that occurs twice once, or divide the group.",
  table: "Every first call loads this table. It may have only a short line for each entry."
}

it.live("is small in a browser, and contains neither schemas nor the declarations of the contract", () =>
  Effect.gen(function* () {
    const { code, gzipped, parts } = yield* BundleSize.make(`export { createForge } from "@tongs/client"`)
    assert.isBelow(gzipped, INITIAL, advice.initial)
    assert.include(code, "tongs/client")
    assert.notMatch(code, /effect\/Schema|SchemaAST|HttpApi/)

    const sizes = new Map([...parts].map(([name, size]) => [name.replace(/-.{8}$/, ""), size]))
    const sizeOf = (name: string) =>
      sizes.get(name) ?? assert.fail(`no chunk ${name} in ${[...parts.keys()].join(", ")}`)
    const loaders = sizeOf("GroupTable")
    assert.isBelow(loaders, READER + LOADER * groups.length, advice.table)
    let operations = 0
    for (const group of groups) {
      const { length } = entriesOfGroup(group)
      operations += length
      assert.isBelow(sizeOf(group), GROUP + OPERATION * length, `${group}: ${advice.group}`)
      assert.isBelow(loaders + sizeOf(group), FIRST_CALL, `${group}: ${advice.group}`)
    }
    assert.isBelow(sizeOf("RouteTable"), READER + ROUTE * operations, advice.table)
  })
)
