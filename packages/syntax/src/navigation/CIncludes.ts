import type { Import } from "./Occurrence.ts"

/** Maximum number of included files of a text. */
const MAX_INCLUDES = 1_000

/** Returns the files that a text includes. */
export const find = (text: string): ReadonlyArray<Import> => {
  const found: Array<Import> = []
  for (const match of text.matchAll(/^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")/gm)) {
    const target = match[1] ?? `./${match[2] ?? ""}`
    found.push({ target, imported: undefined, local: undefined, exported: "*" })
    if (found.length >= MAX_INCLUDES) break
  }
  return found
}
