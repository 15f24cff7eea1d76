/** The size of the built client in the bundle of a web page. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as BundleSize from "../bench/size/BundleSize.ts"

/** Maximum size in bytes, minified and with gzip. */
const INITIAL = 61_500
const ON_DEMAND = 10_700

it.live("is small in a browser, and contains neither schemas nor the declarations of the contract", () =>
  Effect.gen(function* () {
    const { code, gzipped, onDemand } = yield* BundleSize.make(`export { createForge } from "@tongs/client"`)
    assert.isBelow(gzipped, INITIAL)
    assert.isBelow(onDemand, ON_DEMAND)
    assert.include(code, "tongs/client")
    assert.notMatch(code, /effect\/Schema|SchemaAST|HttpApi/)
  })
)
