/** Finds the declarations that a repository exports by the name of a package. Runs in a worker. */
import * as PathText from "@tongs/core/text/PathText"
import type { Import } from "@tongs/syntax/navigation/Occurrence"
import { ecosystemOf } from "../../packages/ImportedPackages.ts"
import type { DeclaredPackage } from "../../packages/Manifests.ts"
import * as ModulePaths from "../modules/ModulePaths.ts"
import { Modules } from "../modules/Modules.ts"
import type * as Place from "../Place.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import { GoTypes } from "../types/GoTypes.ts"
import * as MemberDeclarations from "../definitions/MemberDeclarations.ts"
import type { PackageUse } from "./PackageUses.ts"
import * as TypedMembers from "../definitions/TypedMembers.ts"

/** A name in a package of a commit. */
export interface PackageExport extends Commit {
  readonly use: PackageUse
  readonly declared: DeclaredPackage
  /** For Java: the paths of the files that can have the imported class. */
  readonly paths: ReadonlyArray<string>
}

/** Folders of a Python project, below its manifest, that have its packages. */
const pythonFolders = ["src", "", "lib", "python"]

/** Returns the declarations of a name in a package. */
export const find = (files: RepositoryFiles, input: PackageExport): Promise<ReadonlyArray<Place.Place>> => {
  const { commit, gitDir } = input
  return findIn(new Modules(files, { commit, gitDir }, [input.declared.path]), input)
}

/** Like `find`, within the bounds of `modules`. */
export const findIn = async (
  modules: Modules,
  { declared, paths, use }: Pick<PackageExport, "declared" | "paths" | "use">
): Promise<ReadonlyArray<Place.Place>> => {
  const folder = PathText.folderOf(declared.path)
  const { names, source } = normalized(use)
  switch (declared.key.slice(0, declared.key.indexOf(":"))) {
    case "npm":
      return MemberDeclarations.walk(modules, await modules.find("", source), names)
    case "go":
      return findInGo(modules, folder, use)
    case "python": {
      for (const root of declared.entry === undefined ? pythonFolders : [declared.entry]) {
        const from = ModulePaths.join(folder, `${root}/_.py`) ?? ""
        const found = await MemberDeclarations.walk(modules, await modules.find(from, source), names)
        if (found.length > 0) return found
      }
      return []
    }
    case "cargo":
      return findInCrate(modules, declared, { names, source })
    case "maven":
      return findInJava(modules, paths, use)
    default:
      return []
  }
}

/** A member of an imported module is itself imported from the module. */
const normalized = ({ names, source }: PackageUse): PackageUse => {
  const [first, ...rest] = names
  return source.imported === "*" && first !== undefined
    ? { source: { ...source, imported: first }, names: rest }
    : { source, names }
}

const findInGo = async (
  modules: Modules,
  folder: string,
  { names, source }: PackageUse
): Promise<ReadonlyArray<Place.Place>> => {
  const { packages } = new GoTypes(modules)
  const found = await packages.folderOf(ModulePaths.join(folder, "_.go") ?? "", source.target)
  const [first = source.imported ?? "", member, ...rest] = names
  if (typeof found !== "object" || rest.length > 0) return []
  const top = await packages.atTop(found.folder, first)
  if (member === undefined) return TypedMembers.placesOf(top)
  // Only a type has members of its own; the type of a variable is not known here.
  const members = await packages.declared(found.folder, member)
  return TypedMembers.placesOf(members.filter(({ occurrence }) => occurrence.declaration?.container === first))
}

const findInCrate = async (
  modules: Modules,
  { entry, path }: DeclaredPackage,
  { names, source }: PackageUse
): Promise<ReadonlyArray<Place.Place>> => {
  const folder = PathText.folderOf(path)
  const library = ModulePaths.join(folder, entry ?? "src/lib.rs")
  if (library === undefined) return []
  const target = ["crate", ...source.target.split("::").slice(1)]
  if (source.imported !== undefined) {
    // A name that the crate passes on, before a module of the same name.
    const [first = "", ...rest] = [...target.slice(1), ...(source.imported === "*" ? [] : [source.imported]), ...names]
    const found = await MemberDeclarations.walk(modules, await modules.exported(library, first), rest)
    if (found.length > 0) return found
  }
  const inCrate: Import = { ...source, target: target.join("::") }
  return MemberDeclarations.walk(modules, await modules.find(library, inCrate), names)
}

/** Returns the package, the classes and the member that an import of Java names. */
export const javaName = ({
  names,
  source: { imported, target }
}: PackageUse): { readonly package: string; readonly names: ReadonlyArray<string> } => {
  const parts = target.split(".")
  const all = imported === undefined || parts.at(-1) === imported ? parts : [...parts, imported]
  const end = all.findIndex((name) => /^[A-Z]/.test(name))
  const from = end === -1 ? all.length : end
  return { package: all.slice(0, from).join("."), names: [...all.slice(from), ...names] }
}

const findInJava = async (
  modules: Modules,
  paths: ReadonlyArray<string>,
  use: PackageUse
): Promise<ReadonlyArray<Place.Place>> => {
  const { names, package: wanted } = javaName(use)
  const [first = "", ...rest] = names
  for (const path of paths) {
    const text = await modules.files.text(modules.at, path)
    if (ecosystemOf(path) !== "maven" || text === undefined) continue
    if (/^\s*package\s+([\w.]+)/m.exec(text)?.[1] !== wanted) continue
    const found = await MemberDeclarations.walk(modules, await modules.exported(path, first), rest)
    if (found.length > 0) return found
  }
  return []
}
