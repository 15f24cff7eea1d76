/** Formats results as ripgrep's JSON Lines: `begin`, `match`, `context`, `end` and `summary`. */
import type { GrepLine } from "./LineMatches.ts"

/** Totals of a search or file. */
interface Stats {
  searches: number
  searches_with_match: number
  bytes_searched: number
  bytes_printed: number
  matched_lines: number
  matches: number
}

/** Formats files one after the other, and the totals at the end. */
export interface JsonFormatter {
  /** Formats a file of `size` bytes. */
  readonly format: (name: string, lines: ReadonlyArray<GrepLine>, size: number) => string
  readonly summary: (milliseconds: number) => string
}

/** Creates a formatter. `safe` makes JSON safe for the output. */
export const make = (safe: (json: string) => string): JsonFormatter => {
  const total: Stats = {
    searches: 0,
    searches_with_match: 0,
    bytes_searched: 0,
    bytes_printed: 0,
    matched_lines: 0,
    matches: 0
  }
  const print = (value: unknown) => `${safe(JSON.stringify(value))}\n`

  const format = (name: string, lines: ReadonlyArray<GrepLine>, size: number): string => {
    const path = { text: name }
    let printed = print({ type: "begin", data: { path } })
    const matching = lines.filter(({ isMatch }) => isMatch)
    for (const { isMatch, matches, number, offset, text } of lines) {
      const isLast = offset + Buffer.byteLength(text) >= size
      printed += print({
        type: isMatch ? "match" : "context",
        data: {
          path,
          lines: { text: isLast ? text : `${text}\n` },
          line_number: number,
          absolute_offset: offset,
          submatches: matches.map(([start, end]) => ({
            match: { text: text.slice(start, end) },
            start: Buffer.byteLength(text.slice(0, start)),
            end: Buffer.byteLength(text.slice(0, end))
          }))
        }
      })
    }
    const stats: Stats = {
      searches: 1,
      searches_with_match: 1,
      bytes_searched: size,
      bytes_printed: Buffer.byteLength(printed),
      matched_lines: matching.length,
      matches: matching.reduce((sum, { matches }) => sum + matches.length, 0)
    }
    for (const key of ["searches", "searches_with_match", "bytes_searched", "matched_lines", "matches"] as const) {
      total[key] += stats[key]
    }
    const end = print({ type: "end", data: { path, binary_offset: null, stats: { elapsed: duration(0), ...stats } } })
    total.bytes_printed += Buffer.byteLength(printed + end)
    return printed + end
  }

  const summary = (milliseconds: number): string => {
    const { bytes_printed, bytes_searched, matched_lines, matches, searches, searches_with_match } = total
    const elapsed = duration(milliseconds)
    return print({
      data: {
        elapsed_total: { human: elapsed.human, nanos: elapsed.nanos, secs: elapsed.secs },
        stats: {
          bytes_printed,
          bytes_searched,
          elapsed: { human: elapsed.human, nanos: elapsed.nanos, secs: elapsed.secs },
          matched_lines,
          matches,
          searches,
          searches_with_match
        }
      },
      type: "summary"
    })
  }
  return { format, summary }
}

const duration = (milliseconds: number) => ({
  secs: Math.floor(milliseconds / 1_000),
  nanos: Math.round((milliseconds % 1_000) * 1_000_000),
  human: `${(milliseconds / 1_000).toFixed(6)}s`
})
