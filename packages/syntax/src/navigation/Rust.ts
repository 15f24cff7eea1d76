/** Names in Rust. */
import type { SyntaxNode } from "@lezer/common"
import * as Declare from "./Declare.ts"
import * as Nodes from "./Nodes.ts"
import type { Classified, Import, Kind, Rules } from "./Occurrence.ts"

const functions = new Set(["FunctionItem", "ClosureExpression"])
const scopes = new Set([
  ...functions,
  "SourceFile",
  "Block",
  "DeclarationList",
  "IfExpression",
  "WhileExpression",
  "ForExpression",
  "MatchArm"
])
const patterns = new Set([
  "TuplePattern",
  "StructPattern",
  "FieldPatternList",
  "FieldPattern",
  "MutPattern",
  "RefPattern",
  "ReferencePattern",
  "CapturedPattern",
  "SlicePattern",
  "OrPattern",
  "Pattern"
])
const blocks = new Set(["ImplItem", "TraitItem"])
const items: Readonly<Record<string, Kind>> = {
  StructItem: "struct",
  UnionItem: "struct",
  EnumItem: "enum",
  TraitItem: "interface",
  TypeItem: "type",
  ModItem: "module",
  ConstItem: "constant",
  StaticItem: "variable",
  ExternCrateDeclaration: "module",
  FunctionItem: "function"
}
const owners = new Set(["StructItem", "UnionItem", "EnumItem", "EnumVariant"])

/** Returns the type that an `impl` extends, or the name of another item. */
const nameOf = (node: SyntaxNode | undefined, text: string): string | undefined => {
  if (node === undefined) return undefined
  if (node.name !== "ImplItem") {
    const name = Nodes.child(node, "TypeIdentifier", "BoundIdentifier", "Identifier")
    return name === undefined ? undefined : text.slice(name.from, name.to)
  }
  const after =
    Nodes.child(node, "for")?.nextSibling ?? Nodes.child(node, "TypeIdentifier", "GenericType", "ScopedTypeIdentifier")
  const type = Nodes.descendant(after, "TypeIdentifier")
  return type === undefined ? undefined : text.slice(type.from, type.to)
}

const item = (node: SyntaxNode, kind: Kind, text: string): Classified => {
  const block = node.parent?.name === "DeclarationList" ? node.parent.parent : null
  if (block !== null && blocks.has(block.name)) {
    const isPrototype = kind === "function" && Nodes.child(node, "Block") === undefined
    return Declare.member(kind === "function" ? "method" : kind, node, nameOf(block, text), { isPrototype })
  }
  const container = block?.name === "ModItem" ? { container: nameOf(block, text) } : {}
  return Declare.inScope(kind, node, Nodes.closest(node.parent, scopes), functions, container)
}

const bound = (leaf: SyntaxNode, text: string): Classified => {
  const { child, parent } = Nodes.climb(leaf, patterns)
  if (parent === null) return Declare.value
  if (/^(?:Use|Scoped)/.test(parent.name)) {
    const statement = Nodes.closest(parent, uses)
    return statement === undefined ? Declare.value : Declare.bound(statement, Nodes.closest(statement.parent, scopes))
  }
  const kind = items[parent.name]
  if (kind !== undefined && Nodes.same(child, leaf)) return item(parent, kind, text)
  // A name in a pattern that begins with a capital is a constant or a variant.
  if (!Nodes.same(child, leaf) && /^[A-Z]/.test(text.slice(leaf.from, leaf.to))) return Declare.value
  const isLet = parent.name === "LetDeclaration"
  const scope = Nodes.closest(isLet ? parent.parent : parent, scopes)
  return Declare.inScope("variable", isLet || parent.name === "Parameter" ? parent : child, scope, functions, {
    isOrdered: isLet && scope?.name === "Block"
  })
}

const uses = new Set(["UseDeclaration"])

const isCalled = (node: SyntaxNode) =>
  node.parent?.name === "CallExpression" && Nodes.same(node.parent.firstChild, node)

const typeIdentifier = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  const kind = items[parent?.name ?? ""]
  const isFirst = !Nodes.isAfter(leaf, "TypeIdentifier", "=", ":")
  if (
    parent !== null &&
    kind !== undefined &&
    isFirst &&
    parent.name !== "ConstItem" &&
    parent.name !== "StaticItem" &&
    parent.name !== "FunctionItem"
  ) {
    return item(parent, kind, text)
  }
  if (parent?.name === "AssociatedType" && isFirst) return item(parent, "type", text)
  const isParameter =
    parent?.name === "TypeParamList" || (parent?.name === "ConstrainedTypeParameter" && leaf.prevSibling === null)
  if (isParameter && parent !== null) {
    const owner = Nodes.closest(parent, new Set([...Object.keys(items), "ImplItem"]))
    return Declare.inScope("type", leaf, owner, new Set([...functions, ...Object.keys(items), "ImplItem"]))
  }
  const receiver = parent?.name === "ScopedTypeIdentifier" ? (leaf.prevSibling?.prevSibling ?? undefined) : undefined
  return { role: "type", isCall: false, receiver }
}

const classify = (leaf: SyntaxNode, text: string): Classified => {
  const { parent } = leaf
  switch (leaf.name) {
    case "BoundIdentifier":
      return bound(leaf, text)
    case "TypeIdentifier":
      return typeIdentifier(leaf, text)
    case "FieldIdentifier": {
      if (parent?.name === "FieldDeclaration") {
        return Declare.member("field", parent, nameOf(Nodes.closest(parent, owners), text))
      }
      if (parent?.name !== "FieldExpression") return Declare.key
      return { role: "member", isCall: isCalled(parent), receiver: parent.firstChild ?? undefined }
    }
    case "ScopeIdentifier":
      return Nodes.closest(parent, uses) === undefined
        ? { role: "type", isCall: false, receiver: leaf.prevSibling?.prevSibling ?? undefined }
        : Declare.imported
  }
  switch (parent?.name) {
    case "EnumVariant":
      return Declare.member("enum_member", parent, nameOf(Nodes.closest(parent, new Set(["EnumItem"])), text))
    case "MacroDefinition":
      return Declare.inScope("macro", parent, Nodes.closest(parent.parent, scopes), functions)
    case "MacroInvocation":
      return Declare.call
    case "ScopedIdentifier":
      return { role: "member", isCall: isCalled(parent), receiver: leaf.prevSibling?.prevSibling ?? undefined }
    case "UseAsClause":
    case "UseList":
    case "UseDeclaration":
      return Declare.imported
    default:
      if (Nodes.closest(parent, new Set(["ParenthesizedTokens", "BracedTokens", "BracketedTokens"])) !== undefined) {
        const before = text.slice(Math.max(0, leaf.from - 2), leaf.from)
        return /\.\s?$/.test(before) ? { role: "member", isCall: text[leaf.to] === "(" } : Declare.value
      }
      return isCalled(leaf) ? Declare.call : Declare.value
  }
}

const typeName = (node: SyntaxNode | null | undefined, text: string): string | undefined => {
  const found = Nodes.descendant(
    node,
    "ScopedTypeIdentifier",
    "TypeIdentifier",
    "TupleType",
    "ArrayType",
    "FunctionType"
  )
  const last = found?.name === "ScopedTypeIdentifier" ? found.lastChild : found
  return last?.name === "TypeIdentifier" ? text.slice(last.from, last.to) : undefined
}

const typeOf = (leaf: SyntaxNode, text: string): string | undefined => {
  const { child, parent } = Nodes.climb(leaf, new Set(["MutPattern", "RefPattern"]))
  if (parent?.name !== "LetDeclaration" && parent?.name !== "Parameter" && parent?.name !== "FieldDeclaration")
    return undefined
  const sign = child.nextSibling
  if (sign !== null && sign.name !== "=") return typeName(sign.name === ":" ? sign.nextSibling : sign, text)
  const made = sign?.nextSibling
  if (made?.name === "StructExpression") return typeName(made.firstChild, text)
  const path = made?.name === "CallExpression" ? made.firstChild : null
  const owner = path?.name === "ScopedIdentifier" ? path.lastChild?.prevSibling?.prevSibling : undefined
  const name = owner === null || owner === undefined ? "" : text.slice(owner.from, owner.to)
  return /^[A-Z]\w*$/.test(name) ? name : undefined
}

/** Expands the groups of a `use` declaration to full paths. */
const expand = (written: string, prefix: string, found: Array<readonly [string, string | undefined]>): void => {
  let depth = 0
  let start = 0
  const parts: Array<string> = []
  for (let at = 0; at <= written.length; at++) {
    const sign = written[at]
    if (sign === "{") depth++
    else if (sign === "}") depth--
    else if ((sign === "," && depth === 0) || at === written.length) {
      parts.push(written.slice(start, at).trim())
      start = at + 1
    }
  }
  for (const part of parts) {
    if (found.length > 500) return
    const open = part.indexOf("{")
    if (open !== -1 && prefix.split("::").length < 50) {
      expand(part.slice(open + 1, part.lastIndexOf("}")), prefix + part.slice(0, open), found)
    } else if (part !== "") {
      const [path = "", as] = part.split(/\s+as\s+/)
      found.push([prefix + path, as])
    }
  }
}

const imports = (root: SyntaxNode, text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  const visit = (node: SyntaxNode, depth: number): void => {
    for (const child of Nodes.children(node)) {
      if (found.length > 2_000) return
      if (child.name === "ModItem" && depth < 4) {
        const list = Nodes.child(child, "DeclarationList")
        if (list !== undefined) visit(list, depth + 1)
        const name = nameOf(child, text) ?? ""
        if (list === undefined) found.push({ target: `self::${name}`, imported: "*", local: name, exported: name })
      }
      if (child.name !== "UseDeclaration") continue
      const paths: Array<readonly [string, string | undefined]> = []
      const word = Nodes.child(child, "use")
      expand(
        text
          .slice(word?.to ?? child.from, child.to)
          .replace(/;\s*$/, "")
          .replace(/\/\/[^\n]*/g, ""),
        "",
        paths
      )
      for (const [path, as] of paths) {
        const names = path.split("::").map((part) => part.trim())
        const last = names.at(-1) ?? ""
        const target = names.slice(0, -1).join("::")
        const own = last === "self" ? (names.at(-2) ?? "") : last
        if (last === "*") found.push({ target, imported: undefined, local: undefined, exported: "*" })
        else
          found.push({
            target: last === "self" ? names.slice(0, -2).join("::") : target,
            imported: own,
            local: as ?? own,
            exported: as ?? own
          })
      }
    }
  }
  visit(root, 0)
  return found
}

/** Rules of Rust. */
export const rules: Rules = {
  names: new Set(["BoundIdentifier", "Identifier", "TypeIdentifier", "FieldIdentifier", "ScopeIdentifier"]),
  classify,
  typeOf,
  self: new Set(["self", "Self"]),
  selfAt: (node, text) => nameOf(Nodes.closest(node, blocks), text),
  imports,
  bodies: new Set(["Block", "FieldDeclarationList", "EnumVariantList", "DeclarationList"])
}
