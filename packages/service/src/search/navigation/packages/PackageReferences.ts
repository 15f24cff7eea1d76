/** Finds the uses of the definitions of a package in files of a repository that imports it. Runs in a worker. */
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as Enclosing from "@tongs/syntax/navigation/Enclosing"
import type { Import, Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { ecosystemOf, keysOf } from "../../packages/ImportedPackages.ts"
import type { DeclaredPackage } from "../../packages/Manifests.ts"
import * as Use from "../definitions/Use.ts"
import * as ImportAliases from "../modules/ImportAliases.ts"
import { Modules } from "../modules/Modules.ts"
import { leadsTo, type Target } from "../references/ReferenceQuery.ts"
import * as UsedLines from "../references/UsedLines.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import * as PackageExports from "./PackageExports.ts"
import * as PackageUses from "./PackageUses.ts"

/** Milliseconds of CPU time, and number of files, to follow the imports of one file. */
const FILE_MILLIS = 500
const FILE_STEPS = 200

/** The uses to find, and the files to search. */
export interface PackageReferenceQuery extends Commit {
  readonly name: string
  readonly files: ReadonlyArray<string>
  /** The repository of the definitions. */
  readonly home: Commit & { readonly declared: DeclaredPackage; readonly definitions: ReadonlyArray<Target> }
}

/** Returns the lines that use the definitions. */
export const find = async (
  files: RepositoryFiles,
  query: PackageReferenceQuery,
  signal: AbortSignal
): Promise<ReadonlyArray<UsedLines.Use>> => {
  const home = new Modules(files, query.home, [query.home.declared.path])
  const own = new Modules(files, query, [])
  const found: Array<UsedLines.Use> = []
  for (const path of query.files) {
    signal.throwIfAborted()
    if (!query.home.declared.key.startsWith(`${ecosystemOf(path)}:`)) continue
    home.restart(FILE_MILLIS, FILE_STEPS)
    own.restart(FILE_MILLIS, FILE_STEPS)
    const file = await files.file(query, path)
    if (file !== undefined) found.push(...(await usesInFile({ path, file, query, home, own })))
  }
  return found
}

interface Searched {
  readonly path: string
  readonly file: SourceFile.SourceFile
  readonly query: PackageReferenceQuery
  readonly home: Modules
  readonly own: Modules
}

const usesInFile = async (searched: Searched): Promise<ReadonlyArray<UsedLines.Use>> => {
  const { file, own, path, query } = searched
  const { crates, rename } = await ImportAliases.withPackages(own.files, own.at, path)
  const imports = [...(await own.importsOf(path, file)).map(rename), ...crates]
  const ofPackage = imports.filter((one) => isOf(searched, PackageUses.ofCrate(one, path)))
  const locals = ofPackage.flatMap(({ imported, local }) =>
    local !== undefined && (imported === query.name || imported === "default") ? [local] : []
  )
  const leads = new Map<string, Promise<boolean>>()
  const isTarget = (use: PackageUses.PackageUse) => {
    const key = JSON.stringify([use.source.target, use.source.imported, use.names])
    const known = leads.get(key) ?? leadsToTarget(searched, use)
    leads.set(key, known)
    return known
  }
  const ranges: Array<TextRange> = []
  const certain = new Set<number>()
  const scopes = new Map<number, string>()
  for (const name of new Set([query.name, ...locals])) {
    const all = SourceFile.occurrences(file, name)
    for (const one of all) {
      if (!isUse(one, all, file)) continue
      const use = Use.make({ file, path, name, all, imports, modules: own }, one, [])
      const uses = PackageUses.of(use, name).filter(({ source }) => isOf(searched, source))
      const found = await Promise.all(uses.map(isTarget))
      if (!found.includes(true)) continue
      if (uses.some(({ source }, at) => found[at] === true && source.isUncertain !== true)) certain.add(one.from)
      ranges.push([one.from, one.from + name.length])
      const scope = Enclosing.functionAround(file, one.node)
      if (scope !== undefined) scopes.set(one.from, scope)
    }
  }
  ranges.sort((a, b) => a[0] - b[0])
  return UsedLines.make(path, file.text, ranges, [], { certain, scopes })
}

/** True if an import can mean the package of the definitions. */
const isOf = ({ path, query: { home } }: Searched, source: Import): boolean =>
  keysOf(path, source).includes(home.declared.key)

/** False for a declaration, a key, and a name that a declaration of the file hides. */
const isUse = (one: Occurrence, all: ReadonlyArray<Occurrence>, file: SourceFile.SourceFile): boolean => {
  if (one.role === "label" || (one.role === "key" && one.isShorthand !== true)) return false
  if (one.declaration !== undefined && one.declaration.level !== "import") return false
  if (one.receiver !== undefined) return true
  return SourceFile.declarationsOf(one, all, file).every(({ declaration }) => declaration?.level === "import")
}

const leadsToTarget = async ({ home, query }: Searched, use: PackageUses.PackageUse): Promise<boolean> => {
  const { declared, definitions } = query.home
  const paths = [...new Set(definitions.map(({ path }) => path))]
  return leadsTo(await PackageExports.findIn(home, { declared, paths, use }), definitions)
}
