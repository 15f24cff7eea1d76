/** The symbols of Go. */
import type { SyntaxNode } from "@lezer/common"
import { childOf, childrenOf, type Rule, type Rules, type TreeWalk } from "./TreeWalk.ts"

const values =
  (kind: "constant" | "variable"): Rule =>
  (node, walk) => {
    for (const child of childrenOf(node))
      if (child.name === "DefName" && walk.textOf(child) !== "_") walk.add(kind, child, node)
    return false
  }

const type: Rule = (node, walk) => {
  const name = childOf(node, "DefName")
  if (name === undefined) return
  const kind =
    childOf(node, "StructType") !== undefined
      ? "struct"
      : childOf(node, "InterfaceType") !== undefined
        ? "interface"
        : "type"
  walk.add(kind, name, node)
  walk.enter(walk.textOf(name), kind, node)
}

const method: Rule = (node, walk) => {
  const name = childOf(node, "FieldName")
  if (name !== undefined) walk.add("method", name, node, { scope: receiverOf(node, walk) })
  return false
}

/** Returns the type of a method's receiver, without type parameters. */
const receiverOf = (node: SyntaxNode, walk: TreeWalk): string | undefined => {
  const parameter = childOf(node, "Parameters")?.getChild("Parameter")
  if (parameter === null || parameter === undefined) return undefined
  const cursor = parameter.cursor()
  do {
    if (cursor.from >= parameter.to) return undefined
    if (cursor.name === "TypeName") return walk.textOf(cursor)
  } while (cursor.next())
  return undefined
}

const members =
  (kind: "field" | "method"): Rule =>
  (node, walk) => {
    for (const child of childrenOf(node)) if (child.name === "FieldName") walk.add(kind, child, node)
  }

/** The rules of Go. */
export const rules: Rules = {
  FunctionDecl: (node, walk) => {
    const name = childOf(node, "DefName")
    if (name !== undefined) walk.add("function", name, node, { isDeclaration: childOf(node, "Block") === undefined })
    return false
  },
  MethodDecl: method,
  TypeSpec: type,
  ConstSpec: values("constant"),
  VarSpec: values("variable"),
  FieldDecl: members("field"),
  MethodElem: (node, walk) => {
    members("method")(node, walk)
    return false
  },
  ImportDecl: () => false,
  Block: () => false
}
