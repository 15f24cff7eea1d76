/** Numbers of added and removed lines: as text and as a small bar. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as StyledLine from "../../text/StyledLine.ts"
import type { Line } from "../../text/StyledLine.ts"

/** Width of a bar in columns. */
export const BAR_WIDTH = 16

/** Formats the counts as `+12 -3`, without zeros. */
export const line = (additions: number, deletions: number): Line => [
  ...(additions > 0 ? [StyledLine.span(`+${NumberFormat.format(additions)}`, "added")] : []),
  ...(additions > 0 && deletions > 0 ? [StyledLine.span(" ")] : []),
  ...(deletions > 0 ? [StyledLine.span(`-${NumberFormat.format(deletions)}`, "removed")] : [])
]

/** Draws the counts as a row of signs. The longest bar belongs to the file with `largest` changed lines. */
export const bar = (additions: number, deletions: number, largest: number): Line => {
  const changes = additions + deletions
  if (changes <= 0) return StyledLine.empty
  const scale = Math.min(1, BAR_WIDTH / Math.max(1, largest))
  const length = Math.max(1, Math.round(changes * scale))
  const both = additions > 0 && deletions > 0 && length > 1
  const part = Math.round((length * additions) / changes)
  const plus = both ? Math.max(1, Math.min(length - 1, part)) : part
  return [
    ...(plus > 0 ? [StyledLine.span("+".repeat(plus), "added")] : []),
    ...(length > plus ? [StyledLine.span("-".repeat(length - plus), "removed")] : [])
  ]
}
