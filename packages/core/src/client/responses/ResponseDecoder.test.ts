import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import type { Shape } from "../../contract/Shape.ts"
import * as LenientDecoder from "./LenientDecoder.ts"
import * as ResponseDecoder from "./ResponseDecoder.ts"
import * as ShapeReader from "./ShapeReader.ts"

const shape: Shape = { object: { object: { object: { sha: "string" } }, "url?": "string" } }
const strict = { decode: ShapeReader.make(shape) }
const lenient = { ...strict, decodeLeniently: LenientDecoder.make(shape) }
const decode = (body: string) => ResponseDecoder.decode("GET /a", strict, 200, body)

it.effect("omits members that the contract does not declare", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* decode('{"object":{"sha":"x","new":1},"new":2}'), { object: { sha: "x" } })
  })
)

it.effect("names the member that does not match its declaration", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(decode('{"object":{"sha":17}}'))
    assert.strictEqual(error._tag, "UnexpectedResponse")
    assert.strictEqual(error.detail, 'Expected string at ["object"]["sha"]')
    assert.strictEqual(error.status, 200)
  })
)

it.effect("omits and reports an invalid member in lenient mode", () =>
  Effect.gen(function* () {
    const body = '{"object":{"sha":"x"},"url":null}'
    assert.strictEqual((yield* Effect.flip(decode(body))).detail, 'Expected string at ["url"]')
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(message))
    const read = ResponseDecoder.decode("GET /a", lenient, 200, body).pipe(
      Effect.provideService(References.MinimumLogLevel, "Debug"),
      Effect.provide(Logger.layer([logger])),
      Effect.andThen((value) => Effect.map(Effect.currentSpan, ({ attributes }) => ({ attributes, value }))),
      Effect.withSpan("call")
    )
    const { attributes, value } = yield* read
    assert.deepStrictEqual(value, { object: { sha: "x" } })
    assert.deepStrictEqual(attributes.get("tongs.unexpected_members"), ['["url"]'])
    assert.include(String(logged), 'GET /a: UnexpectedMember ["url"]')
  })
)

it.effect("fails in lenient mode if the identity is missing, and names it", () =>
  Effect.gen(function* () {
    const error = yield* Effect.flip(ResponseDecoder.decode("GET /a", lenient, 200, '{"object":{}}'))
    assert.strictEqual(error.detail, 'the identifying member is missing or wrong at ["object"]["sha"]')
  })
)

for (const body of ["", "<html>", '{"object":']) {
  it.effect(`rejects ${JSON.stringify(body)}`, () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(decode(body))).detail, "the body is not JSON")
    })
  )
}

it.effect("reads a text if the operation responds with one", () =>
  Effect.gen(function* () {
    const read = (shape: Shape) =>
      ResponseDecoder.decode("POST /markdown", { decode: ShapeReader.make(shape) }, 200, "<p>a</p>")
    assert.strictEqual(yield* read("string"), "<p>a</p>")
    assert.strictEqual((yield* Effect.flip(read(shape))).detail, "the body is not JSON")
  })
)
