import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ToolInput from "./ToolInput.ts"

const messageOf = <A>(effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("the input of a tool", () => {
  it.effect("refuses texts that no forge can use", () =>
    Effect.gen(function* () {
      const decode = ToolInput.decoder(Schema.Struct({ path: Schema.String }))
      assert.deepStrictEqual(yield* decode({ path: "x".repeat(10_000) }), { path: "x".repeat(10_000) })
      assert.strictEqual(
        yield* messageOf(decode({ path: "x".repeat(10_001) })),
        "Invalid arguments. path: Expected at most 10000 characters. Its arguments: path."
      )
    })
  )

  it.effect("refuses unknown arguments, also if there are no known ones", () =>
    Effect.gen(function* () {
      assert.include(yield* messageOf(ToolInput.decoder(Schema.Struct({}))({ cursor: "x" })), '"cursor"')
      assert.include(
        yield* messageOf(ToolInput.decoder(Schema.Struct({ path: ToolInput.repo }))({ paht: "x" })),
        "paht"
      )
    })
  )
})
