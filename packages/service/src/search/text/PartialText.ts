import * as LineTable from "./LineTable.ts"

/** Place of a part of a text. A part has whole lines. */
export interface Part {
  /** Number of the first line. */
  readonly line: number
  /** Number of UTF-16 code units, and of bytes of UTF-8, before the part. */
  readonly offset: number
  readonly bytes: number
}

/** A text in parts, each of which can be read. */
export interface PartSource {
  readonly parts: ReadonlyArray<Part>
  /** Number of UTF-16 code units. Undefined for a text of one part. */
  readonly length: number | undefined
  /** Reads a part. Throws if the part cannot be read. */
  readonly read: (part: number) => string
}

/** Consecutive parts in the text that was read: offset and number of the first line. */
export interface Section {
  readonly start: number
  readonly line: number
  /** Index of the first line among the lines that were read. */
  readonly row: number
  /** Number of bytes of UTF-8 before the section in the whole text. */
  readonly bytes: number
}

/**
 * A text of which only some parts were read. Offsets are those of `text`: the parts that were read, joined. Lines have
 * their numbers in the whole text. Other lines are read when needed.
 */
export class PartialText {
  readonly text: string
  /** Number of UTF-16 code units of the whole text. */
  readonly length: number
  readonly #source: PartSource
  readonly #read: ReadonlyArray<readonly [number, Part]>
  #table: LineTable.LineTable | undefined
  #sections: ReadonlyArray<Section> | undefined
  #whole: string | undefined
  /** Tables of further parts, read for lines that `text` lacks. */
  readonly #others = new Map<number, LineTable.LineTable>()
  readonly #starts: ReadonlyArray<number>

  /** Reads parts, ascending, or all parts. Throws if one cannot be read. */
  constructor(source: PartSource, wanted?: ReadonlyArray<number>) {
    this.#source = source
    const { parts } = source
    const isWhole = wanted === undefined || wanted.length === parts.length
    const numbers = isWhole ? [...parts.keys()] : wanted
    const texts = numbers.map((part) => source.read(part))
    this.text = texts.join("")
    if (isWhole) this.#whole = this.text
    this.length = source.length ?? this.text.length
    let start = 0
    this.#starts = texts.map((text) => (start += text.length) - text.length)
    this.#read = numbers.flatMap((number): ReadonlyArray<readonly [number, Part]> => {
      const part = parts[number]
      return part === undefined ? [] : [[number, part]]
    })
  }

  static ofWhole(text: string): PartialText {
    return new PartialText({ parts: [{ line: 1, offset: 0, bytes: 0 }], length: text.length, read: () => text })
  }

  /** The whole text. Reads the other parts. */
  get whole(): string {
    return (this.#whole ??= this.#source.parts.map((_, part) => this.#source.read(part)).join(""))
  }

  /** Returns the number of the line that contains an offset. */
  lineAt(offset: number): number {
    const row = LineTable.at(this.lines, offset) - 1
    const section = this.#places[lastUpTo(this.#places, "row", row)]
    return section === undefined ? row + 1 : section.line + row - section.row
  }

  /** Returns the index of a line among the lines of `text`. Undefined for a line that `text` lacks. */
  rowOf(number: number): number | undefined {
    const at = lastUpTo(this.#places, "line", number)
    const section = this.#places[at]
    if (section === undefined) return undefined
    const row = section.row + number - section.line
    return row < (this.#places[at + 1]?.row ?? this.lines.starts.length) ? row : undefined
  }

  /** Returns the section that contains an offset. */
  sectionAt(offset: number): Section | undefined {
    return this.#places[lastUpTo(this.#places, "start", offset)]
  }

  /** Returns the offsets of a line, without the line ending. Undefined for a line that `text` lacks. */
  lineOffsets(number: number): LineTable.Line | undefined {
    const row = this.rowOf(number)
    return row === undefined ? undefined : LineTable.line(this.lines, row + 1)
  }

  /** Returns a line, without the line ending. Undefined for a number that is too large. */
  line(number: number): string | undefined {
    const offsets = this.lineOffsets(number)
    if (offsets !== undefined) return this.text.slice(offsets.start, offsets.end)
    const { parts } = this.#source
    // A part after a long line can be empty.
    const isEmpty = (at: number) => (parts[at + 1]?.offset ?? this.length) === parts[at]?.offset
    const part = parts.findLastIndex(({ line }, at) => line <= number && !isEmpty(at))
    const first = parts[part]?.line
    if (first === undefined || this.#read.some(([read]) => read === part)) return undefined
    const table = this.#others.get(part) ?? LineTable.make(this.#source.read(part))
    this.#others.set(part, table)
    // A part after a long line can be empty, also at the end.
    if (table.text === "" || number - first >= table.starts.length) return undefined
    const { end, start } = LineTable.line(table, number - first + 1)
    return table.text.slice(start, end)
  }

  /** The lines of `text`. */
  get lines(): LineTable.LineTable {
    return (this.#table ??= LineTable.make(this.text))
  }

  get #places(): ReadonlyArray<Section> {
    return (this.#sections ??= this.#readSections())
  }

  #readSections(): ReadonlyArray<Section> {
    const sections: Array<Section> = []
    let isListed = false
    for (const [at, [part, { bytes, line }]] of this.#read.entries()) {
      // A part right after another one belongs to the same section.
      if (isListed && this.#read[at - 1]?.[0] === part - 1) continue
      const start = this.#starts[at] ?? 0
      // A part after a long line can be empty.
      isListed = this.#whole !== undefined || (this.#starts[at + 1] ?? this.text.length) > start
      if (isListed) sections.push({ start, line, bytes, row: LineTable.at(this.lines, start) - 1 })
    }
    return sections
  }
}

/** Returns the index of the last section whose property is at most `value`, or -1. The sections must ascend by it. */
const lastUpTo = (sections: ReadonlyArray<Section>, property: "line" | "row" | "start", value: number): number => {
  let low = 0
  let high = sections.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sections[middle]?.[property] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
