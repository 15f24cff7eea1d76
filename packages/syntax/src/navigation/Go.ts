/** Names in Go. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Import, Kind, Rules } from "./Occurrence.ts"

const functions = new Set(["FunctionDecl", "MethodDecl", "FunctionLiteral"])
const scopes = new Set([
  ...functions,
  "SourceFile",
  "Block",
  "IfStatement",
  "ForStatement",
  "SwitchStatement",
  "TypeSwitchStatement",
  "SelectStatement",
  "Case",
  "FunctionType",
  "MethodElem"
])
const typed = new Set(["TypeSpec"])
const methods = new Set(["MethodDecl"])

const nameOf = (node: SyntaxNode | undefined, text: string): string | undefined => {
  const name = Nodes.child(node ?? null, "DefName")
  return name === undefined ? undefined : text.slice(name.from, name.to)
}

const receiverOf = (method: SyntaxNode | undefined, text: string): string | undefined => {
  const type = Nodes.descendant(Nodes.child(method ?? null, "Parameters"), "TypeName")
  return type === undefined ? undefined : text.slice(type.from, type.to)
}

const kindOfType = (spec: SyntaxNode): Kind =>
  Nodes.child(spec, "StructType") !== undefined
    ? "struct"
    : Nodes.child(spec, "InterfaceType") !== undefined
      ? "interface"
      : "type"

const definition = (leaf: SyntaxNode): Classified => {
  const { parent } = leaf
  if (parent === null) return Declare.value
  const scope = Nodes.closest(parent.parent, scopes)
  switch (parent.name) {
    case "ImportSpec":
      return Declare.bound(parent, scope)
    case "PackageClause":
      return Declare.inScope("module", parent, scope, functions)
    case "FunctionDecl":
      return Declare.inScope("function", parent, scope, functions)
    case "TypeSpec":
      return Declare.inScope(kindOfType(parent), parent, scope, functions)
    case "ConstSpec":
      return Declare.inScope("constant", parent, scope, functions)
    case "Parameter":
    case "TypeParam":
      return Declare.inScope("variable", parent, scope ?? parent, new Set([...functions, "FunctionType", "MethodElem"]))
    case "VarSpec":
    case "VarDecl":
      return Declare.inScope("variable", parent, scope, functions, {
        isOrdered: scope?.name !== "SourceFile",
        canAssign: Nodes.child(parent, ":=") !== undefined
      })
    default:
      return Declare.inScope("variable", parent, Nodes.closest(parent, scopes), functions)
  }
}

const isCalled = (node: SyntaxNode) => node.parent?.name === "CallExpr" && Nodes.same(node.parent.firstChild, node)

const classify = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  switch (leaf.name) {
    case "DefName":
      return definition(leaf)
    case "FieldName":
      switch (parent?.name) {
        case "FieldDecl":
          return Declare.member("field", parent, nameOf(Nodes.closest(parent, typed), text))
        case "MethodElem":
          return Declare.member("method", parent, nameOf(Nodes.closest(parent, typed), text))
        case "MethodDecl":
          return Declare.member("method", parent, receiverOf(parent, text))
        default:
          return {
            role: "member",
            isCall: parent !== null && isCalled(parent),
            receiver: parent?.firstChild ?? undefined
          }
      }
    case "TypeName":
      if (parent?.name === "TypeParam" && Nodes.same(parent.firstChild, leaf)) {
        return Declare.inScope(
          "type",
          parent,
          Nodes.closest(parent.parent, new Set([...scopes, "TypeSpec"])),
          functions
        )
      }
      return parent?.name === "QualifiedType"
        ? { role: "type", isCall: false, receiver: parent.firstChild ?? undefined }
        : Declare.type
    case "VariableName":
      if (parent?.name === "Key") return Declare.key
      return isCalled(leaf) ? Declare.call : Declare.value
    default:
      return { role: "label", isCall: false }
  }
}

const typeName = (node: SyntaxNode | null | undefined, text: string): string | undefined => {
  const found = Nodes.descendant(node, "TypeName", "SliceType", "MapType", "ArrayType", "FunctionType", "ChannelType")
  return found?.name === "TypeName" ? text.slice(found.from, found.to) : undefined
}

const typeOf = (leaf: SyntaxNode, text: string): string | undefined => {
  const { parent } = leaf
  if (parent === null) return undefined
  if (parent.name === "Parameter" || parent.name === "FieldDecl") {
    return typeName(Nodes.child(parent, "TypeName", "PointerType", "QualifiedType", "ParameterizedType"), text)
  }
  const written =
    parent.name === "VarSpec" ? Nodes.child(parent, "TypeName", "PointerType", "QualifiedType") : undefined
  if (written !== undefined) return typeName(written, text)
  const sign = Nodes.child(parent, ":=", "=")
  const made = sign?.nextSibling
  if (made === undefined || made === null || leaf.prevSibling?.name === "DefName") return undefined
  if (made.name === "CallExpr") {
    const called = made.firstChild?.name === "SelectorExpr" ? made.firstChild.lastChild : made.firstChild
    const own = called === null || called === undefined ? "" : text.slice(called.from, called.to)
    if (own === "new") return typeName(Nodes.child(made, "Arguments"), text)
    return /^[nN]ew([A-Z]\w*)$/.exec(own)?.[1]
  }
  const literal = made.name === "UnaryExp" ? made.lastChild : made
  return literal?.name === "TypedLiteral" ? typeName(literal.firstChild, text) : undefined
}

const imports = (root: SyntaxNode, text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  for (const node of Nodes.children(root)) {
    if (node.name !== "ImportDecl") continue
    for (const spec of Nodes.children(Nodes.child(node, "SpecList") ?? node)) {
      const string = spec.name === "ImportSpec" ? Nodes.child(spec, "String") : undefined
      if (string === undefined || found.length > 1_000) continue
      const target = text.slice(string.from + 1, string.to - 1)
      const as = nameOf(spec, text)
      const isDot = as === undefined && text.slice(spec.from, string.from).trim() === "."
      const last =
        target
          .split("/")
          .filter((part) => !/^v\d+$/.test(part))
          .at(-1) ?? target
      found.push({
        from: spec.from,
        target,
        imported: isDot ? undefined : "*",
        local: isDot ? undefined : (as ?? last.replace(/^go-|\.v\d+$/g, ""))
      })
    }
  }
  return found
}

/** Rules of Go. */
export const rules: Rules = {
  names: new Set(["DefName", "VariableName", "FieldName", "TypeName", "LabelName"]),
  classify,
  typeOf,
  self: new Set(),
  selfAt: (node, text) => receiverOf(Nodes.closest(node, methods), text),
  imports,
  bodies: new Set(["Block", "StructBody", "InterfaceBody"])
}
