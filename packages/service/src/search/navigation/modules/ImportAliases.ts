/**
 * The names that a project gives to packages: aliases in `package.json`, `replace` of Go, and renamed dependencies of
 * Cargo.
 */
import type { Import } from "@tongs/syntax/navigation/Occurrence"
import { ecosystemOf } from "../../packages/ImportedPackages.ts"
import * as Manifests from "../../packages/Manifests.ts"
import { record } from "../../packages/ManifestValues.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import * as ModulePaths from "./ModulePaths.ts"
import * as ModulePattern from "./ModulePattern.ts"
import * as PathAliases from "./PathAliases.ts"

/** Maximum number of dependencies of a manifest. */
const MAX_DEPENDENCIES = 2_000

/** What an imported name means. */
export interface Meaning {
  /** Name of the package, if another one. */
  readonly package?: string
  /** Path in the repository: of a file, or of the folder of a package. Undefined outside of the repository. */
  readonly path?: string | undefined
  /** True for a path outside of the repository. */
  readonly isOutside?: boolean
}

/** Names of dependencies and their meanings. A pattern of `imports` in `package.json` has a `*`. */
type Dependencies = ReadonlyArray<readonly [name: string, meaning: Meaning]>

const textsOf = (value: unknown, depth = 0): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null || depth > 3) return []
  return Object.values(value).flatMap((one) => textsOf(one, depth + 1))
}

/** Returns the meaning of a path from the folder of a manifest. */
const pathOf = (folder: string, path: string): Meaning => {
  const joined = path.startsWith("/") ? undefined : ModulePaths.join(folder, path)
  return joined === undefined ? { isOutside: true } : { path: joined }
}

const readNpm = (folder: string, text: string): Dependencies => {
  const manifest = record(JSON.parse(text))
  const own = Object.entries(record(manifest["imports"])).flatMap(([name, value]) => {
    const [first] = textsOf(value)
    if (first === undefined) return []
    return [[name, first.startsWith(".") ? pathOf(folder, first) : { package: first }] as const]
  })
  const fields = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
  const dependencies = fields.flatMap((field) =>
    Object.entries(record(manifest[field])).map(([name, version]) => {
      const written = typeof version === "string" ? version : ""
      const alias = /^(?:npm|workspace):((?:@[^@/\s]+\/)?[^@/\s]+)@/.exec(`${written}@`)?.[1]
      const path = /^(?:file|link|portal):(.+)$/.exec(written)?.[1]
      const renamed = alias === undefined || /^[*^~\d]/.test(alias) ? {} : { package: alias }
      return [name, path === undefined ? renamed : pathOf(folder, path)] as const
    })
  )
  return [...own, ...dependencies]
}

const readGo = (folder: string, text: string): Dependencies =>
  [
    ...text
      .replace(/\/\/.*/g, "")
      .matchAll(/^[^\S\n]*(?:replace[^\S\n]+)?([^\s()]+)(?:[^\S\n]+v\S+)?[^\S\n]+=>[^\S\n]+(\S+)/gm)
  ].map(([, name = "", target = ""]) => [
    name,
    /^\.{0,2}\//.test(target) ? pathOf(folder, target) : { package: target }
  ])

const readCargo =
  (parse: (text: string) => unknown) =>
  (folder: string, text: string): Dependencies => {
    const manifest = record(parse(text))
    const targets = Object.values(record(manifest["target"])).map(record)
    const tables = [manifest, ...targets, record(manifest["workspace"])].flatMap((one) =>
      ["dependencies", "dev-dependencies", "build-dependencies"].map((name) => record(one[name]))
    )
    return tables.flatMap((table) =>
      Object.entries(table).flatMap(([name, value]): Dependencies => {
        const { package: renamed, path, workspace } = record(value)
        // The manifest of the workspace has the entry.
        if (workspace === true) return []
        const meaning = {
          ...(typeof renamed === "string" ? { package: renamed.replaceAll("-", "_") } : {}),
          ...(typeof path === "string" ? pathOf(folder, path) : {})
        }
        return [[name.replaceAll("-", "_"), meaning]]
      })
    )
  }

/** Returns the dependencies of a file by its manifests, those of the closest one first. */
const dependenciesOf = async (files: RepositoryFiles, at: Commit, from: string): Promise<Dependencies> => {
  const manifest = await manifestOf(from)
  if (manifest === undefined) return []
  const { isClosestOnly, name, read } = manifest
  const found: Array<readonly [string, Meaning]> = []
  for (const folder of ModulePaths.foldersAbove(from)) {
    const path = folder === "" ? name : `${folder}/${name}`
    const all = await files.fact(at, path, "dependencies", (text) => {
      const all = text === undefined || text.length > Manifests.MAX_BYTES ? undefined : safely(() => read(folder, text))
      return [all?.slice(0, MAX_DEPENDENCIES), 100 + 100 * (all?.length ?? 0)]
    })
    if (all !== undefined) found.push(...all)
    if (all !== undefined && isClosestOnly) break
  }
  return found
}

interface Manifest {
  readonly name: string
  readonly read: (folder: string, text: string) => Dependencies
  /** True if the manifests of the folders above do not count. */
  readonly isClosestOnly: boolean
}

const manifestOf = async (from: string): Promise<Manifest | undefined> => {
  switch (ecosystemOf(from)) {
    case "npm":
      return { name: "package.json", read: readNpm, isClosestOnly: false }
    case "go":
      return { name: "go.mod", read: readGo, isClosestOnly: true }
    case "cargo": {
      const { parse } = await import("smol-toml")
      return { name: "Cargo.toml", read: readCargo(parse), isClosestOnly: false }
    }
    default:
      return undefined
  }
}

const safely = (read: () => Dependencies): Dependencies => {
  try {
    return read()
  } catch {
    // An invalid manifest renames nothing.
    return []
  }
}

/** Finds the longest name at the start of a target. `separator` divides the names. */
const byStart = (all: Dependencies, target: string, separator: string) => {
  const fits = all.filter(([name]) => target === name || target.startsWith(`${name}${separator}`))
  const [first, ...others] = fits
  if (first === undefined) return undefined
  const [name, meaning] = others.reduce((best, one) => (one[0].length > best[0].length ? one : best), first)
  return { meaning, rest: target.slice(name.length) }
}

/** Returns the meaning of a target, and the rest of the target after the name of the package. */
const meaningOf = (from: string, all: Dependencies, target: string) => {
  switch (ecosystemOf(from)) {
    case "npm": {
      if (!target.startsWith("#")) return byStart(all, target, "/")
      const found = ModulePattern.find(all, target)
      if (found === undefined) return undefined
      const fill = (one: string) => ModulePattern.fill(one, found.rest)
      const { package: renamed, path } = found.value
      const meaning: Meaning =
        renamed !== undefined ? { package: fill(renamed) } : path !== undefined ? { path: fill(path) } : found.value
      return { meaning, rest: "" }
    }
    case "go":
      return byStart(all, target, "/")
    case "cargo":
      return byStart(all, target, "::")
    default:
      return undefined
  }
}

/** Returns the path in the repository that a target means by a dependency, with the rest of the target. */
export const localPath = async (
  files: RepositoryFiles,
  at: Commit,
  from: string,
  target: string
): Promise<{ readonly path: string; readonly rest: string } | undefined> => {
  const found = meaningOf(from, await dependenciesOf(files, at, from), target)
  return found?.meaning.path === undefined ? undefined : { path: found.meaning.path, rest: found.rest }
}

/**
 * Returns the imports of a file with the names of packages in place of aliases. An import that can mean a path, which
 * did not lead to a definition, is uncertain.
 */
export const withPackages = async (
  files: RepositoryFiles,
  at: Commit,
  from: string
): Promise<{ readonly rename: (one: Import) => Import; readonly crates: ReadonlyArray<Import> }> => {
  const all = await dependenciesOf(files, at, from)
  const paths = ecosystemOf(from) === "npm" ? await PathAliases.find(files, at, from) : undefined
  const rename = (one: Import): Import => {
    // `use lamp as other` of Rust has the crate as the name.
    const isCrate = ecosystemOf(from) === "cargo" && one.target === ""
    const target = isCrate ? (one.imported ?? "") : one.target
    const found = meaningOf(from, all, target)
    const isPath = found?.meaning.path !== undefined || found?.meaning.isOutside === true
    const isAlias = paths !== undefined && !target.startsWith(".") && PathAliases.resolve(paths, target).isAlias
    const renamed = found?.meaning.package === undefined ? target : `${found.meaning.package}${found.rest}`
    return {
      ...one,
      ...(isCrate ? { imported: renamed } : { target: renamed }),
      ...(isPath || isAlias ? { isUncertain: true as const } : {})
    }
  }
  // Rust needs no import to name a crate.
  const crates = ecosystemOf(from) === "cargo" ? all.filter(([, { package: name }]) => name !== undefined) : []
  return {
    rename,
    crates: crates.map(([local]) => rename({ target: local, imported: "*", local }))
  }
}
