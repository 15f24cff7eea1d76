import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Compression from "./Compression.ts"

it("chooses the encoding with the highest weight, brotli before gzip", () => {
  for (const [header, encoding] of [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP;Q=0.5", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["br;q=0, *;q=0.1", "gzip"],
    ["gzip;q=0", undefined],
    ["*;q=0", undefined],
    ["identity", undefined],
    ["identity;q=1, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=none", undefined],
    ["deflate, zstd", undefined],
    ["", undefined],
    [undefined, undefined]
  ] as const) {
    assert.strictEqual(Compression.accepted(header), encoding, header)
  }
})

const text = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, name: `item ${id}` })))
const ready = (body: string | undefined, type: string, more: ReadonlyArray<string> = []) => ({
  status: 200,
  headers: ["content-type", type, "content-length", String(body?.length ?? 0), ...more],
  body
})
const JSON_VALUE = "application/json; charset=utf-8"

it("compresses long texts only", () => {
  const { ready: compress } = Compression.make()
  for (const response of [
    ready(text.slice(0, 500), JSON_VALUE),
    ready(undefined, JSON_VALUE),
    ready(text, "application/zip"),
    ready(text, "application/x-ndjson"),
    ready(text, "application/x-git-upload-pack-result"),
    ready(text, "application/vnd.service.raw"),
    ready(text, JSON_VALUE, ["content-encoding", "gzip"])
  ]) {
    assert.strictEqual(compress("br, gzip", response), response)
  }
  assert.deepStrictEqual(compress("identity", ready(text, JSON_VALUE)), ready(text, JSON_VALUE))
  for (const type of [
    JSON_VALUE,
    "text/plain",
    "application/vnd.github.diff; charset=utf-8",
    "application/problem+json"
  ]) {
    const compressed = compress("gzip", ready(text, type, ["vary", "Accept", "etag", `W/"${type}"`]))
    assert.isFalse(compressed instanceof Promise)
    if (compressed instanceof Promise) return
    const headers = Object.fromEntries(
      compressed.headers.flatMap((name, at) => (at % 2 === 0 ? [[name, compressed.headers[at + 1]] as const] : []))
    )
    assert.deepStrictEqual(headers, {
      "content-type": type,
      "content-encoding": "gzip",
      "content-length": String(compressed.body?.length),
      vary: "Accept, Accept-Encoding",
      etag: `W/"${type}"`
    })
    assert.strictEqual(gunzipSync(compressed.body ?? "").toString(), text)
  }
})

it("compresses a large body in another thread, and once per ETag", async () => {
  const { ready: compress } = Compression.make()
  const long = text.repeat(20)
  const response = ready(long, JSON_VALUE, ["etag", 'W/"1"'])
  const first = compress("br", response)
  assert.instanceOf(first, Promise)
  const { body } = await first
  assert.strictEqual(brotliDecompressSync(body ?? "").toString(), long)
  const second = compress("br", response)
  assert.isFalse(second instanceof Promise)
  assert.strictEqual((await second).body, body)
  assert.instanceOf(compress("br", ready(`${long} `, JSON_VALUE, ["etag", 'W/"2"'])), Promise)
  assert.instanceOf(compress("br", { ...response, status: 500 }), Promise)
})

it.live("compresses a stream while it is sent", () =>
  Effect.gen(function* () {
    const { response: compress } = Compression.make()
    const pieces = Array.from({ length: 100 }, (_, index) => Buffer.from(`${index} ${text}`))
    const diff = HttpServerResponse.stream(Stream.fromIterable(pieces), {
      contentType: "application/vnd.github.diff",
      headers: { etag: 'W/"1"' }
    })
    const request = { method: "GET", headers: { "accept-encoding": "gzip" } }
    const compressed = yield* compress(request, diff)
    const { "content-encoding": encoding, "content-length": length, etag } = compressed.headers
    assert.deepStrictEqual([encoding, length, etag], ["gzip", undefined, 'W/"1"'])
    // `toWeb` passes the bytes on unchanged.
    const bytes = yield* Effect.promise(() => HttpServerResponse.toWeb(compressed).arrayBuffer())
    assert.strictEqual(gunzipSync(Buffer.from(bytes)).toString(), Buffer.concat(pieces).toString())
    const file = HttpServerResponse.stream(Stream.never, { contentType: "application/json", contentLength: 5_000_000 })
    assert.strictEqual(yield* compress(request, file), file)
    const events = HttpServerResponse.stream(Stream.never, { contentType: "application/x-ndjson" })
    assert.strictEqual(yield* compress(request, events), events)
    assert.strictEqual(yield* compress({ ...request, method: "HEAD" }, diff), diff)
  })
)
