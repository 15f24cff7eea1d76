/** The aliases of modules that `tsconfig.json` and `jsconfig.json` declare. */
import * as PathText from "@tongs/core/text/PathText"
import { record, texts } from "../../packages/ManifestValues.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import * as ModulePaths from "./ModulePaths.ts"
import * as ModulePattern from "./ModulePattern.ts"

/** Maximum length of a file, number of patterns, of paths of each, and of other files that one file names. */
const MAX_LENGTH = 100_000
const MAX_PATTERNS = 500
const MAX_TARGETS = 10
const MAX_OTHERS = 8

/** Maximum number of files that are read for one, and their depth. */
const MAX_FILES = 20
const MAX_DEPTH = 5

/** The aliases of a file of TypeScript or JavaScript. */
export interface PathAliases {
  readonly patterns: ReadonlyArray<readonly [pattern: string, targets: ReadonlyArray<string>]>
  /** Folder to which the targets are relative. Undefined outside of the repository. */
  readonly folder: string | undefined
  /** Folder from which other modules can be imported by their paths. */
  readonly baseUrl: string | undefined
}

/** The settings of one file. */
interface Config extends Partial<Pick<PathAliases, "patterns" | "baseUrl">> {
  readonly folder: string
  /** Paths of the files that this one extends, and of the projects that it refers to. */
  readonly extended: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
}

const none: PathAliases = { patterns: [], folder: "", baseUrl: undefined }

/** Returns the aliases of a file: those of the closest configuration above it. */
export const find = async (files: RepositoryFiles, at: Commit, from: string): Promise<PathAliases> => {
  let left = MAX_FILES
  const readNext: Read = async (path) => (left-- > 0 ? read(files, at, path) : undefined)
  for (const folder of ModulePaths.foldersAbove(from)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const config = await read(files, at, ModulePaths.join(folder, name) ?? name)
      if (config !== undefined) return ofConfig(readNext, config, MAX_DEPTH)
    }
  }
  return none
}

/**
 * Returns the paths in the repository that an import can mean. `isAlias` is true if a pattern fits, also without a path
 * in the repository.
 */
export const resolve = (
  { baseUrl, folder, patterns }: PathAliases,
  target: string
): { readonly paths: ReadonlyArray<string>; readonly isAlias: boolean } => {
  const found = ModulePattern.find(patterns, target)
  const aliases = (found?.value ?? []).flatMap((one) =>
    folder === undefined ? [] : (ModulePaths.join(folder, ModulePattern.fill(one, found?.rest ?? "")) ?? [])
  )
  const plain = baseUrl === undefined ? undefined : ModulePaths.join(baseUrl, target)
  return {
    paths: [...aliases, ...(plain === undefined ? [] : [plain])],
    isAlias: found !== undefined && found.key !== "*"
  }
}

/** Reads a configuration. Undefined for a missing or invalid file, or after too many files. */
type Read = (path: string) => Promise<Config | undefined>

const ofConfig = async (read: Read, config: Config, depth: number): Promise<PathAliases> => {
  let { baseUrl, patterns } = config
  let folder: string | undefined = baseUrl ?? config.folder
  for (const path of depth === 0 ? [] : config.extended.toReversed()) {
    if (patterns !== undefined && baseUrl !== undefined) break
    const other = await read(path)
    if (other === undefined) continue
    const extended = await ofConfig(read, other, depth - 1)
    if (patterns === undefined && extended.patterns.length > 0) {
      ;({ folder, patterns } = extended)
    } else if (baseUrl === undefined && extended.baseUrl !== undefined) folder = extended.baseUrl
    baseUrl ??= extended.baseUrl
  }
  if (patterns !== undefined || baseUrl !== undefined) return { patterns: patterns ?? [], folder, baseUrl }
  // A file of a solution has no settings of its own.
  for (const path of depth === 0 ? [] : config.references) {
    const other = await read(path)
    const referenced = other === undefined ? none : await ofConfig(read, other, depth - 1)
    if (referenced.patterns.length > 0 || referenced.baseUrl !== undefined) return referenced
  }
  return none
}

const read = (files: RepositoryFiles, at: Commit, path: string): Promise<Config | undefined> =>
  files.fact(at, path, "tsconfig", (text) => {
    const config = text === undefined || text.length > MAX_LENGTH ? undefined : parse(PathText.folderOf(path), text)
    return [config, 100 + 100 * (config?.patterns?.length ?? 0)]
  })

/** Returns a text or a list of texts, up to a maximum number. */
const listOf = (value: unknown, most: number): ReadonlyArray<string> =>
  texts(Array.isArray(value) ? value : [value]).slice(0, most)

const parse = (folder: string, text: string): Config | undefined => {
  let json: Readonly<Record<string, unknown>>
  try {
    json = record(JSON.parse(withoutComments(text)))
  } catch {
    return undefined
  }
  const options = record(json["compilerOptions"])
  const base = options["baseUrl"]
  const baseUrl = typeof base === "string" ? ModulePaths.join(folder, base) : undefined
  const patterns =
    options["paths"] === undefined
      ? undefined
      : Object.entries(record(options["paths"]))
          .slice(0, MAX_PATTERNS)
          .map(([pattern, value]) => [pattern, listOf(value, MAX_TARGETS)] as const)
  // A package can be extended, too, but is not in the repository.
  const extended = listOf(json["extends"], MAX_OTHERS).filter((one) => one.startsWith("."))
  const references = Array.isArray(json["references"]) ? json["references"].map((one) => record(one)["path"]) : []
  const fileOf = (path: string) => ModulePaths.join(folder, path.endsWith(".json") ? path : `${path}.json`) ?? []
  const projectOf = (path: string) =>
    ModulePaths.join(folder, path.endsWith(".json") ? path : `${path}/tsconfig.json`) ?? []
  return {
    folder,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(patterns === undefined ? {} : { patterns }),
    extended: extended.flatMap(fileOf),
    references: listOf(references, MAX_OTHERS).flatMap(projectOf)
  }
}

/** Removes comments and commas at the end of lists from JSON. Texts and comments without an end end with the line or file. */
const withoutComments = (text: string): string =>
  text
    .replace(/("(?:\\.|[^"\\\n])*"?)|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)/g, "$1")
    .replace(/("(?:\\.|[^"\\\n])*"?)|,(?=\s*[}\]])/g, "$1")
    .replace(/^\uFEFF/, "")
