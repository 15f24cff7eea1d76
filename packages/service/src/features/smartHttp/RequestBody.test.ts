import { gzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as ApiError from "../../api/ApiError.ts"
import { GitError } from "../../git/values/GitError.ts"
import * as RequestBody from "./RequestBody.ts"

const read = (body: Uint8Array<ArrayBuffer>, maxBytes: number, headers: Readonly<Record<string, string>> = {}) =>
  Effect.gen(function* () {
    const request = HttpServerRequest.fromWeb(new Request("http://forge/", { method: "POST", body, headers }))
    const chunks = yield* Stream.runCollect(yield* RequestBody.read(request, maxBytes))
    return Buffer.concat([...chunks]).toString()
  })

/** The HTTP status of a failed read. */
const statusOf = <A>(effect: Effect.Effect<A, ApiError.ApiError | GitError>) =>
  Effect.map(Effect.flip(effect), (error) => {
    const known = RequestBody.toApiError(error)
    return known instanceof GitError ? known.message : ApiError.status(known)
  })

const gzip = { "content-encoding": "gzip" }
const hello = Buffer.from("hello")

it.effect("reads plain and compressed bodies", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* read(hello, 5), "hello")
    assert.strictEqual(yield* read(gzipSync(hello), 100, gzip), "hello")
    assert.strictEqual(yield* read(gzipSync(hello), 100, { "content-encoding": "x-gzip" }), "hello")
  })
)

it.effect("limits the size before and after decompression", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* statusOf(read(hello, 4)), 413)
    assert.strictEqual(yield* statusOf(read(hello, 4, { "content-length": "5" })), 413)
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    assert.isBelow(bomb.length, 20_000)
    assert.strictEqual(yield* statusOf(read(bomb, 1_000_000, gzip)), 413)
  })
)

it.effect("rejects unknown encodings and broken or truncated gzip", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* statusOf(read(hello, 100, { "content-encoding": "br" })), 415)
    assert.strictEqual(yield* statusOf(read(hello, 100, gzip)), 400)
    const whole = gzipSync(Buffer.from("hello".repeat(1000)))
    assert.strictEqual(yield* statusOf(read(whole.subarray(0, whole.length - 12), 100_000, gzip)), 400)
  })
)
