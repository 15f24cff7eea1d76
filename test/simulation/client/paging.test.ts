/** Paged lists over sockets and processes. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as PagedBranchServer from "./PagedBranchServer.test-support.ts"
import * as ModuleProcess from "./ModuleProcess.test-support.ts"

const repository = { owner: "o", repo: "r" }
const layer = Layer.merge(Scheduler.layerMemory, NodeHttpClient.layerNodeHttp)

it.live("a second process continues from the cursor of the first", () =>
  Effect.gen(function* () {
    const server = yield* PagedBranchServer.make(5)
    const options = JSON.stringify({ baseUrl: server.baseUrl })
    const first = yield* ModuleProcess.runModule(`
      import { createForge } from "@tongs/client"
      const forge = createForge(${options})
      for await (const page of forge.branches.list(${JSON.stringify(repository)}, { perPage: 10 }).pages()) {
        if (page.progress.pages < 2) continue
        console.log(JSON.stringify([page.progress, page.cursor, page.items.at(-1).name]))
        break
      }
      await forge.close()`)
    const [progress, cursor, last]: [unknown, string, string] = JSON.parse(first)
    assert.deepStrictEqual([progress, last], [{ pages: 2, of: 5 }, "b19"])
    const rest = yield* ModuleProcess.runModule(`
      import { createForge } from "@tongs/client"
      const forge = createForge(${options})
      const names = []
      for await (const { name } of forge.branches.list(${JSON.stringify(repository)}, { cursor: "${cursor}" }))
        names.push(name)
      console.log(JSON.stringify(names))
      await forge.close()`)
    assert.deepStrictEqual(
      JSON.parse(rest),
      Array.from({ length: 30 }, (_, index) => `b${index + 20}`)
    )
    assert.strictEqual(server.requests.length, 5)
  }).pipe(Effect.scoped)
)

it.live("concurrent pages arrive in order, without surplus requests", () =>
  Effect.gen(function* () {
    const server = yield* PagedBranchServer.make(50)
    const forge = yield* Forge.make({ baseUrl: server.baseUrl })
    const list = forge.branches.list(repository, { perPage: 10, concurrency: 8 })
    const names = yield* Stream.runCollect(Stream.map(list.items, ({ name }) => name))
    assert.deepStrictEqual(
      names,
      Array.from({ length: 500 }, (_, index) => `b${index}`)
    )
    assert.strictEqual(server.requests.length, 50)
    yield* Stream.runDrain(Stream.take(list.items, 25))
    assert.isAtMost(server.requests.length - 50, 3 + 8)
  }).pipe(Effect.provide(layer), Effect.scoped)
)

it.live("a million items are read in bounded memory", () =>
  Effect.gen(function* () {
    const printed = yield* ModuleProcess.runModule(
      `
      import * as Effect from "effect/Effect"
      import * as Layer from "effect/Layer"
      import * as Stream from "effect/Stream"
      import * as HttpClient from "effect/http/HttpClient"
      import * as HttpClientResponse from "effect/http/HttpClientResponse"
      import { Forge } from "@tongs/core/client/Forge"
      import { Scheduler } from "@tongs/core/limits/Scheduler"

      const [pages, size] = [500, 2_000]
      const branch = { name: "main", commit: { sha: "${"a".repeat(40)}", url: "https://forge.test/c" }, protected: false }
      const body = JSON.stringify(Array.from({ length: size }, () => branch))
      const transport = HttpClient.make((request, url) => Effect.sync(() => {
        if (url.pathname === "/rate_limit") return HttpClientResponse.fromWeb(request, new Response("{}", { status: 404 }))
        const page = Number(url.searchParams.get("page") ?? 1)
        const to = (page) => "https://forge.test" + url.pathname + "?page=" + page
        const link = page < pages ? { link: "<" + to(page + 1) + '>; rel="next", <' + to(pages) + '>; rel="last"' } : {}
        const headers = { "content-type": "application/json", etag: '"' + page + '"', ...link }
        return HttpClientResponse.fromWeb(request, new Response(body, { headers }))
      }))
      const program = Effect.gen(function*() {
        const forge = yield* Forge.make({ baseUrl: "https://forge.test" })
        yield* Effect.ignore(forge.request("GET /rate_limit"))
        let [count, start, most] = [0, 0, 0]
        yield* Stream.runForEach(forge.branches.list({ owner: "o", repo: "r" }, { concurrency: 4 }).items, () =>
          Effect.sync(() => {
            count += 1
            if (count % 50_000 !== 0) return
            globalThis.gc()
            const { heapUsed, arrayBuffers } = process.memoryUsage()
            if (count === 50_000) start = heapUsed
            most = Math.max(most, heapUsed - start)
          })
        )
        console.log(JSON.stringify({ count, megabytes: most / 1e6 }))
      })
      await Effect.runPromise(Effect.provide(program, [Scheduler.layerMemory, Layer.succeed(HttpClient.HttpClient, transport)]))
      `,
      ["--conditions=@tongs/source", "--expose-gc"]
    )
    const { count, megabytes }: { count: number; megabytes: number } = JSON.parse(printed)
    assert.strictEqual(count, 1_000_000)
    assert.isBelow(megabytes, 50)
  })
)
