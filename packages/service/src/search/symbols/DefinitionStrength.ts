import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import { languageOf } from "../../git/values/Languages.ts"

/** Maximum length of the head of a function, in which the body is searched. */
const MAX_HEAD = 1_000

/**
 * Returns the weight of a symbol as the searched definition, from 0 to 1: 1 for a definition with a body, less for a
 * declaration, an alias, a local variable or a heading. `start` is the offset of the symbol's line.
 */
export const strengthOf = (
  path: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  { declaration, kind, name, scope }: CodeSymbol
): number => {
  const language = languageOf(path) ?? ""
  if (language === "Markdown") return strengths.heading
  const line = text.slice(start, end)
  const isValue = kind === "constant" || kind === "variable"
  if (isValue && aliases.test(line)) return strengths.import
  if (isValue && scope === undefined && /^\s/.test(line) && language !== "Go") return strengths.local
  if (language === "Rust" && /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*;/.test(line)) return strengths.heading
  if (kind === "field") return strengths.field
  if (declaration === true || isDeclaration(path, line, language)) return strengths.declaration
  if (kind === "macro") return renames.test(line) ? strengths.stub : strengths.macro
  if (kind === "function" || kind === "method") {
    if (/^C(?:\+\+)?$/.test(language) && stub.test(text.slice(start, start + MAX_HEAD))) return strengths.stub
  }
  const visibility = isPublic(path, text, line, name, language) ? 1 : strengths.private
  return visibility * (kind === "method" || kind === "enum_member" || isValue ? strengths.member : 1)
}

const strengths = {
  member: 0.9,
  private: 0.9,
  macro: 0.9,
  stub: 0.7,
  declaration: 0.6,
  field: 0.5,
  local: 0.3,
  heading: 0.3,
  import: 0.15
}

/** Languages with bodies in braces and declarations that end in a semicolon. */
const braces = new Set(["C", "C++", "Java", "C#", "Rust", "TypeScript", "JavaScript", "Go", "Kotlin", "PHP"])

/** A value that only names an imported module or another value. */
const aliases = /=\s*(?:await\s+)?(?:require|import)\s*\(|=\s*[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+;?\s*$/

/** A macro that only renames another name. */
const renames = /^\s*#\s*define\s+\w+(?:\([^)]*\))?\s+\w+\s*(?:\([^()]*\))?\s*$/

/** A function whose body is empty or only returns a constant. */
const stub = /^[^{;]*\{\s*(?:return\s*[\w()-]*\s*;)?\s*\}/

/** True for a definition that other files can use, as far as the line shows. */
const isPublic = (path: string, text: string, line: string, name: string, language: string): boolean => {
  switch (language) {
    case "C":
      return path.endsWith(".h") || !/^static\b/.test(line)
    case "Rust":
      return !/^\s*(?:pub\(|(?:async |unsafe |const )*(?:fn|struct|enum|trait|type|static|union)\b)/.test(line)
    case "Java":
    case "C#":
      return !/^\s*private\b/.test(line)
    case "TypeScript":
    case "JavaScript":
      return /^\s|^export\b|exports\b/.test(line) || isExportedLater(text, name)
    default:
      return !name.startsWith("_")
  }
}

/** True if a JavaScript module exports a name in another line, for example with `export { name }`. */
const isExportedLater = (text: string, name: string): boolean => {
  const own = RegExp.escape(name)
  return new RegExp(
    `\\bexport\\s*(?:default\\s+${own}\\b|\\{[^}]{0,2000}\\b${own}\\b)|exports\\b[^;]{0,2000}\\b${own}\\b`
  ).test(text)
}

const isDeclaration = (path: string, line: string, language: string): boolean =>
  /\.d\.[cm]?ts$/.test(path) ||
  /^\s*(?:export\s+)?declare\b/.test(line) ||
  (braces.has(language) && /^[^={]*\)[^={]*;\s*$/.test(line)) ||
  /^\s*extern\b[^{]*;/.test(line)
