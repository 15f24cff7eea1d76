/** Kinds of symbols, as in the contract. */
export type SourceSymbolKind =
  | "class"
  | "constant"
  | "enum"
  | "enum_member"
  | "field"
  | "function"
  | "interface"
  | "macro"
  | "method"
  | "module"
  | "struct"
  | "type"
  | "variable"

/** A symbol that a source text defines. */
export interface SourceSymbol {
  readonly name: string
  readonly kind: SourceSymbolKind
  /** Line of the name, from 1. */
  readonly line: number
  /** UTF-16 code units of the line before the name. */
  readonly column: number
  /** Last line of the definition, from 1. */
  readonly endLine: number
  /** Name of the enclosing definition, if there is one. */
  readonly scope?: string
  /** True for a declaration without a body or value, for example a prototype. */
  readonly isDeclaration?: true
}

/** Bounds of the search for symbols in a text: the number of symbols, and the time in milliseconds. */
export interface SymbolLimits {
  readonly symbols: number
  readonly timeout: number
}

/** A symbol with offsets into the text instead of lines. */
export interface FoundSymbol {
  readonly name: string
  readonly kind: SourceSymbolKind
  /** Offset of the name. */
  readonly at: number
  /** Offset of the end of the definition. Set after the members are found. */
  end: number
  scope: string | undefined
  readonly isDeclaration: boolean
}

/** Returns symbols with lines and columns, in the order of the text. */
export const withLines = (text: string, found: ReadonlyArray<FoundSymbol>): ReadonlyArray<SourceSymbol> => {
  if (found.length === 0) return []
  const starts = lineStarts(text)
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, end, isDeclaration, kind, name, scope }) => {
      const line = lineOf(starts, at)
      return {
        name,
        kind,
        line,
        column: at - (starts[line - 1] ?? 0),
        endLine: Math.max(line, lineOf(starts, Math.max(at, end - 1))),
        ...(scope === undefined || scope === "" ? {} : { scope }),
        ...(isDeclaration ? { isDeclaration } : {})
      }
    })
}

const lineStarts = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the line, from 1, of an offset. */
const lineOf = (starts: ReadonlyArray<number>, at: number): number => {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low
}
