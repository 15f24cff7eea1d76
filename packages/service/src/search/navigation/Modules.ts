/** Follows imports to the declarations in other files of the commit. */
import type { Import, Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as ModulePaths from "./ModulePaths.ts"
import * as Place from "./Place.ts"
import type { Commit, RepositoryFiles } from "./RepositoryFiles.ts"
import * as WorkLimit from "./WorkLimit.ts"

/** Maximum number of files that one search follows through modules that pass names on. */
const maxSteps = 60

/** Milliseconds of CPU time after which imports are not followed any further. */
const maxMillis = 400

/** A package of the repository, by its name in imports. */
export interface WorkspacePackage {
  readonly name: string
  readonly folder: string
  /** Paths in the package by what follows its name in imports: `.` for the package itself, with `*` for any names. */
  readonly entries: ReadonlyArray<readonly [string, string]>
}

/** Follows imports in one commit. A new one for each search, because it bounds its steps. */
export class Modules {
  readonly files: RepositoryFiles
  readonly at: Commit
  readonly #packages: ReadonlyArray<string>
  #isOver: WorkLimit.WorkLimit
  readonly #resolved = new Map<string, Promise<string | undefined>>()
  readonly #found = new Map<string, ReadonlyArray<Place.Place>>()
  #steps = 0
  #maxSteps = maxSteps

  constructor(files: RepositoryFiles, at: Commit, packages: ReadonlyArray<string>, millis: number = maxMillis) {
    this.files = files
    this.at = at
    this.#packages = packages
    this.#isOver = WorkLimit.make(millis)
  }

  /** True once the time or the number of files is used up. */
  get isExhausted(): boolean {
    return this.#steps > this.#maxSteps || this.#isOver()
  }

  /** Allows further steps, for the next file. */
  restart(millis: number, steps: number = maxSteps): void {
    this.#steps = 0
    this.#maxSteps = steps
    this.#isOver = WorkLimit.make(millis)
  }

  /** Returns the file of a module. For Rust and Python, use `find`. */
  resolve(from: string, target: string): Promise<string | undefined> {
    const key = target.startsWith(".") ? `${ModulePaths.folderOf(from)} ${target}` : target
    const known = this.#resolved.get(key) ?? this.#resolve(from, target)
    this.#resolved.set(key, known)
    return known
  }

  async #resolve(from: string, target: string): Promise<string | undefined> {
    if (target.startsWith(".")) {
      const base = ModulePaths.join(ModulePaths.folderOf(from), target)
      return base === undefined ? undefined : this.#firstOf(ModulePaths.scriptFiles(base))
    }
    // Folders have aliases such as `@/` and `~/`.
    const alias = /^(?:@|~|#|src)\/(.*)$/.exec(target)?.[1]
    if (alias !== undefined) {
      for (const folder of ModulePaths.foldersAbove(from)) {
        const found = await this.#firstOf(
          ModulePaths.scriptFiles([folder, "src", alias].filter((part) => part !== "").join("/"))
        )
        if (found !== undefined) return found
      }
    }
    for (const path of this.#packages) {
      const known = await this.#packageAt(path)
      if (known === undefined || (target !== known.name && !target.startsWith(`${known.name}/`))) continue
      const rest = target.slice(known.name.length + 1)
      const found = await this.#firstOf(entriesOf(known, rest))
      if (found !== undefined) return found
    }
    return undefined
  }

  #packageAt(path: string): Promise<WorkspacePackage | undefined> {
    return this.files.fact(this.at, path, "package", (text) => [packageOf(path, text), 200])
  }

  async #firstOf(paths: Iterable<string>): Promise<string | undefined> {
    for (const path of paths) if (await this.files.exists(this.at, path)) return path
    return undefined
  }

  /** Finds the declarations that an import means, through modules that pass them on. */
  async find(from: string, one: Import, seen: ReadonlySet<string> = new Set()): Promise<ReadonlyArray<Place.Place>> {
    const key = JSON.stringify([from, one.target, one.imported, one.local])
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const found = await this.#find(from, one, seen)
    if (seen.size === 0 && !this.isExhausted) this.#found.set(key, found)
    return found
  }

  async #find(from: string, one: Import, seen: ReadonlySet<string>): Promise<ReadonlyArray<Place.Place>> {
    for (const path of await this.filesOf(from, one)) {
      const { rest } = path
      if (rest === "" && one.imported !== undefined) {
        const text = await this.files.text(this.at, path.path)
        return text === undefined ? [] : [Place.ofFile(path.path, one.local ?? "", text)]
      }
      const found = await this.exported(path.path, one.imported ?? "", seen)
      if (found.length > 0) return found
    }
    return []
  }

  /** Returns the files that an import can mean. */
  async filesOf(
    from: string,
    { imported, target }: Import
  ): Promise<ReadonlyArray<{ readonly path: string; readonly rest: string }>> {
    if (this.isExhausted) return []
    const extension = from.slice(from.lastIndexOf(".") + 1)
    switch (extension) {
      case "py":
      case "pyi": {
        const module = await this.#firstOf(ModulePaths.pythonFiles(from, target))
        const dotted = target.endsWith(".") ? `${target}${imported}` : `${target}.${imported}`
        const sub =
          imported === undefined || imported === "*"
            ? undefined
            : await this.#firstOf(ModulePaths.pythonFiles(from, dotted))
        return [
          ...(module === undefined ? [] : [{ path: module, rest: imported === "*" ? "" : "name" }]),
          ...(sub === undefined ? [] : [{ path: sub, rest: "" }])
        ]
      }
      case "rs": {
        const isModule = imported === "*" || imported === undefined
        const whole = isModule ? target : `${target}::${imported}`
        const found: Array<{ readonly path: string; readonly rest: string }> = []
        for (const [path, count] of ModulePaths.rustFiles(from, whole)) {
          const left = whole.split("::").length - count
          if (left > (isModule ? 0 : 2) || !(await this.files.exists(this.at, path))) continue
          // A name of the path can be a module in braces or a type in the file.
          found.push({ path, rest: left === 0 && imported !== undefined ? "" : "name" })
        }
        return found
      }
      case "java": {
        const own = await this.files.fact(this.at, from, "java package", (text = "") => [
          /^\s*package\s+([\w.]+)/m.exec(text)?.[1] ?? "",
          40
        ])
        const path = await this.#firstOf(ModulePaths.javaFiles(from, own, target))
        return path === undefined ? [] : [{ path, rest: "name" }]
      }
      default: {
        const path = await this.resolve(from, target)
        return path === undefined ? [] : [{ path, rest: imported === "*" ? "" : "name" }]
      }
    }
  }

  /** Returns the declarations that other files get from a file by a name. */
  async exported(
    path: string,
    name: string,
    seen: ReadonlySet<string> = new Set()
  ): Promise<ReadonlyArray<Place.Place>> {
    const key = `${name} ${path}`
    this.#steps++
    if (this.isExhausted || seen.has(key) || seen.size > 20) return []
    const file = await this.files.file(this.at, path)
    if (file === undefined) return []
    const next = new Set([...seen, key])
    const imports = await this.importsOf(path, file)
    const passed = imports.filter(({ exported }) => exported === name)
    for (const one of passed) {
      const found =
        one.target === ""
          ? await this.declared(path, file, one.imported ?? name, next)
          : await this.find(path, one, next)
      if (found.length > 0) return found
    }
    if (name === "default" && file.rules.names.has("JSXIdentifier")) return this.#defaultOf(path, file)
    const own = await this.declared(path, file, name, next)
    if (own.length > 0) return own
    for (const one of imports) {
      if (one.exported !== "*" || one.target === "") continue
      const found = await this.find(path, { ...one, imported: name }, next)
      if (found.length > 0) return found
    }
    return []
  }

  /** Returns the declarations of a name at the top of a file, or what the file imports by this name. */
  async declared(
    path: string,
    file: SourceFile.SourceFile,
    name: string,
    seen: ReadonlySet<string> = new Set()
  ): Promise<ReadonlyArray<Place.Place>> {
    const all = SourceFile.occurrences(file, name)
    const places = placesOf(
      path,
      name,
      file,
      all.filter(({ declaration }) => declaration?.level === "file")
    )
    if (places.length > 0) return places
    for (const one of await this.importsOf(path, file)) {
      if (one.local !== name || one.target === "") continue
      const found = await this.find(path, one, seen)
      if (found.length > 0) return found
    }
    return []
  }

  async #defaultOf(path: string, file: SourceFile.SourceFile): Promise<ReadonlyArray<Place.Place>> {
    const match =
      /^export default (?:async )?(?:(?:class|function\*?)\s+)?([\w$]+)?/m.exec(file.text) ??
      /^module\.exports\s*=\s*([\w$]+)/m.exec(file.text)
    if (match === null) return []
    const name = match[1]
    const own = name === undefined ? [] : await this.declared(path, file, name)
    if (own.length > 0) return own
    const text = file.text.slice(match.index, match.index + 400).split("\n", 1)[0] ?? ""
    const line = file.text.slice(0, match.index).split("\n").length
    return [{ ...Place.ofFile(path, "default", file.text), text, line, endLine: line }]
  }

  /** Returns the members of a class, structure, object or module with a name that a file declares. */
  async members(path: string, container: string, name: string): Promise<ReadonlyArray<Place.Place>> {
    const file = await this.files.file(this.at, path)
    if (file === undefined) return []
    const all = SourceFile.occurrences(file, name)
    return placesOf(
      path,
      name,
      file,
      all.filter(({ declaration }) => declaration?.container === container)
    )
  }

  /** Returns the imports of a file. */
  importsOf(path: string, file: SourceFile.SourceFile): Promise<ReadonlyArray<Import>> {
    return this.files.fact(this.at, path, "imports", () => {
      const found = SourceFile.imports(file)
      return [found, found.length * 80]
    })
  }
}

/** Returns the places of occurrences that declare the name: definitions, or prototypes if there are no others. */
export const placesOf = (
  path: string,
  name: string,
  file: SourceFile.SourceFile,
  declared: ReadonlyArray<Occurrence>
): ReadonlyArray<Place.Place> => {
  const places = declared.flatMap((one) => Place.make(path, name, file, one) ?? [])
  const definitions = places.filter(({ isPrototype }) => !isPrototype)
  return definitions.length === 0 ? places : definitions
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Reads the name and the entries of a package from its `package.json`. */
const packageOf = (path: string, text: string | undefined): WorkspacePackage | undefined => {
  let read: unknown
  try {
    read = JSON.parse(text ?? "")
  } catch {
    return undefined
  }
  if (!isObject(read) || typeof read.name !== "string") return undefined
  const entries: Array<readonly [string, string]> = []
  const add = (key: string, value: unknown, depth: number): void => {
    if (typeof value === "string") entries.push([key, value])
    else if (isObject(value) && depth < 4) for (const one of Object.values(value)) add(key, one, depth + 1)
  }
  if (isObject(read.exports)) {
    for (const [key, value] of Object.entries(read.exports)) add(key.startsWith(".") ? key : ".", value, 0)
  } else add(".", read.exports, 0)
  for (const field of ["source", "types", "module", "main"]) add(".", read[field], 0)
  return { name: read.name, folder: ModulePaths.folderOf(path), entries: entries.slice(0, 500) }
}

/** Returns the source files that an entry of a package can mean. */
const entriesOf = ({ entries, folder }: WorkspacePackage, rest: string): ReadonlyArray<string> => {
  const key = rest === "" ? "." : `./${rest}`
  const written = entries.flatMap(([pattern, value]) => {
    if (pattern === key) return [value]
    const [start = "", end] = pattern.split("*")
    const fits = end !== undefined && key.startsWith(start) && key.endsWith(end) && key.length >= pattern.length - 1
    return fits ? [value.replace("*", key.slice(start.length, key.length - end.length))] : []
  })
  const sources = rest === "" ? ["src/index", "src/main", "index", "lib/index"] : [`src/${rest}`, rest, `lib/${rest}`]
  const isSource = (path: string) => /(?<!\.d)\.[cm]?tsx?$/.test(path)
  // Other entries name built files, or files that only load them.
  return [...written.filter(isSource), ...sources, ...written.filter((path) => !isSource(path))]
    .flatMap((path) => ModulePaths.join(folder, path) ?? [])
    .flatMap((path) => [path, path.replace(/\b(?:dist|lib|build|out)\//, "src/")])
    .flatMap((path) => ModulePaths.scriptFiles(path))
}
