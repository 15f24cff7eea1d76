/** Symbols by the grammar of a language, in the form of the contract. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { SourceSymbol } from "@tongs/syntax/symbols/SourceSymbol"
import * as Symbols from "@tongs/syntax/symbols/Symbols"

/** Maximum number of symbols per file. Only generated files have more. */
export const MAX_SYMBOLS = 5_000

/** Maximum bytes of a file for a grammar: larger files are generated, and take seconds to parse. */
const MAX_BYTES = 512 * 1024

/** Maximum milliseconds to find the symbols of a file. */
const TIMEOUT = 2_000

/** Limits of the symbols of a file. */
export const limits = { symbols: MAX_SYMBOLS, timeout: TIMEOUT }

/** True for a file with symbols that `byGrammar` can find, of a size in bytes. */
export const isPossible = (path: string, size: number): boolean => size <= MAX_BYTES && Symbols.hasGrammar(path)

/**
 * Finds the symbols of a file by the grammar of the language, at about 4 MB per second. Resolves to undefined for a
 * language without a grammar, or for a file that is too large or takes too long.
 */
export const byGrammar = async (
  path: string,
  text: string,
  millis: number = TIMEOUT
): Promise<ReadonlyArray<CodeSymbol> | undefined> => {
  if (!isPossible(path, text.length)) return undefined
  const find = await Symbols.load(path)
  try {
    return find?.(text, { ...limits, timeout: millis })?.map(toCodeSymbol)
  } catch (error) {
    // Parsers of deeply nested text can exhaust the stack.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Converts a symbol to the form of the contract. */
export const toCodeSymbol = ({
  column,
  endLine,
  isDeclaration,
  kind,
  line,
  name,
  scope
}: SourceSymbol): CodeSymbol => ({
  name,
  kind,
  line,
  column,
  end_line: endLine,
  ...(scope === undefined ? {} : { scope }),
  ...(isDeclaration === true ? { declaration: true } : {})
})
