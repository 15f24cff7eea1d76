/** An interrupted call releases its socket, lease and timer. */
import * as Http from "node:http"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { listen } from "./SocketServer.test-support.ts"
import * as ModuleProcess from "./ModuleProcess.test-support.ts"

/** A forge that never answers, or sends only the start of a response. */
const hanging = Effect.fnUntraced(function* (begins: boolean) {
  const arrived = yield* Deferred.make<void>()
  const left = yield* Deferred.make<void>()
  const count = { requests: 0, closed: 0 }
  const server = Http.createServer((request, response) => {
    count.requests += 1
    if (begins) response.writeHead(200, { "content-type": "application/json" }).write("[")
    request.socket.once("close", () => {
      count.closed += 1
      Deferred.doneUnsafe(left, Effect.void)
    })
    // After a turn of the event loop the client has read the start.
    setImmediate(() => Deferred.doneUnsafe(arrived, Effect.void))
  })
  const baseUrl = yield* listen(server, () => server.closeAllConnections())
  return { baseUrl, arrived: Deferred.await(arrived), left: Deferred.await(left), count }
})

const ref = { owner: "o", repo: "r", ref: "heads/a" }

for (const [name, transport] of [
  ["Node's HTTP client", NodeHttpClient.layerNodeHttp],
  ["fetch", FetchHttpClient.layer]
] as const) {
  for (const begins of [false, true]) {
    it.live(`${name}: ${begins ? "during the response" : "before the response"}`, () =>
      Effect.gen(function* () {
        const server = yield* hanging(begins)
        const scheduler = yield* Scheduler
        const forge = yield* Forge.make({ baseUrl: server.baseUrl })
        const fibers = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, index) => index),
          () => Effect.forkChild(forge.gitRefs.get(ref), { startImmediately: true })
        )
        yield* server.arrived
        // The last call holds the shared resources.
        yield* Fiber.interruptAll(fibers.slice(1))
        assert.deepStrictEqual(server.count, { requests: 1, closed: 0 })
        assert.strictEqual((yield* scheduler.status)[0]?.inFlight, 1)
        yield* Fiber.interruptAll(fibers)
        yield* server.left
        assert.strictEqual(server.count.requests, 1)
        assert.deepInclude({ ...(yield* scheduler.status)[0] }, { inFlight: 0, waiting: [] })
      }).pipe(Effect.provide(Layer.merge(Scheduler.layerMemory, transport)), Effect.scoped)
    )
  }
}

it.live("leaves no timer: the process exits immediately", () =>
  Effect.gen(function* () {
    const server = yield* hanging(false)
    const printed = yield* ModuleProcess.runModule(`
      import * as Effect from "effect/Effect"
      import * as Fiber from "effect/Fiber"
      import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
      import { Forge } from "@tongs/core/client/Forge"
      import { Scheduler } from "@tongs/core/limits/Scheduler"
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length
      const program = Effect.gen(function*() {
        const forge = yield* Forge.make({ baseUrl: "${server.baseUrl}" })
        const before = timers()
        const call = forge.gitRefs.get(${JSON.stringify(ref)}, { timeout: 3_600_000 })
        const fiber = yield* Effect.forkChild(call, { startImmediately: true })
        yield* Effect.sleep(200)
        const during = timers()
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        console.log(JSON.stringify({ before, during: during > before, after: timers() }))
      })
      await Effect.runPromise(Effect.provide(program, [Scheduler.layerMemory, NodeHttpClient.layerNodeHttp]))`)
    const { after, before, during }: Record<string, unknown> = JSON.parse(printed)
    assert.isTrue(during)
    assert.strictEqual(after, before)
    yield* server.left
  }).pipe(Effect.scoped)
)
