/** Infers the written types that the place of an expression expects: of a variable, a parameter, a result or a key. */
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import type { Inference } from "./Inference.ts"
import { elements, functions, indexOf, parametersOf, returnsOf, type SyntaxNode, type Written } from "./TypeNodes.ts"

/** Returns the written types that the place of an expression expects. */
export const typesOf = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Written>> => {
  const { node } = at
  const { parent } = node
  if (parent === null || inference.isOver(depth)) return []
  const typesOfParent = () => typesOf(inference, { ...at, node: parent }, depth + 1)
  switch (parent.name) {
    case "ParenthesizedExpression":
    case "ConditionalExpression":
      return typesOfParent()
    case "BinaryExpression": {
      const mark = parent.firstChild?.nextSibling
      const isTyped = mark?.name === "as" || mark?.name === "satisfies"
      return isTyped && parent.lastChild !== null ? [{ ...at, node: parent.lastChild }] : typesOfParent()
    }
    case "VariableDeclaration": {
      const before = node.prevSibling?.prevSibling
      return before?.name === "TypeAnnotation" ? [{ ...at, node: before }] : []
    }
    case "AssignmentExpression":
      return parent.firstChild === null ? [] : inference.writtenOf({ ...at, node: parent.firstChild }, depth + 1)
    case "PropertyDeclaration": {
      const annotation = Nodes.child(parent, "TypeAnnotation")
      return annotation === undefined ? [] : [{ ...at, node: annotation }]
    }
    case "ArrayExpression":
      return elements(await inference.resolve(await typesOfParent(), depth))
    case "Property": {
      const object = parent.parent
      const key = parent.firstChild
      if (object === null || key === null) return []
      const shapes = await inference.expected({ ...at, node: object }, depth + 1)
      return inference.membersOf(shapes, SourceFile.textOf(at.file, key), depth + 1)
    }
    case "ArrowFunction":
      return typesOfResult(inference, { ...at, node: parent }, depth)
    case "ReturnStatement": {
      for (let made = parent.parent; made !== null; made = made.parent)
        if (functions.has(made.name)) return typesOfResult(inference, { ...at, node: made }, depth)
      return []
    }
    case "ArgList":
      return typesOfArgument(inference, at, parent, depth)
    default:
      return []
  }
}

/** Returns the types that a function returns: by the annotation, or by the place of the function. */
const typesOfResult = async (inference: Inference, made: Written, depth: number): Promise<ReadonlyArray<Written>> => {
  const own = returnsOf([{ ...made, name: undefined }])
  return own.length > 0 ? own : returnsOf(await inference.expected(made, depth + 1))
}

const typesOfArgument = async (
  inference: Inference,
  at: Written,
  list: SyntaxNode,
  depth: number
): Promise<ReadonlyArray<Written>> => {
  const callee = list.parent?.name === "CallExpression" ? list.parent.firstChild : null
  if (callee === null) return []
  if (callee.name === "MemberExpression" && callee.firstChild !== null && callee.lastChild !== null) {
    if (/^(?:push|unshift|add)$/.test(SourceFile.textOf(at.file, callee.lastChild))) {
      const found = elements(await inference.ofExpression({ ...at, node: callee.firstChild }, depth + 1))
      if (found.length > 0) return found
    }
  }
  const shapes = await inference.ofExpression({ ...at, node: callee }, depth + 1)
  return shapes.flatMap((one) => parametersOf(one, indexOf(at.node)))
}
