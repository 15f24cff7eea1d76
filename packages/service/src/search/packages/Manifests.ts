/** The files of a repository that declare packages. `ManifestReader` reads them. */
import * as PathText from "@tongs/core/text/PathText"

/** A registry of packages, with its own names. */
export type Ecosystem = "npm" | "go" | "python" | "cargo" | "maven"

/** A package that a manifest declares. */
export interface DeclaredPackage {
  /** The ecosystem and the name by which imports find the package. */
  readonly key: string
  /** The name as the manifest writes it. */
  readonly name: string
  /** Path of the manifest. */
  readonly path: string
  /** Path of the first source file, or of the folder of sources in Python, if the manifest names one. */
  readonly entry?: string
  /** True for a package that must not be published. */
  readonly isPrivate?: true
}

/** Maximum length of a manifest in bytes. */
export const MAX_BYTES = 256 * 1024

/** Names of the files that declare packages. */
export const fileNames = [
  "package.json",
  "go.mod",
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "Cargo.toml",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts"
]

const names: ReadonlySet<string> = new Set(fileNames)

/** Folders whose packages are copies, samples or data of tests. A package can have such a name itself. */
const copies =
  /(?:^|\/)(?:node_modules|bower_components|vendor|third[_-]?party|testdata|(?:__)?(?:fixtures?|tests?)(?:__)?|e2e|examples?|samples?|demos?|templates?|playgrounds?|docs?|website|bench(?:es|marks?)?)(?:\/|$)/i

/** True for a file that can declare a package which other repositories import. */
export const isManifest = (path: string): boolean =>
  names.has(PathText.nameOf(path)) && !copies.test(PathText.folderOf(PathText.folderOf(path)))

/** Returns the key of a package by its ecosystem and its name in imports. */
export const keyOf = (ecosystem: Ecosystem, name: string): string => {
  switch (ecosystem) {
    case "python":
      return `python:${name.toLowerCase().replace(/[-_.]+/g, "-")}`
    case "cargo":
      return `cargo:${name.replaceAll("-", "_")}`
    default:
      return `${ecosystem}:${name}`
  }
}
