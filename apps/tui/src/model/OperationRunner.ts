/** Runs operations on targets through the client, and reports the progress. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import * as Relations from "@tongs/core/contract/Relations"
import * as TextContent from "@tongs/core/contract/TextContent"
import type { Target } from "../actions/Operations.ts"
import type { Arguments } from "../content/Route.ts"

/** Time limit of one attempt in milliseconds. */
const TIMEOUT = 30_000

/** Maximum number of targets in progress. The scheduler delays further requests. */
const CONCURRENCY = 4

/** One call of an operation. */
export interface Call {
  readonly target: Target
  readonly input: Arguments
}

/** The outcome of a call: the result and the inverse call, if any, or the failure. */
export type Outcome =
  | { readonly _tag: "Done"; readonly hasResult: boolean; readonly inverse: Relations.Call | undefined }
  | { readonly _tag: "Failed"; readonly failure: Failure }

/** Runs an operation on each target, and calls `onProgress` when a call starts and ends. */
export const run = (
  entry: CatalogEntry,
  calls: ReadonlyArray<Call>,
  onProgress: (call: Call, outcome: Outcome | undefined) => void
): Effect.Effect<ReadonlyArray<Outcome>, never, Forge> =>
  Effect.flatMap(Forge, (forge) =>
    Effect.forEach(
      calls,
      (call) =>
        Effect.gen(function* () {
          onProgress(call, undefined)
          const outcome = yield* forge
            .call(entry, TextContent.encode(entry, call.input), { priority: "interactive", timeout: TIMEOUT })
            .pipe(
              Effect.map((result): Outcome => ({
                _tag: "Done",
                hasResult: result !== undefined,
                inverse: Relations.inverse(entry, call.input, call.target.value, result)
              })),
              Effect.catch((failure) => Effect.succeed<Outcome>({ _tag: "Failed", failure }))
            )
          onProgress(call, outcome)
          return outcome
        }),
      { concurrency: CONCURRENCY }
    )
  )
