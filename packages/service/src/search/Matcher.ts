import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import { type CodeQuery, type Expression, type Leaf, positiveLeaves } from "@tongs/core/query/CodeQuery"
import * as FileFilter from "./FileFilter.ts"
import type { PartialText } from "./text/PartialText.ts"
import * as MatchRanges from "./text/MatchRanges.ts"
import * as Pattern from "./text/Pattern.ts"

export interface Options {
  /** True to report up to `MAX_ALL_MATCHES` matches, including empty matches, as `grep` does for lines. */
  readonly all: boolean
}

/** Maximum number of matches reported per file without `all`. */
export const MAX_MATCHES = 10_000

/** Maximum number of matches per file with `all`. Each match takes up to a kilobyte of memory before sending. */
export const MAX_ALL_MATCHES = 300_000

const usual: MatchRanges.Limits = { max: MAX_MATCHES, withEmpty: false }
const forAll: MatchRanges.Limits = { max: MAX_ALL_MATCHES, withEmpty: true }

export interface File extends FileFilter.File {
  /** The parts of the content that may match. */
  readonly content: PartialText
  /** Definitions whose names contain an identifier of the query. */
  readonly definitions: ReadonlyArray<CodeSymbol>
}

/** Ranges of the matches in a file, ordered and without overlaps, in UTF-16 code units. */
export interface Matches {
  readonly inContent: ReadonlyArray<TextRange>
  readonly inPath: ReadonlyArray<TextRange>
  /** True if the content may have more matches than were reported. */
  readonly isCut: boolean
}

/** Returns the matches of a file, or undefined if the file does not match. */
export type Matcher = (file: File) => Matches | undefined

/** Compiles a query to a matcher of files. */
export const make = (query: CodeQuery, { all }: Options = { all: false }): Matcher => {
  const part = compile(query, query.expression)
  const limits = all ? forAll : usual
  return (file) => {
    const found = new Found(file, limits)
    if (!part(found)) return undefined
    if (query.symbolKinds.length > 0) return inNames(query, found)
    const isCut = found.inContent.length >= limits.max
    return { inContent: MatchRanges.tidy(found.inContent), inPath: MatchRanges.tidy(found.inPath), isCut }
  }
}

/** Returns the matches in names of definitions of the query's kinds, or all these names for a query without terms. */
const inNames = (query: CodeQuery, { file, inContent, limits }: Found): Matches | undefined => {
  const definitions = file.definitions.filter(({ kind }) => query.symbolKinds.includes(kind))
  const names = MatchRanges.tidy(nameRanges(file.content, definitions))
  const hasTerms = positiveLeaves(query.expression).length > 0
  const matches = hasTerms ? overlapping(MatchRanges.tidy(inContent), names) : names.slice(0, limits.max)
  return matches.length === 0 ? undefined : { inContent: matches, inPath: [], isCut: false }
}

/** Returns the ranges that overlap one of `others`. Both lists are ordered. */
const overlapping = (ranges: ReadonlyArray<TextRange>, others: ReadonlyArray<TextRange>): ReadonlyArray<TextRange> => {
  let at = 0
  return ranges.filter(([start, end]) => {
    while (at < others.length && (others[at]?.[1] ?? 0) <= start) at++
    return (others[at]?.[0] ?? Infinity) < end
  })
}

/** Returns the places of the names of definitions. */
const nameRanges = (content: PartialText, definitions: ReadonlyArray<CodeSymbol>): Array<TextRange> => {
  const { text } = content
  return definitions.flatMap((one): ReadonlyArray<TextRange> => {
    const { end = 0, start = 0 } = content.lineOffsets(one.line) ?? {}
    const at = one.column === undefined ? text.indexOf(one.name, start) : start + one.column
    // The name in the text can be part of the symbol's name: `read` of the system call `sys_read`.
    const length = text.startsWith(one.name, at) ? one.name.length : (/^\w+/.exec(text.slice(at, end))?.[0].length ?? 0)
    return at !== -1 && at < end && length > 0 ? [[at, at + length]] : []
  })
}

/** A file with the matched ranges found so far. */
class Found {
  readonly file: File
  readonly inContent: Array<TextRange> = []
  readonly inPath: Array<TextRange> = []
  readonly limits: MatchRanges.Limits

  constructor(file: File, limits: MatchRanges.Limits) {
    this.file = file
    this.limits = limits
  }
}

/** Tests a file with one part of a query, and adds the matched ranges to `found`. */
type Part = (found: Found) => boolean

const compile = (query: CodeQuery, self: Expression): Part => {
  switch (self._tag) {
    case "And": {
      const all = self.all.map((one) => compile(query, one))
      return (found) => all.every((one) => one(found))
    }
    case "Or": {
      const any = self.any.map((one) => compile(query, one))
      // Evaluates every part, to find the ranges of each.
      return (found) => any.filter((one) => one(found)).length > 0
    }
    case "Not": {
      const not = compile(query, self.not)
      return ({ file }) => !not(new Found(file, usual))
    }
    case "Filter": {
      const filter = FileFilter.make(self.filter)
      return ({ file }) => filter(file)
    }
    case "Symbol":
      return symbol(self)
    case "Text":
    case "Regex":
      return leaf(query, self)
  }
}

const leaf = (query: CodeQuery, self: Exclude<Leaf, { readonly _tag: "Symbol" }>): Part => {
  const pattern = Pattern.make(query, self)
  // An expression for paths is a restriction: the matches are not shown and do not count for the rank.
  if (self.place === "path") return ({ file }) => Pattern.test(pattern, file.path)
  const find = self._tag === "Regex" && Pattern.needsLines(pattern, self.source) ? findInLines : MatchRanges.find
  const { inContent: inContents, inPath: inPaths } = Pattern.places(query, self)
  return ({ file, inContent, inPath, limits }) => {
    const content = inContents && find(pattern, file.content.text, inContent, limits)
    const path = inPaths && MatchRanges.find(pattern, file.path, inPath, usual)
    return content || path
  }
}

const symbol = ({ exact, name }: Extract<Expression, { readonly _tag: "Symbol" }>): Part => {
  const source = RegExp.escape(name)
  const pattern = new RegExp(exact ? `^${source}$` : source, "iu")
  return ({ file: { content, definitions }, inContent }) => {
    const defined = definitions.filter((one) => pattern.test(one.name))
    if (defined.length === 0) return false
    inContent.push(...nameRanges(content, defined))
    return true
  }
}

const findInLines: typeof MatchRanges.find = (pattern, text, ranges, limits) => {
  let found = false
  // If another part of the query has filled `ranges`, this part still searches until the first match.
  for (let start = 0; start <= text.length && !(found && ranges.length >= limits.max);) {
    const feed = text.indexOf("\n", start)
    const next = feed === -1 ? text.length : feed
    // A final line feed starts no further line.
    if (feed === -1 && start === text.length && start > 0) break
    const end = text[next - 1] === "\r" && next > start ? next - 1 : next
    if (MatchRanges.find(pattern, text.slice(start, end), ranges, limits, start)) found = true
    start = next + 1
  }
  return found
}
