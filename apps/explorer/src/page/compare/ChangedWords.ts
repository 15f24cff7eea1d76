/** The changed words of the lines of a diff. */
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as WordDiff from "@tongs/core/text/WordDiff"
import type { ChangedBlock } from "./DiffRows.ts"
import type { DiffLine } from "./Patch.ts"

const known = new WeakMap<ChangedBlock, ReadonlyMap<DiffLine, ReadonlyArray<TextRange>>>()

/** Returns the changed words of a line of a block. Cached, because rows unmount and mount while scrolling. */
export const changedWords = (line: DiffLine, block: ChangedBlock): ReadonlyArray<TextRange> => {
  const changes = known.get(block) ?? compare(block)
  known.set(block, changes)
  return changes.get(line) ?? []
}

const compare = (block: ChangedBlock): ReadonlyMap<DiffLine, ReadonlyArray<TextRange>> => {
  const texts = (lines: ReadonlyArray<DiffLine>) => lines.map(({ text }) => text)
  const changes = WordDiff.compare(texts(block.removed), texts(block.added))
  const of = (lines: ReadonlyArray<DiffLine>, ranges: WordDiff.WordChanges["added"]) =>
    lines.map((line, index) => [line, (ranges[index] ?? []).map(({ end, start }): TextRange => [start, end])] as const)
  return new Map([...of(block.removed, changes.removed), ...of(block.added, changes.added)])
}
