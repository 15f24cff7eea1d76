/** Parts of Go's syntax that types come from. */
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import type { SyntaxNode } from "./TypeNodes.ts"
import { children } from "./TypeNodes.ts"

/** Returns the types that a function returns, one for each result. */
export const resultsOf = (made: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const parts = children(made)
  const lists = parts.flatMap(({ name }, index) => (name === "Parameters" ? [index] : []))
  const last = lists[made.name === "MethodDecl" ? 1 : 0]
  const result = last === undefined ? undefined : parts[last + 1]
  if (result === undefined || result.name === "Block") return []
  if (result.name !== "Parameters") return [result]
  return children(result).flatMap((one) => {
    if (one.name !== "Parameter" || one.lastChild === null) return []
    const type = one.lastChild
    const names = children(one).filter(({ name }) => name === "DefName")
    return names.length === 0 ? [type] : names.map(() => type)
  })
}

/** Returns the values that a declaration gives to its names, and the place of a name among them. */
export const valuesOf = (declaration: SyntaxNode, leaf: SyntaxNode) => {
  const parts = children(declaration).filter(({ name }) => name !== ",")
  const sign = parts.findIndex(({ name }) => name === "=" || name === ":=")
  const names = parts.filter(({ name }) => name === "DefName")
  return {
    index: names.findIndex(({ from }) => from === leaf.from),
    values: sign === -1 ? [] : parts.slice(sign + 1).filter(({ name }) => name !== "range")
  }
}

/** Returns the written type of a field, parameter or variable. */
export const writtenType = (declaration: SyntaxNode): SyntaxNode | undefined =>
  children(declaration).find(({ name }) => /Type(?:Name)?$/.test(name) && name !== "TypeParam")

/** Returns the types that a structure or interface embeds. */
export const embedded = (type: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const body = Nodes.child(type, "StructBody", "InterfaceBody")
  if (body === undefined) return []
  return children(body).flatMap((one) => {
    if (one.name !== "FieldDecl") return /Type(?:Name)?$/.test(one.name) ? [one] : []
    return Nodes.child(one, "FieldName") === undefined ? (writtenType(one) ?? []) : []
  })
}

/** Returns the names of the fields or methods in a structure or interface. */
export const memberNames = (type: SyntaxNode): ReadonlyArray<SyntaxNode> => {
  const body = Nodes.child(type, "StructBody", "InterfaceBody")
  return body === undefined
    ? []
    : children(body).flatMap((one) => children(one).filter(({ name }) => name === "FieldName"))
}
