/** Makes a code query from the patterns and file restrictions of `tongs grep`. */
import * as Result from "effect/Result"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import * as CodeQueryParser from "@tongs/core/query/CodeQueryParser"
import * as RipgrepPattern from "@tongs/core/query/RipgrepPattern"
import { UsageError } from "../../base/UsageError.ts"
import type { GrepOptions } from "./GrepOptions.ts"

/** A query, with the expression that finds the matches within a line. */
export interface GrepQuery {
  readonly q: string
  readonly pattern: RegExp
  /** Names of the capture groups, by number from 1. */
  readonly groups: ReadonlyArray<string | undefined>
}

/** Maximum number of characters of one expression in a query. */
const MAX_REGEX = 1_000

type Settings = Pick<GrepOptions, "fixed" | "caseMode" | "boundary" | "revisions">

/** Makes the query. `filters` restrict the files as far as the query language can, so may admit more files. */
export const make = (
  patterns: ReadonlyArray<string>,
  { boundary, caseMode, fixed, revisions }: Settings,
  filters: ReadonlyArray<CodeQuery.Expression>
): Result.Result<GrepQuery, UsageError> => {
  const all: Array<RipgrepPattern.RipgrepPattern> = []
  for (const pattern of fixed ? patterns.flatMap((text) => text.split("\n")) : patterns) {
    const parsed = fixed ? Result.succeed(plain(pattern)) : RipgrepPattern.parse(pattern)
    if (Result.isFailure(parsed)) {
      return Result.fail(new UsageError({ detail: RipgrepPattern.formatError(pattern, parsed.failure), hint: "" }))
    }
    all.push(parsed.success)
  }
  const isSmart = all.some((one) => one.hasLiteral) && !all.some((one) => one.hasUppercase)
  const caseSensitive = caseMode === "sensitive" || (caseMode === "smart" && !isSmart)
  const [first] = all
  // The query language has no text of white space only.
  const isText = all.length === 1 && /\S/.test(first?.literal ?? "") && boundary === undefined
  const leaves: ReadonlyArray<CodeQuery.Expression> =
    isText && first?.literal !== undefined
      ? [{ _tag: "Text", text: first.literal, span }]
      : chunks(all.map(({ source }) => source)).map((sources) => ({
          _tag: "Regex",
          source: bounded(join(sources), boundary),
          span
        }))
  const long = leaves.find((leaf) => leaf._tag === "Regex" && printedLength(leaf.source) > MAX_REGEX)
  if (long?._tag === "Regex") {
    return Result.fail(
      tooLong(
        `The expression has ${printedLength(long.source)} characters after translation. At most ${MAX_REGEX} are allowed.`
      )
    )
  }
  const q = CodeQueryParser.print({
    ...CodeQuery.defaultOptions,
    expression: CodeQuery.and([CodeQuery.or(leaves), ...filters]),
    caseSensitive,
    inPath: false,
    revisions
  })
  if (q.length > CodeQueryParser.MAX_TEXT) {
    return Result.fail(
      tooLong(`The patterns have ${q.length} characters as a query. At most ${CodeQueryParser.MAX_TEXT} are allowed.`)
    )
  }
  return Result.succeed({
    q,
    pattern: new RegExp(bounded(join(all.map(({ source }) => source)), boundary), caseSensitive ? "gmu" : "gimu"),
    groups: all.flatMap(({ groups }) => groups)
  })
}

const span = { start: 0, length: 0 }

const plain = (text: string): RipgrepPattern.RipgrepPattern => ({
  source: text === "" ? "(?:)" : RipgrepPattern.escape(text),
  literal: text === "" ? undefined : text,
  groups: [],
  hasLiteral: text !== "",
  hasUppercase: /\p{Uppercase}/u.test(text)
})

const join = (sources: ReadonlyArray<string>): string =>
  sources.length === 1 ? (sources[0] ?? "") : sources.map((source) => `(?:${source})`).join("|")

const bounded = (source: string, boundary: GrepOptions["boundary"]): string => {
  if (boundary === "word") return RipgrepPattern.wholeWord(source)
  return boundary === "line" ? `^(?:${source})$` : source
}

/** Characters that `bounded` and `join` add at most. */
const MARGIN = 120

/** Divides patterns into groups that each fit into one expression. */
const chunks = (sources: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const groups: Array<Array<string>> = []
  let length = 0
  for (const source of sources) {
    const added = printedLength(source) + 5
    if (groups.length === 0 || length + added > MAX_REGEX - MARGIN) {
      groups.push([])
      length = 0
    }
    groups.at(-1)?.push(source)
    length += added
  }
  return groups
}

/** Length of an expression in the printed query, which escapes slashes. */
const printedLength = (source: string): number => new RegExp(source, "u").source.length

const tooLong = (detail: string) =>
  new UsageError({ detail, hint: "Search for a shorter pattern, or run several searches. rg has no such limit." })
