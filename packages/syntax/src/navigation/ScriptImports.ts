/** Imports and exports of TypeScript and JavaScript. */
import type { SyntaxNode } from "@lezer/common"
import * as Nodes from "./Nodes.ts"
import type { Import } from "./Occurrence.ts"
import { definedName, kindByDeclaration } from "./ScriptDeclarations.ts"

/** Maximum number of imports of a file. */
const MAX_IMPORTS = 2_000

const unquoted = (node: SyntaxNode, text: string): string =>
  text.slice(node.from + 1, Math.max(node.from + 1, node.to - 1))

/** Returns the pairs of names in braces: `{ name as other }`. */
const specifiers = function* (group: SyntaxNode, text: string): Generator<readonly [string, string]> {
  for (const name of Nodes.children(group)) {
    if (name.name !== "VariableName" && name.name !== "VariableDefinition" && name.name !== "default") continue
    if (name.prevSibling?.name === "as") continue
    const own = text.slice(name.from, name.to)
    const other = name.nextSibling?.name === "as" ? name.nextSibling.nextSibling : null
    yield [own, other === null ? own : text.slice(other.from, other.to)]
  }
}

/** Returns the names of `import … from` and `export … from`, and of lists of exports. */
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

/** Returns the names that a variable gets from `require`. */
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

/** Returns the name of a default export. */
const exportedHere = function* (node: SyntaxNode, text: string): Generator<Import> {
  const isDefault = Nodes.child(node, "default") !== undefined
  const own = isDefault ? Nodes.child(node, "VariableName") : undefined
  const inner = Nodes.child(node, ...Object.keys(kindByDeclaration))
  const name = own === undefined ? definedName(inner, text) : text.slice(own.from, own.to)
  if (isDefault && name !== undefined) yield { target: "", imported: name, local: name, exported: "default" }
}

/** Returns the names that a file imports and re-exports. */
export const imports = (root: SyntaxNode, text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  for (const node of Nodes.children(root)) {
    if (node.name === "ImportDeclaration") found.push(...importsIn(node, text))
    else if (node.name === "ExportDeclaration") found.push(...importsIn(node, text), ...exportedHere(node, text))
    else if (node.name === "VariableDeclaration") found.push(...required(node, text))
    if (found.length > MAX_IMPORTS) break
  }
  return found
}
