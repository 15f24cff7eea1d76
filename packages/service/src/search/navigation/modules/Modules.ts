/** Follows imports to the declarations in other files of the commit. */
import type { Import } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as Place from "../Place.ts"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import * as WorkLimit from "../WorkLimit.ts"
import { ModuleFiles } from "./ModuleFiles.ts"

/** Maximum number of files that one search follows through modules that pass names on. */
const MAX_STEPS = 60

/** Milliseconds of CPU time after which imports are not followed any further. */
const MAX_MILLIS = 400

/**
 * Follows imports in one commit. Each search creates a new instance, because an instance bounds the number of steps.
 */
export class Modules {
  readonly files: RepositoryFiles
  readonly at: Commit
  readonly #modules: ModuleFiles
  #isOver: WorkLimit.WorkLimit
  readonly #found = new Map<string, ReadonlyArray<Place.Place>>()
  #steps = 0
  #maxSteps = MAX_STEPS

  constructor(files: RepositoryFiles, at: Commit, packages: ReadonlyArray<string>, millis: number = MAX_MILLIS) {
    this.files = files
    this.at = at
    this.#modules = new ModuleFiles(files, at, packages)
    this.#isOver = WorkLimit.make(millis)
  }

  /** True once the time or the number of files is used up. */
  get isExhausted(): boolean {
    return this.#steps > this.#maxSteps || this.#isOver()
  }

  /** Allows further steps, for the next file. */
  restart(millis: number, steps: number = MAX_STEPS): void {
    this.#steps = 0
    this.#maxSteps = steps
    this.#isOver = WorkLimit.make(millis)
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
    if (this.isExhausted) return []
    for (const { isModule, path } of await this.#modules.find(from, one)) {
      if (isModule) {
        const text = await this.files.text(this.at, path)
        return text === undefined ? [] : [Place.ofFile(path, one.local ?? "", text)]
      }
      const found = await this.exported(path, one.imported ?? "", seen)
      if (found.length > 0) return found
    }
    return []
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
    return file.rules.names.has("JSXIdentifier") ? this.#assignedTo(path, file, name) : []
  }

  /** Returns the declarations of a name at the top of a file, or what the file imports by this name. */
  async declared(
    path: string,
    file: SourceFile.SourceFile,
    name: string,
    seen: ReadonlySet<string> = new Set()
  ): Promise<ReadonlyArray<Place.Place>> {
    const all = SourceFile.occurrences(file, name)
    const places = Place.ofDeclarations(
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
    return [placeAt(path, "default", file.text, match.index)]
  }

  /** Returns the declaration of a name that a CommonJS module assigns to its exports: `exports.name = …`. */
  async #assignedTo(path: string, file: SourceFile.SourceFile, name: string): Promise<ReadonlyArray<Place.Place>> {
    const pattern = `^(?:module\\.)?exports\\.${RegExp.escape(name)}\\s*=\\s*(?!=)(?:([\\w$]+)\\s*(?:;|$))?`
    const match = new RegExp(pattern, "m").exec(file.text)
    if (match === null) return []
    const value = match[1] === undefined ? [] : await this.declared(path, file, match[1])
    const isFunction = /=\s*(?:async\b\s*)?(?:function\b|\()/.test(file.text.slice(match.index, match.index + 300))
    return value.length > 0
      ? value
      : [{ ...placeAt(path, name, file.text, match.index), kind: isFunction ? "function" : "constant" }]
  }

  /** Returns the members of a class, structure, object or module with a name that a file declares. */
  async members(path: string, container: string, name: string): Promise<ReadonlyArray<Place.Place>> {
    const file = await this.files.file(this.at, path)
    if (file === undefined) return []
    const all = SourceFile.occurrences(file, name)
    return Place.ofDeclarations(
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

/** Returns the place of an export without a declaration. */
const placeAt = (path: string, name: string, source: string, from: number): Place.Place => {
  const text = source.slice(from, from + 400).split("\n", 1)[0] ?? ""
  const line = source.slice(0, from).split("\n").length
  return { ...Place.ofFile(path, name, source), text, line, endLine: line }
}
