/** Runs operations on targets through the client, and reports the progress. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, resultSchemas } from "@tongs/core/contract/CatalogEntry"
import type { Failure } from "@tongs/core/contract/Failure"
import * as Presentation from "@tongs/core/contract/Presentation"
import * as Relations from "@tongs/core/contract/Relations"
import * as TextContent from "@tongs/core/contract/TextContent"
import type { Target } from "../actions/Operations.ts"
import type { Arguments } from "../content/Route.ts"
import * as Redelivery from "../screens/hooks/Redelivery.ts"

/** Time limit of one attempt in milliseconds. */
const TIMEOUT = 30_000

/** Maximum number of targets in progress. The scheduler delays further requests. */
const CONCURRENCY = 4

/** One call of an operation. */
export interface Call {
  readonly target: Target
  readonly input: Arguments
}

/** The outcome of a call: the inverse call, if any, or the failure. */
export type Outcome =
  | {
      readonly _tag: "Done"
      readonly hasResult: boolean
      /** The name of the created or changed resource; empty without a name. */
      readonly name: string
      /** The result of the operation for the user, for example the status of a delivery. */
      readonly result: string | undefined
      readonly inverse: Relations.Call | undefined
    }
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
          const outcome = yield* runOne(forge, entry, call).pipe(
            Effect.catch((failure) => Effect.succeed<Outcome>({ _tag: "Failed", failure }))
          )
          onProgress(call, outcome)
          return outcome
        }),
      { concurrency: CONCURRENCY }
    )
  )

const options = { priority: "interactive", timeout: TIMEOUT } as const // a literal type

/** Runs an operation on one target. Reads the target before a deletion, because undoing the deletion needs all of it. */
const runOne = Effect.fnUntraced(function* (forge: Forge["Service"], entry: CatalogEntry, { input, target }: Call) {
  const read = Relations.readBefore(entry)
  const before = read === undefined ? undefined : yield* forge.call(read, input, options)
  const send = forge.call(entry, TextContent.encode(entry, input), options)
  const { result, value } = yield* Redelivery.run(forge, entry, input, send)
  const inverse =
    read === undefined
      ? Relations.inverse(entry, input, target.value, value)
      : Relations.recreation(entry, input, before)
  const created = entry.operation.effect === "create" ? Presentation.title(resultSchemas(entry), value) : undefined
  return {
    _tag: "Done",
    hasResult: value !== undefined,
    name: created ?? target.title,
    result,
    inverse
  } satisfies Outcome
})
