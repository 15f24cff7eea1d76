import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeSharedRows } from "./RowDecoder.ts"

it.effect("keeps the objects of unchanged rows, and no deleted rows", () =>
  Effect.gen(function* () {
    const read = decodeSharedRows(Schema.Struct({ id: Schema.Int, name: Schema.String }))
    const [one, two] = yield* read(
      Effect.succeed([
        { id: 1, name: "one" },
        { id: 2, name: "two" }
      ])
    )
    const [renamed, same] = yield* read(
      Effect.succeed([
        { id: 1, name: "uno" },
        { id: 2, name: "two" }
      ])
    )
    assert.deepStrictEqual(
      [one, renamed],
      [
        { id: 1, name: "one" },
        { id: 1, name: "uno" }
      ]
    )
    assert.strictEqual(same, two)
    yield* read(Effect.succeed([]))
    const [again] = yield* read(Effect.succeed([{ id: 2, name: "two" }]))
    assert.deepStrictEqual(again, two)
    assert.notStrictEqual(again, two)
  })
)
