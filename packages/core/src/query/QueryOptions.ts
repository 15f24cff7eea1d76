/** The options of a code query, which apply to the whole query: `in:`, `case:`, `word:`, `rev:`, `type:`, `kind:` and `count:`. */
import * as CodeQueryTerm from "./CodeQueryTerm.ts"
import type { Explanation } from "./ForeignQualifier.ts"
import * as PathExpression from "./PathExpression.ts"
import * as Qualifier from "./Qualifier.ts"
import { type QueryProblem, remove } from "./QueryProblem.ts"
import * as Revision from "./Revision.ts"
import * as SymbolKindName from "./SymbolKindName.ts"
import type { Token } from "./Token.ts"

/** Options as written in a query. */
export interface WrittenOptions {
  readonly places: ReadonlyArray<"file" | "path">
  readonly caseSensitive: boolean | "auto"
  readonly wholeWord: boolean
  readonly revisions: ReadonlyArray<string>
  readonly kind: "file" | "commit" | "diff" | undefined
  readonly symbolKinds: ReadonlyArray<string>
  readonly count: number | undefined
}

/** Options of a query without qualifiers. */
export const none: WrittenOptions = {
  places: [],
  caseSensitive: false,
  wholeWord: false,
  revisions: [],
  kind: undefined,
  symbolKinds: [],
  count: undefined
}

/** The token of an option. */
export type OptionToken = Extract<Token, { readonly _tag: "Qualifier" }> & { readonly name: OptionName }

type OptionName = "in" | "case" | "word" | "rev" | "type" | "kind" | "count"

const names: ReadonlyArray<string> = [
  "in",
  "case",
  "word",
  "rev",
  "type",
  "kind",
  "count"
] satisfies ReadonlyArray<OptionName>

/** Returns whether a token is an option of the search rather than a term or filter. */
export const isOption = (token: Token): token is OptionToken => token._tag === "Qualifier" && names.includes(token.name)

/** Returns the options with the option of a token, or the problem of the token. */
export const add = (self: WrittenOptions, token: OptionToken): WrittenOptions | Explanation => {
  const { name, span, value, written } = token
  const chosen = value.toLowerCase()
  switch (name) {
    case "in": {
      const read = Qualifier.parse({ name, value, span }, false)
      if ("message" in read) return { message: read.message }
      return { ...self, places: [...self.places, ...read.flatMap((one) => (one.name === "in" ? [one.value] : []))] }
    }
    case "case":
      if (chosen === "auto") return { ...self, caseSensitive: "auto" }
      return chosen === "yes" || chosen === "no"
        ? { ...self, caseSensitive: chosen === "yes" }
        : { message: "Write case:yes, case:no or case:auto." }
    case "word":
      return chosen === "yes" || chosen === "no"
        ? { ...self, wholeWord: chosen === "yes" }
        : { message: "Write word:yes or word:no." }
    case "rev": {
      if (value === "") return noValue(written)
      if (PathExpression.isPredicate(value)) return remove(`${written}:${value}`, "name a branch, a tag or a commit")
      const revision = Revision.parse(value)
      if (typeof revision !== "string") return revision
      return self.revisions.includes(revision) ? self : { ...self, revisions: [...self.revisions, revision] }
    }
    case "count":
      if (chosen === "all") return { ...self, count: Number.POSITIVE_INFINITY }
      return /^[1-9]\d{0,8}$/.test(value)
        ? { ...self, count: Number(value) }
        : { message: "Write count:100 or count:all.", replacement: "count:100" }
    case "type":
      return addType(self, chosen, written)
    case "kind":
      return addSymbolKind(self, token)
  }
}

const addType = (self: WrittenOptions, value: string, written: string): WrittenOptions | Explanation => {
  switch (value) {
    case "path":
    case "filename":
      return addKind({ ...self, places: [...self.places, "path"] }, "file")
    case "file":
    case "filematch":
    case "content":
      return addKind(self, "file")
    case "commit":
    case "diff":
      return addKind(self, value)
    case "symbol":
      return {
        ...remove(`${written}:symbol`, "write symbol:name to find definitions"),
        word: CodeQueryTerm.printSymbol
      }
    case "repo":
      return {
        ...remove(`${written}:repo`, "write repo:name to find the files of a repository"),
        word: (text) => (/^[\w.*-]+(?:\/[\w.*-]+)?$/.test(text) ? `repo:${text}` : Qualifier.quote(text))
      }
    default:
      return {
        message: "Write type:file, type:path, type:commit or type:diff.",
        replacement: `type:${/^c/i.test(value) ? "commit" : /^d/i.test(value) ? "diff" : /^p/i.test(value) ? "path" : "file"}`
      }
  }
}

const addKind = (self: WrittenOptions, kind: "file" | "commit" | "diff"): WrittenOptions | QueryProblem => {
  if (self.kind !== undefined && self.kind !== kind)
    return { message: `A query has one type:. Remove type:${self.kind} or type:${kind}.`, replacement: "" }
  return kind !== "file" && self.symbolKinds.length > 0 ? noDefinitions(kind) : { ...self, kind }
}

const noDefinitions = (kind: "commit" | "diff"): QueryProblem => ({
  message: `Remove kind: or type:${kind}: commits have no definitions.`,
  replacement: ""
})

const addSymbolKind = (self: WrittenOptions, { value, written }: OptionToken): WrittenOptions | QueryProblem => {
  if (value === "") return noValue(written)
  if (self.kind === "commit" || self.kind === "diff") return noDefinitions(self.kind)
  const kind = SymbolKindName.resolve(value)
  if (kind !== undefined)
    return { ...self, symbolKinds: self.symbolKinds.includes(kind) ? self.symbolKinds : [...self.symbolKinds, kind] }
  const text = Qualifier.quote(`${written}:${value}`)
  const nearest = SymbolKindName.nearest(value)
  return {
    message: `kind: is one of ${SymbolKindName.all.join(", ")}. To find this text, write ${text}.`,
    replacement: nearest === undefined ? text : `${written}:${nearest}`
  }
}

const noValue = (written: string): QueryProblem => ({
  message: `Write a value right after ${written}: (no space between).`
})
