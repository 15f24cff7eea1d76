import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { SymbolKind } from "@tongs/core/contract/groups/CodeSearch"
import * as CSymbols from "@tongs/syntax/symbols/CSymbols"
import { languageOf } from "../../git/values/Languages.ts"
import * as GrammarSymbols from "./GrammarSymbols.ts"
import { type Kind, patternsOf } from "./Patterns.ts"

/**
 * Finds the symbols that a file defines, in the order of the text: by declaration in C and C++, line by line with
 * patterns in other languages. Patterns miss some definitions, which `GrammarSymbols` finds. Empty for a language
 * without patterns. Does not check whether the file is generated or too large.
 */
export const symbolsOf = (path: string, text: string): ReadonlyArray<CodeSymbol> => {
  const language = languageOf(path) ?? ""
  if (language === "C" || language === "C++") {
    return CSymbols.symbolsOf(text, GrammarSymbols.limits).map(GrammarSymbols.toCodeSymbol)
  }
  const patterns = patternsOf(language)
  if (patterns === undefined) return []
  const { kinds, regex } = patterns
  const found: Array<CodeSymbol> = []
  const scopes: Array<Scope> = []
  let isInFence = false
  let line = 1
  let counted = 0
  regex.lastIndex = 0
  for (
    let match = regex.exec(text);
    match !== null && found.length < GrammarSymbols.MAX_SYMBOLS;
    match = regex.exec(text)
  ) {
    const rule = match.findIndex((group, index) => index > 1 && group !== undefined) - 2
    const kind = kinds[rule]
    const name = match[rule + 2]
    // Skips an empty match, which would otherwise repeat.
    if (regex.lastIndex === match.index) regex.lastIndex++
    if (kind === undefined || name === undefined) continue
    if (kind === "fence") isInFence = !isInFence
    if (kind === "fence" || isInFence) continue
    const indent = match[1]?.length ?? 0
    while (scopes.length > 0 && indent <= (scopes.at(-1)?.indent ?? 0)) scopes.pop()
    const scope = scopes.at(-1)
    if (kind === "member" || kind === "entry") {
      if (scope === undefined || scope.takes !== kind) continue
      // A line deeper than the first member belongs to the body of a member that no pattern found.
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

/** A symbol that contains the following, more deeply indented lines. */
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
