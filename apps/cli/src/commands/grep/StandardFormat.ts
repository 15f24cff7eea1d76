/** Formats results like ripgrep: lines with a prefix or below a heading, names, or counts. */
import * as LineMatches from "./LineMatches.ts"
import type { GrepLine } from "./LineMatches.ts"

/** Settings of the output, with the defaults applied. */
export interface Settings {
  readonly mode: "lines" | "files" | "count" | "matches"
  readonly onlyMatching: boolean
  readonly vimgrep: boolean
  readonly heading: boolean
  readonly fileName: boolean
  readonly lineNumber: boolean
  readonly column: boolean
  readonly null: boolean
  readonly trim: boolean
  readonly hasColor: boolean
  readonly hasContext: boolean
  /** Makes text safe for the output. */
  readonly safe: (text: string) => string
}

/** Formats files one after the other. */
export interface Formatter {
  readonly format: (name: string, lines: ReadonlyArray<GrepLine>) => string
}

/** Creates a formatter. The formatter puts the separators of ripgrep between files. */
export const make = (settings: Settings): Formatter => {
  const { fileName, hasColor, hasContext, heading, lineNumber, mode, safe } = settings
  let isFirst = true
  const paint = (code: string, text: string) => (hasColor ? `\u001b[0m${code}${text}\u001b[0m` : text)
  const paintName = (name: string) => paint("\u001b[35m", safe(name))
  const nameEnd = (other: string) => (settings.null ? "\0" : other)

  const prefix = (name: string, { number }: GrepLine, column: number | undefined, separator: string) =>
    (fileName && !heading ? paintName(name) + nameEnd(separator) : "") +
    (lineNumber ? paint("\u001b[32m", String(number)) + separator : "") +
    (column === undefined ? "" : paint("", String(column)) + separator)

  const highlighted = ({ matches, text }: GrepLine, shown = matches) => {
    if (!hasColor) return safe(text)
    let at = 0
    let line = ""
    for (const [start, end] of shown) {
      if (end === start) continue
      line += safe(text.slice(at, start)) + paint("\u001b[1m\u001b[31m", safe(text.slice(start, end)))
      at = end
    }
    return line + safe(text.slice(at))
  }

  const one = (name: string, whole: GrepLine): string => {
    const line = settings.trim && !settings.onlyMatching ? LineMatches.trim(whole) : whole
    if (!line.isMatch) return `${prefix(name, line, undefined, "-")}${safe(line.text)}\n`
    const columnOf = (start: number) => (settings.column ? Buffer.byteLength(line.text.slice(0, start)) + 1 : undefined)
    if (settings.onlyMatching) {
      return line.matches
        .filter(([start, end]) => end > start)
        .map(([start, end]) => {
          const text = paint("\u001b[1m\u001b[31m", safe(line.text.slice(start, end)))
          return `${prefix(name, line, columnOf(start), ":")}${text}\n`
        })
        .join("")
    }
    if (settings.vimgrep) {
      return line.matches
        .map((range) => `${prefix(name, line, columnOf(range[0]), ":")}${highlighted(line, [range])}\n`)
        .join("")
    }
    return `${prefix(name, line, columnOf(line.matches[0]?.[0] ?? 0), ":")}${highlighted(line)}\n`
  }

  const format = (name: string, lines: ReadonlyArray<GrepLine>): string => {
    const matching = lines.filter(({ isMatch }) => isMatch)
    if (mode === "files") return `${paintName(name)}${nameEnd("\n")}`
    if (mode !== "lines") {
      const sum = matching.reduce((total, { matches }) => total + matches.length, 0)
      const count = mode === "count" ? matching.length : sum
      return `${fileName ? `${paintName(name)}${nameEnd(":")}` : ""}${count}\n`
    }
    const separator = isFirst ? "" : heading && fileName ? "\n" : hasContext ? "--\n" : ""
    isFirst = false
    let text = separator
    if (heading && fileName) text += paintName(name) + nameEnd("\n")
    let last: number | undefined
    for (const line of lines) {
      if (hasContext && last !== undefined && line.number > last + 1) text += "--\n"
      text += one(name, line)
      last = line.number
    }
    return text
  }
  return { format }
}
