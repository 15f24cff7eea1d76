/** Finds the uses of a definition in files. Runs in a worker. */
import { setImmediate } from "node:timers/promises"
import type { SymbolKind, TextRange } from "@tongs/core/contract/CodeSearch"
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as LineTable from "../text/LineTable.ts"
import { familyOf } from "./CandidateOrder.ts"
import { codeWords } from "./CodeWords.ts"
import { Modules } from "./Modules.ts"
import type { Place } from "./Place.ts"
import type { Commit, RepositoryFiles } from "./RepositoryFiles.ts"
import type { Shape } from "./TypeNodes.ts"
import { Types } from "./Types.ts"

/** Maximum characters of a line, and those before its first match. */
const maxWidth = 1_000
const lead = 200

/** Files of C above this number are not parsed, because headers and macros give its scopes anyway. */
const maxParsed = 400

/** Milliseconds of CPU time, and number of files, to follow the imports of one file. */
const fileMillis = 1_500
const fileSteps = 600

/** What to find. */
export interface Input extends Commit {
  readonly name: string
  /** The definitions whose uses are wanted. Empty for all uses of the name. */
  readonly definitions: ReadonlyArray<Target>
  /** True if the name is a member, false if not, undefined if unknown. */
  readonly isMember: boolean | undefined
  readonly files: ReadonlyArray<string>
  /** Total number of files of the search. */
  readonly of: number
  readonly packages: ReadonlyArray<string>
  /** Number of types that declare a member with the name, as far as the index knows. */
  readonly containers: number
  /** Lines that define the name, as `path:line`. */
  readonly defined: ReadonlyArray<string>
}

/** A definition whose uses are wanted. */
export type Target = Pick<Place, "path" | "name" | "line" | "level" | "scope" | "range"> & {
  readonly kind: SymbolKind
}

/** A line that uses the name. */
export interface Use {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly matches: ReadonlyArray<TextRange>
}

/** The lines found. */
export interface Output {
  readonly uses: ReadonlyArray<Use>
  /** Other names by which files pass the definitions on. */
  readonly aliases: ReadonlyArray<string>
}

/** Finds the lines of the files that use the definitions, in the order of the files. */
export const find = async (files: RepositoryFiles, asked: Input, signal: AbortSignal): Promise<Output> => {
  const uses: Array<Use> = []
  const aliases = new Set<string>()
  const modules = new Modules(files, asked, asked.packages, Infinity)
  const types = new Types(modules)
  modules.restart(fileMillis, fileSteps)
  const input = await withTypes(files, asked, types)
  const hidden = await hiddenIn(files, input)
  let sliceStart = performance.now()
  for (const path of input.files) {
    if (performance.now() - sliceStart > 10) {
      await setImmediate()
      sliceStart = performance.now()
    }
    signal.throwIfAborted()
    if (hidden !== undefined && path !== hidden) continue
    modules.restart(fileMillis, fileSteps)
    types.restart()
    uses.push(...(await usesIn(files, input, path, { modules, types }, aliases)))
  }
  return { uses, aliases: [...aliases] }
}

/** Adds the members of declared types to the keys of objects of these types. */
const withTypes = async (files: RepositoryFiles, input: Input, types: Types): Promise<Input> => {
  const others: Array<Target> = []
  for (const one of input.definitions) {
    if (one.level !== "member" || one.scope === undefined || familyOf(one.path) !== "js") continue
    const file = await files.file(input, one.path)
    for (const { name, path } of file === undefined ? [] : await types.named(one.path, file, one.scope)) {
      if (name !== undefined && name !== one.scope) others.push({ ...one, path, scope: name, line: 0 })
    }
  }
  return others.length === 0 ? input : { ...input, definitions: [...input.definitions, ...others] }
}

/** Adds the other names by which a file passes the definitions on: `export { name as other }`. */
const addAliases = async (
  { definitions, name }: Input,
  path: string,
  file: SourceFile.SourceFile,
  modules: Modules,
  aliases: Set<string>
): Promise<void> => {
  for (const one of await modules.importsOf(path, file)) {
    const { exported, imported } = one
    if (imported !== name || exported === undefined || [name, "*", "default"].includes(exported)) continue
    const found = one.target === "" ? await modules.declared(path, file, name) : await modules.find(path, one)
    if (leadsTo(found, definitions)) aliases.add(exported)
  }
}

/** The only file that can use a member, if its type is not exported. */
const hiddenIn = async (files: RepositoryFiles, input: Input): Promise<string | undefined> => {
  const [first, ...others] = input.definitions
  if (first?.level !== "member" || first.scope === undefined || others.length > 0) return undefined
  if (familyOf(first.path) !== "js") return undefined
  const text = await files.text(input, first.path)
  const scope = RegExp.escape(first.scope)
  const isHidden =
    text !== undefined &&
    new RegExp(`^(?:interface|type)\\s+${scope}\\b`, "m").test(text) &&
    !new RegExp(`^export\\s+(?:default\\s+${scope}\\b|(?:type\\s*)?\\{[^}]{0,2000}\\b${scope}\\b)`, "m").test(text)
  return isHidden ? first.path : undefined
}

const usesIn = async (
  files: RepositoryFiles,
  input: Input,
  path: string,
  { modules, types }: Pick<Context, "modules" | "types">,
  aliases: Set<string>
): Promise<ReadonlyArray<Use>> => {
  const { definitions, name } = input
  const [first] = definitions
  if (first !== undefined && familyOf(path) !== familyOf(first.path)) return []
  const isParsed =
    SourceFile.isSupported(path) && (familyOf(path) !== "c" || input.of <= maxParsed || path === first?.path)
  const file = isParsed ? await files.file(input, path) : undefined
  if (file === undefined) {
    const text = await files.text(input, path)
    if (text === undefined || !canUse(text, path, input)) return []
    return linesOf(
      path,
      text,
      codeWords(path, text, name).map((from) => [from, from + name.length]),
      input.defined
    )
  }
  if (first !== undefined && first.level === "file") await addAliases(input, path, file, modules, aliases)
  const names = await namesIn(file, path, input, modules)
  const ranges: Array<TextRange> = []
  for (const own of names) {
    const all = SourceFile.occurrences(file, own)
    const declared = new Map<number, ReadonlyArray<Occurrence>>()
    for (const one of all) {
      if (isDefinition(one, path, file, input)) continue
      if (await means(one, all, { file, path, input, modules, types, declared }))
        ranges.push([one.from, one.from + own.length])
    }
  }
  return linesOf(
    path,
    file.text,
    ranges.sort((a, b) => a[0] - b[0]),
    familyOf(path) === "c" ? input.defined : []
  )
}

/** False if a file without a grammar, such as `.vue`, can hardly use the definitions: it imports names, but not members. */
const canUse = (text: string, path: string, { definitions, name }: Input): boolean => {
  if (definitions.length === 0 || familyOf(path) !== "js") return true
  const imports = new RegExp(`\\b(?:import|require)\\b[^;]{0,2000}?\\b${RegExp.escape(name)}\\b`)
  return definitions.every(({ level }) => level === "file") && imports.test(text)
}

/** True for a declaration itself. An import, and a prototype beside its definition, is a use. */
const isDefinition = (
  { declaration, from, isShorthand, role }: Occurrence,
  path: string,
  { text }: SourceFile.SourceFile,
  { definitions }: Input
): boolean => {
  const isWanted = definitions.some((one) => one.path === path && one.line === lineAt(text, from))
  if (declaration === undefined || declaration.level === "import" || declaration.isPrototype === true)
    return isWanted && role === "key"
  if (role !== "key" && isShorthand !== true) return true
  // A key of an object, and a name taken from it, is also a use of the member that its type declares.
  return isWanted || (isShorthand === true && !definitions.some(({ level }) => level === "member"))
}

/** Returns the name with the other names that imports give it in a file. */
const namesIn = async (
  file: SourceFile.SourceFile,
  path: string,
  { name }: Input,
  modules: Modules
): Promise<ReadonlyArray<string>> => {
  const imports = await modules.importsOf(path, file)
  const aliases = imports.flatMap(({ imported, local }) =>
    imported === name && local !== undefined && local !== name ? [local] : []
  )
  return [...new Set([name, ...aliases])]
}

interface Context {
  readonly file: SourceFile.SourceFile
  readonly path: string
  readonly input: Input
  readonly modules: Modules
  readonly types: Types
  readonly declared: Map<number, ReadonlyArray<Occurrence>>
}

/** True if an occurrence can mean one of the definitions. */
const means = async (one: Occurrence, all: ReadonlyArray<Occurrence>, context: Context): Promise<boolean> => {
  const { file, input, path } = context
  const { definitions } = input
  if (one.role === "label") return false
  const isMember = one.receiver !== undefined || one.role === "key" || one.role === "member"
  if (one.isShorthand === true && definitions.some(({ level }) => level === "member"))
    return (await hasType(one, context)) ?? isLinked(context)
  if (definitions.length === 0)
    return (
      input.isMember === undefined ||
      input.isMember === isMember ||
      isMember === (one.receiver !== undefined && one.role !== "member")
    )
  if (definitions.some(({ level }) => level === "member"))
    return isMember ? meansMember(one, context) : meansEnumMember(one, all, context)
  const local = definitions.find(({ level }) => level === "local")
  if (local !== undefined) {
    if (path !== local.path || isMember) return isShorthandOf(one, local, path)
    const declared = SourceFile.declarationsOf(one, all, file)
    return declared.length === 0 || declared.some(({ from }) => lineAt(file.text, from) === local.line)
  }
  if (isMember) return meansExported(one, context)
  const declared = SourceFile.declarationsOf(one, all, file)
  if (declared.length > 0 && declared.every(({ declaration }) => declaration?.level !== "import")) {
    return (
      definitions.some(
        (target) => target.path === path && declared.some(({ from }) => lineAt(file.text, from) === target.line)
      ) || isSamePackage(context, declared)
    )
  }
  return meansImported(one, declared, context)
}

const isShorthandOf = (one: Occurrence, { path: own, range }: Target, path: string): boolean =>
  path === own && one.role === "value" && one.from >= range[0] && one.from <= range[1]

/** A prototype in another file declares the same function in C. */
const isSamePackage = ({ input, path }: Context, declared: ReadonlyArray<Occurrence>): boolean =>
  familyOf(path) === "c" &&
  declared.every(({ declaration }) => declaration?.isPrototype === true) &&
  input.definitions.length > 0

const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++
  return line
}

/** True for a name that the file imports, or that it gets from its package or from headers. */
const meansImported = async (
  one: Occurrence,
  declared: ReadonlyArray<Occurrence>,
  { file, input, modules, path }: Context
): Promise<boolean> => {
  const { definitions } = input
  const [first] = definitions
  if (first === undefined) return true
  const imports = await modules.importsOf(path, file)
  const name = file.text.slice(one.from, one.node.to)
  switch (familyOf(path)) {
    case "js": {
      const isModule = imports.length > 0 || /^export\b/m.test(file.text)
      const bound = imports.filter(({ exported, imported, local, target }) =>
        one.role === "import" || one.role === "export"
          ? target !== "" && [exported, imported, local].includes(name)
          : local === name && target !== ""
      )
      for (const entry of bound) if (leadsTo(await modules.find(path, entry), definitions)) return true
      return bound.length === 0 && declared.length === 0 && path === first.path
        ? true
        : !isModule && declared.length === 0
    }
    case "Go":
      return folderOf(path) === folderOf(first.path)
    case "Python": {
      if (path === first.path) return declared.length === 0
      const bound = imports.filter(
        ({ imported, local }) => local === name || imported === name || imported === undefined
      )
      if (bound.length === 0) return false
      for (const entry of bound) {
        const found = await modules.find(path, entry.imported === undefined ? { ...entry, imported: name } : entry)
        if (found.length === 0 ? endsAlike(entry.target, first.path) : leadsTo(found, definitions)) return true
      }
      return false
    }
    default:
      return true
  }
}

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")))

/** True if a module that was not found can be the one of a path, by its last name. */
const endsAlike = (target: string, path: string): boolean =>
  target.split(/[./:]+/).at(-1) ===
  path
    .replace(/\.\w+$/, "")
    .replace(/\/__init__$/, "")
    .split("/")
    .at(-1)

const leadsTo = (found: ReadonlyArray<Place>, definitions: ReadonlyArray<Target>): boolean =>
  found.some(({ line, name, path }) =>
    definitions.some((one) => one.path === path && (one.line === line || one.name === name))
  )

/** True for a name after a module or package: `module.name`. */
const meansExported = async (one: Occurrence, { file, input, modules, path }: Context): Promise<boolean> => {
  const { definitions, name } = input
  const [first] = definitions
  if (one.receiver === undefined || first === undefined) return false
  const written = file.text.slice(one.receiver.from, Math.min(one.receiver.to, one.receiver.from + 200))
  const imports = await modules.importsOf(path, file)
  const bound = imports.filter(({ local }) => local === written)
  switch (familyOf(path)) {
    case "js":
    case "Python":
      for (const entry of bound) {
        if (entry.target === "") continue
        if (entry.imported === "*" && leadsTo(await modules.find(path, { ...entry, imported: name }), definitions))
          return true
        for (const place of entry.imported === "*" ? [] : await modules.find(path, entry)) {
          if (place.kind === "module" && leadsTo(await modules.exported(place.path, name), definitions)) return true
        }
      }
      return false
    case "Go":
      return bound.some(
        ({ target }) =>
          folderOf(first.path) === "" ||
          target.endsWith(folderOf(first.path)) ||
          target.endsWith(`/${folderOf(first.path).split("/").at(-1)}`)
      )
    case "Rust":
    case "jvm":
      return true
    default:
      return (
        familyOf(path) === "c" &&
        written.length > 0 &&
        one.role === "member" &&
        /::\s*$/.test(file.text.slice(one.receiver.to, one.from))
      )
  }
}

/** In C, members of enumerations are names like others. */
const meansEnumMember = async (one: Occurrence, all: ReadonlyArray<Occurrence>, context: Context): Promise<boolean> => {
  if (context.input.definitions.every(({ kind }) => kind !== "enum_member")) return false
  return SourceFile.declarationsOf(one, all, context.file).length === 0 && familyOf(context.path) !== "js"
}

/** True for a member whose container can be the one of a definition. */
const meansMember = async (one: Occurrence, context: Context): Promise<boolean> => {
  const { file, input, modules, path } = context
  const { definitions } = input
  const containers = new Set(definitions.map(({ scope }) => scope))
  if (one.receiver === undefined) {
    if (one.declaration !== undefined && one.role !== "key") return containers.has(one.declaration.container)
    return (await hasType(one, context)) ?? isLinked(context)
  }
  const written = file.text.slice(one.receiver.from, Math.min(one.receiver.to, one.receiver.from + 200))
  const last = written.split(/::|\.|->/).at(-1) ?? ""
  if (containers.has(last)) return true
  const imports = await modules.importsOf(path, file)
  const bound = imports.find(({ local }) => local === written)
  if (bound !== undefined) {
    // Members of modules are not members of classes.
    if (bound.imported === "*") return false
    if (containers.has(bound.imported)) return true
  }
  if (definitions.every(({ kind }) => kind === "enum_member"))
    return bound === undefined && !/^[A-Z]/.test(last) && familyOf(path) === "c"
  const known = await hasType(one, context)
  if (known !== undefined) return known
  const type = SourceFile.typeOf(file, one.receiver)
  if (type === undefined) return isLinked(context)
  return containers.has(type) || isRelated(type, containers, context)
}

/** True if the value with a member has a type of the definitions, false if it has another, undefined if unknown. */
const hasType = async (one: Occurrence, { file, input, path, types }: Context): Promise<boolean | undefined> => {
  if (familyOf(path) !== "js") return undefined
  const { definitions } = input
  const parent = one.node.parent
  if (one.receiver !== undefined) return isAmong(await types.shapesOf({ path, file, node: one.receiver }), input, types)
  if (parent?.name === "PatternProperty")
    return isAmong(await types.takenFrom({ path, file, node: one.node }), input, types)
  const object = parent?.name === "Property" ? parent.parent : null
  if (object === null) return undefined
  const expected = await types.expected({ path, file, node: object })
  if (expected.length > 0 && (await isAmong(expected, input, types)) !== true) return false
  if (one.declaration !== undefined && expected.length === 0)
    return definitions.some(({ scope }) => scope === one.declaration?.container)
  if (!(await types.canBe({ path, file, node: object }, definitions))) return false
  if (expected.length > 0) return true
  return input.containers > 1 && Types.isArgument(object) ? false : undefined
}

const isAmong = async (
  shapes: ReadonlyArray<Shape>,
  { definitions }: Input,
  types: Types
): Promise<boolean | undefined> => {
  if (shapes.length === 0 || definitions.every(({ scope }) => scope === undefined)) return undefined
  for (const shape of shapes) {
    for (const { name, path } of [shape, ...(await types.bases(shape))])
      if (definitions.some((one) => one.scope === name && one.path === path)) return true
  }
  return false
}

/** True if a type extends or implements one of the containers, or the other way round. */
const isRelated = async (
  type: string,
  containers: ReadonlySet<string | undefined>,
  context: Context
): Promise<boolean> => {
  const { file, input, modules, path } = context
  const names = (head: string, name: string) => new RegExp(`\\b${RegExp.escape(name)}\\b`).test(head)
  const declared = await modules.declared(path, file, type)
  for (const { text } of declared) {
    for (const one of containers) if (one !== undefined && names(text, one)) return true
  }
  for (const target of input.definitions) {
    const other = target.scope === undefined ? undefined : await modules.files.file(modules.at, target.path)
    if (other === undefined) continue
    const head = new RegExp(`\\b(?:class|interface|type)\\s+${RegExp.escape(target.scope ?? "")}\\b[^{]{0,300}`)
    if (names(head.exec(other.text)?.[0] ?? "", type)) return true
  }
  return declared.length === 0 && isLinked(context)
}

/** True if a value of the definition's container can be in a file, although its type is not written there. */
const isLinked = async ({ file, input, modules, path }: Context): Promise<boolean> => {
  const { definitions } = input
  if (definitions.length === 0 || definitions.some((one) => one.path === path) || familyOf(path) !== "js") return true
  for (const { path: own, scope } of definitions) {
    if (scope !== undefined && !(await isExported(scope, own, modules))) continue
    if (input.containers <= 1) return true
    // Without the name of the type, values of it come only by inference.
    if (scope !== undefined && !SourceFile.wordsIn(file.text, scope).next().done) return true
  }
  return false
}

/** True if other files can name a type or value of a file. */
const isExported = (name: string, path: string, modules: Modules): Promise<boolean> =>
  modules.files.fact(modules.at, path, `exports ${name}`, (text = "") => {
    const own = RegExp.escape(name)
    const before = `\\bexport\\b[^\\n;=({]{0,200}\\b${own}\\b`
    const list = `\\bexport\\s*(?:type\\s*)?\\{[^}]{0,5000}\\b${own}\\b`
    const required = `exports\\b[^;]{0,500}\\b${own}\\b`
    return [new RegExp(`${before}|${list}|${required}|\\bdeclare\\b`).test(text), 1]
  })

const linesOf = (
  path: string,
  text: string,
  ranges: ReadonlyArray<TextRange>,
  defined: ReadonlyArray<string>
): ReadonlyArray<Use> => {
  if (ranges.length === 0) return []
  const table = LineTable.make(text)
  const lines = new Map<number, Array<TextRange>>()
  for (const range of ranges) {
    const line = LineTable.at(table, range[0])
    const known = lines.get(line)
    if (known === undefined) lines.set(line, [range])
    else known.push(range)
  }
  const own = new Set(defined)
  return [...lines].flatMap(([line, matches]) => {
    if (own.has(`${path}:${line}`)) return []
    const { end, start } = LineTable.line(table, line)
    const first = matches[0]?.[0] ?? start
    const from = end - start <= maxWidth ? start : Math.max(start, first - lead)
    const to = Math.min(end, from + maxWidth)
    const shown = matches.flatMap(([a, b]): ReadonlyArray<TextRange> =>
      a >= from && b <= to ? [[a - from, b - from]] : []
    )
    return [{ path, line, text: text.slice(from, to), matches: shown }]
  })
}
