/** Finds the declarations that another repository exports by the name of a package. Runs in a worker. */
import type { Import } from "@tongs/syntax/navigation/Occurrence"
import { Modules } from "../modules/Modules.ts"
import type * as Place from "../Place.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import { GoTypes } from "../types/GoTypes.ts"
import * as TypedMembers from "./TypedMembers.ts"

/** A name in a package of a commit. */
export interface PackageExport extends Commit {
  readonly name: string
  /** The import by which a file of another repository takes the name, or the package. */
  readonly source: Import
  /** Paths of the files that describe packages of the repository. Empty for Go. */
  readonly packages: ReadonlyArray<string>
}

/** Returns the declarations of a name in a package. Empty if the repository does not have the package. */
export const find = async (
  files: RepositoryFiles,
  { commit, gitDir, name, packages, source }: PackageExport
): Promise<ReadonlyArray<Place.Place>> => {
  const modules = new Modules(files, { commit, gitDir }, packages)
  if (packages.length > 0) return modules.find("", source.imported === "*" ? { ...source, imported: name } : source)
  const goTypes = new GoTypes(modules)
  const found = await goTypes.packages.folderOf("", source.target)
  return typeof found === "object" ? TypedMembers.placesOf(await goTypes.packages.atTop(found.folder, name)) : []
}
