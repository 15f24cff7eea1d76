/**
 * The log of a job as lines: colors, groups and marks of errors and warnings.
 *
 * **Details**
 *
 * Runners write `##[group]TITLE`, `##[endgroup]`, `##[error]TEXT`, `##[warning]TEXT`, `##[notice]TEXT`,
 * `##[command]TEXT` and `##[debug]TEXT`, or the same as workflow commands, for example `::error file=a.ts::TEXT`.
 */

/** The color of a text, by the names of terminals. */
export const colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const // literal types

/** One of `colors`. */
export type Color = (typeof colors)[number]

/** A part of a line in one style. The text is not escaped. */
export interface LogSpan {
  readonly text: string
  /** The default color if absent. */
  readonly color?: Color
  readonly isBold?: true
}

/** What a line is, if it is not plain output. */
export const marks = ["group", "error", "warning", "notice", "command", "debug"] as const // literal types

/** One of `marks`. */
export type Mark = (typeof marks)[number]

/** A line of a log. */
export interface LogLine {
  /** From 1, as in the file. */
  readonly number: number
  readonly spans: ReadonlyArray<LogSpan>
  readonly mark?: Mark
  /** True for a line in a group. */
  readonly isInGroup: boolean
}

/** Maximum number of lines. */
export const MAX_LINES = 10_000

/** Maximum number of UTF-16 units of a line. */
const MAX_LINE = 4_000

/** The lines of a log. Leaves out the ends of groups, and the time at the start of each line of GitHub's logs. */
export const parse = (text: string): ReadonlyArray<LogLine> => {
  const lines: Array<LogLine> = []
  let style: Style = {}
  let isInGroup = false
  let number = 0
  for (const whole of text.split("\n", MAX_LINES + 1)) {
    number++
    // The part after the last line break is a line only if it has a text.
    if (number > MAX_LINES || (whole === "" && number > 1 && text.length === endOf(text))) break
    const line = withoutReturns(whole).replace(time, "")
    const command = commandPattern.exec(line) ?? workflowCommand.exec(line)
    const name = command?.[1]
    if (name === "endgroup") {
      isInGroup = false
      continue
    }
    const mark = marks.find((mark) => mark === name)
    if (mark === "group") isInGroup = false
    const shown = mark === undefined ? line : (command?.[2] ?? "")
    const [spans, next] = styled(shown.length > MAX_LINE ? `${shown.slice(0, MAX_LINE)}…` : shown, style)
    style = next
    lines.push({ number, spans, isInGroup, ...(mark === undefined ? {} : { mark }) })
    if (mark === "group") isInGroup = true
  }
  return lines
}

const endOf = (text: string): number => text.lastIndexOf("\n") + 1

/** The time at the start of a line, to the 100 nanoseconds. */
const time = /^\uFEFF?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z /

const commandPattern = /^##\[(\w+)\](.*)$/s

const workflowCommand = /^::(group|endgroup|error|warning|notice|debug)(?: [^:]*(?::(?!:)[^:]*)*)?::(.*)$/s

/** The text after the last carriage return, with which programs overwrite a line. */
const withoutReturns = (line: string): string => {
  const end = line.endsWith("\r") ? line.slice(0, -1) : line
  return end.slice(end.lastIndexOf("\r") + 1)
}

interface Style {
  readonly color?: Color
  readonly isBold?: true
}

/** Control sequences of terminals, and sequences that set a title or a link. */
const sequence = /\u001b(?:\[([0-?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g

/** Splits a line into spans, and returns the style at its end. */
const styled = (line: string, start: Style): readonly [ReadonlyArray<LogSpan>, Style] => {
  const spans: Array<LogSpan> = []
  let style = start
  let from = 0
  for (const match of line.matchAll(sequence)) {
    if (match.index > from) spans.push({ text: line.slice(from, match.index), ...style })
    from = match.index + match[0].length
    if (match[2] === "m") style = restyled(style, match[1] ?? "")
  }
  if (from < line.length) spans.push({ text: line.slice(from), ...style })
  return [spans, style]
}

/** The style after the parameters of a sequence. Other colors than the 16 of terminals have no effect. */
const restyled = (style: Style, parameters: string): Style => {
  let current = style
  const codes = parameters.split(/[;:]/).map(Number)
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    const color = (code >= 30 && code <= 37) || (code >= 90 && code <= 97) ? colors[code % 10] : undefined
    if (code === 0) current = {}
    else if (code === 1) current = { ...current, isBold: true }
    else if (code === 22) current = colored(current.color)
    else if (code === 39) current = current.isBold === undefined ? {} : { isBold: true }
    else if (code === 38 || code === 48) index += codes[index + 1] === 2 ? 4 : 2
    else if (color !== undefined) current = { ...current, color }
  }
  return current
}

const colored = (color: Color | undefined): Style => (color === undefined ? {} : { color })
