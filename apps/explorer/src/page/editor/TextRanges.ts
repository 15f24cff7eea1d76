/** Text ranges packed into numbers, so that a million ranges move between threads without a copy. */
import { lowerBound } from "../model/lowerBound.ts"
import type { AddDecoration } from "./ViewportDecorations.ts"

/** Start and end of each range, in UTF-16 units, in order and without overlap. */
export type TextRanges = Uint32Array<ArrayBuffer>

/** One range, for example the selection. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

/** No ranges. */
export const empty: TextRanges = new Uint32Array()

export const count = (ranges: TextRanges): number => ranges.length / 2

/** The range at an index, undefined past the end. */
export const at = (ranges: TextRanges, index: number): TextRange | undefined => {
  const [from, to] = ranges.subarray(2 * index, 2 * index + 2)
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** The index of the range after (1) or before (-1) the selection, with wraparound. Undefined without ranges. */
export const next = (ranges: TextRanges, { from, to }: TextRange, by: 1 | -1): number | undefined => {
  const total = count(ranges)
  if (total === 0) return undefined
  const index = by === 1 ? firstFrom(ranges, START, to) : firstFrom(ranges, END, from === to ? from : from + 1) - 1
  return (index + total) % total
}

/** The index of the range that equals the selection. */
export const current = (ranges: TextRanges, { from, to }: TextRange): number | undefined => {
  const index = firstFrom(ranges, START, from)
  const range = at(ranges, index)
  return range?.from === from && range.to === to ? index : undefined
}

/** Decorates the ranges that overlap `viewport`. The selected range also has the class `current`. */
export const addDecorations = (
  ranges: TextRanges,
  selection: TextRange,
  viewport: TextRange,
  className: string,
  add: AddDecoration
): void => {
  for (let index = firstFrom(ranges, END, viewport.from + 1); index < count(ranges); index++) {
    const { from, to } = at(ranges, index) ?? viewport
    if (from >= viewport.to) break
    add(from, to, from === selection.from && to === selection.to ? `${className} current` : className)
  }
}

const START = 0
const END = 1

/** The index of the first range that starts or ends at or after `position`. */
const firstFrom = (ranges: TextRanges, edge: 0 | 1, position: number): number =>
  lowerBound(count(ranges), (index) => (ranges[2 * index + edge] ?? 0) < position)
