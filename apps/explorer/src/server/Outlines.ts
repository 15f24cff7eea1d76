/** The outline of a file on a forge without code navigation: parsed here from the text, at the cost of one read. */
import * as Effect from "effect/Effect"
import type { Outline } from "@tongs/core/contract/groups/CodeNavigation"
import * as Symbols from "@tongs/syntax/symbols/Symbols"
import * as Files from "./Files.ts"

/** Maximum number of symbols, and the time limit in milliseconds. */
const limits = { symbols: 5_000, timeout: 1_000 }

/** Returns the symbols of a text file. None for an unknown language, and if parsing takes too long. */
export const outline = Effect.fn("Outlines.outline")(function* (target: Files.Target) {
  if (!Symbols.hasFinder(target.path)) return { symbols: [] } satisfies Outline
  const { content } = yield* Files.file(target)
  const finder = yield* Effect.promise(() => Symbols.load(target.path))
  // Parsers of deeply nested text can exhaust the stack.
  const found = yield* Effect.orElseSucceed(
    Effect.try(() => (content.kind === "text" ? finder?.(content.text, limits) : undefined)),
    () => undefined
  )
  return {
    symbols: (found ?? []).map(({ endLine, isDeclaration, ...symbol }) => ({
      ...symbol,
      end_line: endLine,
      ...(isDeclaration === true ? { declaration: true } : {})
    }))
  } satisfies Outline
})
