import { assert, it, vi } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type CatalogEntry, entries } from "../contract/Catalog.ts"
import * as ClientEndpoint from "./ClientEndpoint.ts"
import { schemaErrorMessage } from "./ResponseDecoder.ts"
import * as Stub from "./TransportStub.test-support.ts"

const entry = (group: string, name: string): CatalogEntry => {
  const found = entries.find((entry) => entry.group === group && entry.name === name)
  assert.isDefined(found)
  return found
}

/** Waits until the compiler is loaded. */
const compiled = Effect.promise(() => import("effect/schema/SchemaJITCompiler")).pipe(
  Effect.andThen(Effect.promise(() => new Promise((resolve) => setImmediate(resolve))))
)

it.live("gives the same values and errors when compiled", () =>
  Effect.gen(function* () {
    const { decode } = ClientEndpoint.make(entry("gitRefs", "get"))
    const right = { ...Stub.gitRef("refs/heads/a"), news: 1 }
    const wrongs = [null, [], {}, { ...right, ref: 1 }, { ...right, object: { ...right.object, sha: "short" } }]
    const results = () => [
      decode(right),
      ...wrongs.map((wrong) => Exit.mapError(decode(wrong), String)),
      ...wrongs.map((wrong) => {
        const exit = decode(wrong)
        return Exit.isFailure(exit) ? schemaErrorMessage(exit.cause) : ""
      })
    ]
    const interpreted = results()
    for (let count = 0; count < 20; count++) decode(right)
    yield* compiled
    assert.deepStrictEqual(results(), interpreted)
    assert.include(interpreted.at(-1), '["object"]["sha"]')
  })
)

it.live("compiles every schema of the contract to an equivalent decoder", () =>
  Effect.gen(function* () {
    for (const entry of entries) {
      const { decode, route } = ClientEndpoint.make(entry)
      const before = decode({ id: "x" })
      for (let count = 0; count < 20; count++) decode(undefined)
      yield* compiled
      assert.strictEqual(String(decode({ id: "x" })), String(before), route)
    }
  })
)

it("falls back to the interpreter if the compiler cannot be loaded", async () => {
  const load = vi.fn(() => Promise.reject(new Error("no such file")))
  vi.doMock("effect/schema/SchemaJITCompiler", load)
  const { decode } = ClientEndpoint.make(entry("gitRefs", "get"))
  for (let count = 0; count < 20; count++) decode(null)
  await vi.waitFor(() => {
    assert.strictEqual(load.mock.calls.length, 1)
  })
  vi.doUnmock("effect/schema/SchemaJITCompiler")
  assert.isTrue(Exit.isSuccess(decode(Stub.gitRef("refs/heads/a"))))
})
