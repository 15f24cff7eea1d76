/** Steps in a syntax tree. All are bounded, because files can nest without end. */
import type { SyntaxNode } from "@lezer/common"

/** Maximum number of parents, siblings or descendants that one step visits. */
const MAX_STEPS = 400

/** Returns the first of a node and its parents with one of the names. */
export const closest = (node: SyntaxNode | null, names: ReadonlySet<string>): SyntaxNode | undefined => {
  let at = node
  for (let steps = 0; at !== null && steps < MAX_STEPS; steps++) {
    if (names.has(at.name)) return at
    at = at.parent
  }
  return undefined
}

/** Returns the first parent of a node whose name is not one of the names, with its child on the way. */
export const climb = (
  node: SyntaxNode,
  names: ReadonlySet<string>
): { readonly parent: SyntaxNode | null; readonly child: SyntaxNode } => {
  let child = node
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const { parent } = child
    if (parent === null || !names.has(parent.name)) return { parent, child }
    child = parent
  }
  return { parent: null, child }
}

/** Returns the children of a node. */
export const children = function* (node: SyntaxNode): Generator<SyntaxNode> {
  for (let at = node.firstChild; at !== null; at = at.nextSibling) yield at
}

/** Returns the first child with one of the names. */
export const child = (node: SyntaxNode | null, ...names: ReadonlyArray<string>): SyntaxNode | undefined => {
  let steps = 0
  for (let at = node?.firstChild ?? null; at !== null && steps < MAX_STEPS; at = at.nextSibling, steps++) {
    if (names.includes(at.name)) return at
  }
  return undefined
}

/** Returns the first of a node's descendants and itself, in the order of the text, with one of the names. */
export const descendant = (node: SyntaxNode | null | undefined, ...names: ReadonlyArray<string>) => {
  if (node === null || node === undefined) return undefined
  const cursor = node.cursor()
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    if (names.includes(cursor.name)) return cursor.node
    if (!cursor.next() || cursor.from >= node.to) return undefined
  }
  return undefined
}

/** Returns true if a sibling with one of the names precedes the node. */
export const isAfter = (node: SyntaxNode, ...names: ReadonlyArray<string>): boolean => {
  let steps = 0
  for (let at = node.prevSibling; at !== null && steps < MAX_STEPS; at = at.prevSibling, steps++) {
    if (names.includes(at.name)) return true
  }
  return false
}

/** Returns true if a sibling with one of the names follows the node. */
export const isBefore = (node: SyntaxNode, ...names: ReadonlyArray<string>): boolean => {
  let steps = 0
  for (let at = node.nextSibling; at !== null && steps < MAX_STEPS; at = at.nextSibling, steps++) {
    if (names.includes(at.name)) return true
  }
  return false
}

/** True if two references are the same node. */
export const same = (a: SyntaxNode | null | undefined, b: SyntaxNode): boolean =>
  a !== null && a !== undefined && a.from === b.from && a.to === b.to && a.name === b.name
