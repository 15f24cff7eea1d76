/** What a document defines, as the index keeps it: a line for each symbol. */
import type { CodeSymbol } from "@tongs/core/contract/CodeNavigation"

/** Stored by their index: append only. */
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

/** Symbols of one document that are kept: more is a list of constants that some program made. */
const maxSymbols = 5_000

const separator = "\t"

export const encode = (symbols: ReadonlyArray<CodeSymbol>): string =>
  symbols
    .filter(({ name, scope }) => !/[\t\n]/.test(name + (scope ?? "")))
    .slice(0, maxSymbols)
    .map(({ kind, line, name, scope }) =>
      [name, kinds.indexOf(kind), line, ...(scope === undefined ? [] : [scope])].join(separator)
    )
    .join("\n")

/** The symbols whose names match a pattern. */
export const find = (outline: string, pattern: RegExp): ReadonlyArray<CodeSymbol> => {
  // Mostly there is nothing, and one look at the whole tells.
  if (!pattern.test(outline)) return []
  return outline.split("\n").flatMap((row) => {
    const [name = "", kind = "", line = "", scope] = row.split(separator)
    if (!pattern.test(name)) return []
    return [
      { name, kind: kinds[Number(kind)] ?? "variable", line: Number(line), ...(scope === undefined ? {} : { scope }) }
    ]
  })
}
