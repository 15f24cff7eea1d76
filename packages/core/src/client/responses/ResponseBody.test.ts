import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Scheduler } from "../../limits/Scheduler.ts"
import * as ResponseBody from "./ResponseBody.ts"
import * as Stub from "../TransportStub.test-support.ts"

/** An endless body, and a count of the pieces read. */
const endless = (piece = new Uint8Array(1_000)) => {
  const state = { taken: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        state.taken++
        controller.enqueue(piece)
      },
      cancel: () => void (state.isCancelled = true)
    },
    { highWaterMark: 0 }
  )
  return { state, body }
}

const response = (body: ConstructorParameters<typeof Response>[0], status = 200) =>
  HttpClientResponse.fromWeb(HttpClientRequest.get("https://forge.test/a"), new Response(body, { status }))

describe("ResponseBody", () => {
  it.effect("reads a body once, and gives it in every format", () =>
    Effect.gen(function* () {
      const one = response('{"fine":"ü"}')
      assert.strictEqual(yield* ResponseBody.read(one, 100), 13)
      assert.deepStrictEqual(yield* one.json, { fine: "ü" })
      assert.strictEqual(yield* one.text, '{"fine":"ü"}')
      assert.strictEqual((yield* one.arrayBuffer).byteLength, 13)
    })
  )

  it.effect("accepts a body of exactly the maximum size", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* ResponseBody.read(response("x".repeat(100)), 100), 100)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(ResponseBody.read(response("x".repeat(101)), 100))))
    })
  )

  it.effect("stops an endless body at the maximum, and closes the connection", () =>
    Effect.gen(function* () {
      const { body, state } = endless()
      const { reason } = yield* Effect.flip(ResponseBody.read(response(body), 10_000))
      assert.isTrue(reason._tag === "DecodeError" && reason.cause instanceof ResponseBody.BodyTooLarge)
      assert.deepStrictEqual(state, { taken: 11, isCancelled: true })
    })
  )

  it.effect("keeps the beginning of an endless error", () =>
    Effect.gen(function* () {
      const { body, state } = endless(new Uint8Array(100_000))
      const one = response(body, 500)
      assert.strictEqual(yield* ResponseBody.readBeginning(one), ResponseBody.MAX_ERROR_BODY)
      assert.strictEqual((yield* one.arrayBuffer).byteLength, ResponseBody.MAX_ERROR_BODY)
      assert.isTrue(state.isCancelled)
    })
  )

  it.effect("rejects small JSON that becomes large when parsed, but not text with many commas", () =>
    Effect.gen(function* () {
      const read = (text: string) => Effect.exit(ResponseBody.read(response(text), 100_000_000))
      const count = ResponseBody.MAX_VALUES + 10
      for (const bomb of ["[".repeat(count), `[${"0,".repeat(count)}0]`, ` [${"{},".repeat(count)}{}]`]) {
        assert.isTrue(Exit.isFailure(yield* read(bomb)), bomb.slice(0, 10))
      }
      for (const text of [",".repeat(count), JSON.stringify(['[,\\"{'.repeat(count)])]) {
        assert.isTrue(Exit.isSuccess(yield* read(text)), text.slice(0, 10))
      }
    })
  )
})

describe("a client", () => {
  const test = <E>(name: string, effect: () => Effect.Effect<void, E, Scheduler>) =>
    it.effect(name, () => Effect.provide(effect(), Scheduler.layerMemory))

  test("fails with the reason for too large a body, without a retry", () =>
    Effect.gen(function* () {
      const { forge, sent } = yield* Stub.forge(() => new Response(endless().body), { maxBody: 5_000 })
      const error = yield* Effect.flip(forge.request("GET /x"))
      assert.deepInclude({ ...error }, { _tag: "UnexpectedResponse", status: 200 })
      assert.match(error.message, /more than 5000 bytes; raise maxBody/)
      assert.lengthOf(sent, 1)
    }))

  test("reads a limited part of a redirect or an error", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(({ url }) =>
        url.pathname.endsWith("/away")
          ? new Response(endless().body, { status: 307, headers: { location: "/gone" } })
          : new Response(endless(gzipSync("x")).body, { status: 404 })
      )
      assert.strictEqual((yield* Effect.flip(forge.request("GET /away")))._tag, "NotFound")
    }))

  test("gives a file up to the maximum size", () =>
    Effect.gen(function* () {
      const { forge } = yield* Stub.forge(
        ({ url }) =>
          url.pathname.startsWith("/files")
            ? new Response(endless().body)
            : new Response(null, { status: 302, headers: { location: "/files/1" } }),
        { maxBody: 5_000 }
      )
      const artifact = { owner: "o", repo: "r", artifact_id: 7, archive_format: "zip" }
      const error = yield* Effect.flip(forge.artifacts.download(artifact))
      assert.strictEqual(error._tag, "UnexpectedResponse")
    }))
})
