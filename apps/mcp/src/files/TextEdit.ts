/** Replaces parts of a text that occur once. */
import * as Result from "effect/Result"
import * as ReadBack from "./ReadBack.ts"
import * as ReadMarks from "./ReadMarks.ts"

/** Replaces `old` by `new`. A newline in `old` also matches CRLF. */
export interface Edit {
  readonly old: string
  readonly new: string
}

/** A part of the text, and the replacement. */
interface Span {
  readonly from: number
  readonly to: number
  readonly text: string
}

/**
 * Applies edits to a text. Each edit finds a place in the original text. New lines end like the replaced lines. Fails
 * with the reason if the place of an edit is not clear. `show` returns the form of a text in answers.
 */
export const apply = (
  text: string,
  edits: ReadonlyArray<Edit>,
  show: (text: string) => string
): Result.Result<string, string> => {
  const spans: Array<Span> = []
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? "old" : `old of edit ${index + 1}`
    if (edit.old === "") return Result.fail(`${name} is empty. To replace the whole file, pass text.`)
    const [found, ...others] = findAll(text, edit.old)
    if (found === undefined) return Result.fail(`${name} does not occur.${hint(text, edit.old, show)}`)
    if (others.length > 0) {
      const lines = [found, ...others].map(({ from }) => lineAt(text, from))
      const more = lines.length > MAX_FOUND ? " and more" : ""
      return Result.fail(
        `${name} must occur once, but begins on lines ${lines.slice(0, MAX_FOUND).join(", ")}${more}. Add lines around it.`
      )
    }
    spans.push({ ...found, text: withLineEnds(edit.new, text, found) })
  }
  spans.sort((one, other) => one.from - other.from)
  const overlap = spans.find(({ from }, index) => from < (spans[index - 1]?.to ?? 0))
  if (overlap !== undefined) return Result.fail(`two edits overlap on line ${lineAt(text, overlap.from)}.`)
  let result = ""
  let end = 0
  for (const span of spans) {
    result += text.slice(end, span.from) + span.text
    end = span.to
  }
  return Result.succeed(result + text.slice(end))
}

/** Number of places of a text that an error names. */
const MAX_FOUND = 10

/** Returns the places of a part, also overlapping ones, at most one more than an error names. */
const findAll = (text: string, part: string): ReadonlyArray<Omit<Span, "text">> => {
  const found: Array<Omit<Span, "text">> = []
  const plain = text.replaceAll("\r\n", "\n")
  const wanted = part.replaceAll("\r\n", "\n")
  // Indexes in `plain` of the newlines that are CRLF in the text.
  const crlf = Array.from(text.matchAll(/\r\n/g), ({ index }, count) => index - count)
  const indexInText = (index: number) => {
    const after = crlf.findIndex((newline) => newline >= index)
    return index + (after === -1 ? crlf.length : after)
  }
  for (let at = plain.indexOf(wanted); at !== -1 && found.length <= MAX_FOUND; at = plain.indexOf(wanted, at + 1)) {
    const span = { from: indexInText(at), to: indexInText(at + wanted.length) }
    if (!part.includes("\r\n") || text.slice(span.from, span.to) === part) found.push(span)
  }
  return found
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split("\n").length

/** Ends the lines of a replacement like the replaced lines, or else like the next line of the file. */
const withLineEnds = (replacement: string, text: string, { from, to }: Omit<Span, "text">): string => {
  if (!replacement.includes("\n") || replacement.includes("\r\n")) return replacement
  const ends = text.slice(from, to).match(/\r?\n/g) ?? []
  const last = ends.at(-1) ?? /\r?\n/.exec(text.slice(to))?.[0] ?? /\r?\n/.exec(text)?.[0] ?? "\n"
  let index = 0
  return replacement.replaceAll("\n", () => ends[index++] ?? last)
}

/** Number of a line, at the start of a line in an answer. */
const lineNumber = /^ *\d+\t/gm

/** Explains why a text does not occur, if a similar text occurs. */
const hint = (text: string, part: string, show: (text: string) => string): string => {
  const plain = part.replace(lineNumber, "")
  if (plain !== part && findAll(text, plain).length > 0) return " Leave out the numbers of the lines."
  if (ReadMarks.hasMark(part)) {
    const mark = text.split("\n").flatMap((line, index) => {
      const [first] = ReadMarks.ofLine(line, show(line)).filter(({ mark }) => part.includes(mark))
      return first === undefined ? [] : [{ ...first, line: index + 1 }]
    })[0]
    if (mark !== undefined)
      return ` Line ${mark.line} has ${ReadBack.escaped(mark.original)} where answers show ${JSON.stringify(mark.mark)}: write the character itself.`
  }
  const lines = text.split("\n").map(squash)
  const wanted = part.split("\n").map(squash)
  if (wanted.every((line) => line === "")) return ""
  const last = wanted.length - 1
  const at = lines.findIndex((_, index) =>
    wanted.every((line, offset) => {
      const own = lines[index + offset]
      if (own === undefined) return false
      if (last === 0) return own.includes(line)
      return offset === 0 ? own.endsWith(line) : offset === last ? own.startsWith(line) : own === line
    })
  )
  return at < 0 ? "" : ` Line ${at + 1} differs from it only in white space.`
}

const squash = (line: string): string => line.replace(/\s+/g, " ").trim()
