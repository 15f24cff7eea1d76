/** Declarations of C and C++. The tree of a file with unknown macros has errors, so the rules need few parents. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Kind } from "./Occurrence.ts"

/** Nodes with a body that no other function sees. */
export const functions = new Set(["FunctionDefinition", "LambdaExpression"])
const scopes = new Set([
  ...functions,
  "Program",
  "CompoundStatement",
  "ForStatement",
  "ForRangeLoop",
  "CatchClause",
  "IfStatement",
  "WhileStatement"
])
/** The node of a whole file. */
export const program = new Set(["Program"])
/** Nodes between a declaration and the name that it declares. */
export const declarators = new Set([
  "PointerDeclarator",
  "ReferenceDeclarator",
  "ArrayDeclarator",
  "ParenthesizedDeclarator",
  "AttributedDeclarator",
  "FunctionDeclarator",
  "InitDeclarator",
  "ScopedIdentifier"
])
/** Kinds of the nodes that declare a type, by the name of the node. */
export const classes: Readonly<Record<string, Kind>> = {
  StructSpecifier: "struct",
  UnionSpecifier: "struct",
  ClassSpecifier: "class",
  EnumSpecifier: "enum"
}
/** Nodes whose members belong to them. */
export const containers = new Set(Object.keys(classes))
/** Lists of members. */
export const bodies = new Set(["FieldDeclarationList", "EnumeratorList"])

/** Returns the name of a structure, class or enumeration. */
export const nameOf = (node: SyntaxNode | undefined, text: string): string | undefined => {
  const name = Nodes.child(node ?? null, "TypeIdentifier", "Identifier")
  if (name !== undefined) return text.slice(name.from, name.to)
  // An anonymous structure with a name by `typedef`.
  const { parent } = node ?? {}
  const alias = parent?.name === "TypeDefinition" ? parent.lastChild : undefined
  const found = alias?.name === ";" ? alias.prevSibling : alias
  return found?.name === "TypeIdentifier" ? text.slice(found.from, found.to) : undefined
}

/** Returns the name of the type around a node. */
export const containerOf = (node: SyntaxNode, text: string): string | undefined => {
  let at = Nodes.closest(node.parent, containers)
  let name = nameOf(at, text)
  // Members of an unnamed structure belong to the one around it.
  for (let depth = 0; at !== undefined && name === undefined && depth < 8; depth++) {
    at = Nodes.closest(at.parent, containers)
    name = nameOf(at, text)
  }
  return name
}

/** Returns the node that sees what a node declares. Names in a namespace are seen by the whole file. */
export const scopeOf = (node: SyntaxNode): SyntaxNode | undefined => {
  const scope = Nodes.closest(node, scopes)
  return scope?.parent?.name === "NamespaceDefinition" ? (Nodes.closest(scope.parent, program) ?? scope) : scope
}

/** Returns the class of a method that is defined outside of it: `int Foo::bar() {}`. */
export const qualifierOf = (leaf: SyntaxNode, text: string): string | undefined => {
  const before = leaf.parent?.name === "ScopedIdentifier" ? leaf.prevSibling?.prevSibling : undefined
  if (before === undefined || before === null) return undefined
  const name = before.name === "TemplateType" ? before.firstChild : (before.lastChild ?? before)
  return name === null ? undefined : text.slice(name.from, name.to)
}

/** True for the declared name in a declarator, false for a name in its parameters, size or value. */
const isDeclared = (leaf: SyntaxNode): boolean => {
  let at = leaf
  for (let steps = 0; at.parent !== null && declarators.has(at.parent.name) && steps < 50; steps++) {
    const inFront = at.prevSibling
    const { name } = at.parent
    if (
      name === "ScopedIdentifier"
        ? at.nextSibling !== null
        : inFront !== null && /Declarator|Identifier/.test(inFront.name)
    )
      return false
    at = at.parent
  }
  return (
    at.prevSibling === null ||
    (at.prevSibling.name !== "AssignOp" && !/^(?:CallExpression|=)$/.test(at.prevSibling.name))
  )
}

const hasDeclarator = (leaf: SyntaxNode, name: string): boolean => {
  let at = leaf.parent
  for (let steps = 0; at !== null && declarators.has(at.name) && steps < 50; at = at.parent, steps++) {
    if (at.name === name) return true
  }
  return false
}

/** Returns what a name declares. Undefined if it declares nothing. */
export const declared = (leaf: SyntaxNode, text: string): Classified | undefined => {
  const { child, parent } = Nodes.climb(leaf, declarators)
  if (parent === null || !isDeclared(leaf)) return undefined
  const container = qualifierOf(leaf, text)
  switch (parent.name) {
    case "FunctionDefinition": {
      if (child.name === "Identifier" || !hasDeclarator(leaf, "FunctionDeclarator")) return undefined
      const inside = parent.parent?.name === "FieldDeclarationList" ? containerOf(parent, text) : undefined
      const owner = container ?? inside
      if (owner !== undefined) return Declare.member("method", parent, owner)
      // After an unknown macro, the parser sees a function without a body before the function itself.
      // Functions are not nested: one that seems to be inside of another follows an unknown macro.
      return Declare.inScope("function", parent, Nodes.closest(parent, program), functions, {
        isPrototype: Nodes.child(parent, "CompoundStatement") === undefined
      })
    }
    case "Declaration":
    case "FieldDeclaration": {
      const isFunction = hasDeclarator(leaf, "FunctionDeclarator") && !hasDeclarator(leaf, "ParenthesizedDeclarator")
      const isMember = parent.parent?.name === "FieldDeclarationList"
      if (isMember) {
        return Declare.member(isFunction ? "method" : "field", parent, containerOf(parent, text), {
          isPrototype: isFunction
        })
      }
      if (container !== undefined) return Declare.member("field", parent, container)
      const isExtern = Nodes.child(parent, "extern") !== undefined
      return Declare.inScope(
        isFunction ? "function" : "variable",
        parent,
        scopeOf(parent.parent ?? parent),
        functions,
        {
          isPrototype: isFunction || isExtern
        }
      )
    }
    case "ParameterDeclaration":
    case "OptionalParameterDeclaration": {
      const owner = Nodes.closest(parent, functions)
      return Declare.inScope(
        "variable",
        parent,
        owner ?? parent.parent ?? parent,
        new Set([...functions, "ParameterList", "TemplateParameterList"])
      )
    }
    case "ForRangeLoop":
      return Nodes.isAfter(child, ":") ? undefined : Declare.inScope("variable", parent, parent, functions)
    case "Enumerator":
      return leaf.prevSibling === null
        ? Declare.inScope("enum_member", parent, scopeOf(parent), functions, { container: containerOf(parent, text) })
        : undefined
    case "NamespaceDefinition":
      return Declare.inScope("module", parent, scopeOf(parent.parent ?? parent), functions)
    case "LambdaCaptureSpecifier":
    default:
      return undefined
  }
}
