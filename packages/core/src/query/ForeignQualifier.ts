/** Explains qualifiers and predicates of Sourcegraph, GitHub and zoekt that the code query language does not have. */
import * as CodeQueryTerm from "./CodeQueryTerm.ts"
import type { ForeignName } from "./QualifierName.ts"
import { type QueryProblem, remove, write } from "./QueryProblem.ts"
import * as SymbolKindName from "./SymbolKindName.ts"
import type { Token } from "./Token.ts"

type QualifierToken = Extract<Token, { readonly _tag: "Qualifier" }>

/** The explanation of a qualifier. A correction can replace the words of the query, too. */
export type Explanation = QueryProblem & {
  /** Returns the corrected text of a word. The correction also removes the qualifier. */
  readonly word?: (text: string) => string
}

/** Returns the explanation of a foreign qualifier. Undefined if the search has this effect by default. */
export const explain = (name: ForeignName, { not, value, written }: QualifierToken): Explanation | undefined => {
  const part = `${not ? "-" : ""}${written}:${value}`
  const lower = value.toLowerCase()
  switch (name) {
    case "archived":
    case "fork":
      return !not && /^(?:yes|true)$/.test(lower)
        ? undefined
        : remove(part, "all repositories are searched, and the search does not know which are forks or archived")
    case "public":
    case "visibility":
      return !not && lower === "any" ? undefined : remove(part, "the search covers the repositories that you can read")
    case "context":
      if (!not && lower === "global") return undefined
      return /^@[\w.-]+$/.test(value)
        ? write("Search contexts are not supported.", `${not ? "-" : ""}user:${value.slice(1)}`)
        : remove(part, "search contexts are not supported. Restrict the search with user: or repo:")
    case "index":
      return !not && lower === "yes" ? undefined : remove(part, "the search always uses the index")
    case "is":
      return /^(?:vendored|vendor)$/.test(lower)
        ? write("is: is not supported.", `${not ? "-" : ""}file:vendor/`)
        : remove(part, "is: is not supported. All repositories are searched")
    case "license":
      return remove(part, "licenses of repositories are not known. To find license files, use path:LICENSE")
    case "patterntype":
      if (!not && /^(?:literal|keyword|standard)$/.test(lower)) return undefined
      return lower === "regexp" || lower === "regex"
        ? {
            ...remove(part, "write regular expressions between slashes, for example /foo.*bar/"),
            word: CodeQueryTerm.printRegex
          }
        : remove(part, "write words, phrases in quotation marks, or regular expressions between slashes")
    case "regex":
      return write("", `${not ? "-" : ""}${CodeQueryTerm.printRegex(value)}`)
    case "repohasfile":
      return hasPath(value, not)
    case "repohascommitafter":
      return remove(part, "write type:commit after:2024-01-31 to find the commits themselves")
    case "select":
      return select(part, lower)
    case "timeout":
      return remove(part, "the time limit of a search is not part of the query")
  }
}

/** Returns the explanation of a predicate such as `repo:has.path(x)`. */
export const explainPredicate = ({ not, value, written }: QualifierToken): QueryProblem => {
  const [, name = "", argument = ""] = /^([\w.]+)\(([^]*)\)$/.exec(value) ?? []
  const part = `${not ? "-" : ""}${written}:${value}`
  if (/^(?:has|contains)\.content$/.test(name)) return hasContent(argument, not)
  if (/^(?:has|contains)(?:\.(?:path|file))?$/.test(name)) {
    const path = /(?:^|\s)path:(\S+)/.exec(argument)?.[1]
    const content = /(?:^|\s)content:(\S+)/.exec(argument)?.[1]
    if (path === undefined && content !== undefined) return hasContent(content, not)
    return hasPath(path ?? argument, not)
  }
  return name === "at.time"
    ? remove(part, `to find commits before that time, use type:commit before:"${argument}"`)
    : remove(part, "the search does not know this property")
}

const hasPath = (source: string, not: boolean): QueryProblem =>
  write(
    "Conditions on a repository's files are not supported. Find such files first.",
    `${not ? "-" : ""}${CodeQueryTerm.printPath(source)}`
  )

const hasContent = (source: string, not: boolean): QueryProblem =>
  write("", `${not ? "-" : ""}content:${CodeQueryTerm.printPattern(source)}`)

const select = (part: string, value: string): Explanation => {
  const kind = SymbolKindName.resolve(/^symbol\.(.+)$/.exec(value)?.[1] ?? "")
  if (kind !== undefined) return write("", `kind:${kind}`)
  if (value.startsWith("symbol")) {
    return { ...remove(part, "write symbol:name to find definitions"), word: CodeQueryTerm.printSymbol }
  }
  if (value.startsWith("commit")) return write("", "type:diff")
  return remove(part, "results are files with their repositories and matching lines")
}
