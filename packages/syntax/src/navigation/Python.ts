/** Names in Python. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Import, Rules } from "./Occurrence.ts"

const functions = new Set(["FunctionDefinition", "LambdaExpression"])
const comprehensions = new Set([
  "ArrayComprehensionExpression",
  "DictionaryComprehensionExpression",
  "SetComprehensionExpression",
  "ComprehensionExpression"
])
const scopes = new Set([...functions, "ClassDefinition", "Script"])
const local = new Set([...functions, ...comprehensions])
const groups = new Set(["TupleExpression", "ArrayExpression", "ParenthesizedExpression", "StarExpression"])
const definitions = new Set(["ClassDefinition"])

const nameOf = (node: SyntaxNode | undefined, text: string): string | undefined => {
  const name = Nodes.child(node ?? null, "VariableName")
  return name === undefined ? undefined : text.slice(name.from, name.to)
}

/** A name that a function, class or module binds. A class gives its names only as members. */
const bind = (kind: "class" | "function" | "variable", node: SyntaxNode, text: string): Classified => {
  const scope = Nodes.closest(node.parent, scopes)
  if (scope?.name !== "ClassDefinition") {
    const name = Nodes.child(node, "VariableName")
    const isConstant =
      kind === "variable" && name !== undefined && /^[A-Z][A-Z\d_]*$/.test(text.slice(name.from, name.to))
    return Declare.inScope(isConstant && scope?.name === "Script" ? "constant" : kind, node, scope, local)
  }
  const memberKind = kind === "function" ? "method" : kind === "class" ? "class" : "field"
  return Declare.member(memberKind, node, nameOf(scope, text))
}

/** True if a name or its group stands before `=`. */
const isTarget = (child: SyntaxNode): boolean => Nodes.isBefore(child, "AssignOp") && !Nodes.isAfter(child, "TypeDef")

const isLooped = (child: SyntaxNode): boolean => {
  let at = child.prevSibling
  for (let steps = 0; at !== null && steps < 100; at = at.prevSibling, steps++) {
    if (at.name === "for") return true
    if (at.name === "in") return false
  }
  return false
}

const name = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  if (parent === null) return Declare.value
  const previous = leaf.prevSibling
  switch (parent.name) {
    case "FunctionDefinition":
      return bind("function", parent, text)
    case "ClassDefinition":
      return bind("class", parent, text)
    case "ParamList":
      return previous?.name === "AssignOp"
        ? Declare.value
        : Declare.inScope("variable", leaf, parent.parent ?? undefined, local)
    case "ImportStatement":
      return importedName(leaf, parent)
    case "ArgList":
      return leaf.nextSibling?.name === "AssignOp" ? Declare.key : Declare.value
    case "CapturePattern":
      return bind("variable", leaf, text)
    case "NamedExpression":
      return previous === null ? bind("variable", parent, text) : Declare.value
    case "TypeDef":
      return Declare.type
    case "KeywordPattern":
      return Declare.key
    case "CallExpression":
      return Nodes.same(parent.firstChild, leaf) ? Declare.call : Declare.value
    case "Decorator":
      return Declare.call
    case "TryStatement":
    case "WithStatement":
      return previous?.name === "as" ? bind("variable", leaf, text) : Declare.value
  }
  const { child, parent: whole } = Nodes.climb(leaf, groups)
  if (whole?.name === "AssignStatement" && isTarget(child)) return bind("variable", whole, text)
  if (whole?.name === "ForStatement" && isLooped(child)) return bind("variable", whole, text)
  if (whole !== null && comprehensions.has(whole.name) && isLooped(child)) {
    return Declare.inScope("variable", whole, whole, local)
  }
  if (whole?.name === "WithStatement" && child.prevSibling?.name === "as") return bind("variable", leaf, text)
  return Declare.value
}

const importedName = (leaf: SyntaxNode, statement: SyntaxNode): Classified => {
  const isFrom = statement.firstChild?.name === "from"
  const isModule = isFrom ? !Nodes.isAfter(leaf, "import") : leaf.nextSibling?.name === "."
  const isBound = !isModule && leaf.nextSibling?.name !== "as" && (isFrom || leaf.prevSibling?.name !== ".")
  const isFirst = !isFrom && leaf.prevSibling?.name !== "."
  if (!isBound && !(isFirst && leaf.nextSibling?.name !== "as")) return Declare.imported
  return Declare.bound(statement, Nodes.closest(statement.parent, scopes))
}

const classify = (leaf: SyntaxNode, text: string): Classified => {
  if (leaf.name !== "PropertyName") return name(leaf, text)
  const { parent } = leaf
  const receiver = parent?.firstChild ?? undefined
  const own = receiver !== undefined && /^(?:self|cls)$/.test(text.slice(receiver.from, receiver.to))
  const statement = parent?.parent
  if (own && parent !== null && statement?.name === "AssignStatement" && isTarget(parent)) {
    const method = Nodes.closest(statement, functions)
    const kind = Nodes.closest(statement, definitions)
    // Other methods assign the fields that the constructor declares.
    if (nameOf(method, text) === "__init__") return Declare.member("field", statement, nameOf(kind, text))
  }
  const isCall = parent?.parent?.name === "CallExpression" && Nodes.same(parent.parent.firstChild, parent)
  return { role: "member", isCall, receiver }
}

const typeOf = (leaf: SyntaxNode, text: string): string | undefined => {
  const written = leaf.nextSibling?.name === "TypeDef" ? leaf.nextSibling : undefined
  if (written !== undefined) {
    const type = Nodes.descendant(written, "VariableName", "MemberExpression", "String")
    const last = type?.name === "MemberExpression" ? type.lastChild : type
    const found = last === null || last === undefined ? "" : text.slice(last.from, last.to)
    return /\w+/.exec(found)?.[0]
  }
  const value = leaf.nextSibling?.name === "AssignOp" ? leaf.nextSibling.nextSibling : null
  if (value?.name !== "CallExpression") return undefined
  const called = value.firstChild?.name === "MemberExpression" ? value.firstChild.lastChild : value.firstChild
  const made = called === null || called === undefined ? "" : text.slice(called.from, called.to)
  return /^_?[A-Z]\w*$/.test(made) ? made : undefined
}

const importsIn = function* (statement: SyntaxNode, text: string): Generator<Import> {
  const isFrom = statement.firstChild?.name === "from"
  const word = Nodes.child(statement, "import")
  if (word === undefined) return
  const from = isFrom ? text.slice((statement.firstChild?.to ?? 0) + 1, word.from).replace(/\s/g, "") : ""
  const rest = text.slice(word.to, statement.to).replace(/#[^\n]*|[()\\]/g, " ")
  for (const part of rest.split(",").slice(0, MAX_NAMES)) {
    const [, own, as] = /^\s*([\w.*]+)(?:\s+as\s+(\w+))?/.exec(part) ?? []
    if (own === undefined) continue
    if (!isFrom) yield { target: own, imported: "*", local: as ?? own, exported: as }
    else if (own === "*") yield { target: from, imported: undefined, local: undefined, exported: "*" }
    else yield { target: from, imported: own, local: as ?? own, exported: as ?? own }
  }
}

const MAX_NAMES = 1_000
const blocks = new Set(["IfStatement", "TryStatement", "Body", "FunctionDefinition"])

const collect = (node: SyntaxNode, text: string, depth: number, found: Array<Import>): void => {
  for (const child of Nodes.children(node)) {
    if (child.name === "ImportStatement") found.push(...importsIn(child, text))
    else if (depth < 6 && blocks.has(child.name)) collect(child, text, depth + 1, found)
    if (found.length > MAX_NAMES) return
  }
}

/** Rules of Python. */
export const rules: Rules = {
  names: new Set(["VariableName", "PropertyName"]),
  classify,
  typeOf,
  self: new Set(["self", "cls"]),
  selfAt: (node, text) => nameOf(Nodes.closest(node, definitions), text),
  imports: (root, text) => {
    const found: Array<Import> = []
    collect(root, text, 0, found)
    return found
  },
  bodies: new Set(["Body"])
}
