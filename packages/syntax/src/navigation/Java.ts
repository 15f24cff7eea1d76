/** Names in Java. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Import, Kind, Rules } from "./Occurrence.ts"

const functions = new Set(["MethodDeclaration", "ConstructorDeclaration", "LambdaExpression", "StaticInitializer"])
const scopes = new Set([
  ...functions,
  "Block",
  "ConstructorBody",
  "ForStatement",
  "EnhancedForStatement",
  "CatchClause",
  "TryWithResourcesStatement",
  "IfStatement",
  "SwitchBlock",
  "Program"
])
const types: Readonly<Record<string, Kind>> = {
  ClassDeclaration: "class",
  RecordDeclaration: "class",
  InterfaceDeclaration: "interface",
  AnnotationTypeDeclaration: "interface",
  EnumDeclaration: "enum"
}
const containers = new Set(Object.keys(types))
const declarators = new Set(["VariableDeclarator"])

const nameOf = (node: SyntaxNode | undefined, text: string): string | undefined => {
  const name = Nodes.child(node ?? null, "Definition", "Identifier")
  return name === undefined ? undefined : text.slice(name.from, name.to)
}

const containerOf = (node: SyntaxNode, text: string) => nameOf(Nodes.closest(node.parent, containers), text)

const definition = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = Nodes.climb(leaf, declarators)
  if (parent === null) return Declare.value
  const kind = types[parent.name]
  if (kind !== undefined) {
    const outer = containerOf(parent, text)
    if (outer === undefined) return Declare.inScope(kind, parent, Nodes.closest(parent.parent, scopes), functions)
    const scope = Nodes.closest(parent.parent, new Set([...containers, ...functions])) ?? parent
    return Declare.inScope(kind, parent, scope, functions, { container: outer })
  }
  switch (parent.name) {
    case "MethodDeclaration":
    case "ConstructorDeclaration":
    case "AnnotationTypeElementDeclaration":
      return Declare.member("method", parent, containerOf(parent, text))
    case "FieldDeclaration":
    case "ConstantDeclaration": {
      const isConstant =
        /\bfinal\b/.test(text.slice(parent.from, leaf.from)) && /^[A-Z]/.test(text.slice(leaf.from, leaf.to))
      return Declare.member(isConstant ? "constant" : "field", parent, containerOf(parent, text))
    }
    case "EnumConstant":
      return Declare.member("enum_member", parent, containerOf(parent, text))
    case "RecordComponent":
      return Declare.member("field", parent, containerOf(parent, text))
    case "TypeParameter": {
      const owner = Nodes.closest(parent.parent, new Set([...containers, ...functions]))
      return Declare.inScope("type", parent, owner, new Set([...functions, ...containers]))
    }
    default:
      return Declare.inScope("variable", parent, Nodes.closest(parent, scopes), functions)
  }
}

const classify = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  switch (leaf.name) {
    case "Definition":
      return definition(leaf, text)
    case "TypeName":
      return Declare.type
    case "Identifier":
      break
    default:
      return { role: "label", isCall: false }
  }
  switch (parent?.name) {
    case "MethodName": {
      const first = parent.parent?.firstChild ?? null
      return first === null || Nodes.same(first, parent)
        ? Declare.call
        : { role: "member", isCall: true, receiver: first }
    }
    case "FieldAccess":
    case "ScopedIdentifier":
      if (Nodes.closest(parent, statements) !== undefined) return Declare.imported
      return leaf.prevSibling === null
        ? Declare.value
        : { role: "member", isCall: false, receiver: parent.firstChild ?? undefined }
    case "MethodReference":
      return leaf.prevSibling === null
        ? Declare.value
        : { role: "member", isCall: true, receiver: parent.firstChild ?? undefined }
    case "MarkerAnnotation":
    case "Annotation":
      return Declare.type
    case "AnnotationTypeDeclaration":
    case "AnnotationTypeElementDeclaration":
      return definition(leaf, text)
    case "ElementValuePair":
      return leaf.prevSibling === null ? Declare.key : Declare.value
    default:
      return Declare.value
  }
}

const statements = new Set(["ImportDeclaration", "PackageDeclaration"])

const typeOf = (leaf: SyntaxNode, text: string): string | undefined => {
  const { child } = Nodes.climb(leaf, declarators)
  let at = child.prevSibling
  while (at !== null && (at.name === "VariableDeclarator" || at.name === ",")) at = at.prevSibling
  if (at?.name === "var") {
    const made = Nodes.descendant(leaf.nextSibling?.nextSibling, "TypeName")
    return leaf.nextSibling?.nextSibling?.name === "ObjectCreationExpression" && made !== undefined
      ? text.slice(made.from, made.to)
      : undefined
  }
  const found = Nodes.descendant(at, "TypeName", "ArrayType")
  return found?.name === "TypeName" ? text.slice(found.from, found.to) : undefined
}

const imports = (root: SyntaxNode, text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  for (const node of Nodes.children(root)) {
    if (node.name !== "ImportDeclaration" || found.length > 1_000) continue
    const written = text.slice(node.from, node.to).replace(/^import\s+(?:static\s+)?|[\s;]/g, "")
    const isStatic = Nodes.child(node, "static") !== undefined
    if (written.endsWith(".*")) found.push({ target: written.slice(0, -2), imported: undefined, local: undefined })
    else {
      const names = written.split(".")
      const local = names.at(-1) ?? ""
      found.push({ target: isStatic ? names.slice(0, -1).join(".") : written, imported: local, local })
    }
  }
  return found
}

/** Rules of Java. */
export const rules: Rules = {
  names: new Set(["Definition", "Identifier", "TypeName", "Label"]),
  classify,
  typeOf,
  self: new Set(["this"]),
  selfAt: (node, text) => nameOf(Nodes.closest(node, containers), text),
  imports,
  bodies: new Set([
    "Block",
    "ClassBody",
    "InterfaceBody",
    "EnumBody",
    "ConstructorBody",
    "AnnotationTypeBody",
    "RecordBody"
  ])
}
