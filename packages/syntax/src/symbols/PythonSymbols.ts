/** The symbols of Python. */
import type { SyntaxNode } from "@lezer/common"
import { childOf, childrenOf, type Rule, type Rules, type TreeWalk } from "./TreeWalk.ts"

const definition =
  (kind: "class" | "function" | "type"): Rule =>
  (node, walk) => {
    const name = childOf(node, "VariableName")
    if (name === undefined) return
    walk.add(kind === "function" && walk.scope?.kind === "class" ? "method" : kind, name, node)
    walk.enter(walk.textOf(name), kind, node)
  }

const assignment: Rule = (node, walk) => {
  for (const target of childrenOf(node)) {
    if (target.name === "AssignOp" || target.name === "TypeDef") {
      // Chained targets, as in `a = b = 1`, are rare: only the first ones count.
      break
    }
    if (target.name === "VariableName") name(target, node, walk)
    else if (target.name === "MemberExpression") attribute(target, node, walk)
  }
  return undefined
}

const name = (target: SyntaxNode, node: SyntaxNode, walk: TreeWalk): void => {
  const scope = walk.scope
  if (scope?.kind === "class") walk.add("field", target, node, { once: true })
  else if (scope === undefined) {
    const isConstant = /^_*[A-Z][A-Z0-9_]*$/.test(walk.textOf(target))
    walk.add(isConstant ? "constant" : "variable", target, node, { once: true })
  }
}

/** Adds an attribute that a method sets, as in `self.name = 1`. */
const attribute = (target: SyntaxNode, node: SyntaxNode, walk: TreeWalk): void => {
  const base = target.firstChild
  const property = target.lastChild
  if (base?.name !== "VariableName" || property?.name !== "PropertyName" || walk.textOf(base) !== "self") return
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (outer.name !== "ClassDefinition") continue
    const owner = childOf(outer, "VariableName")
    if (owner !== undefined) walk.add("field", property, node, { scope: walk.textOf(owner), once: true })
    return
  }
}

/** The rules of Python. */
export const rules: Rules = {
  ClassDefinition: definition("class"),
  FunctionDefinition: definition("function"),
  TypeDefinition: definition("type"),
  AssignStatement: assignment,
  ParamList: () => false,
  ArgList: () => false
}
