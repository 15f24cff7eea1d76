/** The columns of a chart over time: the place of each value and label. */
import * as Terminal from "@tongs/core/text/Terminal"
import * as StyledLine from "./StyledLine.ts"

/** Returns the place of each value in a plot: first column and width. Wide bars are separated by a gap. */
export const slots = (count: number, width: number) => {
  const shown = Math.min(count, width)
  const pitch = Math.floor(width / Math.max(1, shown))
  // Few bars have equal distances. Many bars use the whole width.
  const startOf = (index: number) => (shown <= FEW_BARS ? index * pitch : Math.floor((index * width) / shown))
  return Array.from({ length: shown }, (_, index) => {
    const start = startOf(index)
    const free = pitch < MIN_GAP_PITCH ? startOf(index + 1) - start : pitch - 1
    const bar = Math.min(MAX_BAR, free)
    return { start: start + Math.floor((free - bar) / 2), width: bar }
  })
}

/** Maximum number of bars with equal distances. */
const FEW_BARS = 12
/** Maximum width of a bar. */
const MAX_BAR = 12
/** Minimum distance of bars that are separated by a gap. */
const MIN_GAP_PITCH = 3

/** A label below the plot. */
export interface Label {
  /** Column of the value. */
  readonly at: number
  /** First column of the text. */
  readonly start: number
  readonly text: string
}

/** Returns evenly spaced labels, including the first, with two columns between labels. */
export const labelPositions = (
  labels: ReadonlyArray<string>,
  count: number,
  width: number,
  style: "columns" | "lines"
): ReadonlyArray<Label> => {
  if (count === 0 || width === 0) return []
  const places = slots(count, width)
  const all = labels.slice(0, count).map((label, index): Label => {
    const place = count > width ? undefined : places[index]
    const center =
      place === undefined ? Math.floor((index * width) / count) : place.start + Math.floor((place.width - 1) / 2)
    const at = style === "columns" ? center : Math.round((index * (width - 1)) / Math.max(1, count - 1))
    const text = StyledLine.text(StyledLine.line(label))
    const wide = Terminal.width(text)
    return { at, start: Math.max(0, Math.min(at - Math.floor((wide - 1) / 2), width - wide)), text }
  })
  for (let step = 1; step <= all.length; step += 1) {
    const chosen = all.filter((_, index) => index % step === 0)
    const fits = chosen.every(({ start }, index) => {
      const before = chosen[index - 1]
      return before === undefined || before.start + Terminal.width(before.text) + 2 <= start
    })
    if (fits) return chosen.filter(({ text }) => Terminal.width(text) <= width)
  }
  return []
}

/** Returns the line of labels. */
export const labelText = (labels: ReadonlyArray<Label>, width: number): string =>
  labels.reduce((line, { start, text }) => Terminal.pad(line, start) + text, "").slice(0, Math.max(0, width))
