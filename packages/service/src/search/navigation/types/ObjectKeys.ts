/** Compares the keys of objects with the members of types. */
import * as Nodes from "@tongs/syntax/navigation/Nodes"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { children, type SyntaxNode, type Written } from "./TypeNodes.ts"

/** A member of an enumeration, as a type and as a value. */
const enumMember = /^[A-Z]\w*\.[A-Z]\w*$/

/** False if an object has a key that is not a member, or a value of an enumeration other than the one of the type. */
export const fit = ({ file, node }: Written, members: ReadonlyMap<string, string>): boolean =>
  children(node).every((property) => {
    const key = property.name === "Property" ? Nodes.child(property, "PropertyDefinition") : undefined
    if (key === undefined) return true
    const type = members.get(SourceFile.textOf(file, key))
    const last = property.lastChild
    const value = last?.name === "MemberExpression" ? SourceFile.textOf(file, last) : undefined
    return type !== undefined && (value === undefined || !areEnumMembers(type, value) || type === value)
  })

const areEnumMembers = (type: string, value: string): boolean => enumMember.test(type) && enumMember.test(value)

/** True if an object is in an argument of a call. */
export const isArgument = (object: SyntaxNode): boolean => {
  let at: SyntaxNode | null = object
  while (at !== null && /^(?:Object|Array|Parenthesized|Conditional|Binary)Expression$|^Property$/.test(at.name))
    at = at.parent
  return at?.name === "ArgList"
}
