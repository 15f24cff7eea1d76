/** Names in TypeScript and JavaScript. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Kind, Rules } from "./Occurrence.ts"
import { declare, definedName, definition, functions, initializer, member, scopes } from "./ScriptDeclarations.ts"
import { imports } from "./ScriptImports.ts"

const classes = new Set(["ClassDeclaration", "ClassExpression"])

const isCalled = (node: SyntaxNode): boolean => {
  const { parent } = node
  return (
    (parent?.name === "CallExpression" ||
      parent?.name === "NewExpression" ||
      parent?.name === "TaggedTemplateExpression") &&
    !Nodes.isAfter(node, "ArgList")
  )
}

const objects = new Set(["ObjectExpression", "BinaryExpression", "ParenthesizedExpression"])

/** A key of an object that a variable names declares a member of it. */
const objectKey = (property: SyntaxNode, text: string): Classified => {
  const { parent } = Nodes.climb(property, objects)
  const container = parent?.name === "VariableDeclaration" ? definedName(parent, text) : undefined
  if (container === undefined) return Declare.key
  const last = property.lastChild?.name ?? ""
  const kind: Kind = last === "Block" || functions.has(last) ? "method" : "field"
  const { declaration } = Declare.member(kind, property, container)
  const scope = Nodes.closest(parent?.parent ?? null, scopes)
  const isLocal = scope !== undefined && scope.name !== "Script"
  return {
    role: "key",
    isCall: false,
    declaration: declaration && isLocal ? { ...declaration, scope: [scope.from, scope.to] } : declaration
  }
}

const property = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  switch (parent?.name) {
    case "MethodDeclaration":
    case "MethodType":
      return member("method", parent, text)
    case "PropertyDeclaration":
    case "PropertyType":
      return member("field", parent, text)
    case "Property": {
      const isShorthand = parent.firstChild?.nextSibling === null
      return isShorthand ? { ...Declare.value, isShorthand } : objectKey(parent, text)
    }
    case "EnumBody":
      return leaf.prevSibling?.name === "Equals" ? Declare.value : member("enum_member", leaf, text)
    case "MemberExpression":
      return { role: "member", isCall: isCalled(parent), receiver: parent.firstChild ?? undefined }
    case "IndexSignature":
      return declare("type", leaf, parent)
    default:
      return Declare.key
  }
}

const variableName = (leaf: SyntaxNode): Classified => {
  const { parent } = leaf
  switch (parent?.name) {
    case "ImportGroup":
      return Declare.imported
    case "ExportGroup": {
      const isOther = parent.parent !== null && Nodes.child(parent.parent, "String") !== undefined
      return isOther || leaf.prevSibling?.name === "as" ? { role: "export", isCall: false } : Declare.value
    }
    case "ExportDeclaration":
      return leaf.prevSibling?.name === "as" ? { role: "export", isCall: false } : Declare.value
    default:
      return isCalled(leaf) ? Declare.call : Declare.value
  }
}

const classify = (leaf: SyntaxNode, text: string): Classified => {
  switch (leaf.name) {
    case "VariableDefinition":
    case "TypeDefinition": {
      const isShorthand = leaf.parent?.name === "PatternProperty" && leaf.parent.firstChild?.from === leaf.from
      return isShorthand ? { ...definition(leaf, text), isShorthand } : definition(leaf, text)
    }
    case "PropertyDefinition":
    case "PropertyName":
    case "PrivatePropertyDefinition":
    case "PrivatePropertyName":
      return property(leaf, text)
    case "VariableName":
      return variableName(leaf)
    case "TypeName": {
      const isMember = leaf.parent?.name === "IndexedType" && leaf.prevSibling !== null
      return isMember ? { role: "type", isCall: false, receiver: leaf.parent?.firstChild ?? undefined } : Declare.type
    }
    case "JSXIdentifier": {
      const { parent } = leaf
      if (parent?.name === "JSXAttribute") return Declare.key
      if (parent?.name === "JSXBuiltin") return { role: "member", isCall: false, container: "IntrinsicElements" }
      return parent?.name === "JSXMemberExpression" && leaf.prevSibling !== null
        ? { role: "member", isCall: true, receiver: parent.firstChild ?? undefined }
        : Declare.call
    }
    default:
      return { role: "label", isCall: false }
  }
}

const typeName = (type: SyntaxNode | undefined, text: string): string | undefined => {
  const at =
    type?.name === "TypeAnnotation"
      ? Nodes.descendant(
          type.firstChild?.nextSibling ?? type.firstChild,
          "TypeName",
          "ArrayType",
          "IndexedType",
          "ObjectType"
        )
      : type
  const name = at?.name === "IndexedType" ? at.lastChild : at
  const found = name?.name === "]" ? undefined : name
  return found?.name === "TypeName" || found?.name === "VariableName" || found?.name === "PropertyName"
    ? text.slice(found.from, found.to)
    : undefined
}

const typeOf = (leaf: SyntaxNode, text: string): string | undefined => {
  const annotation = [leaf.nextSibling, leaf.nextSibling?.nextSibling].find((one) => one?.name === "TypeAnnotation")
  if (annotation !== undefined && annotation !== null) return typeName(annotation, text)
  const from = initializer(leaf)
  if (from?.name === "NewExpression") {
    const made = from.firstChild?.nextSibling
    return typeName(
      made?.name === "MemberExpression" ? (made.lastChild ?? undefined) : Nodes.descendant(made, "VariableName"),
      text
    )
  }
  if (from?.name === "BinaryExpression" && from.lastChild?.name === "TypeName") return typeName(from.lastChild, text)
  return undefined
}

/** Rules of TypeScript and JavaScript. */
export const rules: Rules = {
  names: new Set([
    "VariableName",
    "VariableDefinition",
    "PropertyName",
    "PropertyDefinition",
    "PrivatePropertyName",
    "PrivatePropertyDefinition",
    "TypeName",
    "TypeDefinition",
    "JSXIdentifier",
    "Label"
  ]),
  classify,
  typeOf,
  self: new Set(["this"]),
  selfAt: (node, text) => definedName(Nodes.closest(node, classes), text),
  imports,
  bodies: new Set(["Block", "ClassBody", "EnumBody", "ObjectType"])
}
