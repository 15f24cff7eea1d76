/** Finds the files that imports mean, by the rules of each language. */
import * as PathText from "@tongs/core/text/PathText"
import type { Import } from "@tongs/syntax/navigation/Occurrence"
import type { Commit, RepositoryFiles } from "../RepositoryFiles.ts"
import * as ImportAliases from "./ImportAliases.ts"
import * as ModulePaths from "./ModulePaths.ts"
import * as PackageManifest from "./PackageManifest.ts"
import * as PathAliases from "./PathAliases.ts"

/** A file that an import can mean. */
export interface ImportedFile {
  readonly path: string
  /** True if the import means the whole file, as a module, and false if the import means a name in the file. */
  readonly isModule: boolean
}

/** Finds the files of imports in one commit. */
export class ModuleFiles {
  readonly #files: RepositoryFiles
  readonly #at: Commit
  readonly #packages: ReadonlyArray<string>
  readonly #scripts = new Map<string, Promise<string | undefined>>()

  /** `packages` are the paths of the files that describe packages. */
  constructor(files: RepositoryFiles, at: Commit, packages: ReadonlyArray<string>) {
    this.#files = files
    this.#at = at
    this.#packages = packages
  }

  /** Returns the files that an import in a file can mean. */
  find(from: string, one: Import): Promise<ReadonlyArray<ImportedFile>> {
    switch (from.slice(from.lastIndexOf(".") + 1)) {
      case "py":
      case "pyi":
        return this.#python(from, one)
      case "rs":
        return this.#rust(from, one)
      case "java":
        return this.#java(from, one)
      default:
        return this.#script(from, one)
    }
  }

  async #python(from: string, { imported, target }: Import): Promise<ReadonlyArray<ImportedFile>> {
    const isModule = imported === undefined || imported === "*"
    const module = await this.#firstOf(ModulePaths.pythonFiles(from, target))
    const dotted = target.endsWith(".") ? `${target}${imported}` : `${target}.${imported}`
    const submodule = isModule ? undefined : await this.#firstOf(ModulePaths.pythonFiles(from, dotted))
    return [
      ...(module === undefined ? [] : [{ path: module, isModule: imported === "*" }]),
      ...(submodule === undefined ? [] : [{ path: submodule, isModule: true }])
    ]
  }

  async #rust(from: string, { imported, target }: Import): Promise<ReadonlyArray<ImportedFile>> {
    const isModule = imported === "*" || imported === undefined
    const whole = isModule ? target : `${target}::${imported}`
    const found: Array<ImportedFile> = []
    const crate = await ImportAliases.localPath(this.#files, this.#at, from, whole)
    const candidates =
      crate === undefined
        ? ModulePaths.rustFiles(from, whole)
        : ModulePaths.rustFiles(ModulePaths.join(crate.path, "src/lib.rs") ?? "", `crate${crate.rest}`)
    for (const [path, count] of candidates) {
      const left = whole.split("::").length - count
      // A name of the path can be a module in braces or a type in the file.
      if (left > (isModule ? 0 : 2) || !(await this.#files.exists(this.#at, path))) continue
      // A path that begins in the file itself needs a module or type of its first name there.
      if (count === 0 && left > 1 && !(await this.#declares(path, whole.split("::")[0] ?? ""))) continue
      found.push({ path, isModule: left === 0 && imported !== undefined })
    }
    return found
  }

  /** True if a file of Rust declares a module or type. */
  #declares(path: string, name: string): Promise<boolean> {
    return this.#files.fact(this.#at, path, `declares ${name}`, (text = "") => [
      new RegExp(`\\b(?:mod|enum|struct|trait|type|union)\\s+${RegExp.escape(name)}\\b`).test(text),
      1
    ])
  }

  async #java(from: string, { target }: Import): Promise<ReadonlyArray<ImportedFile>> {
    const own = await this.#files.fact(this.#at, from, "java package", (text = "") => [
      /^\s*package\s+([\w.]+)/m.exec(text)?.[1] ?? "",
      40
    ])
    const path = await this.#firstOf(ModulePaths.javaFiles(from, own, target))
    return path === undefined ? [] : [{ path, isModule: false }]
  }

  async #script(from: string, { imported, target }: Import): Promise<ReadonlyArray<ImportedFile>> {
    const key = `${PathText.folderOf(from)} ${target}`
    const finding = this.#scripts.get(key) ?? this.#scriptFile(from, target)
    this.#scripts.set(key, finding)
    const path = await finding
    return path === undefined ? [] : [{ path, isModule: imported === "*" }]
  }

  async #scriptFile(from: string, target: string): Promise<string | undefined> {
    if (target.startsWith(".")) {
      const base = ModulePaths.join(PathText.folderOf(from), target)
      return base === undefined ? undefined : this.#firstOf(ModulePaths.scriptFiles(base))
    }
    const aliased = await this.#aliased(from, target)
    if (aliased !== undefined) return aliased
    // Folders have aliases such as `@/` and `~/`.
    const alias = /^(?:@|~|#|src)\/(.*)$/.exec(target)?.[1]
    if (alias !== undefined) {
      for (const folder of ModulePaths.foldersAbove(from)) {
        const base = [folder, "src", alias].filter((part) => part !== "").join("/")
        const found = await this.#firstOf(ModulePaths.scriptFiles(base))
        if (found !== undefined) return found
      }
    }
    for (const path of this.#packages) {
      const manifest = await this.#manifest(path)
      const found = manifest === undefined ? undefined : await this.#firstOf(PackageManifest.filesOf(manifest, target))
      if (found !== undefined) return found
    }
    return undefined
  }

  #manifest(path: string): Promise<PackageManifest.PackageManifest | undefined> {
    return this.#files.fact(this.#at, path, "package", (text) => [PackageManifest.read(path, text), 200])
  }

  /** Returns the file that an import means by the settings of the project. */
  async #aliased(from: string, target: string): Promise<string | undefined> {
    const { paths } = PathAliases.resolve(await PathAliases.find(this.#files, this.#at, from), target)
    for (const path of paths) {
      const found = await this.#firstOf(ModulePaths.scriptFiles(path))
      if (found !== undefined) return found
    }
    const local = await ImportAliases.localPath(this.#files, this.#at, from, target)
    if (local === undefined) return undefined
    const manifest = await this.#manifest(`${local.path}/package.json`)
    const found =
      manifest === undefined
        ? undefined
        : await this.#firstOf(PackageManifest.filesOf(manifest, `${manifest.name}${local.rest}`))
    return found ?? this.#firstOf(ModulePaths.scriptFiles(`${local.path}${local.rest}`))
  }

  async #firstOf(paths: Iterable<string>): Promise<string | undefined> {
    for (const path of paths) if (await this.#files.exists(this.#at, path)) return path
    return undefined
  }
}
