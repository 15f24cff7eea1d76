/** The segments of an index, whose blocks share posting lists. */
import type { DatabaseSync } from "node:sqlite"
import { forEach, PostingReader, PostingWriter, remove, type Segment } from "./Postings.ts"

/** Returns all segments, ordered by first block. */
export const segments = (database: DatabaseSync): ReadonlyArray<Segment> =>
  database
    .prepare("SELECT id, first, count FROM segments ORDER BY first")
    .all()
    .map((row) => ({ id: Number(row.id), first: Number(row.first), count: Number(row.count) }))

/** Merges segments term by term, and drops the blocks for which `keeps` is false. */
export const merge = (
  database: DatabaseSync,
  merged: ReadonlyArray<Segment>,
  keeps: (block: number) => boolean = () => true
): void => {
  const first = Math.min(...merged.map((segment) => segment.first))
  const end = Math.max(...merged.map((segment) => segment.first + segment.count))
  const writer = new PostingWriter(database, first, end - first)
  const sources = merged.map((segment) => {
    // Each source needs statements of its own, because a statement has one position.
    const lists = new PostingReader(database).all(segment)
    return { segment, lists, next: lists.next().value }
  })
  for (;;) {
    const term = Math.min(...sources.map(({ next }) => next?.term ?? Number.POSITIVE_INFINITY))
    if (term === Number.POSITIVE_INFINITY) break
    const blocks: Array<number> = []
    for (const source of sources) {
      if (source.next?.term !== term) continue
      forEach(source.next, source.segment, (block) => {
        if (keeps(block)) blocks.push(block)
      })
      source.next = source.lists.next().value
    }
    if (blocks.length > 0) writer.add(term, Uint32Array.from(blocks).sort())
  }
  writer.end()
  remove(database, merged)
}
