/**
 * What the code index is asked. The explorer's language has all of it, the contract's (`Query.ts`) a part: both become
 * this one tree, which is all that the engine knows.
 */
import { escape } from "effect/RegExp"
import type { Span } from "./Diagnostic.ts"

export interface CodeQuery {
  readonly expression: Expression
  /** Whether letters must match in case (`case:yes`). */
  readonly caseSensitive: boolean
  /** Whether text must stand alone as a word (`word:yes`). */
  readonly wholeWord: boolean
  /** Where text is looked for: in the content, in the path, or in either. */
  readonly inContent: boolean
  readonly inPath: boolean
}

export type Expression =
  | { readonly _tag: "And"; readonly all: ReadonlyArray<Expression>; readonly span: Span }
  | { readonly _tag: "Or"; readonly any: ReadonlyArray<Expression>; readonly span: Span }
  | { readonly _tag: "Not"; readonly not: Expression; readonly span: Span }
  | Leaf
  | { readonly _tag: "Filter"; readonly filter: Filter; readonly span: Span }

/** Something to look for in the text of a file. */
export type Leaf =
  | { readonly _tag: "Text"; readonly text: string; readonly span: Span }
  /** The source of an ECMAScript regular expression, `/…/` without the slashes. It matches within one line. */
  | { readonly _tag: "Regex"; readonly source: string; readonly span: Span }
  /** A definition whose name contains this; all of the name where `exact`. */
  | { readonly _tag: "Symbol"; readonly name: string; readonly exact: boolean; readonly span: Span }

/** A property that a file must have. Names and paths are compared in any case. */
export type Filter =
  | { readonly name: "repo" | "user" | "org" | "filename" | "extension" | "language"; readonly value: string }
  /** A folder (or a file) of the path; with `glob`, a pattern of `*`, `**`, `?` and `{a,b}` for the whole path. */
  | { readonly name: "path"; readonly value: string; readonly glob: boolean }
  /** Bytes, both inclusive. */
  | { readonly name: "size"; readonly min?: number; readonly max?: number }

/** All of `parts`, those that restrict the file last; one part is itself. `parts` must not be empty. */
export const and = (parts: ReadonlyArray<Expression>): Expression => {
  const flat = parts.flatMap((part) => (part._tag === "And" ? part.all : [part]))
  const all = [...flat.filter((part) => !isRestriction(part)), ...flat.filter(isRestriction)]
  return single(all) ?? { _tag: "And", all, span: coveringSpan(parts) }
}

/** One of `parts`; one part is itself. `parts` must not be empty. */
export const or = (parts: ReadonlyArray<Expression>): Expression => {
  const any = parts.flatMap((part) => (part._tag === "Or" ? part.any : [part]))
  return single(any) ?? { _tag: "Or", any, span: coveringSpan(parts) }
}

export const not = (part: Expression, span: Span): Expression =>
  part._tag === "Not" ? part.not : { _tag: "Not", not: part, span }

/** What a person looks for: the leaves that are not negated, in the order of the text. */
export const positiveLeaves = (self: Expression): ReadonlyArray<Leaf> => {
  switch (self._tag) {
    case "And":
      return self.all.flatMap(positiveLeaves)
    case "Or":
      return self.any.flatMap(positiveLeaves)
    case "Not":
    case "Filter":
      return []
    default:
      return [self]
  }
}

/**
 * A regular expression (`g`, `u`) that finds, within a line, whatever the query looks for, or nothing where it looks for
 * files alone.
 *
 * **Gotchas**
 *
 * A regular expression that a person wrote may take exponential time: run it where it can be ended.
 */
export const matchPattern = (self: CodeQuery): RegExp | undefined => {
  const sources = positiveLeaves(self.expression).map((leaf) => {
    if (leaf._tag === "Regex") return `(?:${leaf.source})`
    return escape(leaf._tag === "Text" ? leaf.text : leaf.name)
  })
  if (sources.length === 0) return undefined
  // Of two alternatives at one place the first wins: the longer must come first.
  const any = sources.sort((a, b) => b.length - a.length).join("|")
  const word = self.wholeWord ? `(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])` : any
  return new RegExp(word, self.caseSensitive ? "gu" : "giu")
}

/** The place from the first of `parts` to the end of the last. */
export const coveringSpan = (parts: ReadonlyArray<{ readonly span: Span }>): Span => {
  const start = Math.min(...parts.map(({ span }) => span.start))
  const end = Math.max(...parts.map(({ span }) => span.start + span.length))
  return parts.length === 0 ? { start: 0, length: 0 } : { start, length: end - start }
}

/** Whether this only restricts which files are searched. */
export const isRestriction = (self: Expression): boolean => {
  switch (self._tag) {
    case "Filter":
      return true
    case "Not":
      return isRestriction(self.not)
    case "And":
      return self.all.every(isRestriction)
    case "Or":
      return self.any.every(isRestriction)
    default:
      return false
  }
}

const single = (parts: ReadonlyArray<Expression>): Expression | undefined => (parts.length === 1 ? parts[0] : undefined)
