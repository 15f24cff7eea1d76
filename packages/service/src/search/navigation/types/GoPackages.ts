/** The packages of Go in a commit: the folders of imports, and the declarations in all files of a folder. */
import * as PathText from "@tongs/core/text/PathText"
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as ImportAliases from "../modules/ImportAliases.ts"
import * as ModulePaths from "../modules/ModulePaths.ts"
import type { Modules } from "../modules/Modules.ts"

/** A declaration in a file. */
export interface Declared {
  readonly path: string
  readonly file: SourceFile.SourceFile
  readonly occurrence: Occurrence
}

/** Finds packages within the bounds of `modules`. */
export class GoPackages {
  readonly #modules: Modules
  readonly #found = new Map<string, ReadonlyArray<Declared>>()

  constructor(modules: Modules) {
    this.#modules = modules
  }

  get isExhausted(): boolean {
    return this.#modules.isExhausted
  }

  /** Returns the package that a file imports by a name. Undefined if no import binds the name. */
  async imported(path: string, file: SourceFile.SourceFile, name: string): Promise<string | undefined> {
    const imports = await this.#modules.importsOf(path, file)
    return imports.find(({ imported, local }) => imported === "*" && local === name)?.target
  }

  /**
   * Returns the folder of a package that a file imports: `outside` for a package outside of the repository, undefined if
   * no go.mod is above the file.
   */
  async folderOf(from: string, target: string): Promise<{ readonly folder: string } | "outside" | undefined> {
    const { at, files } = this.#modules
    const replaced = await ImportAliases.localPath(files, at, from, target)
    const local = replaced === undefined ? undefined : ModulePaths.join(replaced.path, `.${replaced.rest}`)
    if (local !== undefined) return { folder: local }
    let hasModule = false
    for (const folder of ModulePaths.foldersAbove(from)) {
      const path = folder === "" ? "go.mod" : `${folder}/go.mod`
      const module = await files.fact(at, path, "go module", (text = "") => [
        /^module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? "",
        60
      ])
      hasModule ||= module !== ""
      if (module === "" || (target !== module && !target.startsWith(`${module}/`))) continue
      const found = ModulePaths.join(folder, target.slice(module.length))
      if (found !== undefined) return { folder: found }
    }
    return hasModule ? "outside" : undefined
  }

  /** Returns the declarations of a name in a package: at the top of files, and members of types. */
  async declared(folder: string, name: string): Promise<ReadonlyArray<Declared>> {
    const key = `${name} ${folder}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const { at, files } = this.#modules
    const found: Array<Declared> = []
    for (const path of await files.folder(at, folder)) {
      if (!path.endsWith(".go") || this.isExhausted) continue
      const text = await files.text(at, path)
      if (text === undefined || SourceFile.wordsIn(text, name).next().done === true) continue
      const file = await files.file(at, path)
      for (const occurrence of file === undefined ? [] : SourceFile.occurrences(file, name)) {
        const level = occurrence.declaration?.level
        if (file !== undefined && (level === "file" || level === "member")) found.push({ path, file, occurrence })
      }
    }
    if (!this.isExhausted) this.#found.set(key, found)
    return found
  }

  /** Returns the declarations of a name at the top of the files of a package. */
  async atTop(folder: string, name: string): Promise<ReadonlyArray<Declared>> {
    const all = await this.declared(folder, name)
    return all.filter(
      ({ occurrence: { declaration } }) => declaration?.level === "file" && declaration.kind !== "module"
    )
  }

  /** Returns the declarations of a name at the top of the package that a file belongs to. */
  inPackageOf(path: string, name: string): Promise<ReadonlyArray<Declared>> {
    return this.atTop(PathText.folderOf(path), name)
  }
}
