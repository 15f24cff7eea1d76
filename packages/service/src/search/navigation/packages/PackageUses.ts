/** The names of packages that a use can mean. */
import type { Import } from "@tongs/syntax/navigation/Occurrence"
import { ecosystemOf } from "../../packages/ImportedPackages.ts"
import type { Use } from "../definitions/Use.ts"

/** Maximum number of imports of all names of a package that are followed for one use. */
const MAX_WHOLE = 5

/** A name that an import takes from a package, and the members after it. */
export interface PackageUse {
  readonly source: Import
  readonly names: ReadonlyArray<string>
}

/** Returns the names of packages that a use of `name` can mean, by the imports of its file. */
export const of = (use: Use, name: string): ReadonlyArray<PackageUse> => {
  const { imports, isMember, path, receiver, role, source } = use
  const ecosystem = ecosystemOf(path)
  if (ecosystem === undefined) return []
  if (isMember) return receiver === undefined ? [] : ofMember(use, receiver, name)
  if (source !== undefined) return [{ source: ofCrate(source, path), names: [] }]
  if (ecosystem === "npm" || (role !== "call" && role !== "type" && role !== "value")) return []
  const whole = imports.filter(({ imported, target }) => imported === undefined && target !== "")
  return whole.slice(0, MAX_WHOLE).map((one) => ({ source: { ...one, imported: name }, names: [] }))
}

/** Returns the import of a whole crate of Rust, `use lamp as other`, as that of a module. */
export const ofCrate = (source: Import, path: string): Import =>
  ecosystemOf(path) === "cargo" && source.target === "" && source.imported !== undefined
    ? { ...source, target: source.imported, imported: "*" }
    : source

/** Finds the import to which the first names before the last dot lead: the longest. */
const ofMember = ({ imports, path }: Use, receiver: ReadonlyArray<string>, name: string): ReadonlyArray<PackageUse> => {
  const ecosystem = ecosystemOf(path)
  for (let count = receiver.length; count > 0; count--) {
    const local = receiver.slice(0, count).join(".")
    const source = imports.map((one) => ofCrate(one, path)).find((one) => one.local === local && one.target !== "")
    if (source !== undefined) return [{ source, names: [...receiver.slice(count), name] }]
  }
  const [first = "", ...rest] = receiver
  // Rust needs no import to name a crate.
  return ecosystem === "cargo"
    ? [{ source: { target: first, imported: "*", local: first }, names: [...rest, name] }]
    : []
}
