/** The rows of a diff in the page: single lines, or pairs of lines side by side. Rows are grouped in chunks. */
import * as WordDiff from "@tongs/core/text/WordDiff"
import type { DiffLine as LinePosition } from "../model/DiffRoute.ts"
import type { DiffLine, Gap, Hunk } from "./Patch.ts"
import * as Patch from "./Patch.ts"

/** A row: a line, or two versions of a line side by side. */
export interface DiffRow {
  readonly left: DiffLine | undefined
  readonly right: DiffLine | undefined
  /** The index of the change that begins here, in the file. */
  readonly change: number | undefined
}

/** Text that is highlighted together, and the offset of each line. */
export interface SyntaxText {
  readonly text: string
  readonly starts: ReadonlyMap<DiffLine, number>
}

/** Rows that render together. */
export interface Chunk {
  readonly _tag: "Chunk"
  readonly rows: ReadonlyArray<DiffRow>
  readonly old: SyntaxText
  readonly new: SyntaxText
}

/** A place between hunks. */
export interface GapRow {
  readonly _tag: "Gap"
  readonly gap: Gap
  /** The enclosing declaration of the hunk below. */
  readonly section: string
}

/** Removed lines, and the added lines that replace them. */
export interface ChangedBlock {
  readonly removed: ReadonlyArray<DiffLine>
  readonly added: ReadonlyArray<DiffLine>
}

/** The rows of a file. */
export interface DiffRows {
  readonly parts: ReadonlyArray<Chunk | GapRow>
  /** The removed and added lines around each changed line that may have another version. */
  readonly blocks: ReadonlyMap<DiffLine, ChangedBlock>
  readonly changes: number
}

/** The arrangement of lines. */
export type Layout = "unified" | "split"

/** True if a row has a line. */
export const hasLine = ({ left, right }: DiffRow, { number, side }: LinePosition): boolean =>
  (side === "L" ? left?.old : right?.new) === number

/** Rows per chunk. */
const CHUNK = 16

/** Lines that are highlighted together. */
const SYNTAX_LINES = 400

/** Arranges the hunks of a file. */
export const make = (hunks: ReadonlyArray<Hunk>, layout: Layout, lineCount?: number): DiffRows => {
  const parts: Array<Chunk | GapRow> = []
  const blocks = new Map<DiffLine, ChangedBlock>()
  let changes = 0
  const gaps = Patch.gaps(hunks, lineCount)
  const addGap = (index: number) => {
    const gap = gaps.find((gap) => gap.index === index)
    if (gap !== undefined) parts.push({ _tag: "Gap", gap, section: hunks[index]?.section ?? "" })
  }
  for (const [index, hunk] of hunks.entries()) {
    addGap(index)
    addBlocks(hunk.lines, blocks)
    for (let at = 0; at < hunk.lines.length;) {
      // A block of changes is never split.
      let end = Math.min(hunk.lines.length, at + SYNTAX_LINES)
      while (end < hunk.lines.length && hunk.lines[end]?.kind !== "context" && end - at < 2 * SYNTAX_LINES) end++
      const lines = hunk.lines.slice(at, end)
      at = end
      const texts = { old: syntaxText(lines, "old"), new: syntaxText(lines, "new") }
      const { rows, changes: count } = rowsOf(lines, layout, changes)
      changes = count
      for (let row = 0; row < rows.length; row += CHUNK) {
        parts.push({ _tag: "Chunk", rows: rows.slice(row, row + CHUNK), ...texts })
      }
    }
  }
  addGap(hunks.length)
  return { parts, blocks, changes }
}

/** Adds the blocks of a hunk for each line of a block. */
const addBlocks = (lines: ReadonlyArray<DiffLine>, blocks: Map<DiffLine, ChangedBlock>): void => {
  const kinds = { length: lines.length, kindAt: (index: number) => lines[index]?.kind ?? "note" }
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.kind !== "removed") continue
    const found = WordDiff.blockAt(kinds, at)
    if (found === undefined) {
      // The rest of the run has no block either.
      while (lines[at + 1]?.kind === "removed") at++
      continue
    }
    const block = { removed: lines.slice(found.start, found.middle), added: lines.slice(found.added, found.end) }
    for (const line of [...block.removed, ...block.added]) blocks.set(line, block)
    at = found.end - 1
  }
}

const rowsOf = (
  lines: ReadonlyArray<DiffLine>,
  layout: Layout,
  firstChange: number
): { readonly rows: ReadonlyArray<DiffRow>; readonly changes: number } => {
  const rows: Array<DiffRow> = []
  let changes = firstChange
  for (let at = 0; at < lines.length;) {
    const line = lines[at]
    if (line === undefined) break
    if (line.kind === "context") {
      rows.push({ left: line, right: line, change: undefined })
      at++
      continue
    }
    const block: Array<DiffLine> = []
    for (let next = lines[at]; next !== undefined && next.kind !== "context"; next = lines[at]) {
      block.push(next)
      at++
    }
    const removed = block.filter(({ kind }) => kind === "removed")
    const added = block.filter(({ kind }) => kind === "added")
    const blockRows: ReadonlyArray<Omit<DiffRow, "change">> =
      layout === "unified"
        ? block.map((line) =>
            line.kind === "removed" ? { left: line, right: undefined } : { left: undefined, right: line }
          )
        : Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => ({
            left: removed[index],
            right: added[index]
          }))
    for (const [index, row] of blockRows.entries()) {
      rows.push({ ...row, change: index === 0 ? changes : undefined })
    }
    changes++
  }
  return { rows, changes }
}

const syntaxText = (lines: ReadonlyArray<DiffLine>, side: "new" | "old"): SyntaxText => {
  const starts = new Map<DiffLine, number>()
  let text = ""
  for (const line of lines) {
    if (line[side] === undefined) continue
    starts.set(line, text.length)
    text += `${line.text}\n`
  }
  return { text, starts }
}
