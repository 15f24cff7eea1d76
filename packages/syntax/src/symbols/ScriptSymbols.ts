/** The symbols of TypeScript and JavaScript. */
import type { SyntaxNode } from "@lezer/common"
import type { SourceSymbolKind } from "./SourceSymbol.ts"
import { childOf, childrenOf, type Rule, type Rules, type TreeWalk } from "./TreeWalk.ts"

/** Expressions that are functions. */
const isFunction = (node: SyntaxNode | null | undefined): boolean =>
  node?.name === "ArrowFunction" || node?.name === "FunctionExpression"

/** Returns the value after the sign of equality that follows a name. */
const valueOf = (name: SyntaxNode): SyntaxNode | null => {
  let next = name.nextSibling
  while (next !== null && (next.name === "TypeAnnotation" || next.name === "Optional" || next.name === "LogicOp"))
    next = next.nextSibling
  return next?.name === "Equals" ? next.nextSibling : null
}

/** True for a statement of a module or namespace. */
const isTopLevel = ({ parent }: SyntaxNode): boolean => {
  let node = parent
  while (node !== null && (node.name === "ExportDeclaration" || node.name === "AmbientDeclaration")) node = node.parent
  if (node?.name === "Block")
    return (
      node.parent?.name === "NamespaceDeclaration" ||
      node.parent?.name === "Script" ||
      node.parent?.name === "AmbientDeclaration"
    )
  return node?.name === "Script"
}

/** Defines a named node of a kind, whose members are the inner nodes. */
const named =
  (kind: SourceSymbolKind, ...names: ReadonlyArray<string>): Rule =>
  (node, walk) => {
    const name = childOf(node, ...names)
    if (name === undefined) return
    const isDeclaration = kind === "function" && childOf(node, "Block") === undefined
    walk.add(kind, name, node, { isDeclaration })
    walk.enter(walk.textOf(name), kind, node)
  }

const variables: Rule = (node, walk) => {
  const isModule = isTopLevel(node)
  const kind = childOf(node, "const") === undefined ? "variable" : "constant"
  for (const child of childrenOf(node)) {
    if (child.name === "VariableDefinition") variable(child, node, isModule ? kind : undefined, walk)
    else if (isModule && child.name.endsWith("Pattern")) pattern(child, kind, walk)
  }
}

/** Adds a variable. Without a kind, only a function is a symbol. */
const variable = (name: SyntaxNode, node: SyntaxNode, kind: SourceSymbolKind | undefined, walk: TreeWalk): void => {
  const value = valueOf(name)
  if (isFunction(value)) {
    walk.add("function", name, value ?? node)
  } else if (value?.name === "ClassExpression") {
    walk.add("class", name, value)
  } else if (kind !== undefined) {
    walk.add(kind, name, value ?? node)
    if (value?.name === "ObjectExpression") methods(value, walk.textOf(name), walk)
  }
}

/** Adds the names of a destructured value. */
const pattern = (node: SyntaxNode, kind: SourceSymbolKind, walk: TreeWalk): void => {
  const cursor = node.cursor()
  do {
    if (cursor.from >= node.to) return
    if (cursor.name === "VariableDefinition") walk.add(kind, cursor, node)
  } while (cursor.next(!isFunction(cursor.node)))
}

/** Adds the functions of an object. */
const methods = (object: SyntaxNode, scope: string | undefined, walk: TreeWalk): void => {
  for (const property of childrenOf(object)) {
    if (property.name !== "Property") continue
    const name = childOf(property, "PropertyDefinition")
    if (name === undefined) continue
    const isMethod = childOf(property, "ParamList") !== undefined || isFunction(property.lastChild)
    if (isMethod) walk.add("method", name, property, { scope })
  }
}

const assignment: Rule = (node, walk) => {
  const left = node.firstChild
  const value = node.lastChild
  if (left?.name !== "MemberExpression" || value === null) return
  const name = left.lastChild
  const base = left.firstChild
  if (name === null || base === null || (name.name !== "PropertyName" && name.name !== "PrivatePropertyName")) return
  if (base.to - base.from > 100) return
  const owner = walk.textOf(base)
  if (owner === "this") {
    if (walk.scope?.kind === "method" && walk.scope.name === "constructor")
      walk.add("field", name, node, { scope: classOf(node, walk), once: true })
    return
  }
  if (node.parent?.name !== "ExpressionStatement") return
  const isExport = owner === "exports" || owner === "module.exports"
  const prototype = /^(.*?)\.prototype$/.exec(owner)?.[1]
  if (prototype !== undefined) walk.add(isFunction(value) ? "method" : "field", name, node, { scope: prototype })
  else if (isFunction(value)) walk.add(isExport ? "function" : "method", name, node, isExport ? {} : { scope: owner })
  else if (isExport) walk.add("variable", name, node)
  if (isExport && value.name === "ObjectExpression") methods(value, walk.textOf(name), walk)
}

/** Returns the name of the class that contains a node. */
const classOf = (node: SyntaxNode, walk: TreeWalk): string | undefined => {
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (outer.name !== "ClassDeclaration" && outer.name !== "ClassExpression") continue
    const name = childOf(outer, "VariableDefinition")
    return name === undefined ? undefined : walk.textOf(name)
  }
  return undefined
}

const memberNames = ["PropertyDefinition", "PrivatePropertyDefinition"]

const method: Rule = (node, walk) => {
  const name = childOf(node, ...memberNames)
  if (name === undefined) return
  walk.add("method", name, node, { isDeclaration: childOf(node, "Block") === undefined })
  // Parameters with a modifier are fields.
  const parameters = walk.textOf(name) === "constructor" ? childOf(node, "ParamList") : undefined
  if (parameters !== undefined) {
    for (const child of childrenOf(parameters)) {
      const before = child.prevSibling?.name
      if (child.name === "VariableDefinition" && (before === "Privacy" || before === "readonly"))
        walk.add("field", child, child)
    }
  }
  walk.enter(walk.textOf(name), "method", node)
}

const property: Rule = (node, walk) => {
  const name = childOf(node, ...memberNames)
  if (name !== undefined) walk.add(isFunction(valueOf(name)) ? "method" : "field", name, node)
}

/** True for a direct member of the type, not for a member of a type inside a member. */
const isMember = (node: SyntaxNode): boolean => {
  let outer = node.parent?.parent
  while (outer?.name === "UnionType" || outer?.name === "IntersectionType" || outer?.name === "ParenthesizedType")
    outer = outer.parent
  return outer?.name === "InterfaceDeclaration" || outer?.name === "TypeAliasDeclaration"
}

const typeMember =
  (kind: SourceSymbolKind): Rule =>
  (node, walk) => {
    const name = isMember(node) ? childOf(node, ...memberNames) : undefined
    if (name !== undefined) walk.add(kind, name, node, { isDeclaration: kind === "method" })
  }

/** The rules of TypeScript and JavaScript. */
export const rules: Rules = {
  FunctionDeclaration: named("function", "VariableDefinition"),
  AmbientFunctionDeclaration: named("function", "VariableDefinition"),
  ClassDeclaration: named("class", "VariableDefinition"),
  InterfaceDeclaration: named("interface", "TypeDefinition"),
  TypeAliasDeclaration: named("type", "TypeDefinition"),
  EnumDeclaration: named("enum", "TypeDefinition"),
  NamespaceDeclaration: named("module", "VariableDefinition", "PropertyDefinition"),
  EnumBody: (node, walk) => {
    for (const child of childrenOf(node)) if (child.name === "PropertyName") walk.add("enum_member", child, child)
    return false
  },
  VariableDeclaration: variables,
  MethodDeclaration: method,
  PropertyDeclaration: property,
  PropertyType: typeMember("field"),
  MethodType: typeMember("method"),
  AssignmentExpression: assignment,
  ExportDeclaration: (node, walk) => {
    const object = childOf(node, "ObjectExpression")
    if (object !== undefined) methods(object, undefined, walk)
  },
  ImportDeclaration: () => false
}
