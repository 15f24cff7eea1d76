import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Scheduler } from "../limits/Scheduler.ts"
import * as Stub from "./TransportStub.test-support.ts"

const location = { owner: "octo", repo: "hello" }
const progress = { _tag: "Progress", files: 1, matches: 2, repositories: 1 }

const lines = (...events: ReadonlyArray<unknown>) =>
  new Response(events.map((event) => `${typeof event === "string" ? event : JSON.stringify(event)}\n`).join(""), {
    headers: { "content-type": "application/x-ndjson" }
  })

const notFound = (headers: Record<string, string> = {}) => Stub.json({ message: "Not Found" }, { status: 404, headers })

const extension = { "x-tongs-extension": "true" }

describe("a stream of events", () => {
  it.effect("decodes each event", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => lines(progress, "", { ...progress, files: 2, news: 1 }))
      const events = yield* Stream.runCollect(forge.codeSearch.search({ q: "a b", limit: 3 }))
      assert.deepStrictEqual(
        events.map((event) => ("files" in event ? event.files : undefined)),
        [1, 2]
      )
      assert.strictEqual(sent[0]?.url.href, "https://forge.test/api/v3/tongs/search?q=a+b&limit=3")
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )

  it.effect("gives the events before an invalid line, then fails", () =>
    Effect.gen(function* () {
      for (const wrong of ["{", 1]) {
        const { forge } = yield* Stub.forge(() => lines(progress, wrong))
        let count = 0
        const counted = Stream.runForEach(forge.codeSearch.search({ q: "a" }), () => Effect.sync(() => count++))
        assert.strictEqual((yield* Effect.flip(counted))._tag, "UnexpectedResponse")
        assert.strictEqual(count, 1)
      }
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )

  it.effect("fails like a call if the response is an error", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => Stub.json({ message: "no query" }, { status: 422 }))
      const error = yield* Effect.flip(Stream.runDrain(forge.codeSearch.search({ q: "/(/" })))
      assert.strictEqual(error._tag, "ValidationFailed")
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )

  it.effect("aborts the response when interrupted", () =>
    Effect.gen(function* () {
      let isCancelled = false
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(progress)}\n`)),
        cancel: () => {
          isCancelled = true
        }
      })
      const { forge } = yield* Stub.forge(() => new Response(body))
      const first = yield* Stream.runHead(forge.codeSearch.search({ q: "a" }))
      assert.strictEqual(first._tag, "Some")
      assert.isTrue(isCancelled)
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )
})

describe("a forge without the extensions", () => {
  const file = { ...location, path: "a.ts" }

  it.effect("is recognized by a 404 without their header, and gets no further requests", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => notFound())
      const error = yield* Effect.flip(forge.history.getBlame(file))
      assert.deepInclude(
        { ...error, message: error.message },
        {
          _tag: "Unsupported",
          message:
            "GET /tongs/repos/octo/hello/blame/a.ts: The forge at forge.test does not have the history extension; the embedded forge does."
        }
      )
      const calls = [
        forge.codeNavigation.getOutline(file),
        forge.codeNavigation.listReferences({ ...location, name: "f" }).first,
        Stream.runDrain(forge.codeSearch.search({ q: "a" }))
      ]
      for (const call of calls) assert.strictEqual((yield* Effect.flip(call))._tag, "Unsupported")
      assert.lengthOf(sent, 1)
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )

  it.effect("gets no requests in the github dialect, unless it is known to have them", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => notFound(), { dialect: "github" })
      assert.strictEqual((yield* Effect.flip(forge.codeIndex.get()))._tag, "Unsupported")
      assert.lengthOf(sent, 0)
      const embedded = yield* Stub.forge(() => Stub.json({ repositories: [] }), { dialect: "github", extensions: true })
      assert.deepStrictEqual(yield* embedded.forge.codeIndex.get(), { repositories: [] })
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )

  it.effect("can respond with 501", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(() => Stub.json({ message: "no index" }, { status: 501 }))
      assert.deepInclude(yield* Effect.flip(forge.codeIndex.get()), { _tag: "Unsupported", detail: "no index" })
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )

  it.effect("differs from a forge that lacks the resource", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => notFound(extension))
      for (let tries = 0; tries < 2; tries++)
        assert.strictEqual((yield* Effect.flip(forge.history.getBlame(file)))._tag, "NotFound")
      assert.lengthOf(sent, 2)
    }).pipe(Effect.provide(Scheduler.layerMemory))
  )
})
