import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import type { symbolKinds } from "@tongs/core/contract/groups/SymbolKinds"

/** Codes of the kinds of symbols. Never change a code, because databases contain the codes. */
const codes: Readonly<Record<(typeof symbolKinds)[number], number>> = {
  class: 0,
  constant: 1,
  enum: 2,
  function: 3,
  interface: 4,
  macro: 5,
  method: 6,
  module: 7,
  struct: 8,
  type: 9,
  variable: 10,
  field: 11,
  enum_member: 12
}
const codeByKind: ReadonlyMap<string, number> = new Map(Object.entries(codes))
const kindByCode: ReadonlyMap<number, string> = new Map(Object.entries(codes).map(([kind, code]) => [code, kind]))

/** Maximum number of symbols per document. Only generated files have more. */
const MAX_SYMBOLS = 5_000

const SEPARATOR = "\t"

/** Scope of a symbol with the same scope as the preceding symbol. */
const SAME_SCOPE = "="

const RADIX = 36

/** Encodes symbols as one line each, for the outline of a document. Drops names that contain tabs or line feeds. */
export const encode = (symbols: ReadonlyArray<CodeSymbol>): string => {
  let last = ""
  return symbols
    .filter(({ name, scope }) => !/[\t\n]/.test(name + (scope ?? "")))
    .slice(0, MAX_SYMBOLS)
    .map(({ column, declaration, end_line, kind, line, name, scope = "" }) => {
      const values = [
        name,
        ((codeByKind.get(kind) ?? codes.variable) * 2 + (declaration === true ? 1 : 0)).toString(RADIX),
        line.toString(RADIX),
        column?.toString(RADIX) ?? "",
        end_line === undefined || end_line === line ? "" : (end_line - line).toString(RADIX),
        scope !== "" && scope === last ? SAME_SCOPE : scope
      ]
      last = scope
      return values.join(SEPARATOR).trimEnd()
    })
    .join("\n")
}

/** Decodes the symbols of an outline with a name that matches a pattern without the flag `g`. */
export const find = (outline: string, pattern: RegExp): ReadonlyArray<CodeSymbol> => {
  // Most outlines have no match, as one test of the whole text shows.
  if (!pattern.test(outline)) return []
  let last = ""
  return outline.split("\n").flatMap((row) => {
    const [name = "", kind = "", line = "", column = "", lines = "", scope = ""] = row.split(SEPARATOR)
    if (scope !== SAME_SCOPE) last = scope
    return pattern.test(name) ? [decode({ name, kind, line, column, lines, scope: last })] : []
  })
}

const decode = ({ column, kind, line, lines, name, scope }: Readonly<Record<string, string>>): CodeSymbol => {
  const code = Number.parseInt(kind ?? "", RADIX)
  const first = Number.parseInt(line ?? "", RADIX)
  return {
    name: name ?? "",
    kind: kindByCode.get(code >> 1) ?? "variable",
    line: first,
    ...(column === "" || column === undefined
      ? {}
      : { column: Number.parseInt(column, RADIX), end_line: first + Number.parseInt(lines || "0", RADIX) }),
    ...(scope === "" || scope === undefined ? {} : { scope }),
    ...((code & 1) === 1 ? { declaration: true } : {})
  }
}
