/** Who last changed each line, beside the lines; the more recent, the warmer. */
import type { Extension } from "@codemirror/state"
import { type EditorView, gutter, GutterMarker } from "@codemirror/view"
import type { BlameRange } from "@tongs/core/explore/Explore"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import { displayText } from "../model/displayText.ts"
import { externalField } from "./ViewportDecorations.ts"

/** In the order of the lines, or null for no gutter. */
export const blameRanges = externalField<ReadonlyArray<BlameRange> | null>(null)

/** `open` is told where the clicked one stands. */
export const blameGutter = (open: (range: BlameRange, at: DOMRect) => void): Extension => [
  blameRanges.field,
  gutter({
    class: "blame",
    lineMarkerChange: blameRanges.has,
    lineMarker: (view, { from }) => {
      const ranges = blameRanges.of(view.state)
      if (ranges === null) return null
      const line = view.state.doc.lineAt(from).number
      const range = at(ranges, line)
      return range === undefined ? null : new Entry(range, range.from === line, warmth(ranges, range))
    },
    domEventHandlers: {
      click: (view, { from }, event) => {
        const range = of(view, from)
        if (range === undefined || !(event.target instanceof Element)) return false
        open(range, event.target.getBoundingClientRect())
        return true
      }
    }
  })
]

/** Who last changed the line at a place of the text. */
const of = ({ state }: EditorView, position: number): BlameRange | undefined =>
  at(blameRanges.of(state) ?? [], state.doc.lineAt(position).number)

class Entry extends GutterMarker {
  readonly blamed: BlameRange
  readonly isFirst: boolean
  readonly warmth: number

  constructor(range: BlameRange, isFirst: boolean, warmth: number) {
    super()
    this.blamed = range
    this.isFirst = isFirst
    this.warmth = warmth
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof Entry && this.blamed === other.blamed && this.isFirst === other.isFirst
  }

  override toDOM(): Node {
    const { author, date, summary } = this.blamed
    const entry = document.createElement("span")
    entry.className = this.isFirst ? "blame-entry first" : "blame-entry"
    entry.style.setProperty("--warmth", `${Math.round(this.warmth * 100)}%`)
    if (this.isFirst) entry.append(part("who", author), part("what", summary), part("when", age(date)))
    return entry
  }
}

const part = (name: string, text: string): HTMLElement => {
  const element = document.createElement("span")
  element.className = name
  element.textContent = displayText(text)
  return element
}

/** How long ago, without what every one of them says. */
const age = (date: string): string => RelativeTime.format(Date.parse(date), Date.now()).replace(/ ago$/, "")

/** 0 for the oldest change of the file, 1 for the newest. */
const warmth = (ranges: ReadonlyArray<BlameRange>, { date }: BlameRange): number => {
  const [oldest, newest] = span(ranges)
  return newest === oldest ? 0.5 : (Date.parse(date) - oldest) / (newest - oldest)
}

const spans = new WeakMap<ReadonlyArray<BlameRange>, readonly [number, number]>()

const span = (ranges: ReadonlyArray<BlameRange>): readonly [number, number] => {
  const known = spans.get(ranges)
  if (known !== undefined) return known
  const dates = ranges.map(({ date }) => Date.parse(date))
  const found = [dates.reduce((a, b) => Math.min(a, b)), dates.reduce((a, b) => Math.max(a, b))] as const // a pair
  spans.set(ranges, found)
  return found
}

const at = (ranges: ReadonlyArray<BlameRange>, line: number): BlameRange | undefined => {
  let low = 0
  for (let high = ranges.length; low < high;) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.to ?? 0) < line) low = middle + 1
    else high = middle
  }
  const found = ranges[low]
  return found !== undefined && found.from <= line ? found : undefined
}
