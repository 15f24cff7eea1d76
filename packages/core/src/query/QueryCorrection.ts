/** Corrects queries with the replacements in the diagnostics. */
import * as Result from "effect/Result"
import type { Diagnostic } from "./Diagnostic.ts"

/** Maximum number of corrections in a row: a correction can uncover the next error. */
const MAX_ROUNDS = 5

/**
 * Returns a query with all errors of `text` corrected, which `parse` accepts. Undefined if an error has no replacement, or
 * if the corrected query is still invalid.
 */
export const correct = (
  text: string,
  parse: (text: string) => Result.Result<unknown, ReadonlyArray<Diagnostic>>
): string | undefined => {
  let current = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const parsed = parse(current)
    if (Result.isSuccess(parsed)) return current === text ? undefined : current
    const next = replace(current, parsed.failure)
    if (next === undefined || next === current) return undefined
    current = next
  }
  return undefined
}

/** Applies the replacements from the end of the text. Skips a replacement that overlaps a later one. */
const replace = (text: string, problems: ReadonlyArray<Diagnostic>): string | undefined => {
  let result = text
  let end = text.length
  for (const { length, replacement, start } of problems.toSorted((a, b) => b.start - a.start)) {
    if (replacement === undefined) return undefined
    if (start + length > end) continue
    const after = result.slice(start + length)
    // Removes the white space around a removed part, too.
    result =
      replacement === ""
        ? `${result.slice(0, start).trimEnd()} ${after.trimStart()}`
        : result.slice(0, start) + replacement + after
    end = start
  }
  return result.trim()
}
