import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { json, reply, start } from "./TestServer.test-support.ts"

const TYPESCRIPT = "export class Buoy {\n  ring() {\n    return 1\n  }\n}\n"

const outlineOf = (path: string) =>
  Effect.flatMap(start, (url) =>
    json(`${url}api/tongs/repos/octo/hello/outline/${encodeURIComponent(path)}?ref=${Stub.commitId}`)
  )

const remote = (path: string, requests: Array<string>, text = TYPESCRIPT) =>
  Stub.layer(
    {
      ...Stub.repositoryReplies,
      [`/repos/octo/hello/contents/${path}`]: reply(
        Stub.entry(path, { size: text.length, encoding: "base64", content: Stub.base64(text) })
      )
    },
    "remote",
    requests
  )

describe("the outline on a forge without code navigation", () => {
  it.live("is parsed from the text, with one request", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* outlineOf("src/a.ts"), [
        200,
        {
          symbols: [
            { name: "Buoy", kind: "class", line: 1, column: 13, end_line: 5 },
            { name: "ring", kind: "method", line: 2, column: 2, scope: "Buoy", end_line: 4 }
          ]
        }
      ])
      assert.deepStrictEqual(requests, [`GET /api/v3/repos/octo/hello/contents/src%2Fa.ts?ref=${Stub.commitId}`])
    }).pipe(Effect.provide(remote("src/a.ts", requests)))
  })

  it.live("has the symbols of C", () => {
    const text = "static int ring(void)\n{\n\treturn 1;\n}\n"
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* outlineOf("src/a.c"), [
        200,
        { symbols: [{ name: "ring", kind: "function", line: 1, column: 11, end_line: 4 }] }
      ])
    }).pipe(Effect.provide(remote("src/a.c", [], text)))
  })

  it.live("is empty for a language without a grammar, without a request", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* outlineOf("a.txt"), [200, { symbols: [] }])
      assert.deepStrictEqual(requests, [])
    }).pipe(Effect.provide(remote("a.txt", requests)))
  })
})
