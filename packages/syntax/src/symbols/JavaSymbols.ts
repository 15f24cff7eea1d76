/** The symbols of Java. */
import type { SourceSymbolKind } from "./SourceSymbol.ts"
import { childOf, childrenOf, type Rule, type Rules } from "./TreeWalk.ts"

const type =
  (kind: SourceSymbolKind): Rule =>
  (node, walk) => {
    const name = childOf(node, "Definition", "Identifier")
    if (name === undefined) return
    walk.add(kind, name, node)
    walk.enter(walk.textOf(name), kind, node)
  }

const method: Rule = (node, walk) => {
  const name = childOf(node, "Definition", "Identifier")
  if (name === undefined) return
  const isDeclaration = node.name === "MethodDeclaration" && childOf(node, "Block") === undefined
  // When recovering from errors, the parser takes calls for methods without a body.
  const modifiers = childOf(node, "Modifiers")
  const canBeAbstract =
    walk.scope?.kind === "interface" ||
    /\b(?:abstract|native)\b/.test(modifiers === undefined ? "" : walk.textOf(modifiers))
  if (!isDeclaration || canBeAbstract) walk.add("method", name, node, { isDeclaration })
}

const fields =
  (kind: "field" | "constant"): Rule =>
  (node, walk) => {
    const modifiers = childOf(node, "Modifiers")
    const isConstant =
      modifiers !== undefined && childOf(modifiers, "static") !== undefined && childOf(modifiers, "final") !== undefined
    for (const child of childrenOf(node)) {
      const name = child.name === "VariableDeclarator" ? childOf(child, "Definition") : undefined
      if (name !== undefined) walk.add(isConstant ? "constant" : kind, name, child)
    }
  }

/** The rules of Java. */
export const rules: Rules = {
  ClassDeclaration: type("class"),
  RecordDeclaration: type("class"),
  InterfaceDeclaration: type("interface"),
  AnnotationTypeDeclaration: type("interface"),
  EnumDeclaration: type("enum"),
  EnumConstant: (node, walk) => {
    const name = childOf(node, "Definition")
    if (name !== undefined) walk.add("enum_member", name, node)
  },
  RecordComponent: (node, walk) => {
    const name = childOf(node, "Definition")
    if (name !== undefined) walk.add("field", name, node)
  },
  MethodDeclaration: method,
  ConstructorDeclaration: method,
  CompactConstructorDeclaration: method,
  AnnotationTypeElementDeclaration: method,
  FieldDeclaration: fields("field"),
  ConstantDeclaration: fields("constant"),
  // The members of a class without a name belong to no symbol.
  ClassBody: ({ parent }) => parent?.name !== "ObjectCreationExpression",
  ImportDeclaration: () => false,
  PackageDeclaration: () => false
}
