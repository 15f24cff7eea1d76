/** Completes a query at the cursor: names of qualifiers, and values that the caller provides. */
import type { Span } from "./Diagnostic.ts"
import * as Qualifier from "./Qualifier.ts"
import { codeNames, type CodeName, type ForeignName, type Name, qualifierNames } from "./QualifierName.ts"
import * as SymbolKindName from "./SymbolKindName.ts"
import { tokenize } from "./Token.ts"

/** Maximum number of completions. */
export const MAX_OPTIONS = 20

/** The query language and the known values of qualifiers. */
export interface Vocabulary {
  /** `contract`: the search query language. `code`: the code query language, which has more qualifiers. */
  readonly language: "contract" | "code"
  /** Values by qualifier, the most likely first, for example repositories as `owner/name`. */
  readonly values: Partial<Readonly<Record<Name | CodeName, ReadonlyArray<string>>>>
}

/** The possible completions at a cursor. */
export interface Completion {
  /** The text that an option replaces. */
  readonly span: Span
  readonly options: ReadonlyArray<CompletionOption>
}

/** A possible completion. */
export interface CompletionOption {
  /** The text to insert (`accept`). */
  readonly text: string
  /** Description of a qualifier; empty for a value. */
  readonly detail: string
}

/** Returns the completions at `cursor` (in UTF-16 units). None after white space and inside phrases. */
export const complete = (text: string, cursor: number, vocabulary: Vocabulary): Completion => {
  const before = text.slice(0, cursor)
  const token = tokenize(before).tokens.at(-1)
  const nothing = { span: { start: cursor, length: 0 }, options: [] }
  if (token === undefined || !("not" in token) || token.span.start + token.span.length < cursor) return nothing
  const start = token.span.start + (token.not ? 1 : 0)
  if (token._tag === "Qualifier") {
    const from = start + token.written.length + 1
    const closed = token.quoted && /[^\\]"$/.test(before.slice(from + 1))
    return closed
      ? nothing
      : { span: toWordEnd(text, from, cursor), options: values(token.name, token.value, vocabulary) }
  }
  if (token._tag !== "Term" || token.phrase) return nothing
  const options = namesOf(vocabulary.language)
    .filter((name) => name.startsWith(token.text.toLowerCase()))
    .map((name) => ({ text: `${name}:`, detail: descriptions[name] }))
  return { span: toWordEnd(text, start, cursor), options }
}

/** Inserts a completion. Returns the text and the new cursor. Adds a space after a value, except before `)`. */
export const accept = (
  text: string,
  { span }: Completion,
  option: CompletionOption
): { readonly text: string; readonly cursor: number } => {
  const before = text.slice(0, span.start) + option.text
  const after = text.slice(span.start + span.length)
  if (option.text.endsWith(":") || after.startsWith(")")) return { text: before + after, cursor: before.length }
  return { text: `${before} ${after.trimStart()}`, cursor: before.length + 1 }
}

// The completion also replaces the rest of the word after the cursor.
const toWordEnd = (text: string, start: number, cursor: number): Span => ({
  start,
  length: cursor + (/^[^\s()"]*/.exec(text.slice(cursor))?.[0].length ?? 0) - start
})

const values = (
  name: Name | CodeName | ForeignName,
  typed: string,
  { language, values }: Vocabulary
): ReadonlyArray<CompletionOption> => {
  const known = namesOf(language).find((one) => one === name)
  if (known === undefined) return []
  const choices = language === "code" ? codeChoices[known] : undefined
  return rank(choices ?? contractChoices[known] ?? values[known] ?? [], typed).map((text) => ({
    text: /[\s()]/.test(text) ? Qualifier.quote(text) : text,
    detail: ""
  }))
}

/**
 * Returns the values that start with the typed text, then values whose last path segment does, then values that contain
 * the text.
 */
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

const namesOf = (language: Vocabulary["language"]): ReadonlyArray<Name | CodeName> =>
  language === "code" ? [...qualifierNames, ...codeNames] : qualifierNames

type Choices = Partial<Record<Name | CodeName, ReadonlyArray<string>>>

const contractChoices: Choices = {
  in: ["file", "path", "file,path"],
  size: [">1000", "<1000", "100..1000"]
}

const codeChoices: Choices = {
  case: ["yes", "no", "auto"],
  word: ["yes", "no"],
  type: ["file", "path", "commit", "diff"],
  kind: SymbolKindName.all,
  count: ["100", "1000", "all"],
  after: ["1.week.ago", "1.month.ago", "1.year.ago"],
  before: ["1.week.ago", "1.month.ago", "1.year.ago"]
}

const descriptions: Readonly<Record<Name | CodeName, string>> = {
  repo: "a repository: owner/name",
  user: "all repositories of a user",
  org: "all repositories of an organization",
  path: "a folder",
  filename: "a part of the file's name",
  extension: "the file's extension",
  language: "the programming language",
  size: "the file's size in bytes",
  in: "where to look: file, path",
  symbol: "a definition by its name",
  kind: "the kind of definition: function, field, …",
  content: "a term in the content only",
  file: "a text or regular expression in the path",
  rev: "a branch, tag or commit",
  type: "the results: file, path, commit, diff",
  author: "with type:commit, the author",
  committer: "with type:commit, the committer",
  message: "with type:commit, a text in the message",
  after: "with type:commit, the earliest date",
  before: "with type:commit, the latest date",
  count: "the number of results, or all",
  case: "yes: capitals matter",
  word: "yes: whole words only"
}
