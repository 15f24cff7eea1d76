/** Finds the meaning of a name at a position: by scopes in its file, and by imports in others. Runs in a worker. */
import type { Import, Occurrence, Role } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as LineTable from "../text/LineTable.ts"
import * as Includes from "./Includes.ts"
import { Modules, placesOf } from "./Modules.ts"
import type { Place } from "./Place.ts"
import type { Commit, RepositoryFiles } from "./RepositoryFiles.ts"

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

/** The facts about a use that decide which definitions it can mean. */
export interface Use {
  readonly path: string
  readonly role: Role | undefined
  readonly isCall: boolean
  readonly tag: string | undefined
  /** True for a name after a dot, an arrow or `::`, and for a key. */
  readonly isMember: boolean
  /** Name of the type, or of the package, before the dot. */
  readonly container: string | undefined
  /** Names before the last dot. */
  readonly qualifier: ReadonlyArray<string>
  /** The import by which the name, or the name before the dot, comes into the file. */
  readonly source: Import | undefined
  readonly imports: ReadonlyArray<Import>
  /** Files that the file includes, directly or by means of others. */
  readonly includes: ReadonlyArray<string>
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
  readonly use: Use | undefined
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
  const own = at(file, all, position)
  const imports = await modules.importsOf(path, file)
  const context: Context = { file, path, name, all, imports, modules }
  const source = own === undefined ? undefined : sourceOf(context, own)
  const found = own === undefined ? [] : await meaningOf(context, own)
  const includes = file.language === "cpp" ? await Includes.closure(files, position, path) : []
  const isIncomplete = found.length === 0 && (!file.isComplete || modules.isExhausted)
  const isLocal = found.length > 0 && found.every(({ level }) => level === "local")
  return {
    names: [...new Set([name, ...found.map((place) => place.name), source?.imported ?? name])].filter(
      (one) => !/^(?:\*|default|)$/.test(one)
    ),
    found,
    isFinal: isLocal,
    ...(isIncomplete ? { isIncomplete } : {}),
    isDeclaration: own?.declaration !== undefined && own.declaration.level !== "import",
    use: {
      path,
      role: own?.role,
      isCall: own?.isCall === true,
      tag: own?.tag,
      isMember:
        own?.receiver !== undefined ||
        own?.role === "key" ||
        own?.role === "member" ||
        own?.declaration?.level === "member",
      container: own === undefined ? undefined : containerOf(context, own),
      qualifier: qualifierOf(context, own),
      source,
      imports,
      includes
    }
  }
}

type SyntaxNode = Occurrence["node"]

interface Context {
  readonly file: SourceFile.SourceFile
  readonly path: string
  readonly name: string
  readonly all: ReadonlyArray<Occurrence>
  readonly imports: ReadonlyArray<Import>
  readonly modules: Modules
}

/** Returns the occurrence at a position: the closest in its line. */
const at = (
  { text }: SourceFile.SourceFile,
  all: ReadonlyArray<Occurrence>,
  { column, line }: Position
): Occurrence | undefined => {
  if (line === undefined) return undefined
  const { end, start } = LineTable.line(LineTable.make(text), line)
  const offset = start + (column ?? 0)
  const inLine = all.filter(({ from }) => from >= start && from < end)
  return inLine.toSorted((a, b) => Math.abs(a.from - offset) - Math.abs(b.from - offset))[0]
}

const textOf = ({ text }: SourceFile.SourceFile, node: SyntaxNode) =>
  text.slice(node.from, Math.min(node.to, node.from + 200))

/** Returns the import that binds a name, or the module before the dot of a member. */
const sourceOf = ({ file, imports, name }: Context, own: Occurrence): Import | undefined => {
  if (own.receiver !== undefined) {
    const written = textOf(file, own.receiver)
    return imports.find(({ local }) => local === written)
  }
  if (own.role === "key" || own.declaration?.level === "member") return undefined
  if (own.role === "import" || own.role === "export")
    return imports.find(({ exported, imported, local }) => imported === name || local === name || exported === name)
  return imports.find(({ local, target }) => local === name && target !== "")
}

/** Returns the container of a member: the declared one, or the type before the dot. */
const containerOf = ({ file }: Context, own: Occurrence): string | undefined => {
  if (own.declaration?.container !== undefined) return own.declaration.container
  if (own.receiver === undefined) return undefined
  const written = textOf(file, own.receiver)
  if (/^super\b/.test(written)) return baseAt(file, own)
  const type = SourceFile.typeOf(file, own.receiver)
  if (type !== undefined) return type
  const last = /(\w+)$/.exec(written)?.[1]
  return last !== undefined && /^[A-Z]/.test(last) ? last : undefined
}

const qualifierOf = ({ file }: Context, own: Occurrence | undefined): ReadonlyArray<string> => {
  if (own?.receiver === undefined) return []
  const parent = own.node.parent
  const start = parent !== null && parent.name.startsWith("Scoped") ? parent.from : own.receiver.from
  return file.text.slice(start, Math.min(own.receiver.to, start + 200)).match(/[A-Za-z_]\w*/g) ?? []
}

/** Returns the class that the class around an occurrence extends. */
const baseAt = (file: SourceFile.SourceFile, own: Occurrence): string | undefined => {
  const name = file.rules.selfAt(own.node, file.text)
  if (name === undefined) return undefined
  const declared = SourceFile.occurrences(file, name).find(({ declaration }) => declaration?.kind === "class")
  return declared === undefined ? undefined : baseIn(file.text, name, declared.from)
}

const meaningOf = async (context: Context, own: Occurrence): Promise<ReadonlyArray<Place>> => {
  const { all, file, imports, modules, name, path } = context
  const { declaration } = own
  if (declaration !== undefined && declaration.level !== "import") {
    const same = declaration.level === "member" ? [own] : SourceFile.declarationsOf(own, all)
    const places = placesOf(path, name, file, same.length === 0 ? [own] : same)
    return places.every(({ isPrototype }) => isPrototype) ? [] : places
  }
  if (own.role === "key") return []
  if (own.receiver !== undefined) return memberOf(context, own, own.receiver)
  if (own.role === "import" || own.role === "export") {
    const one = sourceOf(context, own)
    if (one === undefined) return []
    return one.target === "" ? modules.declared(path, file, one.imported ?? name) : modules.find(path, one)
  }
  const declared = SourceFile.declarationsOf(own, all, file)
  if (declared.some((one) => one.declaration?.level === "import")) {
    for (const one of imports) {
      if (one.local !== name || one.target === "") continue
      const found = await modules.find(path, one)
      if (found.length > 0) return found
    }
    return []
  }
  if (declared.length > 0) {
    const places = placesOf(path, name, file, declared)
    return places.every(({ isPrototype }) => isPrototype) ? [] : places
  }
  for (const one of imports) {
    if (one.imported !== undefined || one.target === "" || file.language === "cpp") continue
    const found = await modules.find(path, { ...one, imported: name })
    if (found.length > 0) return found
  }
  return []
}

/** Returns the declarations of a member: in the module, class or structure that is before the dot. */
const memberOf = async (context: Context, own: Occurrence, receiver: SyntaxNode): Promise<ReadonlyArray<Place>> => {
  const { file, name } = context
  const parent = own.node.parent
  const start =
    file.language === "rust" && parent !== null && parent.name.startsWith("Scoped") ? parent.from : receiver.from
  const written = file.text.slice(start, Math.min(receiver.to, start + 300))
  if (/^[\w$]+(?:(?:\.|::)[\w$]+)*$/.test(written) && !isHidden(context, /^[\w$]+/.exec(written)?.[0] ?? "", start)) {
    const found = await alongPath(context, [...written.split(/\.|::/), name])
    if (found.length > 0) return found
  }
  const container = containerOf(context, own)
  return container === undefined ? [] : membersOf(context, container)
}

/** Follows a path of names from the imports of the file: of modules, and of types in them. */
const alongPath = async (
  { file, imports, modules, path }: Context,
  names: ReadonlyArray<string>
): Promise<ReadonlyArray<Place>> => {
  const last = names.length - 1
  for (let count = last; count > 0; count--) {
    const local = names.slice(0, count).join(".")
    for (const one of imports) {
      if (one.local !== local || one.target === "") continue
      const [next = "", ...rest] = names.slice(count)
      const starts =
        one.imported === "*"
          ? await modules.find(path, { ...one, imported: next })
          : await inPlaces(modules, await modules.find(path, one), next)
      const found = await walk(modules, starts, rest)
      if (found.length > 0) return found
    }
  }
  if (file.language === "rust") {
    const found = await modules.find(path, {
      target: names.slice(0, -1).join("::"),
      imported: names[last],
      local: undefined
    })
    if (found.length > 0) return found
  }
  const [first = "", ...rest] = names
  // A class of this file, or of a file of the same package.
  const types = await modules.declared(path, file, first)
  const others =
    types.length === 0 && file.language === "java"
      ? await modules.exported(`${folderOf(path)}${first}.java`, first)
      : types
  return walk(modules, others, rest)
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1)

const walk = async (
  modules: Modules,
  from: ReadonlyArray<Place>,
  names: ReadonlyArray<string>
): Promise<ReadonlyArray<Place>> => {
  let places = from
  for (const name of names.slice(0, 20)) places = await inPlaces(modules, places, name)
  return places
}

/** Returns the declarations that a name means in modules or types. */
const inPlaces = async (
  modules: Modules,
  places: ReadonlyArray<Place>,
  name: string
): Promise<ReadonlyArray<Place>> => {
  for (const place of places.slice(0, 4)) {
    const isType = place.kind !== "module" && place.kind !== "function" && place.kind !== "macro"
    const found =
      place.kind === "module"
        ? await modules.exported(place.path, name)
        : isType
          ? await modules.members(place.path, place.name, name)
          : []
    if (found.length > 0) return found
  }
  return []
}

/** Returns the members of a type by its name in a file, with those of the types that it extends. */
const membersOf = async (
  { all, file, modules, name, path }: Context,
  container: string
): Promise<ReadonlyArray<Place>> => {
  const here = all.filter(({ declaration }) => declaration?.container === container)
  if (here.length > 0) return placesOf(path, name, file, here)
  for (const place of await modules.declared(path, file, container)) {
    const found = await modules.members(place.path, place.name, name)
    if (found.length > 0) return found
    const other = await modules.files.file(modules.at, place.path)
    const base = other === undefined ? undefined : baseOf(other, place)
    if (other === undefined || base === undefined || base === container) continue
    for (const parent of await modules.declared(place.path, other, base)) {
      const inherited = await modules.members(parent.path, parent.name, name)
      if (inherited.length > 0) return inherited
    }
  }
  return []
}

/** Returns the name of the class that a class extends, from its first line. */
const baseOf = ({ text }: SourceFile.SourceFile, { line, name }: Place): string | undefined =>
  baseIn(text, name, LineTable.line(LineTable.make(text), line).start)

const baseIn = (text: string, name: string, from: number): string | undefined => {
  const head = text.slice(from, from + 300)
  const pattern = `\\b${RegExp.escape(name)}\\b[^{(]*?(?:\\bextends\\s+([\\w.]+)|\\(\\s*([\\w.]+))`
  const [, extended, based] = new RegExp(pattern).exec(head) ?? []
  return (extended ?? based)?.split(".").at(-1)
}

/** True if a local declaration hides an import of the same name. */
const isHidden = ({ file }: Context, name: string, from: number): boolean => {
  const all = SourceFile.occurrences(file, name)
  const use = all.findLast((one) => one.from <= from)
  const declared = use === undefined ? [] : SourceFile.declarationsOf(use, all)
  return declared.length > 0 && declared.every((one) => one.declaration?.level === "local")
}
