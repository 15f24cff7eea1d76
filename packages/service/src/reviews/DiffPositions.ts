/** Positions in the diff of a file: the lines below the first hunk header, counted from 1 across later headers. */
import * as PatchLines from "@tongs/core/text/PatchLines"

/** A line of one version of a file: `LEFT` before the change, `RIGHT` after it. */
export interface DiffLine {
  readonly side: "LEFT" | "RIGHT"
  /** From 1. */
  readonly line: number
}

/** Converts between lines and positions of one patch. */
export interface DiffPositions {
  /** Undefined for a line outside of the diff. */
  readonly positionOf: (line: DiffLine) => number | undefined
  /** A removed line is on the left side, a context line on the right. Undefined for a header and outside of the diff. */
  readonly lineAt: (position: number) => DiffLine | undefined
  /** True if both positions are in the same hunk. */
  readonly isInOneHunk: (first: number, second: number) => boolean
  /** The hunk from its header to the position. Undefined outside of the diff. */
  readonly hunkTo: (position: number) => string | undefined
}

/** Parses a unified diff without the header of the file. */
export const make = (patch: string): DiffPositions => {
  const lines: Array<PatchLines.PatchLine> = []
  /** For each line, the position of its hunk's header, which is 0 for the first hunk. */
  const headers: Array<number> = []
  const left = new Map<number, number>()
  const right = new Map<number, number>()
  PatchLines.forEach(patch, (line) => {
    const position = lines.push(line) - 1
    headers.push(line.kind === "hunk" ? position : (headers.at(-1) ?? 0))
    if (line.oldNumber !== undefined) left.set(line.oldNumber, position)
    if (line.newNumber !== undefined) right.set(line.newNumber, position)
  })
  return {
    positionOf: ({ line, side }) => (side === "LEFT" ? left : right).get(line),
    lineAt: (position) => {
      const { newNumber, oldNumber } = lines[position] ?? {}
      if (newNumber !== undefined) return { side: "RIGHT", line: newNumber }
      return oldNumber === undefined ? undefined : { side: "LEFT", line: oldNumber }
    },
    isInOneHunk: (first, second) => headers[first] !== undefined && headers[first] === headers[second],
    hunkTo: (position) => {
      const start = lines[headers[position] ?? -1]?.start
      return start === undefined ? undefined : patch.slice(start, lines[position]?.end)
    }
  }
}
