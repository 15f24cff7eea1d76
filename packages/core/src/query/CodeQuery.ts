/**
 * What the code index is asked. The explorer's language has all of it, the contract's (`Query.ts`) a part: both become
 * this one tree, which is all that the engine knows.
 */
import type { Span } from "./Problem.ts"

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
  | { readonly _tag: "Text"; readonly text: string; readonly span: Span }
  /** The source of an ECMAScript regular expression, `/…/` without the slashes. It matches within one line. */
  | { readonly _tag: "Regex"; readonly source: string; readonly span: Span }
  /** A definition whose name contains this; all of the name where `exact`. */
  | { readonly _tag: "Symbol"; readonly name: string; readonly exact: boolean; readonly span: Span }
  | { readonly _tag: "Filter"; readonly filter: Filter; readonly span: Span }

/** A property that a file must have. Names and paths are compared in any case. */
export type Filter =
  | { readonly name: "repo" | "user" | "org" | "filename" | "extension" | "language"; readonly value: string }
  /** A folder (or a file) of the path; with `glob`, a pattern of `*`, `**`, `?` and `{a,b}` for the whole path. */
  | { readonly name: "path"; readonly value: string; readonly glob: boolean }
  /** Bytes, both inclusive. */
  | { readonly name: "size"; readonly min?: number; readonly max?: number }
