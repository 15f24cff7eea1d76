/**
 * Compares a new text with the file to replace: an agent that writes back the text of an answer must not commit the
 * marks of the answer, another encoding or other line ends.
 */
import * as FileText from "./FileText.ts"
import * as ReadMarks from "./ReadMarks.ts"

/** The text that is to replace a file. */
export interface Replacement {
  readonly text: string
  /** True if the caller wrote the bytes in Base64, and so decided about encoding and ends of lines. */
  readonly isBytes: boolean
}

/**
 * Returns why a text must not replace a file, as the rest of a sentence; undefined if the text may replace the file.
 */
export const problem = (
  file: Uint8Array,
  { isBytes, text }: Replacement,
  maskCredential: (text: string) => string
): string | undefined => {
  const decoded = FileText.decodeText(file, false)
  if (decoded === undefined) return undefined
  const marks = ReadMarks.hasMark(text) ? markProblem(decoded.text, text, maskCredential) : undefined
  if (marks !== undefined || isBytes) return marks
  if (decoded.encoding !== "UTF-8" && (text !== "" || decoded.text === ""))
    return `the file's encoding is ${decoded.encoding}, and the text would be written as UTF-8. ${AS_BYTES}`
  return lineEndProblem(decoded.text, text)
}

const AS_BYTES = "To write other bytes, pass them in Base64."

/** Maximum number of different marks that are compared one by one. */
const MAX_MARKS = 500

/** Number of compared characters after a look-alike, because a bracket alone is frequent. */
const AFTER = 12

/**
 * Finds a mark that the text has in place of characters of the file: the file has more of these characters than the
 * text, and the text has more of these marks.
 */
const markProblem = (file: string, text: string, maskCredential: (text: string) => string): string | undefined => {
  const lines = file.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
  const whole = ReadMarks.show(lines.join("\n"), maskCredential).split("\n")
  const pairs = new Map<string, readonly [original: string, mark: string]>()
  const altered: Array<readonly [line: string, shown: string, marks: ReadonlyArray<ReadMarks.ReadMark>]> = []
  for (const [index, line] of lines.entries()) {
    // A look-alike of a frame can reach over the end of a line.
    for (const shown of new Set([ReadMarks.show(line, maskCredential), whole[index] ?? line])) {
      const marks = ReadMarks.ofLine(line, shown)
      if (marks.length === 0) continue
      altered.push([line, shown, marks])
      for (const { at, mark, original } of marks) {
        const after = isFrequent(original) ? shown.slice(at + mark.length, at + mark.length + AFTER) : ""
        pairs.set(`${original}${after}\0${mark}${after}`, [`${original}${after}`, `${mark}${after}`])
      }
    }
  }
  const isCut = lines.some(({ length }) => length > MIN_CUT)
  const cut = (isCut ? [...text.matchAll(cutPattern)] : []).find(([mark]) => count(text, mark) > count(file, mark))
  if (cut !== undefined)
    return `line ${lineOf(text, file, cut[0])} has ${JSON.stringify(cut[0])}, where an answer has cut a long line.`
  if (pairs.size > MAX_MARKS) {
    const marks = [...pairs.values()].map(([, mark]) => mark).filter((mark) => text.includes(mark))
    return marks[0] === undefined ? undefined : sentence(text, file, marks[0], undefined)
  }
  const isReplaced = (original: string) => count(text, original) < count(file, original)
  for (const [original, mark] of pairs.values())
    if (count(text, mark) > count(file, mark) && isReplaced(original)) return sentence(text, file, mark, original)
  // A mark in the original file can be missing, so that the numbers of marks are equal.
  const written = counts(text.split(/\r?\n/))
  const own = counts(lines)
  for (const [, shown, marks] of altered) {
    const [first] = marks
    if (first !== undefined && isReplaced(first.original) && (written.get(shown) ?? 0) > (own.get(shown) ?? 0))
      return sentence(text, file, first.mark, first.original)
  }
  return undefined
}

/** Matches the mark at the end of a line that an answer has cut. */
const cutPattern = /… \(\d+ more characters\)/gu

/** Minimum length of a line that an answer cuts. */
const MIN_CUT = 200

/** Returns whether a character is also frequent in text without look-alikes. */
const isFrequent = (original: string): boolean => /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(original)

const count = (text: string, part: string): number => (part === "" ? 0 : text.split(part).length - 1)

const counts = (lines: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const made = new Map<string, number>()
  for (const line of lines) made.set(line, (made.get(line) ?? 0) + 1)
  return made
}

/** Returns the number of the first line with a mark that the file does not have in the same line. */
const lineOf = (text: string, file: string, mark: string): number => {
  const own = new Set(file.split(/\r?\n/))
  const lines = text.split(/\r?\n/)
  const found = lines.findIndex((line) => line.includes(mark) && !own.has(line))
  return (found === -1 ? lines.findIndex((line) => line.includes(mark)) : found) + 1
}

const sentence = (text: string, file: string, mark: string, original: string | undefined): string => {
  const place = `line ${lineOf(text, file, mark)} has ${JSON.stringify(mark)}`
  if (mark.startsWith("***") || original === undefined)
    return `${place}, where an answer has masked something in the file.`
  return `${place}, where the file has ${escaped(original)}: answers show it so.`
}

/** Formats the first character like a JSON escape, even if the character is visible. */
export const escaped = (text: string): string => {
  const [first = ""] = text
  return `"${[...Array(first.length).keys()].map((at) => `\\u${first.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`
}

/**
 * Returns why the ends of lines differ, as a sentence: lines of the file that the text has with the other end. Returns
 * undefined if the ends are those of the file.
 */
export const lineEndProblem = (file: string, text: string): string | undefined => {
  if (!file.includes("\r\n")) return undefined
  const own = counts(file.split("\n").slice(0, -1))
  const written = counts(text.split("\n").slice(0, -1))
  const changed = (line: string, other: string) =>
    (written.get(line) ?? 0) < (own.get(line) ?? 0) && (written.get(other) ?? 0) > (own.get(other) ?? 0)
  for (const line of own.keys()) {
    const isCrLf = line.endsWith("\r")
    if (!changed(line, isCrLf ? line.slice(0, -1) : `${line}\r`)) continue
    const number = file.split("\n").indexOf(line) + 1
    return `line ${number} of the file ends with ${isCrLf ? "CRLF" : "LF"}, and with ${isCrLf ? "LF" : "CRLF"} in the text. Write ${isCrLf ? '"\\r\\n"' : '"\\n"'} there. ${AS_BYTES}`
  }
  return undefined
}
