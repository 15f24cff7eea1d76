/** Finds the uses of definitions in files. Runs in a worker. */
import { setImmediate } from "node:timers/promises"
import type { TextRange } from "@tongs/core/contract/groups/CodeSearch"
import * as Enclosing from "@tongs/syntax/navigation/Enclosing"
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as LineTable from "../../text/LineTable.ts"
import { familyOf } from "../LanguageFamily.ts"
import { Modules } from "../modules/Modules.ts"
import type { RepositoryFiles } from "../RepositoryFiles.ts"
import { GoTypes } from "../types/GoTypes.ts"
import { Types } from "../types/Types.ts"
import * as Aliases from "./Aliases.ts"
import { codeWords } from "./CodeWords.ts"
import * as Exports from "./Exports.ts"
import * as Meaning from "./Meaning.ts"
import * as MemberTypes from "./MemberTypes.ts"
import type { ReferenceQuery, SearchedFile } from "./ReferenceQuery.ts"
import * as UsedLines from "./UsedLines.ts"

/** Files of C above this number are not parsed, because headers and macros give its scopes anyway. */
const MAX_PARSED = 400

/** Milliseconds of CPU time, and number of files, to follow the imports of one file. */
const FILE_MILLIS = 1_500
const FILE_STEPS = 600

/** Milliseconds of work after which other work of the process has a turn. */
const SLICE_MILLIS = 10

/** The lines found. */
export interface Output {
  readonly uses: ReadonlyArray<UsedLines.Use>
  /** Other names by which files pass the definitions on. */
  readonly aliases: ReadonlyArray<string>
}

/** Finds the lines of the files that use the definitions, in the order of the files. */
export const find = async (files: RepositoryFiles, given: ReferenceQuery, signal: AbortSignal): Promise<Output> => {
  const uses: Array<UsedLines.Use> = []
  const aliases = new Set<string>()
  const modules = new Modules(files, given, given.packages, Infinity)
  const types = new Types(modules)
  const goTypes = new GoTypes(modules)
  modules.restart(FILE_MILLIS, FILE_STEPS)
  const query = await MemberTypes.withDeclaredTypes(given, files, types)
  const onlyFile = await Exports.onlyFileOf(query, files)
  let sliceStart = performance.now()
  for (const path of query.files) {
    if (performance.now() - sliceStart > SLICE_MILLIS) {
      await setImmediate()
      sliceStart = performance.now()
    }
    signal.throwIfAborted()
    if (onlyFile !== undefined && path !== onlyFile) continue
    modules.restart(FILE_MILLIS, FILE_STEPS)
    types.restart()
    const file = isParsed(path, query) ? await files.file(query, path) : undefined
    if (file === undefined) uses.push(...(await usesInText(path, query, files)))
    else {
      const searched: SearchedFile = { path, file, query, modules, types, goTypes }
      for (const alias of await Aliases.exportedBy(searched)) aliases.add(alias)
      uses.push(...(await usesInFile(searched)))
    }
  }
  return { uses, aliases: [...aliases] }
}

const isOfOtherFamily = (path: string, { definitions: [first] }: ReferenceQuery): boolean =>
  first !== undefined && familyOf(path) !== familyOf(first.path)

const isParsed = (path: string, query: ReferenceQuery): boolean =>
  !isOfOtherFamily(path, query) &&
  SourceFile.isSupported(path) &&
  (familyOf(path) !== "c" || query.of <= MAX_PARSED || path === query.definitions[0]?.path)

/** Returns the lines with the name in a file that is not parsed. */
const usesInText = async (
  path: string,
  query: ReferenceQuery,
  files: RepositoryFiles
): Promise<ReadonlyArray<UsedLines.Use>> => {
  if (isOfOtherFamily(path, query)) return []
  const text = await files.text(query, path)
  if (text === undefined || !canUse(text, path, query)) return []
  const words = codeWords(path, text, query.name)
  return UsedLines.make(
    path,
    text,
    words.map((from) => [from, from + query.name.length]),
    query.defined
  )
}

/**
 * False if a file without a grammar, such as `.vue`, can hardly use the definitions: the file imports names, but not
 * members.
 */
const canUse = (text: string, path: string, { definitions, name }: ReferenceQuery): boolean => {
  if (definitions.length === 0 || familyOf(path) !== "js") return true
  const imports = new RegExp(`\\b(?:import|require)\\b[^;]{0,2000}?\\b${RegExp.escape(name)}\\b`)
  return definitions.every(({ level }) => level === "file") && imports.test(text)
}

const usesInFile = async (searched: SearchedFile): Promise<ReadonlyArray<UsedLines.Use>> => {
  const { file, path, query } = searched
  const ranges: Array<TextRange> = []
  const certain = new Set<number>()
  const scopes = new Map<number, string>()
  for (const name of await Aliases.localNames(searched)) {
    const all = SourceFile.occurrences(file, name)
    for (const one of all) {
      const meaning = isDefinition(one, searched) ? false : await Meaning.isTarget(one, all, searched)
      if (meaning === false) continue
      ranges.push([one.from, one.from + name.length])
      if (meaning === true) certain.add(one.from)
      const scope = Enclosing.functionAround(file, one.node)
      if (scope !== undefined) scopes.set(one.from, scope)
    }
  }
  ranges.sort((a, b) => a[0] - b[0])
  return UsedLines.make(path, file.text, ranges, familyOf(path) === "c" ? query.defined : [], { certain, scopes })
}

/** True for the declaration itself. An import, and a prototype beside a definition, is a use. */
const isDefinition = (
  { declaration, from, isShorthand, role }: Occurrence,
  { file, path, query: { definitions } }: SearchedFile
): boolean => {
  const isTarget = definitions.some((one) => one.path === path && one.line === LineTable.numberAt(file.text, from))
  if (declaration === undefined || declaration.level === "import" || declaration.isPrototype === true)
    return isTarget && role === "key"
  if (role !== "key" && isShorthand !== true) return true
  // A key of an object, and a name destructured from an object, is also a use of the member that the object's type
  // declares.
  return isTarget || (isShorthand === true && !definitions.some(({ level }) => level === "member"))
}
