/** Infers the types of declared names: variables, parameters, functions, and names that patterns take from values. */
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { type Inference, MAX_DEPTH } from "./Inference.ts"
import {
  annotationOf,
  declarations,
  elements,
  functions,
  indexOf,
  initializerOf,
  parametersOf,
  type Shape,
  type SyntaxNode,
  type Written
} from "./TypeNodes.ts"

/** Methods of arrays whose argument is a function of an element. */
const elementCallbacks = new Set([
  "find",
  "findLast",
  "filter",
  "map",
  "forEach",
  "some",
  "every",
  "findIndex",
  "flatMap"
])

/** A declaration in a file, with the node of its name. */
export interface DeclaredName extends Written {
  readonly leaf: SyntaxNode
}

/** Returns the declarations of a name at the top of a file, or of the files from which the file imports it. */
export const declarationsIn = async (
  { modules }: Inference,
  { file, path }: Written,
  name: string
): Promise<ReadonlyArray<DeclaredName>> => {
  const found: Array<DeclaredName> = []
  for (const place of await modules.declared(path, file, name)) {
    const own = await modules.files.file(modules.at, place.path)
    if (own === undefined) continue
    for (const { declaration, node } of SourceFile.occurrences(own, place.name)) {
      if (declaration?.level !== "file" || found.some(({ leaf }) => leaf.from === node.from)) continue
      found.push({ path: place.path, file: own, node: declaration.node, leaf: node })
    }
  }
  return found
}

/** Returns the types of a use of a name, by its declarations in the file or in imported ones. */
export const typesOfUse = async (
  inference: Inference,
  use: Written,
  depth: number
): Promise<ReadonlyArray<Written>> => {
  const { file, node } = use
  const name = SourceFile.textOf(file, node)
  const all = inference.occurrences(file, name)
  const occurrence = all.find(({ from }) => from === node.from)
  const declared = occurrence === undefined ? [] : SourceFile.declarationsOf(occurrence, all, file)
  const local = declared.find(({ declaration }) => declaration?.level !== "import")
  if (local !== undefined) return typesOf(inference, { ...use, node: local.node }, depth + 1)
  const found: Array<Written> = []
  for (const one of declared.length === 0 ? [] : await declarationsIn(inference, use, name))
    found.push(...(await typesOf(inference, { ...one, node: one.leaf }, depth + 1)))
  return found
}

/** Returns the types from which a pattern takes its names. */
export const ofPattern = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Shape>> =>
  inference.resolve(await typesOf(inference, at, depth + 1), depth)

/** Returns the types of a declared variable, parameter or function, by the node of its name or pattern. */
const typesOf = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Written>> => {
  const leaf = at.node
  const { parent } = leaf
  const annotation = annotationOf(leaf)
  if (parent === null || depth > MAX_DEPTH) return []
  if (functions.has(parent.name) || declarations.has(parent.name)) return [{ ...at, node: parent }]
  if (annotation !== undefined) return [{ ...at, node: annotation }]
  switch (parent.name) {
    case "VariableDeclaration": {
      const value = initializerOf(leaf)
      return value === undefined ? [] : inference.writtenOf({ ...at, node: value }, depth + 1)
    }
    case "PatternProperty": {
      const pattern = parent.parent
      const key = Nodes.child(parent, "PropertyName") ?? leaf
      if (pattern?.name !== "ObjectPattern") return []
      const shapes = await ofPattern(inference, { ...at, node: pattern }, depth + 1)
      return inference.membersOf(shapes, SourceFile.textOf(at.file, key), depth + 1)
    }
    case "ForOfSpec": {
      const list = parent.lastChild?.prevSibling
      return list ? elements(await inference.ofExpression({ ...at, node: list }, depth + 1)) : []
    }
    case "ParamList":
      return typesOfParameter(inference, at, depth + 1)
    default:
      return []
  }
}

/** Returns the types of a parameter of a function whose place expects a function. */
const typesOfParameter = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Written>> => {
  const made = at.node.parent?.parent
  if (made === null || made === undefined) return []
  const index = indexOf(at.node)
  const call = made.parent?.name === "ArgList" ? made.parent.parent : null
  const callee = call?.firstChild
  if (callee?.name === "MemberExpression" && callee.firstChild !== null && callee.lastChild !== null && index === 0) {
    if (elementCallbacks.has(SourceFile.textOf(at.file, callee.lastChild))) {
      const found = elements(await inference.ofExpression({ ...at, node: callee.firstChild }, depth))
      if (found.length > 0) return found
    }
  }
  const shapes = await inference.expected({ ...at, node: made }, depth)
  return shapes.flatMap((one) => parametersOf(one, index))
}
