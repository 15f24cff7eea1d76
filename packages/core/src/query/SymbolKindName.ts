/** Names of the kinds of definitions in queries: `field` in `kind:field`. */
import { symbolKinds } from "../contract/groups/SymbolKinds.ts"

/** All names, in alphabetical order. */
export const all: ReadonlyArray<string> = symbolKinds

/** Names of these kinds in programming languages and in other searches. */
const aliases: Readonly<Record<string, string>> = {
  attribute: "field",
  const: "constant",
  constructor: "method",
  def: "function",
  define: "macro",
  enumerator: "enum_member",
  enummember: "enum_member",
  fn: "function",
  func: "function",
  member: "field",
  namespace: "module",
  package: "module",
  property: "field",
  trait: "interface",
  typedef: "type",
  var: "variable"
}

/** Returns the first kind that begins like a misspelled name. */
export const nearest = (written: string): string | undefined =>
  written.length < 3 ? undefined : all.find((kind) => kind.startsWith(written.slice(0, 3)))

/** Returns the kind that a written name means, in any case, with or without a separator between words. */
export const resolve = (written: string): string | undefined => {
  const name = written.toLowerCase().replace(/[-_ ]/g, "")
  return (
    all.find((kind) => kind.replace("_", "") === name) ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined)
  )
}
