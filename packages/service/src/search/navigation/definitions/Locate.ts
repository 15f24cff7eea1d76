/**
 * Finds the meaning of a name at a position: by scopes in the same file, and by imports in other files. Runs in a
 * worker.
 */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as LineTable from "../../text/LineTable.ts"
import * as ImportAliases from "../modules/ImportAliases.ts"
import * as Includes from "../modules/Includes.ts"
import { Modules } from "../modules/Modules.ts"
import type { Place } from "../Place.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import * as Declarations from "./Declarations.ts"
import * as Use from "./Use.ts"

/** The position of a name in a file of a commit. */
export interface Position extends Commit {
  readonly path: string
  readonly name: string
  /** Line from 1, and column in UTF-16 code units from 0. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** Paths of the files that describe packages of the repository. */
  readonly packages: ReadonlyArray<string>
}

/** The meaning of a name at a position. */
export interface Located {
  /** The name, and the names that it has in other files. */
  readonly names: ReadonlyArray<string>
  /** Declarations to which scopes and imports lead. */
  readonly found: ReadonlyArray<Place>
  /** True if no other declaration can be meant. */
  readonly isFinal: boolean
  /** True if the position declares the name. */
  readonly isDeclaration: boolean
  readonly use: Use.Use | undefined
  /** True if the time was not enough to parse the file or to follow its imports. */
  readonly isIncomplete?: boolean
}

/** Finds the meaning of a name at a position. */
export const locate = async (files: RepositoryFiles, position: Position): Promise<Located> => {
  const { name, path } = position
  const file = await files.file(position, path)
  const modules = new Modules(files, position, position.packages)
  if (file === undefined) return { names: [name], found: [], isFinal: false, isDeclaration: false, use: undefined }
  const all = SourceFile.occurrences(file, name)
  const own = closest(all, file, position)
  const imports = await modules.importsOf(path, file)
  const context: Use.UseContext = { file, path, name, all, imports, modules }
  const found = own === undefined ? [] : await Declarations.find(context, own)
  const includes = file.language === "cpp" ? await Includes.closure(files, position, path) : []
  const isIncomplete = found.length === 0 && (!file.isComplete || modules.isExhausted)
  const use = await withPackages(context, Use.make(context, own, includes))
  return {
    names: namesOf(name, found, use),
    found,
    isFinal: found.length > 0 && found.every(({ level }) => level === "local"),
    ...(isIncomplete ? { isIncomplete } : {}),
    isDeclaration: own?.declaration !== undefined && own.declaration.level !== "import",
    use
  }
}

/** Replaces the aliases of packages, after the imports did not lead to a definition in the repository. */
const withPackages = async ({ modules: { at, files }, path }: Use.UseContext, use: Use.Use): Promise<Use.Use> => {
  const { crates, rename } = await ImportAliases.withPackages(files, at, path)
  const { imports, source } = use
  return {
    ...use,
    imports: [...imports.map(rename), ...crates],
    source: source === undefined ? undefined : rename(source)
  }
}

/** Returns the occurrence at a position: the closest in its line. */
const closest = (
  all: ReadonlyArray<Occurrence>,
  { text }: SourceFile.SourceFile,
  { column = 0, line }: Position
): Occurrence | undefined => {
  if (line === undefined) return undefined
  const { end, start } = LineTable.line(LineTable.make(text), line)
  const offset = start + column
  const inLine = all.filter(({ from }) => from >= start && from < end)
  return inLine.toSorted((a, b) => Math.abs(a.from - offset) - Math.abs(b.from - offset))[0]
}

const namesOf = (name: string, found: ReadonlyArray<Place>, { source }: Use.Use): ReadonlyArray<string> => {
  const names = new Set([name, ...found.map((place) => place.name), source?.imported ?? name])
  return [...names].filter((one) => !/^(?:\*|default|)$/.test(one))
}
