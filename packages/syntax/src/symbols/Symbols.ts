/** Finds the symbols that a source text defines, by a grammar or by declarations, depending on the language. */
import type { Parser } from "@lezer/common"
import * as Language from "../Language.ts"
import { type SourceSymbol, type SymbolLimits, withLines } from "./SourceSymbol.ts"
import { type Rules, symbolsIn } from "./TreeWalk.ts"

/** Finds the symbols of a text, in the order of the text. Returns undefined if the time is over. */
export type SymbolFinder = (text: string, limits: SymbolLimits) => ReadonlyArray<SourceSymbol> | undefined

const rules: Readonly<Partial<Record<Language.Language, () => Promise<{ readonly rules: Rules }>>>> = {
  ts: () => import("./ScriptSymbols.ts"),
  tsx: () => import("./ScriptSymbols.ts"),
  js: () => import("./ScriptSymbols.ts"),
  python: () => import("./PythonSymbols.ts"),
  go: () => import("./GoSymbols.ts"),
  rust: () => import("./RustSymbols.ts"),
  java: () => import("./JavaSymbols.ts")
}

const finders = new Map<Language.Language, Promise<SymbolFinder>>()

/** True if the symbols of a file are found by a grammar, which takes longer than declarations or patterns. */
export const hasGrammar = (path: string): boolean => {
  const language = Language.fromPath(path)
  return language !== undefined && rules[language] !== undefined
}

/** True if `load` finds the symbols of a file: by a grammar, or for C and C++ by declarations. */
export const hasFinder = (path: string): boolean => hasGrammar(path) || Language.fromPath(path) === "cpp"

/** Loads the finder for the language of a file. Resolves to undefined for a language without a finder. */
export const load = (path: string): Promise<SymbolFinder | undefined> => {
  const language = Language.fromPath(path)
  if (language === "cpp") return import("./CSymbols.ts").then(({ symbolsOf }) => symbolsOf)
  const loadRules = language === undefined ? undefined : rules[language]
  if (language === undefined || loadRules === undefined) return Promise.resolve(undefined)
  const known = finders.get(language)
  if (known !== undefined) return known
  const finder = Promise.all([loadRules(), Language.loadParser(language)]).then(([module, parser]) =>
    make(parser, module.rules)
  )
  finders.set(language, finder)
  finder.catch(() => finders.delete(language))
  return finder
}

const make =
  (parser: Parser, ofLanguage: Rules): SymbolFinder =>
  (text, { symbols, timeout }) => {
    const deadline = performance.now() + timeout
    const partial = parser.startParse(text)
    let tree = partial.advance()
    for (let count = 1; tree === null; count++) {
      if (count % STEP === 0 && performance.now() > deadline) return undefined
      tree = partial.advance()
    }
    const found = symbolsIn(tree, text, ofLanguage, { deadline, limit: symbols })
    return found === undefined ? undefined : withLines(text, found)
  }

/** Number of steps of the parser between two checks of the time. */
const STEP = 32
