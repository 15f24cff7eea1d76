/** Names in C and C++. The tree of a file with unknown macros has errors, so the rules need few parents. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Import, Kind, Occurrence, Rules } from "./Occurrence.ts"

const functions = new Set(["FunctionDefinition", "LambdaExpression"])
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
const program = new Set(["Program"])
const declarators = new Set([
  "PointerDeclarator",
  "ReferenceDeclarator",
  "ArrayDeclarator",
  "ParenthesizedDeclarator",
  "AttributedDeclarator",
  "FunctionDeclarator",
  "InitDeclarator",
  "ScopedIdentifier"
])
const classes: Readonly<Record<string, Kind>> = {
  StructSpecifier: "struct",
  UnionSpecifier: "struct",
  ClassSpecifier: "class",
  EnumSpecifier: "enum"
}
const containers = new Set(Object.keys(classes))
const bodies = new Set(["FieldDeclarationList", "EnumeratorList"])

const nameOf = (node: SyntaxNode | undefined, text: string): string | undefined => {
  const name = Nodes.child(node ?? null, "TypeIdentifier", "Identifier")
  if (name !== undefined) return text.slice(name.from, name.to)
  // An anonymous structure with a name by `typedef`.
  const { parent } = node ?? {}
  const alias = parent?.name === "TypeDefinition" ? parent.lastChild : undefined
  const found = alias?.name === ";" ? alias.prevSibling : alias
  return found?.name === "TypeIdentifier" ? text.slice(found.from, found.to) : undefined
}

const containerOf = (node: SyntaxNode, text: string): string | undefined => {
  let at = Nodes.closest(node.parent, containers)
  let name = nameOf(at, text)
  // Members of an unnamed structure belong to the one around it.
  for (let depth = 0; at !== undefined && name === undefined && depth < 8; depth++) {
    at = Nodes.closest(at.parent, containers)
    name = nameOf(at, text)
  }
  return name
}

const scopeOf = (node: SyntaxNode): SyntaxNode | undefined => {
  const scope = Nodes.closest(node, scopes)
  return scope?.parent?.name === "NamespaceDefinition"
    ? (Nodes.closest(scope.parent, new Set(["Program"])) ?? scope)
    : scope
}

/** Returns the class of a method that is defined outside of it: `int Foo::bar() {}`. */
const qualifierOf = (leaf: SyntaxNode, text: string): string | undefined => {
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

const declared = (leaf: SyntaxNode, text: string): Classified | undefined => {
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
    return isFirst
      ? Declare.inScope("macro", parent, Nodes.closest(parent, new Set(["Program"])), functions)
      : Declare.value
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

/**
 * Returns the declaration of a local name by the layout of the text, for functions whose tree is broken by macros: the
 * last declaration in the function before the use, or a parameter in its head.
 */
export const declaredInFunction = (
  text: string,
  use: Occurrence,
  all: ReadonlyArray<Occurrence>
): Occurrence | undefined => {
  if (use.receiver !== undefined || use.role === "key" || use.role === "label") return undefined
  const body = text.lastIndexOf("\n{", use.from)
  const before = text.lastIndexOf("\n}", use.from)
  if (body === -1 || before > body) return undefined
  const head = Math.max(before, text.lastIndexOf("\n\n", body), text.lastIndexOf(";", body), 0)
  const near = all.filter(({ from }) => from > head && from < use.from)
  const local = near.findLast(
    ({ declaration, from }) => declaration !== undefined && declaration.level !== "member" && from > body
  )
  if (local?.declaration !== undefined) return as(local, use, head)
  // A parameter of a macro that defines a function: `SYSCALL_DEFINE1(close, unsigned int, fd)`.
  const parameter = near.find(
    ({ from }) =>
      from < body && /^\w+\s*[,)[]/.test(text.slice(from, from + 300)) && /[\s*,&]$/.test(text.slice(head, from))
  )
  return parameter === undefined ? undefined : as(parameter, use, head)
}

const as = (one: Occurrence, use: Occurrence, head: number): Occurrence => ({
  ...one,
  declaration: {
    kind: "variable",
    ...(one.declaration?.kind === undefined ? {} : { kind: one.declaration.kind }),
    level: "local",
    scope: [head, use.from],
    node: one.declaration?.node ?? one.node
  }
})

/** Returns the files that a text includes. */
export const includesOf = (text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  for (const match of text.matchAll(/^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")/gm)) {
    const target = match[1] ?? `./${match[2] ?? ""}`
    found.push({ target, imported: undefined, local: undefined, exported: "*" })
    if (found.length >= 1_000) break
  }
  return found
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
  imports: (_, text) => includesOf(text),
  bodies: new Set(["CompoundStatement", "FieldDeclarationList", "EnumeratorList"])
}
