/** Finds the numbered lines of fragments, which the documented code search returns, in the text of a file. */
import type { Chunk, Line, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import type { TextMatch } from "@tongs/core/contract/groups/Search"

/** Returns the lines with matches and `context` surrounding lines. Empty if no fragment is in the text. */
export const find = (
  fileLines: ReadonlyArray<string>,
  textMatches: ReadonlyArray<TextMatch>,
  context: number
): ReadonlyArray<Chunk> => {
  const text = fileLines.join("\n")
  const matches = new Map<number, Array<TextRange>>()
  for (const { fragment, matches: ranges, property } of textMatches) {
    const start = property === "content" && fragment !== "" ? text.indexOf(fragment) : -1
    if (start < 0) continue
    for (const { indices } of ranges) {
      const [from = 0, to = from] = indices
      const before = text.slice(0, start + from)
      const line = before.split("\n").length - 1
      const column = before.length - (before.lastIndexOf("\n") + 1)
      const end = Math.min(column + to - from, fileLines[line]?.length ?? 0)
      matches.set(line, [...(matches.get(line) ?? []), [column, end]])
    }
  }
  const shown = new Set(
    [...matches.keys()].flatMap((line) => Array.from({ length: 2 * context + 1 }, (_, at) => line - context + at))
  )
  const groups: Array<Array<Line>> = []
  for (const line of [...shown].sort((a, b) => a - b)) {
    const text = fileLines[line]
    if (text === undefined) continue
    const one: Line = { number: line + 1, text, cut: 0, matches: matches.get(line) ?? [] }
    if (groups.at(-1)?.at(-1)?.number === line) groups.at(-1)?.push(one)
    else groups.push([one])
  }
  return groups.map((lines) => ({ lines }))
}
