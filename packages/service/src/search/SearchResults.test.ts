import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { defaultOptions } from "@tongs/core/query/CodeQuery"
import { CodeSearch } from "./CodeSearch.ts"
import type { SearchBatch } from "./SearchBatch.ts"
import * as SearchResults from "./SearchResults.ts"

const span = { start: 0, length: 0 }
const query = { ...defaultOptions, expression: { _tag: "Text" as const, text: "x", span } }

/** Collects one result, or all that `batches` have. */
const isIncomplete = (batches: ReadonlyArray<SearchBatch>, wanted = 0) =>
  Effect.map(SearchResults.collect(query, [], wanted, "newest"), (found) => found.isIncomplete).pipe(
    Effect.provide(
      Layer.mock(CodeSearch, {
        deadline: Duration.seconds(60),
        search: () =>
          Effect.succeed({
            found: Stream.fromIterable(batches),
            isIncomplete: false,
            notes: [],
            unsearched: () => []
          })
      })
    )
  )

const batch = (examined: number, isEarly: boolean): SearchBatch => ({ hits: [], examined, remaining: 9, isEarly })

describe("SearchResults", () => {
  it.effect("is incomplete if enough was found before a slow process answered", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* isIncomplete([batch(192, true), batch(9, false)]))
      assert.isTrue(yield* isIncomplete([batch(16, false), batch(176, true), batch(9, false)]))
    })
  )

  it.effect("is complete if a slow process answered before enough was found, or to the end", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* isIncomplete([batch(16, true), batch(176, false), batch(9, true)]))
      assert.isFalse(yield* isIncomplete([batch(192, true), batch(9, true)], 1))
    })
  )
})
