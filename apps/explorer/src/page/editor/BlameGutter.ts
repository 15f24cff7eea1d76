import type { Extension } from "@codemirror/state"
import { gutter, GutterMarker } from "@codemirror/view"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import { displayText } from "../model/displayText.ts"
import { lowerBound } from "../model/lowerBound.ts"
import { externalField } from "./ExternalField.ts"

/** The blame of the file in line order, or null to hide the gutter. */
export const blameRanges = externalField<ReadonlyArray<BlameRange> | null>(null)

/** A gutter with the last commit of each line. The colour shows the age: warmer is more recent. */
export const blameGutter = (onClick: (range: BlameRange, box: DOMRect) => void): Extension => [
  blameRanges.field,
  gutter({
    class: "blame",
    lineMarkerChange: blameRanges.hasChanged,
    lineMarker: (view, { from }) => {
      const ranges = blameRanges.of(view.state)
      if (ranges === null) return null
      const line = view.state.doc.lineAt(from).number
      const range = rangeOfLine(ranges, line)
      return range === undefined ? null : new BlameEntry(range, range.from === line, warmth(ranges, range))
    },
    domEventHandlers: {
      click: ({ state }, { from }, event) => {
        const range = rangeOfLine(blameRanges.of(state) ?? [], state.doc.lineAt(from).number)
        if (range === undefined || !(event.target instanceof Element)) return false
        onClick(range, event.target.getBoundingClientRect())
        return true
      }
    }
  })
]

class BlameEntry extends GutterMarker {
  readonly blame: BlameRange
  readonly isFirst: boolean
  readonly warmth: number

  constructor(range: BlameRange, isFirst: boolean, warmth: number) {
    super()
    this.blame = range
    this.isFirst = isFirst
    this.warmth = warmth
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof BlameEntry && this.blame === other.blame && this.isFirst === other.isFirst
  }

  override toDOM(): Node {
    const { author, date, summary } = this.blame
    const entry = document.createElement("span")
    entry.className = this.isFirst ? "blame-entry first" : "blame-entry"
    entry.style.setProperty("--warmth", `${Math.round(this.warmth * 100)}%`)
    if (this.isFirst) entry.append(part("author", author), part("summary", summary), part("date", age(date)))
    return entry
  }
}

const part = (name: string, text: string): HTMLElement => {
  const element = document.createElement("span")
  element.className = name
  element.textContent = displayText(text)
  return element
}

/** The age of a commit without "ago", which every line would repeat. */
const age = (date: string): string => RelativeTime.format(Date.parse(date), Date.now()).replace(/ ago$/, "")

/** From 0 for the oldest commit of the file to 1 for the newest. */
const warmth = (ranges: ReadonlyArray<BlameRange>, { date }: BlameRange): number => {
  const [oldest, newest] = dateSpan(ranges)
  return newest === oldest ? 0.5 : (Date.parse(date) - oldest) / (newest - oldest)
}

const dateSpans = new WeakMap<ReadonlyArray<BlameRange>, readonly [number, number]>()

/** The dates of the oldest and the newest commit, computed once for each blame. */
const dateSpan = (ranges: ReadonlyArray<BlameRange>): readonly [number, number] => {
  const known = dateSpans.get(ranges)
  if (known !== undefined) return known
  const dates = ranges.map(({ date }) => Date.parse(date))
  const span = [dates.reduce((a, b) => Math.min(a, b)), dates.reduce((a, b) => Math.max(a, b))] as const // a pair
  dateSpans.set(ranges, span)
  return span
}

const rangeOfLine = (ranges: ReadonlyArray<BlameRange>, line: number): BlameRange | undefined => {
  const range = ranges[lowerBound(ranges.length, (index) => (ranges[index]?.to ?? 0) < line)]
  return range !== undefined && range.from <= line ? range : undefined
}
