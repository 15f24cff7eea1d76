import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { MinimalRepository } from "@tongs/core/contract/groups/Repository"
import * as Samples from "@tongs/core/contract/Samples.test-support"
import * as TestServer from "../TestServer.test-support.ts"
import * as Times from "../text/Times.ts"
import * as Call from "./Call.ts"
import * as ToolInput from "./ToolInput.ts"

/** A forge with repositories of these names. */
const forge = (names: ReadonlyArray<string>) =>
  TestServer.forge(
    HttpClient.make((request) =>
      Effect.succeed(
        HttpClientResponse.fromWeb(
          request,
          Response.json(names.map((full_name) => ({ ...Object(Samples.of(MinimalRepository)), full_name })))
        )
      )
    )
  )

const deadline = Infinity

const defaultRepository = { owner: "octo", repo: "hello" }

describe("the repository of a call", () => {
  it.effect("is the argument, or the default", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Call.repositoryOf(undefined, { deadline, defaultRepository }), defaultRepository)
      assert.deepStrictEqual(yield* Call.repositoryOf("a/b", { deadline, defaultRepository }), {
        owner: "a",
        repo: "b"
      })
      for (const invalid of ["a", "a/", "/b", "a/b/c", ""])
        assert.include(
          (yield* Effect.flip(Call.repositoryOf(invalid, { deadline, defaultRepository }))).message,
          "owner/name"
        )
      yield* Effect.flip(Call.repositoryOf(undefined, { deadline, defaultRepository: undefined }))
    }).pipe(Effect.provide(forge([])))
  )

  it.effect("is found by its name, if only one has it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Call.repositoryOf("GMS", { deadline, defaultRepository }), {
        owner: "acme",
        repo: "gms"
      })
      const { message } = yield* Effect.flip(Call.repositoryOf("hello", { deadline, defaultRepository }))
      assert.include(message, "expected owner/name, for example a/hello, b/hello.")
    }).pipe(Effect.provide(forge(["acme/gms", "a/hello", "b/hello"])))
  )
})

describe("the input of a tool", () => {
  const schema = Schema.Struct({
    path: Schema.String,
    ref: ToolInput.ref,
    limit: ToolInput.limit(100),
    run: Schema.optionalKey(Schema.Int)
  })

  it("has a short JSON Schema", () => {
    assert.deepStrictEqual(ToolInput.jsonSchema(schema, true), {
      type: "object",
      properties: {
        path: { type: "string" },
        ref: { type: "string" },
        limit: { type: "integer", maximum: 100 },
        run: { type: "integer" },
        cursor: { type: "string" }
      },
      required: ["path"]
    })
  })

  it.effect("is refused with every problem", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(ToolInput.decoder(schema)({ limit: 101, ref: 1 }))
      for (const problem of ["path is missing", "limit: ", "ref: "]) assert.include(message, problem)
      const { message: unknown } = yield* Effect.flip(ToolInput.decoder(schema)({ path: "a", lines: "1-2" }))
      assert.strictEqual(unknown, 'Invalid arguments. "lines" is unknown. Its arguments: path, ref, limit, run.')
    })
  )
})

describe("times", () => {
  it("include the distance from now", () => {
    const now = Date.parse("2026-01-31T12:00:00Z")
    assert.strictEqual(Times.short("2026-01-31T11:59:00Z", now), "1 minute ago")
    assert.strictEqual(Times.short("2016-01-31T12:00:00Z", now), "2016-01-31 10 years ago")
    assert.strictEqual(Times.long("2026-01-31T12:00:09Z", now), "2026-01-31T12:00:09Z (in 9 seconds)")
    assert.strictEqual(Times.long(null, now), "")
    assert.strictEqual(Times.long("soon", now), "soon (at an unknown time)")
  })
})
