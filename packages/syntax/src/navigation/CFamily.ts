/** Names in C and C++. */
import type { SyntaxNode } from "@lezer/common"
import {
  bodies,
  classes,
  containerOf,
  containers,
  declarators,
  declared,
  functions,
  nameOf,
  program,
  qualifierOf,
  scopeOf
} from "./CDeclarations.ts"
import * as CIncludes from "./CIncludes.ts"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Rules } from "./Occurrence.ts"

const typeIdentifier = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  const kind = classes[parent?.name ?? ""]
  if (parent !== null && kind !== undefined) {
    const tag = parent.firstChild?.name
    const body = Nodes.child(parent, ...bodies)
    if (body === undefined) return { role: "type", isCall: false, tag }
    const isNested = parent.parent?.name === "FieldDeclaration"
    const made = Declare.inScope(
      kind,
      parent,
      scopeOf(parent.parent ?? parent),
      functions,
      isNested ? { container: containerOf(parent, text) } : {}
    )
    return { ...made, tag }
  }
  const scope = scopeOf(parent?.parent ?? leaf)
  const { parent: whole } = Nodes.climb(leaf, declarators)
  if (whole?.name === "TypeDefinition" && Nodes.isAfter(Nodes.climb(leaf, declarators).child, ...typeNodes)) {
    return Declare.inScope("type", whole, scope, functions)
  }
  if (parent?.name === "AliasDeclaration" && !Nodes.isAfter(leaf, "=", "AssignOp"))
    return Declare.inScope("type", parent, scope, functions)
  if (parent?.name === "TypeParameterDeclaration") {
    const owner = Nodes.closest(parent, new Set(["TemplateDeclaration"]))
    return Declare.inScope("type", parent, owner, new Set([...functions, "TemplateDeclaration"]))
  }
  // Parameters of a macro that defines a function look like types: `SYSCALL_DEFINE1(close, unsigned int, fd)`.
  if (parent?.name === "ParameterDeclaration" && leaf.prevSibling === null && leaf.nextSibling === null) {
    const owner = Nodes.closest(parent, functions)
    if (owner?.name === "FunctionDefinition" && !/^[A-Z]/.test(text.slice(leaf.from, leaf.to))) {
      return Declare.inScope("variable", parent, owner, functions)
    }
  }
  return {
    role: "type",
    isCall: false,
    receiver: parent?.name === "ScopedTypeIdentifier" ? (leaf.prevSibling?.prevSibling ?? undefined) : undefined
  }
}

const typeNodes = [
  "StructSpecifier",
  "UnionSpecifier",
  "EnumSpecifier",
  "ClassSpecifier",
  "PrimitiveType",
  "SizedTypeSpecifier",
  "TypeIdentifier",
  "TemplateType",
  "ScopedTypeIdentifier"
]

const isCalled = (node: SyntaxNode) =>
  node.parent?.name === "CallExpression" && Nodes.same(node.parent.firstChild, node)

const classify = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  switch (leaf.name) {
    case "TypeIdentifier":
      return typeIdentifier(leaf, text)
    case "NamespaceIdentifier":
      return Declare.type
    case "StatementIdentifier":
      return { role: "label", isCall: false }
    case "PreprocArg":
      return Declare.value
    case "FieldIdentifier":
      if (parent?.name === "FieldExpression") {
        return { role: "member", isCall: isCalled(parent), receiver: parent.firstChild ?? undefined }
      }
      if (parent?.name === "FieldDesignator" || parent?.name === "FieldInitializer") return Declare.key
      return declared(leaf, text) ?? Declare.key
  }
  if (parent?.name === "PreprocDirective") {
    const isFirst = parent.firstChild?.name === "#define" && leaf.prevSibling?.name === "#define"
    return isFirst ? Declare.inScope("macro", parent, Nodes.closest(parent, program), functions) : Declare.value
  }
  if (parent?.name === "ScopedIdentifier") {
    return (
      declared(leaf, text) ?? {
        role: "member",
        isCall: isCalled(parent),
        receiver: leaf.prevSibling?.prevSibling ?? undefined
      }
    )
  }
  return declared(leaf, text) ?? (isCalled(leaf) ? Declare.call : Declare.value)
}

const typeOf = (leaf: SyntaxNode, text: string): string | undefined => {
  const { parent } = Nodes.climb(leaf, declarators)
  const found = Nodes.child(parent, ...typeNodes, "auto", "StructSpecifier")
  if (found?.name === "auto") {
    const made = Nodes.descendant(parent, "NewExpression")
    const type = Nodes.descendant(made, "TypeIdentifier")
    return type === undefined ? undefined : text.slice(type.from, type.to)
  }
  if (found !== undefined && containers.has(found.name)) return nameOf(found, text)
  const scoped = found?.name === "ScopedTypeIdentifier" ? found.lastChild : Nodes.descendant(found, "TypeIdentifier")
  return scoped?.name === "TypeIdentifier" ? text.slice(scoped.from, scoped.to) : undefined
}

/** Rules of C and C++. */
export const rules: Rules = {
  names: new Set([
    "Identifier",
    "TypeIdentifier",
    "FieldIdentifier",
    "NamespaceIdentifier",
    "StatementIdentifier",
    "PreprocArg"
  ]),
  classify,
  typeOf,
  self: new Set(["this"]),
  selfAt: (node, text) => {
    const method = Nodes.closest(node, functions)
    const name = Nodes.descendant(
      Nodes.child(method ?? null, "FunctionDeclarator", "PointerDeclarator", "ReferenceDeclarator"),
      "ScopedIdentifier"
    )
    const last = name?.lastChild
    return (last === null || last === undefined ? undefined : qualifierOf(last, text)) ?? containerOf(node, text)
  },
  imports: (_, text) => CIncludes.find(text),
  bodies: new Set(["CompoundStatement", "FieldDeclarationList", "EnumeratorList"])
}
