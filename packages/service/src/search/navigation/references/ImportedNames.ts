/** Decides by imports whether a name means a target at the top of another file. Each language has its own rules. */
import * as PathText from "@tongs/core/text/PathText"
import type { Import, Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { familyOf } from "../LanguageFamily.ts"
import { leadsTo, type Meaning, type SearchedFile, type Target } from "./ReferenceQuery.ts"

/** A name outside of the file that defines it. */
interface Name extends SearchedFile {
  readonly occurrence: Occurrence
  readonly target: Target
  readonly imports: ReadonlyArray<Import>
}

/**
 * Returns whether a name is imported by the file, or comes from the file's package or from headers. `declared` are the
 * file's imports.
 */
export const isImported = async (
  occurrence: Occurrence,
  declared: ReadonlyArray<Occurrence>,
  searched: SearchedFile
): Promise<Meaning> => {
  const { file, modules, path, query } = searched
  const [target] = query.definitions
  if (target === undefined) return undefined
  const name: Name = { ...searched, occurrence, target, imports: await modules.importsOf(path, file) }
  switch (familyOf(path)) {
    case "js":
      return isImportedInScript(name, declared)
    case "Python":
      return isImportedInPython(name, declared)
    case "Go":
      return PathText.folderOf(path) === PathText.folderOf(target.path)
    default:
      return query.isOnly ? true : undefined
  }
}

const isImportedInScript = async (
  { file, imports, modules, occurrence: { from, node, role }, path, query, target }: Name,
  declared: ReadonlyArray<Occurrence>
): Promise<Meaning> => {
  const written = file.text.slice(from, node.to)
  const bound = imports.filter(({ exported, imported, local, target: module }) =>
    role === "import" || role === "export"
      ? module !== "" && [exported, imported, local].includes(written)
      : local === written && module !== ""
  )
  for (const one of bound) if (leadsTo(await modules.find(path, one), query.definitions)) return true
  if (declared.length > 0) return false
  // Files that are not modules share their names.
  const isModule = imports.length > 0 || /^export\b/m.test(file.text)
  if (isModule) return bound.length === 0 && path === target.path
  return bound.length === 0 && (query.isOnly || path === target.path) ? true : undefined
}

const isImportedInPython = async (
  { file, imports, modules, occurrence: { from, node }, path, query, target }: Name,
  declared: ReadonlyArray<Occurrence>
): Promise<Meaning> => {
  if (path === target.path) return declared.length === 0
  const written = file.text.slice(from, node.to)
  for (const one of imports) {
    const { imported, local } = one
    if (local !== written && imported !== written && imported !== undefined) continue
    const found = await modules.find(path, imported === undefined ? { ...one, imported: written } : one)
    if (leadsTo(found, query.definitions)) return true
    if (found.length === 0 && hasNameOf(one.target, target.path)) return undefined
  }
  return false
}

/** True if a module that was not found has the last name of a path. */
const hasNameOf = (module: string, path: string): boolean =>
  module.split(/[./:]+/).at(-1) ===
  path
    .replace(/\.\w+$/, "")
    .replace(/\/__init__$/, "")
    .split("/")
    .at(-1)

/** Returns whether a name after a module or package is a target: `module.name`. */
export const isQualified = async (occurrence: Occurrence, searched: SearchedFile): Promise<Meaning> => {
  const { file, modules, path, query } = searched
  const [target] = query.definitions
  const { receiver } = occurrence
  if (receiver === undefined || target === undefined) return false
  const qualifier = SourceFile.textOf(file, receiver)
  const imports = (await modules.importsOf(path, file)).filter(({ local }) => local === qualifier)
  switch (familyOf(path)) {
    case "js":
    case "Python":
      return isInModule({ ...searched, occurrence, target, imports })
    case "Go":
      return isInPackage({ ...searched, occurrence, target, imports })
    case "Rust":
    case "jvm":
      return query.isOnly ? true : undefined
    case "c": {
      const isNamespace =
        qualifier.length > 0 &&
        occurrence.role === "member" &&
        /::\s*$/.test(file.text.slice(receiver.to, occurrence.from))
      return isNamespace && !query.isOnly ? undefined : isNamespace
    }
    default:
      return false
  }
}

/** Returns whether one of the imports is the package of a target in Go. */
const isInPackage = async ({ goTypes, imports, path, target }: Name): Promise<Meaning> => {
  const folder = PathText.folderOf(target.path)
  for (const one of imports) {
    const found = await goTypes.packages.folderOf(path, one.target)
    if (typeof found === "object") return found.folder === folder
    const hasName = folder === "" || one.target.endsWith(`/${PathText.nameOf(folder)}`)
    return found === undefined && hasName ? undefined : false
  }
  return false
}

/** True if one of the imports is a module that exports a target. */
const isInModule = async ({ imports, modules, path, query: { definitions, name } }: Name): Promise<boolean> => {
  for (const one of imports) {
    if (one.target === "") continue
    if (one.imported === "*") {
      if (leadsTo(await modules.find(path, { ...one, imported: name }), definitions)) return true
      continue
    }
    for (const place of await modules.find(path, one)) {
      if (place.kind === "module" && leadsTo(await modules.exported(place.path, name), definitions)) return true
    }
  }
  return false
}
