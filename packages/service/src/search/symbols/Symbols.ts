/**
 * The names that a file defines, found line by line with the patterns of its language (`Patterns.ts`). It is quick and
 * never fails: what a pattern does not see is missing, as a definition whose head takes several lines in some languages.
 */
import type { Symbol, SymbolKind } from "@tongs/core/explore/Explore"
import { languageOf } from "../../git/Languages.ts"
import { type Kind, patternsOf } from "./Patterns.ts"

/** Symbols that one file can have: more are of no use to a person, and come from programs. */
export const MAX_SYMBOLS = 5_000

/** In the order of the text. Whether a file is worth the look is for the caller to say. */
export const symbolsOf = (path: string, text: string): ReadonlyArray<Symbol> => {
  const patterns = patternsOf(languageOf(path) ?? "")
  if (patterns === undefined) return []
  const { kinds, regex } = patterns
  const found: Array<Symbol> = []
  const scopes: Array<Scope> = []
  let isInFence = false
  let line = 1
  let counted = 0
  regex.lastIndex = 0
  for (let match = regex.exec(text); match !== null && found.length < MAX_SYMBOLS; match = regex.exec(text)) {
    const rule = match.findIndex((group, index) => index > 1 && group !== undefined) - 2
    const kind = kinds[rule]
    const name = match[rule + 2]
    // A pattern that matches nothing but a line's start would stay there.
    if (regex.lastIndex === match.index) regex.lastIndex++
    if (kind === undefined || name === undefined) continue
    if (kind === "fence") isInFence = !isInFence
    if (kind === "fence" || isInFence) continue
    const indent = match[1]?.length ?? 0
    while (scopes.length > 0 && indent <= (scopes.at(-1)?.indent ?? 0)) scopes.pop()
    const scope = scopes.at(-1)
    if (kind === "member" || kind === "entry") {
      if (scope === undefined || scope.takes !== kind) continue
      // What is deeper than the first member stands in the body of one whose head was not seen.
      scope.indentOfMembers ??= indent
      if (indent > scope.indentOfMembers) continue
    }
    scopes.push({ kind, name, indent, takes: takes(kind), indentOfMembers: undefined })
    if (kind === "scope" || kind === "constants" || kind === "variables") continue
    for (let end = text.indexOf("\n", counted); end !== -1 && end < match.index; end = text.indexOf("\n", counted)) {
      line++
      counted = end + 1
    }
    found.push({
      name,
      kind: kindIn(scope, kind),
      line,
      ...(scope === undefined || scope.takes === "entry" ? {} : { scope: scope.name })
    })
  }
  return found
}

/** What the lines are in that follow, as long as they are indented more. */
interface Scope {
  readonly kind: Kind
  readonly name: string
  readonly indent: number
  readonly takes: "member" | "entry" | undefined
  indentOfMembers: number | undefined
}

const takes = (kind: Kind): Scope["takes"] => {
  switch (kind) {
    case "class":
    case "interface":
    case "struct":
    case "enum":
    case "scope":
      return "member"
    case "constants":
    case "variables":
      return "entry"
    default:
      return undefined
  }
}

const kindIn = (scope: Scope | undefined, kind: SymbolKind | "member" | "entry"): SymbolKind => {
  if (kind === "entry") return scope?.kind === "variables" ? "variable" : "constant"
  if (kind === "member") return "method"
  return kind === "function" && scope?.takes === "member" ? "method" : kind
}
