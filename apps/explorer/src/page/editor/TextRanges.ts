/**
 * Ranges of a text as numbers: start and end of each, in order and apart. So a million of them cross from one thread to
 * another without a copy.
 */
import type { AddDecoration } from "./ViewportDecorations.ts"

export type TextRanges = Uint32Array<ArrayBuffer>

/** A part of the text, as what is selected. */
export interface TextRange {
  readonly from: number
  readonly to: number
}

export const empty: TextRanges = new Uint32Array()

export const count = (ranges: TextRanges): number => ranges.length / 2

export const at = (ranges: TextRanges, index: number): TextRange | undefined => {
  const [from, to] = ranges.subarray(2 * index, 2 * index + 2)
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** The index of the range after (1) or before (-1) what is selected; after the last comes the first. */
export const next = (ranges: TextRanges, { from, to }: TextRange, by: 1 | -1): number | undefined => {
  const all = count(ranges)
  if (all === 0) return undefined
  const found = by === 1 ? lookUp(ranges, START, to) : lookUp(ranges, END, from === to ? from : from + 1) - 1
  return (found + all) % all
}

/** The index of the range that is selected. */
export const current = (ranges: TextRanges, { from, to }: TextRange): number | undefined => {
  const index = lookUp(ranges, START, from)
  const found = at(ranges, index)
  return found?.from === from && found.to === to ? index : undefined
}

/** Draws those of a stretch of the text, the selected one as `current`. */
export const addDecorations = (
  ranges: TextRanges,
  selected: TextRange,
  stretch: TextRange,
  name: string,
  draw: AddDecoration
): void => {
  for (let index = lookUp(ranges, END, stretch.from + 1); index < count(ranges); index++) {
    const { from, to } = at(ranges, index) ?? stretch
    if (from >= stretch.to) break
    draw(from, to, from === selected.from && to === selected.to ? `${name} current` : name)
  }
}

const START = 0
const END = 1

/** The index of the first range whose start or end is at `position` or beyond. */
const lookUp = (ranges: TextRanges, edge: 0 | 1, position: number): number => {
  let low = 0
  for (let high = count(ranges); low < high;) {
    const middle = (low + high) >> 1
    if ((ranges[2 * middle + edge] ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}
