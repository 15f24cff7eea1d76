/** Resolves written types to types with members: names to declarations, and operators to their operands. */
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { declarationsIn } from "./DeclaredNames.ts"
import type { Inference } from "./Inference.ts"
import {
  annotationOf,
  children,
  declarations,
  elements,
  functions,
  type Shape,
  type SyntaxNode,
  type Written
} from "./TypeNodes.ts"

/** Maximum depth of the types that a type extends. */
const MAX_BASES = 6

const lists = new Set(["Array", "ReadonlyArray", "Set", "ReadonlySet"])
const wrappers = /^(?:Partial|Readonly|Required|NonNullable|Extract|Exclude|Omit|Pick|Promise|Awaited|UnwrapRef)$/
const anything = /^(?:any|unknown|object|never|Object|const)$/

/** Returns the types with members that written types mean. */
export const resolve = async (
  inference: Inference,
  types: ReadonlyArray<Written>,
  depth: number
): Promise<ReadonlyArray<Shape>> => {
  const found: Array<Shape> = []
  for (const one of types) found.push(...(await resolveOne(inference, one, depth + 1)))
  return found
}

/** Returns the type that a file declares by a name, or that a variable with this name is declared to have. */
export const named = async (
  inference: Inference,
  path: string,
  file: SourceFile.SourceFile,
  name: string
): Promise<ReadonlyArray<Shape>> => {
  const found: Array<Shape> = []
  for (const { declaration, node } of SourceFile.occurrences(file, name)) {
    if (declaration === undefined || declaration.level === "import" || declaration.level === "member") continue
    const type = isTypeDeclaration(declaration.node) ? declaration.node : annotationOf(node)
    if (type !== undefined) found.push(...(await resolveOne(inference, { path, file, node: type }, 0)))
  }
  return found
}

/** Returns the types that a class or interface extends, also indirectly. */
export const bases = async (inference: Inference, shape: Shape, depth: number): Promise<ReadonlyArray<Shape>> => {
  const parts = children(shape.node)
  const start = parts.findIndex(({ name }) => name === "extends" || name === "implements")
  if (!declarations.has(shape.node.name) || start === -1) return []
  const names = parts
    .slice(start)
    .filter(({ name }) => ["TypeName", "VariableName", "ParameterizedType"].includes(name))
  const types = names.map((node) => ({ ...shape, node }))
  const found = await resolve(inference, types, depth)
  const above = depth > MAX_BASES ? [] : await Promise.all(found.map((one) => bases(inference, one, depth + 1)))
  return [...found, ...above.flat()]
}

const isTypeDeclaration = ({ name }: SyntaxNode): boolean => declarations.has(name) || name === "TypeAliasDeclaration"

const resolveOne = async (
  inference: Inference,
  { file, node, path }: Written,
  depth: number
): Promise<ReadonlyArray<Shape>> => {
  if (inference.isOver(depth)) return []
  const at: Written = { file, node, path }
  switch (node.name) {
    case "TypeAnnotation":
    case "ParenthesizedType":
    case "ReadonlyType":
    case "UnionType":
    case "IntersectionType":
      return resolveTypes(inference, at, children(node), depth)
    case "TypeAliasDeclaration": {
      const parts = children(node)
      return resolveTypes(inference, at, parts.slice(1 + parts.findIndex(({ name }) => name === "Equals")), depth)
    }
    case "ArrayType":
      return node.firstChild === null ? [] : [{ ...at, node: node.firstChild, name: undefined, isArray: true }]
    case "ParameterizedType":
      return resolveGeneric(inference, at, depth)
    case "IndexedType":
      return resolveIndexed(inference, at, depth)
    case "TypeofType":
      return node.lastChild === null ? [] : resolveTypeOf(inference, { ...at, node: node.lastChild }, depth + 1)
    case "TypeName":
    case "VariableName":
      return resolveName(inference, at, depth)
    case "ObjectExpression":
      // An object that a variable names is the container of its keys.
      return [withName(at, node.parent?.name === "VariableDeclaration" ? node.parent : undefined, "VariableDefinition")]
    case "ObjectType": {
      let up = node.parent
      while (up !== null && up.name !== "TypeAliasDeclaration" && up.name !== "InterfaceDeclaration") up = up.parent
      return [withName(at, up ?? undefined, "TypeDefinition")]
    }
    case "FunctionSignature":
    case "MethodType":
      return [{ ...at, name: undefined }]
    default: {
      if (functions.has(node.name)) return [{ ...at, name: undefined }]
      if (!declarations.has(node.name)) return []
      const shape = withName(at, node, "TypeDefinition", "VariableDefinition")
      return shape.name === undefined ? [] : [shape]
    }
  }
}

const resolveTypes = (inference: Inference, at: Written, nodes: ReadonlyArray<SyntaxNode>, depth: number) => {
  const types = nodes.filter(({ name }) => /Type|Signature/.test(name))
  return resolve(
    inference,
    types.map((node) => ({ ...at, node })),
    depth
  )
}

/** Names a type by the name that a declaration defines. */
const withName = (at: Written, declaration: SyntaxNode | undefined, ...names: ReadonlyArray<string>): Shape => {
  const name = Nodes.child(declaration ?? null, ...names)
  return { ...at, name: name === undefined ? undefined : SourceFile.textOf(at.file, name) }
}

const resolveGeneric = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Shape>> => {
  const head = at.node.firstChild
  const first = Nodes.child(at.node, "TypeArgList")?.firstChild?.nextSibling
  if (head === null) return []
  const name = SourceFile.textOf(at.file, head)
  if (lists.has(name) && first) return [{ ...at, node: first, name: undefined, isArray: true }]
  return resolveTypes(inference, at, [wrappers.test(name) && first ? first : head], depth)
}

/** Resolves `Type["key"]` and `Type[number]`. */
const resolveIndexed = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Shape>> => {
  const [first, mark, key] = children(at.node)
  if (first === undefined || key === undefined || mark?.name !== "[") return []
  const shapes = await resolveOne(inference, { ...at, node: first }, depth + 1)
  const name = SourceFile.textOf(at.file, key).replace(/^['"]|['"]$/g, "")
  const types = /^(?:\d+|number)$/.test(name) ? elements(shapes) : await inference.membersOf(shapes, name, depth + 1)
  return resolve(inference, types, depth)
}

const resolveTypeOf = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Shape>> => {
  const found = await inference.ofExpression(at, depth)
  const isUnnamed = found.every(({ name }) => name === undefined)
  return isUnnamed ? [{ ...at, name: SourceFile.textOf(at.file, at.node) }] : found
}

/** Resolves a name. A type of the platform is known, too, but has no members here. */
const resolveName = async (inference: Inference, at: Written, depth: number): Promise<ReadonlyArray<Shape>> => {
  const name = SourceFile.textOf(at.file, at.node)
  const declared = await declarationsIn(inference, at, name)
  if (declared.length > 0) {
    return resolve(
      inference,
      declared.filter(({ node }) => isTypeDeclaration(node)),
      depth
    )
  }
  const isHere = inference.occurrences(at.file, name).some(({ declaration }) => declaration !== undefined)
  return isHere || anything.test(name) ? [] : [{ ...at, path: "", name }]
}
