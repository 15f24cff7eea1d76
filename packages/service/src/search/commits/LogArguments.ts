/** The arguments of `git log` for a query. Git's own filters admit every commit that matches, and further commits. */
import type { CodeQuery, Expression, Filter, Leaf } from "@tongs/core/query/CodeQuery"
import { extensionsOf, fileNamesOf } from "../../git/values/Languages.ts"
import * as LeafPrefilter from "../text/LeafPrefilter.ts"
import type { Prefilter } from "@tongs/core/query/Prefilter"
import * as RegexPrefilter from "@tongs/core/query/RegexPrefilter"
import * as CommitQuery from "./CommitQuery.ts"
import { format, type LogContent } from "./LogParser.ts"

/** Arguments of `git log`, and the content of the output. */
export interface LogArguments {
  readonly args: ReadonlyArray<string>
  readonly content: LogContent
}

/** Minimum length of a text for git to search. A shorter text is in almost every diff. */
const MIN_LENGTH = 2

/** Git reads the commits from its input and prints them in this order. */
const common = [
  "log",
  "--stdin",
  "--no-walk=unsorted",
  format,
  "--encoding=UTF-8",
  "--no-color",
  "--no-decorate",
  "--no-mailmap",
  "--no-notes",
  "--no-show-signature",
  "--regexp-ignore-case",
  "--extended-regexp"
]

const patch = [
  "--patch",
  "--unified=0",
  "--no-ext-diff",
  "--no-textconv",
  "--no-renames",
  "--diff-algorithm=myers",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  // The diff of a merge is empty.
  "--no-merges"
]

/** Arguments for the complete diffs of commits. */
export const patches: ReadonlyArray<string> = [...common, ...patch]

/**
 * Returns the arguments for a query. With `isSelected`, the index has selected commits by their changed lines, so git
 * does not search the lines, which takes longer than printing them.
 */
export const make = (commitQuery: CommitQuery.CommitQuery, { isSelected = false } = {}): LogArguments => {
  const { query } = commitQuery
  const all = conjuncts(query.expression)
  const paths = pathspecs(all)
  const isDiff = query.kind === "diff"
  const changes = isDiff && !isSelected ? changePattern(query) : undefined
  const content = isDiff
    ? changes === undefined
      ? "patches"
      : "counted patches"
    : CommitQuery.hasFileConditions(query.expression)
      ? "paths"
      : "messages"
  const args = [
    ...common,
    ...personArguments(all, "author"),
    ...personArguments(all, "committer"),
    ...messageArguments(query, all),
    ...(isDiff ? patch : []),
    ...(content === "paths" ? ["--name-only", "--no-renames"] : []),
    ...(changes === undefined
      ? []
      : [`-G${changes.pattern}`, "--numstat", ...(changes.needsAllFiles ? ["--pickaxe-all"] : [])]),
    "--",
    ...paths
  ]
  return { args, content }
}

/** Splits the query into parts that a commit must all fulfill. */
const conjuncts = (self: Expression): ReadonlyArray<Expression> =>
  self._tag === "And" ? self.all.flatMap(conjuncts) : [self]

/**
 * Returns the filters of an expression if the expression is one filter or an alternative of filters, all with this
 * name.
 */
const alternatives = (self: Expression, name: Filter["name"]): ReadonlyArray<Filter> | undefined => {
  if (self._tag === "Filter") return self.filter.name === name ? [self.filter] : undefined
  if (self._tag !== "Or") return undefined
  const found = self.any.map((one) => alternatives(one, name))
  return found.every((one) => one !== undefined) ? found.flat() : undefined
}

/** Committer dates in seconds, inclusive. */
export interface DateRange {
  readonly from: number
  readonly to: number
}

/** Returns the dates that a commit can have to match the query. */
export const dateRange = ({ dates, query }: CommitQuery.CommitQuery): DateRange => {
  const bounds = (name: "after" | "before") =>
    conjuncts(query.expression).flatMap((one) => {
      const bound = one._tag === "Filter" && one.filter.name === name ? dates[one.filter.value] : undefined
      return bound === undefined ? [] : [bound]
    })
  return {
    from: Math.max(Number.NEGATIVE_INFINITY, ...bounds("after")),
    to: Math.min(Number.POSITIVE_INFINITY, ...bounds("before"))
  }
}

/** Git combines several values of `--author` with OR, so only one part of the query can be passed. */
const personArguments = (all: ReadonlyArray<Expression>, name: "author" | "committer"): ReadonlyArray<string> => {
  const texts = all.map((one) => anyOf(alternatives(one, name)?.map(propertyTexts))).find((one) => one !== undefined)
  return texts === undefined ? [] : texts.map((text) => `--${name}=${toExpression(text)}`)
}

const messageArguments = (query: CodeQuery, all: ReadonlyArray<Expression>): ReadonlyArray<string> => {
  const patterns = all.flatMap((one) => {
    const found =
      anyOf(alternatives(one, "message")?.map(propertyTexts)) ?? (query.kind === "commit" ? textsOf(one) : undefined)
    return found === undefined ? [] : [found.map(toExpression).join("|")]
  })
  return patterns.length === 0 ? [] : [...patterns.map((pattern) => `--grep=${pattern}`), "--all-match"]
}

/**
 * Returns the expression for changed lines. Without `needsAllFiles`, git leaves out files that have no matching line.
 */
const changePattern = ({ expression }: CodeQuery) => {
  const texts = textsOf(expression)
  if (texts === undefined) return undefined
  const terms = conjuncts(expression).filter((one) => CommitQuery.levelOf(one) === "term")
  const [only] = terms
  const isSimple = terms.length === 1 && only !== undefined && (only._tag === "Or" ? only.any : [only]).every(isLeaf)
  return { pattern: texts.map(toExpression).join("|"), needsAllFiles: !isSimple }
}

const isLeaf = ({ _tag }: Expression): boolean => _tag === "Text" || _tag === "Regex" || _tag === "Symbol"

/** Alternative texts, of which a match has at least one in a line. Undefined if no text is certain. */
type Texts = ReadonlyArray<string> | undefined

/** Returns alternative texts of an expression. Every match has one of the texts in the message or the changed lines. */
const textsOf = (self: Expression): Texts => {
  switch (self._tag) {
    case "And":
      return best(self.all.map(textsOf))
    case "Or":
      return anyOf(self.any.map(textsOf))
    case "Not":
    case "Filter":
      return undefined
    default:
      return CommitQuery.levelOf(self) === "term" ? leafTexts(self) : undefined
  }
}

const leafTexts = (leaf: Leaf): Texts =>
  leaf._tag === "Symbol" ? plainTexts(leaf.name) : textsOfPrefilter(LeafPrefilter.make(leaf))

const propertyTexts = (filter: Filter): Texts => {
  if (!("value" in filter)) return undefined
  const source = CommitQuery.regexSource(filter.value)
  return source === undefined ? plainTexts(filter.value) : textsOfPrefilter(RegexPrefilter.make(source))
}

const textsOfPrefilter = (self: Prefilter): Texts => {
  switch (self._tag) {
    case "Anything":
      return undefined
    case "Part":
      return plainTexts(self.text)
    case "Name":
      return plainTexts(self.name)
    case "All":
      return best(self.all.map(textsOfPrefilter))
    case "Any":
      return anyOf(self.any.map(textsOfPrefilter))
  }
}

const anyOf = (all: ReadonlyArray<Texts> | undefined): Texts => {
  if (all === undefined || all.length === 0) return undefined
  return all.every((one) => one !== undefined) ? [...new Set(all.flat())] : undefined
}

/** Returns the most selective alternative texts: the set whose shortest text is longest. */
const best = (all: ReadonlyArray<Texts>): Texts => {
  const worth = (texts: ReadonlyArray<string>) => Math.min(...texts.map((text) => text.length))
  return all.filter((one) => one !== undefined).sort((a, b) => worth(b) - worth(a))[0]
}

/** Returns the longest part of a text in ASCII, because the encoding of other characters in a file is unknown. */
const plainTexts = (text: string): Texts => {
  const [longest = ""] = (text.match(/[\x20-\x7e]+/g) ?? []).sort((a, b) => b.length - a.length)
  return longest.length < MIN_LENGTH ? undefined : [longest]
}

/**
 * Returns the extended regular expression for a text. Git ignores case within ASCII only, and the query finds `ſ` for
 * `s` and the Kelvin sign for `k`, which are bytes outside of ASCII for git.
 */
const toExpression = (text: string): string =>
  text.replace(/[sk\\^$.|?*+()[\]{}]/gi, (character) =>
    /[sk]/i.test(character) ? `(${character}|[^ -~]+)` : `\\${character}`
  )

/** Returns patterns for the paths that the query admits. Without patterns, git reads all files. */
const pathspecs = (all: ReadonlyArray<Expression>): ReadonlyArray<string> => {
  const included = all.flatMap((one) => {
    const patterns = includedPaths(one)
    return patterns === undefined ? [] : [patterns]
  })
  // Several patterns are alternatives, so only one part of the query can be passed.
  const [shortest = []] = included.sort((a, b) => a.length - b.length)
  return shortest
}

const includedPaths = (self: Expression): ReadonlyArray<string> | undefined => {
  if (self._tag === "Filter") return pathsOf(self.filter)
  if (self._tag !== "Or") return undefined
  const found = self.any.map(includedPaths)
  return found.every((one) => one !== undefined) ? found.flat() : undefined
}

const pathsOf = (filter: Filter): ReadonlyArray<string> | undefined => {
  if (!("value" in filter) || !/^[\x20-\x7e]+$/.test(filter.value)) return undefined
  const text = filter.value.replace(/[\\*?[\]]/g, (character) => `\\${character}`)
  switch (filter.name) {
    case "path": {
      // Git's `?` is one byte, and git has no alternatives in braces.
      if (filter.glob) return /^\/|[{}[\]\\]/.test(filter.value) ? undefined : [glob(filter.value.replaceAll("?", "*"))]
      if (!text.startsWith("/")) return [glob(`**/*${text}*`), glob(`**/*${text}*/**`)]
      const folder = text.replace(/^\/+|\/$/g, "")
      return folder === "" ? [glob("*")] : [glob(folder), glob(`${folder}/**`)]
    }
    case "filename":
      return filter.value.includes("/") ? undefined : [glob(`**/*${text}*`)]
    case "extension":
      return filter.value.includes("/") ? undefined : [glob(`**/*.${text.replace(/^\./, "")}`)]
    case "language": {
      const names = [...extensionsOf(filter.value).map((one) => `*.${one}`), ...fileNamesOf(filter.value)]
      return names.length === 0 ? undefined : names.map((name) => glob(`**/${name}`))
    }
    default:
      return undefined
  }
}

const glob = (pattern: string): string => `:(top,glob,icase)${pattern}`
