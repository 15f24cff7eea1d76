/** Names that imports and exports give to the targets. */
import type { SearchedFile } from "./ReferenceQuery.ts"
import { leadsTo } from "./ReferenceQuery.ts"

/** Returns the name with the other names that imports give it in a file. */
export const localNames = async ({ file, modules, path, query }: SearchedFile): Promise<ReadonlyArray<string>> => {
  const { name } = query
  const imports = await modules.importsOf(path, file)
  const aliases = imports.flatMap(({ imported, local }) => (imported === name && local !== undefined ? [local] : []))
  return [...new Set([name, ...aliases])]
}

/** Returns the other names by which a file passes the targets on: `export { name as other }`. */
export const exportedBy = async ({ file, modules, path, query }: SearchedFile): Promise<ReadonlyArray<string>> => {
  const { definitions, name } = query
  if (definitions[0]?.level !== "file") return []
  const found: Array<string> = []
  for (const one of await modules.importsOf(path, file)) {
    const { exported, imported, target } = one
    if (imported !== name || exported === undefined || [name, "*", "default"].includes(exported)) continue
    const places = target === "" ? await modules.declared(path, file, name) : await modules.find(path, one)
    if (leadsTo(places, definitions)) found.push(exported)
  }
  return found
}
