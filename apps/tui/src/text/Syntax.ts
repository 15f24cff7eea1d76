/** Source code as styled lines. The grammar of a language is loaded with the first file. */
import * as Effect from "effect/Effect"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Identifier from "@tongs/syntax/Identifier"
import * as Language from "@tongs/syntax/Language"
import type { SyntaxHighlighter } from "@tongs/syntax/SyntaxHighlighter"
import * as SyntaxTokens from "@tongs/syntax/SyntaxTokens"
import * as StyledLine from "./StyledLine.ts"
import type { Line } from "./StyledLine.ts"
import * as SyntaxLine from "./SyntaxLine.ts"

/** A text whose lines are formatted only for display. */
export interface SyntaxText {
  /** The count of lines. A newline at the end of the text starts no line. */
  readonly length: number
  /** Returns a line by index, from 0, with a marked name. */
  readonly lineAt: (index: number, marked?: Identifier.Identifier) => Line
  /** Returns the names in a line, without the part of a long line that is not shown. */
  readonly namesAt: (index: number) => ReadonlyArray<Identifier.Identifier>
}

/** UTF-16 units above which a text is not highlighted. */
export const MAX_LENGTH = 1_000_000

/** UTF-16 units above which the rest of a line is not shown, and the text is not highlighted. */
export const MAX_LINE_LENGTH = 10_000

/** Milliseconds to parse before other work is done. */
const SLICE = 20

/** Milliseconds after which the rest of a file is not highlighted. */
const FILE_TIMEOUT = 5_000

/** Milliseconds after which the rest of a short text is not highlighted, because parsing blocks keys. */
const SHORT_TIMEOUT = 50

/** Creates a text without highlighting. */
export const plain = (text: string): SyntaxText => make(text, lineStarts(text), undefined)

/**
 * Highlights a file. Parses in slices, so that keys are not blocked, and returns the plain text if the grammar fails.
 * Returns undefined for a language without a grammar, and above `MAX_LENGTH` and `MAX_LINE_LENGTH`.
 */
export const highlight = (path: string, text: string): Effect.Effect<SyntaxText> | undefined => {
  const language = Language.fromPath(path)
  if (language === undefined || text.length > MAX_LENGTH) return undefined
  const starts = lineStarts(text)
  if (hasLongLine(starts)) return undefined
  return load(language).pipe(
    Effect.flatMap((highlighter) => (highlighter === undefined ? Effect.void : tokens(highlighter, text))),
    Effect.map((tokens) => make(text, starts, tokens ?? undefined))
  )
}

/** Loads the highlighter of a language; undefined if the grammar does not load. */
export const load = (language: Language.Language): Effect.Effect<SyntaxHighlighter | undefined> =>
  Effect.tryPromise(() => Language.load(language)).pipe(Effect.orElseSucceed(() => undefined))

const tokens = Effect.fnUntraced(
  function* (highlighter: SyntaxHighlighter, text: string) {
    const steps = highlighter.steps(text, { slice: SLICE, timeout: FILE_TIMEOUT })
    for (;;) {
      const step = yield* Effect.try(() => steps.next())
      if (step.done === true) return step.value
      yield* Effect.yieldNow
    }
  },
  Effect.orElseSucceed(() => undefined)
)

/** Highlights a short text, such as a part of a diff, in at most 50 ms. */
export const highlightNow = (highlighter: SyntaxHighlighter, text: string): SyntaxText => {
  const starts = lineStarts(text)
  return make(text, starts, hasLongLine(starts) ? undefined : tokensNow(highlighter, text))
}

/** Finds the tokens of a short text in at most 50 ms. The rest of the text has no tokens. */
export const tokensNow = (highlighter: SyntaxHighlighter, text: string): SyntaxTokens.SyntaxTokens | undefined => {
  try {
    return highlighter.highlight(text, { timeout: SHORT_TIMEOUT })
  } catch {
    // A grammar may exceed the stack on hostile input.
    return undefined
  }
}

/** The position of each line, then the position after the last newline. */
const lineStarts = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  if (!text.endsWith("\n")) starts.push(text.length + 1)
  return starts
}

const hasLongLine = (starts: ReadonlyArray<number>) =>
  starts.some((start, index) => start - (starts[index - 1] ?? 0) - 1 > MAX_LINE_LENGTH)

const make = (
  text: string,
  starts: ReadonlyArray<number>,
  tokens: SyntaxTokens.SyntaxTokens | undefined
): SyntaxText => {
  const shownAt = (index: number) => {
    const offset = starts[index]
    const next = starts[index + 1]
    if (offset === undefined || next === undefined) return { offset: 0, shown: "", hidden: 0 }
    const end = text[next - 2] === "\r" && next - 2 >= offset ? next - 2 : next - 1
    const shown = text.slice(offset, Math.min(end, offset + MAX_LINE_LENGTH))
    return { offset, shown, hidden: end - offset - shown.length }
  }
  return {
    length: starts.length - 1,
    lineAt: (index, marked) => {
      const { hidden, offset, shown } = shownAt(index)
      const marks = marked === undefined ? [] : [{ start: marked.start, end: marked.end, background: "name" } as const] // a literal type
      const line = SyntaxLine.make(shown, { tokens: tokens && { tokens, offset }, marks })
      if (hidden <= 0) return line
      return [...line, StyledLine.span(`… ${NumberFormat.quantity(hidden, "more character")}`, "muted")]
    },
    namesAt: (index) => {
      const { offset, shown } = shownAt(index)
      return Identifier.inLine(shown, tokens ?? SyntaxTokens.empty, offset)
    }
  }
}
