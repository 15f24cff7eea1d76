import type { CodeSymbol } from "@tongs/core/contract/CodeNavigation"

/** Kinds of symbols. The database stores indexes into this array, so never reorder or remove elements. */
const kinds: ReadonlyArray<string> = [
  "class",
  "constant",
  "enum",
  "function",
  "interface",
  "macro",
  "method",
  "module",
  "struct",
  "type",
  "variable"
]

/** Maximum number of symbols per document. Only generated files have more. */
const maxSymbols = 5_000

const separator = "\t"

/** Encodes symbols as one line each, for the outline of a document. Drops names that contain tabs or line feeds. */
export const encode = (symbols: ReadonlyArray<CodeSymbol>): string =>
  symbols
    .filter(({ name, scope }) => !/[\t\n]/.test(name + (scope ?? "")))
    .slice(0, maxSymbols)
    .map(({ kind, line, name, scope }) =>
      [name, kinds.indexOf(kind), line, ...(scope === undefined ? [] : [scope])].join(separator)
    )
    .join("\n")

/** Decodes the symbols of an outline with a name that matches a pattern without the flag `g`. */
export const find = (outline: string, pattern: RegExp): ReadonlyArray<CodeSymbol> => {
  // Most outlines have no match, which one test of the whole text shows.
  if (!pattern.test(outline)) return []
  return outline.split("\n").flatMap((row) => {
    const [name = "", kind = "", line = "", scope] = row.split(separator)
    if (!pattern.test(name)) return []
    return [
      { name, kind: kinds[Number(kind)] ?? "variable", line: Number(line), ...(scope === undefined ? {} : { scope }) }
    ]
  })
}
