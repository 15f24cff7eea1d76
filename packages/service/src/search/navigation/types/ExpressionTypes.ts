/** Infers the written types of expressions. */
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as DeclaredNames from "./DeclaredNames.ts"
import type { Inference } from "./Inference.ts"
import {
  arrayTypes,
  children,
  elements,
  returnedValues,
  returnsOf,
  type SyntaxNode,
  type Written
} from "./TypeNodes.ts"

/** Methods of arrays that return an element, and methods that return an array of the same type. */
const elementMethods = new Set(["find", "findLast", "pop", "shift", "at"])
const arrayMethods = new Set(["filter", "slice", "concat", "reverse", "sort"])

/** Returns the written types of an expression, or the expression itself if it is an object or function. */
export const typesOf = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Written>> => {
  if (inference.isOver(depth)) return []
  const { file, node } = at
  const parts = children(node)
  const typesOfPart = (part: SyntaxNode | null | undefined) =>
    part ? typesOf(inference, { ...at, node: part }, depth + 1) : []
  switch (node.name) {
    case "ParenthesizedExpression":
      return typesOfPart(parts[1])
    case "PostfixExpression":
      return typesOfPart(parts[0])
    case "AwaitExpression":
    case "AssignmentExpression":
      return typesOfPart(node.lastChild)
    case "BinaryExpression": {
      const mark = parts[1]
      if (mark === undefined || node.lastChild === null) return []
      if (mark.name === "as" || mark.name === "satisfies") return [{ ...at, node: node.lastChild }]
      if (SourceFile.textOf(file, mark) === "&&") return typesOfPart(node.lastChild)
      return mark.name === "LogicOp" ? [...(await typesOfPart(parts[0])), ...(await typesOfPart(node.lastChild))] : []
    }
    case "ConditionalExpression":
      return [...(await typesOfPart(parts[2])), ...(await typesOfPart(parts[4]))]
    case "NewExpression":
      return parts[1] === undefined ? [] : [{ ...at, node: parts[1] }]
    case "ObjectExpression":
    case "ArrowFunction":
    case "FunctionExpression":
      return [at]
    case "this": {
      for (let up = node.parent; up !== null; up = up.parent)
        if (up.name === "ClassDeclaration") return [{ ...at, node: up }]
      return []
    }
    case "VariableName":
      return DeclaredNames.typesOfUse(inference, at, depth)
    case "MemberExpression": {
      const shapes = parts[0] === undefined ? [] : await inference.ofExpression({ ...at, node: parts[0] }, depth + 1)
      const { lastChild } = node
      if (lastChild?.name === "]") return elements(shapes)
      return lastChild === null ? [] : inference.membersOf(shapes, SourceFile.textOf(file, lastChild), depth + 1)
    }
    case "CallExpression":
      return parts[0] === undefined ? [] : typesOfCall(inference, { ...at, node: parts[0] }, depth + 1)
    default:
      return []
  }
}

/** Returns the types of a call by its callee. */
const typesOfCall = async (inference: Inference, callee: Written, depth: number): Promise<ReadonlyArray<Written>> => {
  const { file, node } = callee
  const method =
    node.name === "MemberExpression" && node.lastChild !== null ? SourceFile.textOf(file, node.lastChild) : ""
  if ((elementMethods.has(method) || arrayMethods.has(method)) && node.firstChild !== null) {
    const shapes = await inference.ofExpression({ ...callee, node: node.firstChild }, depth)
    const arrays = shapes.filter(({ isArray }) => isArray === true)
    if (arrays.length > 0) return elementMethods.has(method) ? arrays : arrays.flatMap(arrayTypes)
  }
  const shapes = await inference.ofExpression(callee, depth)
  const written = returnsOf(shapes)
  if (written.length > 0) return written
  const found: Array<Written> = []
  for (const one of shapes)
    for (const node of returnedValues(one.node)) found.push(...(await inference.writtenOf({ ...one, node }, depth + 1)))
  return found
}
