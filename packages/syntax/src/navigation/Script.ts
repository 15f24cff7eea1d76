/** Names in TypeScript and JavaScript. */
import type { SyntaxNode } from "@lezer/common"
import * as Nodes from "./Nodes.ts"
import type { Classified, Declaration, Import, Kind, Rules } from "./Occurrence.ts"

const patterns = new Set(["ObjectPattern", "ArrayPattern", "PatternProperty"])
const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunction", "MethodDeclaration"])
const scopes = new Set([
  ...functions,
  "Script",
  "Block",
  "SwitchBody",
  "ForStatement",
  "CatchClause",
  "MethodType",
  "FunctionSignature"
])
const functionScopes = new Set([...functions, "Script"])
const containers = new Set([
  "ClassDeclaration",
  "ClassExpression",
  "InterfaceDeclaration",
  "EnumDeclaration",
  "TypeAliasDeclaration",
  "NamespaceDeclaration"
])
const classes = new Set(["ClassDeclaration", "ClassExpression"])

const nameOf = (node: SyntaxNode | undefined, text: string): string | undefined => {
  const name = Nodes.child(node ?? null, "VariableDefinition", "TypeDefinition")
  return name === undefined ? undefined : text.slice(name.from, name.to)
}

const containerOf = (node: SyntaxNode, text: string) => nameOf(Nodes.closest(node.parent, containers), text)

const declare = (kind: Kind, node: SyntaxNode, scope: SyntaxNode | undefined): Classified => {
  const isLocal = scope !== undefined && scope.name !== "Script" && scope.parent?.name !== "NamespaceDeclaration"
  const declaration: Declaration = {
    kind,
    level: isLocal ? "local" : "file",
    scope: scope === undefined ? [0, node.to] : [scope.from, scope.to],
    node
  }
  return { role: "declaration", isCall: false, declaration }
}

const member = (kind: Kind, node: SyntaxNode, text: string): Classified => ({
  role: "declaration",
  isCall: false,
  declaration: { kind, level: "member", scope: [node.from, node.to], node, container: containerOf(node, text) }
})

const kindByDeclaration: Readonly<Record<string, Kind>> = {
  FunctionDeclaration: "function",
  ClassDeclaration: "class",
  InterfaceDeclaration: "interface",
  TypeAliasDeclaration: "type",
  EnumDeclaration: "enum",
  NamespaceDeclaration: "module"
}

const variable = (leaf: SyntaxNode, child: SyntaxNode, declaration: SyntaxNode, text: string): Classified => {
  const word = declaration.firstChild
  const isVar = word?.name === "var"
  const scope = Nodes.closest(declaration.parent, isVar ? functionScopes : scopes)
  const value = Nodes.same(child, leaf) ? initializer(leaf) : undefined
  const isFunction = value?.name === "ArrowFunction" || value?.name === "FunctionExpression"
  const isClass = value?.name === "ClassExpression"
  const kind = isFunction ? "function" : isClass ? "class" : word?.name === "const" ? "constant" : "variable"
  const made = declare(kind, declaration, scope)
  const isRequired = /\brequire\(/.test(text.slice(value?.from ?? child.to, (value?.from ?? child.to) + 40))
  return isRequired && made.declaration?.level === "file"
    ? { ...made, declaration: { ...made.declaration, level: "import" } }
    : made
}

const initializer = (leaf: SyntaxNode): SyntaxNode | undefined => {
  let at = leaf.nextSibling
  if (at?.name === "TypeAnnotation") at = at.nextSibling
  return at?.name === "Equals" ? (at.nextSibling ?? undefined) : undefined
}

const definition = (leaf: SyntaxNode, text: string): Classified => {
  const { child, parent } = Nodes.climb(leaf, patterns)
  if (parent === null) return value
  switch (parent.name) {
    case "ImportDeclaration":
    case "ImportGroup": {
      const node = Nodes.closest(parent, new Set(["ImportDeclaration"])) ?? parent
      const end = Nodes.closest(parent, new Set(["Script"]))?.to ?? node.to
      const declaration: Declaration = { kind: "variable", level: "import", scope: [0, end], node }
      return { role: "import", isCall: false, declaration }
    }
    case "VariableDeclaration":
      return variable(leaf, child, parent, text)
    case "FunctionExpression":
    case "ClassExpression":
      return declare(parent.name === "FunctionExpression" ? "function" : "class", parent, parent)
    case "ParamList":
      return declare("variable", child, parent.parent ?? undefined)
    case "CatchClause":
      return declare("variable", child, parent)
    case "ForOfSpec":
    case "ForInSpec":
      return declare("variable", parent, parent.parent ?? undefined)
    case "TypeParamList":
      return declare("type", leaf, parent.parent ?? undefined)
    default: {
      const kind = kindByDeclaration[parent.name]
      return kind === undefined
        ? declare("type", leaf, parent)
        : declare(kind, parent, Nodes.closest(parent.parent, scopes))
    }
  }
}

const value: Classified = { role: "value", isCall: false }

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
  const container = parent?.name === "VariableDeclaration" ? nameOf(parent, text) : undefined
  if (container === undefined) return { role: "key", isCall: false }
  const last = property.lastChild?.name ?? ""
  const kind: Kind = last === "Block" || functions.has(last) ? "method" : "field"
  const declaration: Declaration = {
    kind,
    level: "member",
    scope: [property.from, property.to],
    node: property,
    container
  }
  return { role: "key", isCall: false, declaration }
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
      return isShorthand ? { ...value, isShorthand } : objectKey(parent, text)
    }
    case "EnumBody":
      return leaf.prevSibling?.name === "Equals" ? value : member("enum_member", leaf, text)
    case "MemberExpression":
      return { role: "member", isCall: isCalled(parent), receiver: parent.firstChild ?? undefined }
    case "IndexSignature":
      return declare("type", leaf, parent)
    default:
      return { role: "key", isCall: false }
  }
}

const variableName = (leaf: SyntaxNode): Classified => {
  const { parent } = leaf
  switch (parent?.name) {
    case "ImportGroup":
      return { role: "import", isCall: false }
    case "ExportGroup": {
      const isOther = parent.parent !== null && Nodes.child(parent.parent, "String") !== undefined
      return isOther || leaf.prevSibling?.name === "as" ? { role: "export", isCall: false } : value
    }
    case "ExportDeclaration":
      return leaf.prevSibling?.name === "as" ? { role: "export", isCall: false } : value
    default:
      return isCalled(leaf) ? { role: "call", isCall: true } : value
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
      return isMember
        ? { role: "type", isCall: false, receiver: leaf.parent?.firstChild ?? undefined }
        : { role: "type", isCall: false }
    }
    case "JSXIdentifier": {
      const { parent } = leaf
      if (parent?.name === "JSXAttribute" || parent?.name === "JSXBuiltin") return { role: "key", isCall: false }
      return parent?.name === "JSXMemberExpression" && leaf.prevSibling !== null
        ? { role: "member", isCall: true, receiver: parent.firstChild ?? undefined }
        : { role: "call", isCall: true }
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

const unquoted = (node: SyntaxNode, text: string): string =>
  text.slice(node.from + 1, Math.max(node.from + 1, node.to - 1))

const specifiers = function* (group: SyntaxNode, text: string): Generator<readonly [string, string]> {
  for (const name of Nodes.children(group)) {
    if (name.name !== "VariableName" && name.name !== "VariableDefinition" && name.name !== "default") continue
    if (name.prevSibling?.name === "as") continue
    const own = text.slice(name.from, name.to)
    const other = name.nextSibling?.name === "as" ? name.nextSibling.nextSibling : null
    yield [own, other === null ? own : text.slice(other.from, other.to)]
  }
}

const importsIn = function* (node: SyntaxNode, text: string): Generator<Import> {
  const string = Nodes.child(node, "String")
  const isExport = node.name === "ExportDeclaration"
  if (string === undefined) {
    const group = isExport ? Nodes.child(node, "ExportGroup") : undefined
    if (group === undefined) return
    for (const [own, exported] of specifiers(group, text)) yield { target: "", imported: own, local: own, exported }
    return
  }
  const target = unquoted(string, text)
  for (const part of Nodes.children(node)) {
    if (part.name === "ImportGroup") {
      for (const [imported, local] of specifiers(part, text)) yield { target, imported, local }
    } else if (part.name === "ExportGroup") {
      for (const [imported, exported] of specifiers(part, text)) yield { target, imported, local: undefined, exported }
    } else if (part.name === "Star") {
      const name = part.nextSibling?.name === "as" ? part.nextSibling.nextSibling : null
      const as = name === null ? undefined : text.slice(name.from, name.to)
      if (isExport)
        yield { target, imported: as === undefined ? undefined : "*", local: undefined, exported: as ?? "*" }
      else yield { target, imported: "*", local: as }
    } else if (part.name === "VariableDefinition" && part.prevSibling?.name !== "as") {
      yield { target, imported: "default", local: text.slice(part.from, part.to) }
    }
  }
}

const required = function* (declaration: SyntaxNode, text: string): Generator<Import> {
  const call = Nodes.child(declaration, "CallExpression", "MemberExpression")
  if (call === undefined || !text.startsWith("require(", call.from)) return
  const string = Nodes.descendant(call, "String")
  if (string === undefined) return
  const target = unquoted(string, text)
  const last = call.name === "MemberExpression" ? call.lastChild : null
  const name = Nodes.child(declaration, "VariableDefinition")
  if (name !== undefined) {
    const imported = last === null ? "*" : text.slice(last.from, last.to)
    yield { target, imported, local: text.slice(name.from, name.to) }
  }
  for (const part of Nodes.children(Nodes.child(declaration, "ObjectPattern") ?? call)) {
    if (part.name !== "PatternProperty") continue
    const local = Nodes.child(part, "VariableDefinition")
    const key = Nodes.child(part, "PropertyName") ?? local
    if (local === undefined || key === undefined) continue
    yield { target, imported: text.slice(key.from, key.to), local: text.slice(local.from, local.to) }
  }
}

const exportedHere = function* (node: SyntaxNode, text: string): Generator<Import> {
  const isDefault = Nodes.child(node, "default") !== undefined
  const own = isDefault ? Nodes.child(node, "VariableName") : undefined
  const inner = Nodes.child(node, ...Object.keys(kindByDeclaration))
  const name = own === undefined ? nameOf(inner, text) : text.slice(own.from, own.to)
  if (isDefault && name !== undefined) yield { target: "", imported: name, local: name, exported: "default" }
}

const imports = (root: SyntaxNode, text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  for (const node of Nodes.children(root)) {
    if (node.name === "ImportDeclaration") found.push(...importsIn(node, text))
    else if (node.name === "ExportDeclaration") found.push(...importsIn(node, text), ...exportedHere(node, text))
    else if (node.name === "VariableDeclaration") found.push(...required(node, text))
    if (found.length > MAX_IMPORTS) break
  }
  return found
}

const MAX_IMPORTS = 2_000

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
  selfAt: (node, text) => nameOf(Nodes.closest(node, classes), text),
  imports,
  bodies: new Set(["Block", "ClassBody", "EnumBody", "ObjectType"])
}
