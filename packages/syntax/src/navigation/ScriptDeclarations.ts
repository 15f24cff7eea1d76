/** Declarations of TypeScript and JavaScript. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Declaration, Kind } from "./Occurrence.ts"

const patterns = new Set(["ObjectPattern", "ArrayPattern", "PatternProperty"])
/** Nodes that are functions with a body. */
export const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunction", "MethodDeclaration"])
/** Nodes whose contents see the names declared in them. */
export const scopes = new Set([
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

/** Returns the name that a declaration defines. */
export const definedName = (node: SyntaxNode | undefined, text: string): string | undefined => {
  const name = Nodes.child(node ?? null, "VariableDefinition", "TypeDefinition")
  return name === undefined ? undefined : text.slice(name.from, name.to)
}

const containerOf = (node: SyntaxNode, text: string) => definedName(Nodes.closest(node.parent, containers), text)

/** A declaration that a scope sees. */
export const declare = (kind: Kind, node: SyntaxNode, scope: SyntaxNode | undefined): Classified => {
  const isLocal = scope !== undefined && scope.name !== "Script" && scope.parent?.name !== "NamespaceDeclaration"
  const declaration: Declaration = {
    kind,
    level: isLocal ? "local" : "file",
    scope: scope === undefined ? [0, node.to] : [scope.from, scope.to],
    node
  }
  return { role: "declaration", isCall: false, declaration }
}

/** A declaration of a member of the type around it. */
export const member = (kind: Kind, node: SyntaxNode, text: string): Classified =>
  Declare.member(kind, node, containerOf(node, text))

/** Kinds of the nodes that declare a name, by the name of the node. */
export const kindByDeclaration: Readonly<Record<string, Kind>> = {
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

/** Returns the value that a declaration gives to a name. */
export const initializer = (leaf: SyntaxNode): SyntaxNode | undefined => {
  let at = leaf.nextSibling
  if (at?.name === "TypeAnnotation") at = at.nextSibling
  return at?.name === "Equals" ? (at.nextSibling ?? undefined) : undefined
}

/** Returns what a defined name declares. */
export const definition = (leaf: SyntaxNode, text: string): Classified => {
  const { child, parent } = Nodes.climb(leaf, patterns)
  if (parent === null) return Declare.value
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
