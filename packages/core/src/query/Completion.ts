/** How a query can go on at the cursor: names of qualifiers, and values that the caller knows. */
import type { Span } from "./Diagnostic.ts"
import * as Qualifier from "./Qualifier.ts"
import { CODE_NAMES, type CodeName, type Name, NAMES } from "./QualifierName.ts"
import { tokenize } from "./Token.ts"

/** Options that are offered at once. */
export const MAX_OPTIONS = 20

/** What there is to choose from. */
export interface Vocabulary {
  /** The explorer's language (`code`) has qualifiers that the contract's lacks. */
  readonly language: "contract" | "code"
  /** Values by qualifier, the likeliest first: repositories as `owner/name`, languages, and what else is known. */
  readonly values: Partial<Readonly<Record<Name, ReadonlyArray<string>>>>
}

export interface Completion {
  /** What an option replaces. */
  readonly span: Span
  readonly options: ReadonlyArray<Option>
}

export interface Option {
  /** What is written instead; `accept` does it. */
  readonly text: string
  /** What it means. */
  readonly detail: string
}

/** The options at `cursor`, in UTF-16 units; none where anything could be meant. */
export const complete = (text: string, cursor: number, vocabulary: Vocabulary): Completion => {
  const before = text.slice(0, cursor)
  const token = tokenize(before).tokens.at(-1)
  const nothing = { span: { start: cursor, length: 0 }, options: [] }
  if (token === undefined || !("not" in token) || token.span.start + token.span.length < cursor) return nothing
  const start = token.span.start + (token.not ? 1 : 0)
  if (token._tag === "Qualifier") {
    const from = start + token.name.length + 1
    const closed = token.quoted && /[^\\]"$/.test(before.slice(from + 1))
    return closed
      ? nothing
      : { span: toWordEnd(text, from, cursor), options: values(token.name, token.value, vocabulary) }
  }
  if (token._tag !== "Term" || token.phrase) return nothing
  const names = vocabulary.language === "code" ? [...NAMES, ...CODE_NAMES] : NAMES
  const options = names
    .filter((name) => name.startsWith(token.text.toLowerCase()))
    .map((name) => ({ text: `${name}:`, detail: descriptions[name] }))
  return { span: toWordEnd(text, start, cursor), options }
}

/** The text with an option in it, and where the cursor goes. A value is done: a space follows, but not before `)`. */
export const accept = (
  text: string,
  { span }: Completion,
  option: Option
): { readonly text: string; readonly cursor: number } => {
  const before = text.slice(0, span.start) + option.text
  const after = text.slice(span.start + span.length)
  if (option.text.endsWith(":") || after.startsWith(")")) return { text: before + after, cursor: before.length }
  return { text: `${before} ${after.trimStart()}`, cursor: before.length + 1 }
}

// What stands behind the cursor up to the next space belongs to the word that is written.
const toWordEnd = (text: string, start: number, cursor: number): Span => ({
  start,
  length: cursor + (/^[^\s()"]*/.exec(text.slice(cursor))?.[0].length ?? 0) - start
})

const values = (name: Name | CodeName, typed: string, { values }: Vocabulary): ReadonlyArray<Option> => {
  const isCode = name === "symbol" || name === "case" || name === "word"
  return rank(choices[name] ?? (isCode ? [] : (values[name] ?? [])), typed).map((text) => ({
    text: /[\s()]/.test(text) ? Qualifier.quote(text) : text,
    detail: ""
  }))
}

/** Those that begin with what was typed, then those whose last part does, then those that have it. */
const rank = (all: ReadonlyArray<string>, typed: string): ReadonlyArray<string> => {
  const part = typed.toLowerCase()
  const place = (value: string) => {
    const lower = value.toLowerCase()
    if (lower.startsWith(part)) return 0
    return lower.includes(`/${part}`) ? 1 : lower.includes(part) ? 2 : 3
  }
  return all
    .map((value) => ({ value, place: place(value) }))
    .filter((one) => one.place < 3)
    .sort((a, b) => a.place - b.place)
    .slice(0, MAX_OPTIONS)
    .map((one) => one.value)
}

const choices: Partial<Record<Name | CodeName, ReadonlyArray<string>>> = {
  in: ["file", "path", "file,path"],
  case: ["yes", "no"],
  word: ["yes", "no"],
  size: [">1000", "<1000", "100..1000"]
}

const descriptions: Readonly<Record<Name | CodeName, string>> = {
  repo: "a repository, as owner/name",
  user: "all repositories of a user",
  org: "all repositories of an organization",
  path: "a folder",
  filename: "a part of the file's name",
  extension: "the file's extension",
  language: "the programming language",
  size: "the file's size in bytes",
  in: "where to look: file, path",
  symbol: "a definition by its name",
  case: "yes: capitals matter",
  word: "yes: whole words only"
}
