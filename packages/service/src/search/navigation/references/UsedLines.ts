import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as LineTable from "../../text/LineTable.ts"

/** Maximum characters of a line, and of the part before the first match. */
const MAX_WIDTH = 1_000
const LEAD = 200

/** A line that uses the name. */
export interface Use {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly matches: ReadonlyArray<TextRange>
  /** True if the line certainly uses a definition. */
  readonly certain?: true
  /** Name of the function around the first match. */
  readonly scope?: string
}

/** The facts that parsing found about ranges of a file, by the start of the range. */
export interface RangeFacts {
  /** Starts of the ranges that certainly use a definition. */
  readonly certain: ReadonlySet<number>
  /** Names of the functions around the ranges. */
  readonly scopes: ReadonlyMap<number, string>
}

const nothing: RangeFacts = { certain: new Set(), scopes: new Map() }

/** Returns the lines with ranges of a text, without the lines of `defined`, which are written `path:line`. */
export const make = (
  path: string,
  text: string,
  ranges: ReadonlyArray<TextRange>,
  defined: ReadonlyArray<string>,
  { certain, scopes }: RangeFacts = nothing
): ReadonlyArray<Use> => {
  if (ranges.length === 0) return []
  const table = LineTable.make(text)
  const definitions = new Set(defined)
  const byLine = Map.groupBy(ranges, ([from]) => LineTable.at(table, from))
  return [...byLine].flatMap(([line, matches]) => {
    if (definitions.has(`${path}:${line}`)) return []
    const { end, start } = LineTable.line(table, line)
    const first = matches[0]?.[0] ?? start
    const from = end - start <= MAX_WIDTH ? start : Math.max(start, first - LEAD)
    const to = Math.min(end, from + MAX_WIDTH)
    const shown = matches.flatMap(([a, b]): ReadonlyArray<TextRange> =>
      a >= from && b <= to ? [[a - from, b - from]] : []
    )
    const isCertain = matches.some(([start]) => certain.has(start))
    const scope = scopes.get(first)
    return [
      {
        path,
        line,
        text: text.slice(from, to),
        matches: shown,
        ...(isCertain ? { certain: true as const } : {}),
        ...(scope === undefined ? {} : { scope })
      }
    ]
  })
}
