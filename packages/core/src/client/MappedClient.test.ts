import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Scheduler } from "../limits/Scheduler.ts"
import * as MappedClient from "./MappedClient.ts"
import * as Stub from "./TransportStub.test-support.ts"

it.effect("changes the results of every method, and not their form", () =>
  Effect.gen(function* () {
    const { forge } = yield* Stub.forge(({ url }) =>
      Stub.json(url.pathname.endsWith("/branches") ? [branch] : Stub.gitRef("refs/heads/a"))
    )
    const seen: Array<unknown> = []
    const mapped = MappedClient.make(forge, (result) => {
      seen.push(result)
      return result
    })
    const { ref } = yield* mapped.gitRefs.get({ owner: "o", repo: "r", ref: "heads/a" })
    assert.strictEqual(ref, "refs/heads/a")
    const page = yield* mapped.branches.list({ owner: "o", repo: "r" }).first
    assert.deepStrictEqual(
      page.items.map(({ name }) => name),
      ["b"]
    )
    assert.lengthOf(yield* Stream.runCollect(mapped.branches.list({ owner: "o", repo: "r" }).items), 1)
    const { data } = yield* mapped.request("GET /x")
    yield* mapped.paginate("GET /repos/o/r/branches").first
    assert.lengthOf(seen, 6)
    assert.deepInclude(seen, data)
    assert.strictEqual(mapped.scope, forge.scope)
  }).pipe(Effect.provide(Scheduler.layerMemory))
)

const branch = { name: "b", commit: { sha: Stub.SHA, url: "u" }, protected: false }
