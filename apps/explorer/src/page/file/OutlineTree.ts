/** The symbols of a file as a tree, in the order of the file. */
import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import { lowerBound } from "../model/lowerBound.ts"

/** A symbol in the tree. */
export interface OutlineItem {
  readonly symbol: CodeSymbol
  /** The count of enclosing symbols. */
  readonly depth: number
  /** The index of the enclosing symbol, or -1. */
  readonly parent: number
  readonly hasChildren: boolean
}

/** Creates the tree: by the lines of each symbol, or by the names of enclosing symbols. */
export const make = (symbols: ReadonlyArray<CodeSymbol>): ReadonlyArray<OutlineItem> => {
  const items: Array<{ symbol: CodeSymbol; depth: number; parent: number; hasChildren: boolean }> = []
  const around: Array<number> = []
  const sorted = symbols.toSorted((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0))
  for (const symbol of sorted) {
    const depth = around.findLastIndex((index) => contains(items[index]?.symbol, symbol)) + 1
    around.length = depth
    const parent = around.at(-1) ?? -1
    const outer = items[parent]
    if (outer !== undefined) outer.hasChildren = true
    around.push(items.length)
    items.push({ symbol, depth, parent, hasChildren: false })
  }
  return items
}

/** Returns the index of the innermost symbol that contains a line, -1 without one. */
export const at = (items: ReadonlyArray<OutlineItem>, line: number): number => {
  let index = lowerBound(items.length, (index) => (items[index]?.symbol.line ?? 0) <= line) - 1
  // A symbol without a known end ends at the next symbol.
  while (index >= 0 && (items[index]?.symbol.end_line ?? line) < line) index = items[index]?.parent ?? -1
  return index
}

/** Returns the indexes of a symbol and the enclosing symbols, the outermost first. */
export const path = (items: ReadonlyArray<OutlineItem>, index: number): ReadonlyArray<number> => {
  const indexes: Array<number> = []
  for (let at = index; at >= 0; at = items[at]?.parent ?? -1) indexes.unshift(at)
  return indexes
}

/**
 * Returns the indexes of the shown symbols: with a filter, the symbols whose names contain the filter; otherwise, the
 * symbols outside collapsed symbols.
 */
export const shown = (
  items: ReadonlyArray<OutlineItem>,
  filter: string,
  collapsed: ReadonlySet<number>
): ReadonlyArray<number> => {
  const lowerCase = filter.trim().toLowerCase()
  const hidden = new Set<number>()
  return items.flatMap(({ parent, symbol }, index) => {
    if (lowerCase !== "") return symbol.name.toLowerCase().includes(lowerCase) ? [index] : []
    if (!hidden.has(parent) && !collapsed.has(parent)) return [index]
    hidden.add(index)
    return []
  })
}

const contains = (outer: CodeSymbol | undefined, inner: CodeSymbol): boolean => {
  if (outer === undefined) return false
  if (outer.end_line !== undefined) return inner.line <= outer.end_line
  // A qualified scope such as `Outer::Inner` ends with the enclosing symbol's name.
  return inner.scope !== undefined && inner.scope.split(/[.:]+/).at(-1) === outer.name
}
