/** The parts of a log on the page: groups, and the lines between them. */
import type { LogLine } from "@tongs/core/text/JobLog"

export type LogPart =
  | { readonly _tag: "Lines"; readonly lines: ReadonlyArray<LogLine> }
  | {
      readonly _tag: "Group"
      readonly title: LogLine
      readonly lines: ReadonlyArray<LogLine>
      /** True for a group with an error. */
      readonly isFailed: boolean
    }

/** Maximum number of lines of a part outside of groups. The browser lays out parts only near the window. */
const MAX_LINES = 200

/** Splits a log into its parts. */
export const make = (lines: ReadonlyArray<LogLine>): ReadonlyArray<LogPart> => {
  const parts: Array<LogPart> = []
  for (let at = 0; at < lines.length;) {
    const [first] = lines.slice(at, at + 1)
    if (first === undefined) break
    const start = first.mark === "group" ? at + 1 : at
    let end = start
    while (end < lines.length && isSamePart(lines[end], first, end - start)) end++
    const found = lines.slice(start, end)
    parts.push(
      first.mark === "group"
        ? { _tag: "Group", title: first, lines: found, isFailed: found.some(({ mark }) => mark === "error") }
        : { _tag: "Lines", lines: found }
    )
    at = Math.max(end, at + 1)
  }
  return parts
}

const isSamePart = (line: LogLine | undefined, first: LogLine, count: number): boolean =>
  line !== undefined &&
  line.mark !== "group" &&
  (first.mark === "group" ? line.isInGroup : !line.isInGroup && count < MAX_LINES)
