/** A key of an object of no declared type, which is its own definition. Only in TypeScript and JavaScript. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as Place from "../Place.ts"
import type { UseContext } from "./Use.ts"

/** Returns the key itself, if no type in the repository can declare it. */
export const find = async (context: UseContext, own: Occurrence): Promise<ReadonlyArray<Place.Place>> => {
  const { file, name, path } = context
  const property = own.node.parent
  const object = property?.name === "Property" ? property.parent : null
  if (object === null || !(await isUntyped(context, object))) return []
  const place = placeOf(path, name, file, own)
  return place === undefined ? [] : [place]
}

/** Returns the place of a key that declares a member of an object without a name. */
export const placeOf = (path: string, name: string, file: SourceFile.SourceFile, own: Occurrence) =>
  Place.make(path, name, file, {
    ...own,
    declaration: {
      kind: "field",
      level: "member",
      scope: [0, Number.MAX_SAFE_INTEGER],
      node: own.node.parent ?? own.node
    }
  })

/** True for an object in a variable without a type, and in a call of a function from outside of the repository. */
const isUntyped = async ({ file, modules, path }: UseContext, object: Occurrence["node"]): Promise<boolean> => {
  let at: Occurrence["node"] | null = object
  while (at !== null && /^(?:Object|Array|Parenthesized|Conditional)Expression$|^Property$/.test(at.name))
    at = at.parent
  if (at?.name === "VariableDeclaration") return true
  let callee = at?.name === "ArgList" ? (at.parent?.firstChild ?? null) : null
  // The first name of a chain of calls and members.
  while (callee !== null && /^(?:Call|Member)Expression$/.test(callee.name)) callee = callee.firstChild
  if (callee?.name !== "VariableName") return false
  const name = SourceFile.textOf(file, callee)
  const all = SourceFile.occurrences(file, name)
  const isLocal = all.some(({ declaration }) => declaration !== undefined && declaration.level !== "import")
  return !isLocal && (await modules.declared(path, file, name)).length === 0 && !modules.isExhausted
}
