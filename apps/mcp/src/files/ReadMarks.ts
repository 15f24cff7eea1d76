/**
 * The marks that an answer has in place of characters of a file: a hidden character, the beginning of a look-alike of a
 * frame, the credential in use, the end of a long line. Writing such a mark into a file would falsify the file.
 */
import * as ThirdPartyText from "../text/ThirdPartyText.ts"

/** A mark, and the replaced characters. */
export interface ReadMark {
  readonly original: string
  readonly mark: string
  /** Position of the mark in the shown line. */
  readonly at: number
}

/** Matches every mark. Files can contain the same characters. */
const markPattern = /<U\+([\dA-F]{4,6})>|[\u2400-\u2421]|\*\*\*|… \(\d+ more characters\)/gu

/** Returns whether a text has something that looks like a mark. */
export const hasMark = (text: string): boolean => text.search(markPattern) !== -1

/** Returns the marks in the shown form of a line that the line of the file does not have. */
export const ofLine = (line: string, shown: string): ReadonlyArray<ReadMark> => {
  if (line === shown) return []
  const marks: Array<ReadMark> = []
  let from = 0
  // The distance between a position in the shown line and the same place in the line of the file.
  let shift = 0
  for (const match of shown.matchAll(markPattern)) {
    const [mark, code] = match
    const position = match.index + shift
    if (match.index < from || line.startsWith(mark, position)) continue
    const original = originalOf(mark, code, line, position, shown.slice(match.index + mark.length))
    from = match.index + mark.length
    shift += original.length - mark.length
    marks.push({ original, mark, at: match.index })
  }
  return marks
}

/** Number of characters after a mark of unknown length by which its end is found. */
const RESYNC = 12

const originalOf = (mark: string, code: string | undefined, line: string, at: number, rest: string): string => {
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
  if (mark.length === 1) return mark === "␡" ? "\u007f" : String.fromCharCode(mark.charCodeAt(0) - 0x2400)
  const next = rest.split(markPattern, 1)[0]?.slice(0, RESYNC) ?? ""
  const end = next === "" ? -1 : line.indexOf(next, at)
  return line.slice(at, end === -1 ? undefined : end)
}

/** Characters on each side of a mark that identify its place. */
const CONTEXT = 4

/** Returns a mark with the surrounding characters. */
const placeOf = (shown: string, at: number, mark: string): string =>
  shown.slice(Math.max(0, at - CONTEXT), at + mark.length + CONTEXT)

/** Maximum number of places that are kept. The oldest ones are forgotten. */
const MAX_PLACES = 20_000

/** The marks of the texts that a server has shown. */
export interface Shown {
  /** Keeps the marks of a text. `shown` is the text in the answer. */
  readonly keep: (text: string, shown: string) => void
  /**
   * Returns the first line of a text with a mark at a place where a shown text has a mark that the shown file does not
   * have.
   */
  readonly find: (text: string) => { readonly line: number; readonly mark: string } | undefined
}

/** Number of a line, at the start of a line in an answer. */
const lineNumber = /^\s*[-+]?\d+>?(?: [\w-]+)?\t/

/** Creates an empty store. */
export const makeShown = (): Shown => {
  const altered = new Set<string>()
  const literal = new Set<string>()
  const add = (places: Set<string>, place: string) => {
    places.delete(place)
    places.add(place)
    const [oldest] = places.size > MAX_PLACES ? places : []
    if (oldest !== undefined) places.delete(oldest)
  }
  return {
    keep: (text, shown) => {
      if (!hasMark(shown)) return
      const lines = text.split("\n")
      for (const [index, whole] of shown.split("\n").entries()) {
        if (!hasMark(whole)) continue
        const start = lineNumber.exec(whole)?.[0].length ?? 0
        const line = whole.slice(start)
        const own = ofLine((lines[index] ?? "").slice(start), line)
        const starts = new Set(own.map(({ at }) => at))
        for (const match of line.matchAll(markPattern))
          add(starts.has(match.index) ? altered : literal, placeOf(line, match.index, match[0]))
      }
    },
    find: (text) => {
      if (altered.size === 0 || !hasMark(text)) return undefined
      for (const [index, line] of text.split("\n").entries()) {
        for (const match of line.matchAll(markPattern)) {
          const place = placeOf(line, match.index, match[0])
          if (altered.has(place) && !literal.has(place)) return { line: index + 1, mark: match[0] }
        }
      }
      return undefined
    }
  }
}

/** Returns a text in the form of an answer, without line numbers. */
export const show = (text: string, maskCredential: (text: string) => string): string =>
  ThirdPartyText.escape(maskCredential(text))
