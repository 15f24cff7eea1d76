/** The symbols of Rust. */
import type { SyntaxNode } from "@lezer/common"
import type { SourceSymbolKind } from "./SourceSymbol.ts"
import { childOf, childrenOf, type Rule, type Rules, type TreeWalk } from "./TreeWalk.ts"

const item =
  (kind: SourceSymbolKind, ...names: ReadonlyArray<string>): Rule =>
  (node, walk) => {
    const name = childOf(node, ...names)
    if (name === undefined) return
    // A module without a body is in another file.
    const isDeclaration = kind === "module" && childOf(node, "DeclarationList") === undefined
    walk.add(kind, name, node, { isDeclaration })
    walk.enter(walk.textOf(name), kind, node)
  }

const isType = ({ scope }: TreeWalk): boolean => scope?.kind === "impl" || scope?.kind === "interface"

const method: Rule = (node, walk) => {
  const name = childOf(node, "BoundIdentifier")
  if (name === undefined) return
  walk.add(isType(walk) ? "method" : "function", name, node, { isDeclaration: childOf(node, "Block") === undefined })
  walk.enter(walk.textOf(name), "function", node)
}

const value =
  (kind: SourceSymbolKind): Rule =>
  (node, walk) => {
    const name = childOf(node, "BoundIdentifier")
    if (name !== undefined && walk.textOf(name) !== "_") walk.add(kind, name, node)
  }

const implementation: Rule = (node, walk) => {
  let type: SyntaxNode | undefined
  for (const child of childrenOf(node)) {
    if (child.name === "DeclarationList" || child.name === "WhereClause") break
    if (/TypeIdentifier$|Type$/.test(child.name)) type = child
  }
  const name = type === undefined ? undefined : nameOf(type)
  if (name !== undefined) walk.enter(walk.textOf(name), "impl", node)
}

/** Returns the name of a type without path and parameters. */
const nameOf = (type: SyntaxNode): SyntaxNode | undefined => {
  if (type.name === "TypeIdentifier") return type
  let last: SyntaxNode | undefined
  for (const child of childrenOf(type)) {
    if (child.name === "TypeIdentifier") last = child
    else if (child.name === "ScopedTypeIdentifier") last = childOf(child, "TypeIdentifier")
  }
  return last
}

/** The rules of Rust. */
export const rules: Rules = {
  FunctionItem: method,
  StructItem: item("struct", "TypeIdentifier"),
  UnionItem: item("struct", "TypeIdentifier"),
  EnumItem: item("enum", "TypeIdentifier"),
  TraitItem: item("interface", "TypeIdentifier"),
  TypeItem: item("type", "TypeIdentifier"),
  AssociatedType: item("type", "TypeIdentifier"),
  ModItem: item("module", "BoundIdentifier"),
  MacroDefinition: (node, walk) => {
    const name = childOf(node, "Identifier")
    if (name !== undefined) walk.add("macro", name, node)
    return false
  },
  ConstItem: value("constant"),
  StaticItem: value("variable"),
  EnumVariant: item("enum_member", "Identifier"),
  FieldDeclaration: (node, walk) => {
    const name = childOf(node, "FieldIdentifier")
    if (name !== undefined) walk.add("field", name, node)
  },
  ImplItem: implementation,
  UseDeclaration: () => false
}
