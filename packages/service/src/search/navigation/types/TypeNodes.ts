/** Steps in the syntax tree of TypeScript, to written types. */
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import type { SourceFile } from "@tongs/syntax/navigation/SourceFile"

export type SyntaxNode = Occurrence["node"]

/** A written type, or the declaration of one, in its file. */
export interface Written {
  readonly path: string
  readonly file: SourceFile
  readonly node: SyntaxNode
}

/** A type with members. A type that is written in place has no name. */
export interface Shape extends Written {
  readonly name: string | undefined
  /** True if the node is the type of the elements. */
  readonly isArray?: boolean
}

/** Names of the tree's nodes that are functions with a body. */
export const functions: ReadonlySet<string> = new Set([
  "ArrowFunction",
  "FunctionExpression",
  "FunctionDeclaration",
  "MethodDeclaration"
])

/** Names of the tree's nodes that declare a type with members. */
export const declarations: ReadonlySet<string> = new Set([
  "InterfaceDeclaration",
  "ClassDeclaration",
  "EnumDeclaration"
])

/** Maximum number of children that a step visits. */
const MAX_CHILDREN = 2_000

/** Returns the children of a node. */
export const children = (node: SyntaxNode): ReadonlyArray<SyntaxNode> =>
  Nodes.children(node).take(MAX_CHILDREN).toArray()

/** Returns the annotation after a name, which an optional mark can precede. */
export const annotationOf = (leaf: SyntaxNode): SyntaxNode | undefined => {
  const next = leaf.nextSibling
  const at = next?.name === "Optional" ? next.nextSibling : next
  return at?.name === "TypeAnnotation" ? at : undefined
}

/** Returns the value that a declaration gives to a name. */
export const initializerOf = (leaf: SyntaxNode): SyntaxNode | undefined => {
  const annotation = annotationOf(leaf)
  const at = (annotation ?? leaf).nextSibling
  return at?.name === "Equals" ? (at.nextSibling ?? undefined) : undefined
}

/** Returns the place of a node in a list between commas. */
export const indexOf = (node: SyntaxNode): number => {
  let index = 0
  for (let at = node.prevSibling; at !== null && index < 100; at = at.prevSibling) if (at.name === ",") index++
  return index
}

/** Returns the types of the elements of arrays. */
export const elements = (shapes: ReadonlyArray<Shape>): ReadonlyArray<Written> =>
  shapes.filter(({ isArray }) => isArray === true)

/** Returns the type of an array by its elements. */
export const arrayTypes = (one: Shape): ReadonlyArray<Written> =>
  one.node.parent === null
    ? []
    : [
        {
          ...one,
          node: one.node.parent.name === "TypeArgList" ? (one.node.parent.parent ?? one.node) : one.node.parent
        }
      ]

/** Returns the written result types of functions. */
export const returnsOf = (shapes: ReadonlyArray<Shape>): ReadonlyArray<Written> =>
  shapes.flatMap((one) => {
    const isSignature = one.node.name === "FunctionSignature"
    if (!isSignature && !functions.has(one.node.name) && one.node.name !== "MethodType") return []
    const node = isSignature ? one.node.lastChild : Nodes.child(one.node, "TypeAnnotation")
    return node === null || node === undefined ? [] : [{ path: one.path, file: one.file, node }]
  })

/** Maximum number of values that a function without a written result type returns, and of nodes in it. */
const MAX_RETURNS = 5
const MAX_NODES = 5_000

/** Returns the values that a function returns: of an arrow, or of its return statements. */
export const returnedValues = (made: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  if (!functions.has(made.name)) return []
  const body = made.lastChild
  if (body === null || body.name !== "Block") return body === null ? [] : [body]
  const found: Array<SyntaxNode> = []
  const cursor = body.cursor()
  for (let steps = 0; steps < MAX_NODES && found.length < MAX_RETURNS; steps++) {
    const value = cursor.name === "ReturnStatement" ? cursor.node.firstChild?.nextSibling : undefined
    if (value && value.name !== ";") found.push(value)
    if (!cursor.next(!functions.has(cursor.name)) || cursor.from >= body.to) break
  }
  return found
}

/** Returns the written type of one parameter of a function. */
export const parametersOf = ({ file, node, path }: Shape, index: number): ReadonlyArray<Written> => {
  const list = Nodes.child(node, "ParamList")
  const names = list === undefined ? [] : children(list).filter(({ name }) => /Definition|Pattern/.test(name))
  const found = names.find((one) => indexOf(one) === index)
  const annotation = found === undefined ? undefined : annotationOf(found)
  return annotation === undefined ? [] : [{ path, file, node: annotation }]
}
