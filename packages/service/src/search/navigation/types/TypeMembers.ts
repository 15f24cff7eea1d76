/** The members of types. */
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import type { Inference } from "./Inference.ts"
import { children, functions, type Shape, type SyntaxNode, type Written } from "./TypeNodes.ts"

/** Maximum depth at which the members of further bases are searched, and the depth from which these are counted. */
const MAX_DEPTH = 10
const BASE_DEPTH = 6

/** A member that a type declares: the node of the name, in the body of the type. */
interface Member {
  readonly shape: Shape
  readonly body: SyntaxNode
  readonly leaf: SyntaxNode
}

/** Returns the declarations of the members with a name, of the types or of extended types. */
export const declared = async (
  inference: Inference,
  shapes: ReadonlyArray<Shape>,
  name: string,
  depth: number
): Promise<ReadonlyArray<Member>> => {
  const found: Array<Member> = []
  if (inference.isOver(depth)) return found
  for (const shape of shapes) {
    if (shape.isArray === true) continue
    const body = bodyOf(shape.node)
    const leaves = children(body).flatMap((one) => {
      const own = Nodes.child(one, "PropertyDefinition", "PrivatePropertyDefinition")
      return own !== undefined && SourceFile.textOf(shape.file, own) === name ? [own] : []
    })
    found.push(...leaves.map((leaf) => ({ shape, body, leaf })))
    if (leaves.length > 0) continue
    const bases = depth > MAX_DEPTH ? [] : await inference.bases(shape, BASE_DEPTH)
    if (bases.length > 0) found.push(...(await declared(inference, bases, name, depth + 1)))
  }
  return found
}

/** Returns the written types of the members with a name, of the types or of extended types. */
export const membersOf = async (
  inference: Inference,
  shapes: ReadonlyArray<Shape>,
  name: string,
  depth: number
): Promise<ReadonlyArray<Written>> => {
  const found: Array<Written> = []
  const seen = new Set<SyntaxNode>()
  for (const { body, leaf, shape } of await declared(inference, shapes, name, depth)) {
    const member = leaf.parent
    // The first of several overloads counts.
    if (member === null || seen.has(body)) continue
    seen.add(body)
    const isFunction = member.name === "MethodType" || functions.has(member.name)
    const annotation = isFunction ? member : Nodes.child(member, "TypeAnnotation")
    if (annotation !== undefined) found.push({ ...shape, node: annotation })
    else if (member.lastChild !== null && body.name !== "ObjectType")
      found.push(...(await inference.writtenOf({ ...shape, node: member.lastChild }, depth + 1)))
  }
  return found
}

/** Returns the members of types by name, each with the text of its type. Undefined if a type can have any members. */
export const textsOf = async (
  inference: Inference,
  shapes: ReadonlyArray<Shape>
): Promise<ReadonlyMap<string, string> | undefined> => {
  const texts = new Map<string, string>()
  for (const shape of shapes) {
    for (const one of [shape, ...(await inference.bases(shape, 0))]) {
      for (const member of children(bodyOf(one.node))) {
        const own = Nodes.child(member, "PropertyDefinition")
        if (member.name === "IndexSignature") return undefined
        if (own === undefined || texts.has(SourceFile.textOf(one.file, own))) continue
        const type = Nodes.child(member, "TypeAnnotation")
        const text = type === undefined ? "" : SourceFile.textOf(one.file, type).replace(/^:\s*/, "")
        texts.set(SourceFile.textOf(one.file, own), text)
      }
    }
  }
  return texts
}

const bodyOf = (node: SyntaxNode): SyntaxNode => Nodes.child(node, "ObjectType", "ClassBody") ?? node
