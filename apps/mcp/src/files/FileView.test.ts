import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as FileView from "./FileView.ts"

it.live("takes one snapshot of each repository for the files of a call", () => {
  const requests: Array<string> = []
  const http = HttpClient.make((request, { pathname }) =>
    Effect.sync(() => {
      requests.push(pathname)
      const body = {
        available: true,
        commit: String(requests.length).repeat(40),
        head: "f".repeat(40),
        branch: "main",
        changed_files: 1,
        files: [{ path: "a", status: "added" }],
        incomplete_results: false,
        notes: []
      }
      return HttpClientResponse.fromWeb(request, Response.json(body))
    })
  )
  const forge = Layer.provide(Forge.layer({ baseUrl: "http://forge.test" }), Layer.succeed(HttpClient.HttpClient, http))
  return Effect.gen(function* () {
    const viewOf = FileView.once()
    const call = { deadline: Number.MAX_SAFE_INTEGER, searchesWorkTrees: true }
    const refOf = (repo: string) =>
      Effect.map(viewOf({ owner: "octo", repo }, undefined, call), ({ ref }) => ref?.slice(0, 1))
    const refs = yield* Effect.forEach(["hello", "hello", "other", "hello"], refOf)
    assert.deepStrictEqual(refs, ["1", "1", "2", "1"])
    assert.deepStrictEqual(requests, ["/tongs/repos/octo/hello/work-tree", "/tongs/repos/octo/other/work-tree"])
  }).pipe(Effect.provide(Layer.provideMerge(forge, Scheduler.layerMemory)))
})
