/** The packages of a repository, by their `package.json`. */
import * as PathText from "@tongs/core/text/PathText"
import * as ModulePaths from "./ModulePaths.ts"

/** Maximum number of entries of a package. */
const MAX_ENTRIES = 500

/** Maximum depth of the conditions of an entry. */
const MAX_DEPTH = 4

/** A package of the repository, by its name in imports. */
export interface PackageManifest {
  readonly name: string
  readonly folder: string
  /**
   * Paths in the package by the rest of an import after the package name: `.` for the package itself, with `*` for any
   * names.
   */
  readonly entries: ReadonlyArray<readonly [string, string]>
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Reads the name and the entries of a package. Undefined if the text is no `package.json` with a name. */
export const read = (path: string, text: string | undefined): PackageManifest | undefined => {
  let json: unknown
  try {
    json = JSON.parse(text ?? "")
  } catch {
    return undefined
  }
  if (!isObject(json) || typeof json.name !== "string") return undefined
  const entries: Array<readonly [string, string]> = []
  const add = (key: string, value: unknown, depth: number): void => {
    if (typeof value === "string") entries.push([key, value])
    else if (isObject(value) && depth < MAX_DEPTH) for (const one of Object.values(value)) add(key, one, depth + 1)
  }
  if (isObject(json.exports)) {
    for (const [key, value] of Object.entries(json.exports)) add(key.startsWith(".") ? key : ".", value, 0)
  } else add(".", json.exports, 0)
  for (const field of ["source", "types", "module", "main"]) add(".", json[field], 0)
  return { name: json.name, folder: PathText.folderOf(path), entries: entries.slice(0, MAX_ENTRIES) }
}

/** Returns the source files that an import of a package can mean, most likely first. Empty for another package. */
export const filesOf = ({ entries, folder, name }: PackageManifest, target: string): ReadonlyArray<string> => {
  if (target !== name && !target.startsWith(`${name}/`)) return []
  const rest = target.slice(name.length + 1)
  const key = rest === "" ? "." : `./${rest}`
  const written = entries.flatMap(([pattern, value]) => {
    if (pattern === key) return [value]
    const [start = "", end] = pattern.split("*")
    const fits = end !== undefined && key.startsWith(start) && key.endsWith(end) && key.length >= pattern.length - 1
    return fits ? [value.replace("*", key.slice(start.length, key.length - end.length))] : []
  })
  const sources = rest === "" ? ["src/index", "src/main", "index", "lib/index"] : [`src/${rest}`, rest, `lib/${rest}`]
  const isSource = (path: string) => /(?<!\.d)\.[cm]?tsx?$/.test(path)
  // Other entries name built files, or files that only load them.
  return [...written.filter(isSource), ...sources, ...written.filter((path) => !isSource(path))]
    .flatMap((path) => ModulePaths.join(folder, path) ?? [])
    .flatMap((path) => [path, path.replace(/\b(?:dist|lib|build|out)\//, "src/")])
    .flatMap((path) => ModulePaths.scriptFiles(path))
}
