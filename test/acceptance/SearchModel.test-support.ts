/** A naive search of complete texts, line by line and without an index: the model for the code search. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { Chunk, Line, TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as FileFilter from "@tongs/service/search/FileFilter"
import type { Fragment } from "@tongs/service/search/Fragments"
import * as QueryNames from "@tongs/service/search/QueryNames"
import * as EnclosingLineModel from "./EnclosingLineModel.test-support.ts"

/** A file of the searched repository. */
export interface ModelFile {
  readonly path: string
  readonly fullName: string
  /** Size in bytes. */
  readonly size: number
  readonly text: string
  /** All definitions in the file. */
  readonly definitions: ReadonlyArray<CodeSymbol>
}

/** Form of the matches, as for the code search. */
export type Show = "fragments" | { readonly lines: "best" | "all" | "complete"; readonly context: number }

/** A file that matches. */
export interface ModelHit {
  readonly inPath: ReadonlyArray<TextRange>
  readonly matchCount: number
  readonly chunks: ReadonlyArray<Chunk>
  readonly fragments: ReadonlyArray<Fragment>
}

/** Offsets of a line in the text. `end` is before the line ending, `next` behind the line feed. */
interface LineRange {
  readonly start: number
  readonly end: number
  readonly next: number
}

type Term = Exclude<CodeQuery.Leaf, { readonly _tag: "Symbol" }>

/** Maximum number of matches in a file, and in a file of which all complete lines are shown. */
const MAX_MATCHES = 10_000
const MAX_ALL_MATCHES = 300_000

/** Maximum number of lines with matches, and of characters shown of a line, of which some precede the first match. */
const MAX_BEST_LINES = 5
const MAX_LINES = 10_000
const MAX_WIDTH = 1_000
const LEAD = 200
const MAX_ENCLOSING = 200

const WORD = String.raw`[\p{L}\p{M}\p{N}\p{Pc}]`

/** Returns the lines of a text. A final line feed starts no further line. */
const linesOf = (text: string): ReadonlyArray<LineRange> => {
  const lines: Array<LineRange> = []
  for (let start = 0; start < text.length || lines.length === 0;) {
    const feed = text.indexOf("\n", start)
    const [end, next] = feed === -1 ? [text.length, text.length] : [feed, feed + 1]
    lines.push({ start, end: end > start && text[end - 1] === "\r" ? end - 1 : end, next })
    start = Math.max(next, start + 1)
  }
  return lines
}

const compile = (query: CodeQuery.CodeQuery, term: Term): RegExp => {
  const settings = term.place === "path" ? CodeQuery.defaultOptions : query
  const source = term._tag === "Text" ? RegExp.escape(term.text) : `(?:${term.source})`
  return new RegExp(
    settings.wholeWord ? `(?<!${WORD})${source}(?!${WORD})` : source,
    settings.caseSensitive ? "gmu" : "gimu"
  )
}

/** A file with the ranges of the matches so far. */
class State {
  readonly file: ModelFile
  readonly lines: ReadonlyArray<LineRange>
  readonly max: number
  readonly withEmpty: boolean
  inContent: Array<TextRange> = []
  inPath: Array<TextRange> = []

  constructor(file: ModelFile, lines: ReadonlyArray<LineRange>, isComplete: boolean) {
    this.file = file
    this.lines = lines
    this.max = isComplete ? MAX_ALL_MATCHES : MAX_MATCHES
    this.withEmpty = isComplete
  }

  /** A state without matches. */
  fresh(): State {
    return new State(this.file, this.lines, false)
  }
}

/** Adds the matches of a pattern in one line or path. Returns whether there is one. */
const findInLine = (
  pattern: RegExp,
  line: string,
  offset: number,
  ranges: Array<TextRange>,
  { max, withEmpty }: Pick<State, "max" | "withEmpty">
): boolean => {
  let isFound = false
  for (const { 0: match, index } of line.matchAll(pattern)) {
    isFound = true
    if (match.length > 0 || withEmpty) ranges.push([offset + index, offset + index + match.length])
    if (ranges.length >= max) break
  }
  return isFound
}

const findInContent = (pattern: RegExp, state: State): boolean => {
  let isFound = false
  for (const { end, start } of state.lines) {
    if (findInLine(pattern, state.file.text.slice(start, end), start, state.inContent, state)) isFound = true
    if (isFound && state.inContent.length >= state.max) break
  }
  return isFound
}

/** Returns whether a file matches a part of a query. Adds the matches to the state. */
const holds = (query: CodeQuery.CodeQuery, self: CodeQuery.Expression, state: State): boolean => {
  switch (self._tag) {
    case "And":
      return self.all.every((part) => holds(query, part, state))
    case "Or":
      return self.any.filter((part) => holds(query, part, state)).length > 0
    case "Not":
      return !holds(query, self.not, state.fresh())
    case "Filter":
      return FileFilter.make(self.filter)(state.file)
    case "Symbol": {
      const name = new RegExp(self.exact ? `^${RegExp.escape(self.name)}$` : RegExp.escape(self.name), "iu")
      const defined = state.file.definitions.filter((one) => name.test(one.name))
      state.inContent.push(...nameRanges(state, defined))
      return defined.length > 0
    }
    case "Text":
    case "Regex": {
      const pattern = compile(query, self)
      const limits = { max: MAX_MATCHES, withEmpty: false }
      if (self.place === "path") return findInLine(pattern, state.file.path, 0, [], limits)
      const inContent = query.inContent || self.place === "content"
      const inPath = query.inPath && self.place === undefined
      const content = inContent && findInContent(pattern, state)
      const path = inPath && findInLine(pattern, state.file.path, 0, state.inPath, limits)
      return content || path
    }
  }
}

/** Returns the ranges of the names of definitions. */
const nameRanges = ({ file: { text }, lines }: State, definitions: ReadonlyArray<CodeSymbol>): Array<TextRange> =>
  definitions.flatMap(({ column, line, name }): ReadonlyArray<TextRange> => {
    const { end, start } = lines[line - 1] ?? { start: text.length, end: text.length }
    const at = column === undefined ? text.indexOf(name, start) : start + column
    // The name in the text can be part of the symbol's name.
    const length = text.startsWith(name, at) ? name.length : (/^\w+/.exec(text.slice(at, end))?.[0].length ?? 0)
    return at !== -1 && at < end && length > 0 ? [[at, at + length]] : []
  })

/** Sorts ranges, and drops those that overlap an earlier one, and empty ones at the end of another one. */
const tidy = (ranges: ReadonlyArray<TextRange>): ReadonlyArray<TextRange> => {
  const kept: Array<TextRange> = []
  for (const range of ranges.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const end = kept.at(-1)?.[1] ?? -1
    if (range[0] >= end && !(range[0] === end && range[1] === end)) kept.push(range)
  }
  return kept
}

/** Searches a file. Returns undefined if the file does not match. */
export const search = (query: CodeQuery.CodeQuery, given: ModelFile, show: Show): ModelHit | undefined => {
  const named = QueryNames.definitions(query)
  const file = { ...given, definitions: given.definitions.filter(({ name }) => named?.test(name)) }
  const lines = linesOf(file.text)
  const isComplete = typeof show === "object" && show.lines === "complete"
  const state = new State(file, lines, isComplete)
  if (!holds(query, query.expression, state)) return undefined
  const ofKind = file.definitions.filter(({ kind }) => query.symbolKinds.includes(kind))
  let matches = tidy(state.inContent)
  if (query.symbolKinds.length > 0) {
    const names = tidy(nameRanges(state, ofKind))
    const hasTerms = CodeQuery.positiveLeaves(query.expression).length > 0
    matches = hasTerms
      ? matches.filter(([start, end]) => names.some((name) => name[0] < end && name[1] > start))
      : names.slice(0, state.max)
    if (matches.length === 0) return undefined
  }
  const definitions = query.symbolKinds.length > 0 ? ofKind : file.definitions
  return {
    inPath: query.symbolKinds.length > 0 ? [] : tidy(state.inPath),
    matchCount: matches.length,
    chunks: show === "fragments" ? [] : chunksOf(file.text, lines, matches, definitions, show),
    fragments: show === "fragments" ? fragmentsOf(file.text, matches) : []
  }
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && new RegExp(WORD, "u").test(character)

/** Returns whether a match begins and ends at the ends of words. */
const isWhole = (text: string, [start, end]: TextRange): boolean => !isWord(text[start - 1]) && !isWord(text[end])

const chunksOf = (
  text: string,
  lines: ReadonlyArray<LineRange>,
  matches: ReadonlyArray<TextRange>,
  definitions: ReadonlyArray<CodeSymbol>,
  { context, lines: shown }: Exclude<Show, string>
): ReadonlyArray<Chunk> => {
  const byLine = new Map<number, Array<TextRange>>()
  let at = 0
  for (const match of matches) {
    while (at + 1 < lines.length && (lines[at + 1]?.start ?? 0) <= match[0]) at++
    byLine.set(at, byLine.get(at) ?? [])
    byLine.get(at)?.push(match)
  }
  const worth = (index: number) => {
    const own = byLine.get(index)
    if (own === undefined) return -1
    const defines = definitions.some(({ line }) => line === index + 1) ? 2 : 0
    return defines + (own.some((range) => isWhole(text, range)) ? 1 : 0)
  }
  const worths = new Map([...byLine.keys()].map((index) => [index, worth(index)]))
  const worthOf = (index: number) => worths.get(index) ?? -1
  const ordered = [...byLine.keys()].sort((a, b) => (shown === "best" ? worthOf(b) - worthOf(a) : 0) || a - b)
  const limit = shown === "best" ? MAX_BEST_LINES : shown === "all" ? MAX_LINES : ordered.length
  const wanted = new Set<number>()
  for (const index of ordered.slice(0, limit)) {
    for (let near = Math.max(0, index - context); near <= Math.min(lines.length - 1, index + context); near++) {
      wanted.add(near)
    }
  }
  const groups: Array<Array<number>> = []
  for (const index of [...wanted].sort((a, b) => a - b)) {
    const last = groups.at(-1)
    const isNext = last?.at(-1) === index - 1
    if (isNext && (context > 0 || shown !== "best")) last?.push(index)
    else groups.push([index])
  }
  const make = shown === "complete" ? completeLines(text, lines) : shortLines(text, lines, definitions)
  const chunks = groups.map((group) => ({
    best: group.reduce((best, index) => Math.max(best, worthOf(index)), -1),
    lines: group.map((index) => make(index, byLine.get(index) ?? []))
  }))
  if (shown !== "best") return chunks.map(({ lines }) => ({ lines }))
  return chunks
    .sort((a, b) => b.best - a.best)
    .map(({ lines: shown }) => ({ lines: shown, ...enclosingOf(text, lines, shown) }))
}

type MakeLine = (index: number, matches: ReadonlyArray<TextRange>) => Line

const completeLines = (text: string, lines: ReadonlyArray<LineRange>): MakeLine => {
  let bytes = 0
  const offsets = lines.map(({ next, start }) => (bytes += Buffer.byteLength(text.slice(start, next))))
  return (index, matches) => {
    const { next, start } = lines[index] ?? { start: 0, next: 0 }
    return {
      number: index + 1,
      text: text.slice(start, next).replace(/\n$/, ""),
      cut: 0,
      matches: matches.map(([from, to]) => [from - start, to - start]),
      offset: offsets[index - 1] ?? 0
    }
  }
}

/** Creates a function that shows a part of a line around the first match. */
const shortLines =
  (text: string, lines: ReadonlyArray<LineRange>, definitions: ReadonlyArray<CodeSymbol>): MakeLine =>
  (index, matches) => {
    const { end, start } = lines[index] ?? { start: 0, end: 0 }
    const first = matches[0]?.[0] ?? start
    const from = end - start <= MAX_WIDTH ? start : wholeCharacter(text, start, Math.max(start, first - LEAD))
    const shown = text.slice(from, wholeCharacter(text, from, Math.min(from + MAX_WIDTH, end)))
    const ranges = matches.flatMap(([matchStart, matchEnd]): ReadonlyArray<TextRange> => {
      const range: TextRange = [Math.max(0, matchStart - from), Math.min(shown.length, matchEnd - from)]
      return range[0] < range[1] ? [range] : []
    })
    const symbol = definitions.find(({ line, name }) => {
      const at = line === index + 1 ? shown.indexOf(name) : -1
      return at !== -1 && ranges.some(([a, b]) => a < at + name.length && b > at)
    })
    return {
      number: index + 1,
      text: shown,
      cut: from - start,
      matches: ranges,
      ...(symbol === undefined ? {} : { symbol: symbol.kind })
    }
  }

/** Moves an offset before a surrogate pair that the offset divides, but not before `start`. */
const wholeCharacter = (text: string, start: number, offset: number): number =>
  offset > start && /^[\udc00-\udfff]/.test(text.slice(offset, offset + 1)) ? offset - 1 : offset

/** The line that begins the definition around the first match of a chunk, unless the chunk has the line. */
const enclosingOf = (
  text: string,
  lines: ReadonlyArray<LineRange>,
  shown: ReadonlyArray<Line>
): Pick<Chunk, "enclosing"> => {
  const texts = lines.map(({ end, start }) => text.slice(start, end))
  const first = shown.find(({ matches }) => matches.length > 0)
  const number = first === undefined ? undefined : EnclosingLineModel.find(texts, first.number)
  if (number === undefined || number >= (shown[0]?.number ?? 0)) return {}
  const { end, start } = lines[number - 1] ?? { start: 0, end: 0 }
  const shownEnd = wholeCharacter(text, start, Math.min(end, start + MAX_ENCLOSING))
  return { enclosing: { number, text: text.slice(start, shownEnd).trim() } }
}

/** Maximum number of fragments, of matches in a fragment, and of characters on each side of a match. */
const MAX_FRAGMENTS = 2
const MAX_FRAGMENT_MATCHES = 20
const FRAGMENT_CONTEXT = 80
const MAX_RANKED = 200

/** The lines around the first matches, of which whole words come first. */
const fragmentsOf = (text: string, matches: ReadonlyArray<TextRange>): ReadonlyArray<Fragment> => {
  const windows: Array<TextRange> = []
  const ranked = matches.slice(0, MAX_RANKED)
  const behindPair = (at: number) => (/^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at + 1 : at)
  for (const match of [...ranked.filter((match) => isWhole(text, match)), ...ranked]) {
    const [start, end] = match
    if (windows.length === MAX_FRAGMENTS) break
    if (windows.some((window) => window[0] <= start && end <= window[1])) continue
    const lineStart = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1
    const lineEnd = end + (/^[^\n]*?(?=\r?\n)/.exec(text.slice(end))?.[0].length ?? text.length - end)
    const before = windows.filter((window) => window[1] <= start).map((window) => window[1])
    const behind = windows.filter((window) => window[0] >= end).map((window) => window[0])
    windows.push([
      behindPair(Math.min(start, Math.max(lineStart, start - FRAGMENT_CONTEXT, ...before))),
      behindPair(Math.max(end, Math.min(lineEnd, end + FRAGMENT_CONTEXT, ...behind)))
    ])
  }
  return windows
    .sort((a, b) => a[0] - b[0])
    .map(([start, end]) => ({
      fragment: text.slice(start, end),
      matches: matches
        .filter((match) => start <= match[0] && match[1] <= end)
        .slice(0, MAX_FRAGMENT_MATCHES)
        .map((match) => ({ text: text.slice(...match), indices: [match[0] - start, match[1] - start] }))
    }))
}
