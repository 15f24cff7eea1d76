/** The function or method around a position. */
import type { SyntaxNode } from "@lezer/common"
import * as Nodes from "./Nodes.ts"
import type { SourceFile } from "./SourceFile.ts"

/** Maximum number of nodes above a position, and of levels and nodes in which the name of a function is searched. */
const MAX_ABOVE = 400
const MAX_LEVELS = 3
const MAX_CHILDREN = 30

const functions = new Set(["function", "method", "macro"])

/** Returns the name of the innermost named function around a node, after its class or type and a dot. */
export const functionAround = (file: SourceFile, node: SyntaxNode): string | undefined => {
  let at = node.parent
  for (let steps = 0; at !== null && steps < MAX_ABOVE; steps++) {
    const found = nameOf(file, at, at, MAX_LEVELS)
    if (found !== undefined) return found
    at = at.parent
  }
  return undefined
}

/** Returns the name that a node declares, if it is a function. */
const nameOf = (file: SourceFile, declaring: SyntaxNode, parent: SyntaxNode, levels: number): string | undefined => {
  const { rules, text } = file
  for (const child of Nodes.children(parent).take(MAX_CHILDREN)) {
    if (rules.bodies.has(child.name)) return undefined
    if (!rules.names.has(child.name)) {
      const inner = levels > 1 && isDeclarator(child) ? nameOf(file, declaring, child, levels - 1) : undefined
      if (inner !== undefined) return inner
      continue
    }
    const { declaration } = rules.classify(child, text)
    if (declaration === undefined || !functions.has(declaration.kind) || !Nodes.same(declaration.node, declaring))
      continue
    const name = text.slice(child.from, child.to)
    return declaration.container === undefined ? name : `${declaration.container}.${name}`
  }
  return undefined
}

/** True for the part of a declaration in C that has the name. */
const isDeclarator = ({ name }: SyntaxNode): boolean => name.endsWith("Declarator")
