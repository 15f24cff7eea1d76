/** Prints JSON for programs, with `--fields` and `--jq`. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Presentation from "@tongs/core/contract/Presentation"
import * as Terminal from "@tongs/core/text/Terminal"
import { Output, printable } from "../base/Output.ts"
import * as Flags from "../session/Flags.ts"
import * as FieldSelection from "./FieldSelection.ts"

/** True if the command prints JSON. `--fields` and `--jq` imply `--json`. */
export const isWanted = Effect.gen(function* () {
  return (yield* Flags.Json) || (yield* isFiltered)
})

/** True if `--fields` or `--jq` changes the JSON. */
export const isFiltered = Effect.gen(function* () {
  return Option.isSome(yield* Flags.Fields) || Option.isSome(yield* Flags.Jq)
})

interface Options {
  /** The schemas of the values: check `--fields` before the command sends a request. */
  readonly schemas?: Presentation.Schemas
  /** True for one line for each value. */
  readonly isCompact?: boolean
}

/**
 * Returns a function that prints values as JSON, after checking `--fields` and compiling `--jq`. Fails with
 * `UsageError` for an invalid option. The scope ends the thread of jq.
 */
export const printer = Effect.fnUntraced(function* ({ isCompact = false, schemas = [] }: Options = {}) {
  const { isTerminal, note, page } = yield* Output
  const fields = yield* Effect.transposeOption(Option.map(yield* Flags.Fields, FieldSelection.parse))
  if (Option.isSome(fields)) yield* FieldSelection.check(fields.value, schemas)
  const expression = yield* Flags.Jq
  const jq = Option.isNone(expression)
    ? undefined
    : yield* Effect.flatMap(
        Effect.promise(() => import("./Jq.ts")),
        ({ make }) => make(expression.value, isTerminal && !isCompact)
      )
  return Effect.fnUntraced(function* (value: unknown) {
    if (Option.isSome(fields)) yield* FieldSelection.check(fields.value, schemas, [value])
    const selected = Option.isSome(fields) ? FieldSelection.select(value, fields.value) : value
    // The check of the depth comes first: `JSON.stringify` is recursive.
    const text = yield* printable(selected, isTerminal && jq === undefined, isCompact || jq !== undefined)
    // One text: hundreds of thousands of lines as arguments would exhaust the stack.
    if (jq === undefined) return yield* page(text)
    const { failure, lines, notes } = yield* jq(text)
    if (notes !== "") yield* note(Terminal.escape(notes, { newlines: true }))
    const shown = isTerminal ? lines.map((line) => Terminal.escape(line, { newlines: true })) : lines
    if (shown.length > 0) yield* page(shown.join("\n"))
    if (failure !== undefined) return yield* failure
  })
})

/** Returns the same function if the command prints JSON, and undefined otherwise. */
export const printerIfWanted = Effect.fnUntraced(function* (options?: Options) {
  return (yield* isWanted) ? yield* printer(options) : undefined
})

/** A function that prints values as JSON. */
export type Printer = Effect.Success<ReturnType<typeof printer>>

/** Prints one value as JSON, with `--fields` and `--jq`. */
export const print = (value: unknown, options?: Options) =>
  Effect.scoped(Effect.flatMap(printer(options), (print) => print(value)))
