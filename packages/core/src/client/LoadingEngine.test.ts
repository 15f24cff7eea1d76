import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import { Scheduler } from "../limits/Scheduler.ts"
import { forgeContract as declared } from "./contract/ForgeContract.ts"
import { forgeContract as packed } from "./contract/PackedForgeContract.ts"
import type { LoadableContract } from "./EndpointDescription.ts"
import * as Engine from "./Engine.ts"
import * as LoadingEngine from "./LoadingEngine.ts"
import * as Stub from "./TransportStub.test-support.ts"

const make = Effect.fnUntraced(function* (contract: LoadableContract) {
  const { client } = Stub.make(({ url }) =>
    Stub.json(url.pathname.endsWith("/tags") ? [] : Stub.gitRef("refs/heads/a"))
  )
  const engine = yield* Engine.make({ baseUrl: "https://forge.test" }, client, contract)
  return LoadingEngine.make(engine, contract)
}, Effect.provide(Scheduler.layerMemory))

const repository = { owner: "o", repo: "r" }

it("has the same methods and endpoints from data as from the declarations", async () => {
  assert.deepStrictEqual(packed.methods.groups, declared.methods.groups)
  for (const group of declared.methods.groups) {
    const entries = declared.methods.entriesOf(group)
    assert.deepStrictEqual(packed.methods.entriesOf(group), entries)
    await packed.loadGroup(group)
    for (const [, , id] of entries) assert.deepStrictEqual(packed.describe(id), declared.describe(id))
  }
  await packed.loadRoutes()
  assert.strictEqual(packed.matchRoute("GET /users/octo"), "GET /users/:username")
})

it.live("loads what each method needs before it runs, and only once", () =>
  Effect.gen(function* () {
    const loaded: Array<string> = []
    const parts = new Map<string, Promise<void>>()
    const loading = (part: string) => {
      if (loaded.includes(part)) return undefined
      const load = parts.get(part) ?? Promise.resolve().then(() => void loaded.push(part))
      parts.set(part, load)
      return load
    }
    const engine = yield* make({
      ...declared,
      describe: (id) => {
        assert.include(loaded, id.split(".")[0])
        return declared.describe(id)
      },
      loadGroup: loading,
      loadRoutes: () => loading("routes")
    })
    const tags = engine.list("tags.list", repository)
    assert.deepStrictEqual(loaded, [])
    assert.deepStrictEqual((yield* tags.first).items, [])
    assert.deepStrictEqual(yield* Stream.runCollect(tags.items), [])
    assert.deepStrictEqual(yield* Stream.runCollect(engine.list("tags.list", repository).items), [])
    yield* engine.call("gitRefs.get", { ...repository, ref: "heads/a" })
    yield* engine.request("GET /x")
    assert.deepStrictEqual(loaded, ["tags", "gitRefs", "routes"])
  })
)

it.live("fails the call whose part cannot be loaded, and tries again with the next", () =>
  Effect.gen(function* () {
    let attempts = 0
    const engine = yield* make({
      ...declared,
      loadGroup: () => ((attempts += 1) === 1 ? Promise.reject(new Error("offline")) : undefined)
    })
    const call = engine.call("gitRefs.get", { ...repository, ref: "heads/a" })
    assert.isTrue(Exit.hasDies(yield* Effect.exit(call)))
    assert.isTrue(Exit.isSuccess(yield* Effect.exit(call)))
  })
)
