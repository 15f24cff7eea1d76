import { languageOf } from "../../git/values/Languages.ts"

/** Maximum length of the text to search for imports, which are at the top of a file. */
const MAX_LENGTH = 64 * 1024

/** Maximum number of imports per file. Only generated files have more. */
const MAX_IMPORTS = 500

/** Rules to find the files that a file imports. */
interface Rules {
  /** Prefix of the keys. Languages that import each other's files share a family. */
  readonly family: string
  /** Finds imports: each match has the target in one of the groups. */
  readonly regex: RegExp
  /**
   * Returns the path of a target, without extension if imports omit the extension, or undefined if the target names no
   * file.
   */
  readonly path: (target: string, folder: ReadonlyArray<string>) => ReadonlyArray<string> | undefined
  /** True if a file is also imported by name alone, from the folders that the compiler searches. */
  readonly byName: boolean
  /** Returns the path by which other files import a file. */
  readonly imported: (path: ReadonlyArray<string>) => ReadonlyArray<string>
}

/**
 * Returns the keys of the files that a file imports, includes or requires. A key has the last one or two names of a path,
 * because the index does not know the search path of the compiler. Empty for a language without rules.
 */
export const importsOf = (path: string, text: string): ReadonlyArray<string> => {
  const rules = rulesOf(path)
  if (rules === undefined) return []
  const folder = path.split("/").slice(0, -1)
  const keys = new Set<string>()
  for (const match of text.slice(0, MAX_LENGTH).matchAll(rules.regex)) {
    const target = match.slice(1).find((group) => group !== undefined)
    const segments = target === undefined ? undefined : rules.path(target, folder)
    if (segments === undefined || segments.length === 0) continue
    keys.add(key(rules.family, segments))
    // A header in quotes is in the same folder or in a folder of the search path.
    if (target?.startsWith('"') === true) keys.add(key(rules.family, segments.slice(-1)))
    if (keys.size >= MAX_IMPORTS) break
  }
  return [...keys]
}

/** Returns the keys by which other files import the file at a path. */
export const keysOf = (path: string): ReadonlyArray<string> => {
  const rules = rulesOf(path)
  if (rules === undefined) return []
  const segments = rules.imported(path.split("/"))
  if (segments.length === 0) return []
  const whole = key(rules.family, segments)
  return rules.byName && segments.length > 1 ? [whole, key(rules.family, segments.slice(-1))] : [whole]
}

const key = (family: string, segments: ReadonlyArray<string>): string => `${family}:${segments.slice(-2).join("/")}`

/** Resolves `.` and `..` of a path relative to a folder. */
const resolve = (folder: ReadonlyArray<string>, target: string): ReadonlyArray<string> => {
  const resolved = [...folder]
  for (const segment of target.split("/")) {
    if (segment === "..") resolved.pop()
    else if (segment !== "." && segment !== "") resolved.push(segment)
  }
  return resolved
}

/** Drops the extension of the last segment, and a last segment that represents a folder, for example `index`. */
const moduleOf = (segments: ReadonlyArray<string>, ofFolder: RegExp): ReadonlyArray<string> => {
  const name = segments.at(-1)?.replace(/\.(?:d\.)?[cm]?[a-z]+$/, "") ?? ""
  return ofFolder.test(name) && segments.length > 1 ? segments.slice(0, -1) : [...segments.slice(0, -1), name]
}

/** Drops the source folder of a project. */
const withoutRoot = (segments: ReadonlyArray<string>): ReadonlyArray<string> =>
  segments.length > 1 && /^(?:src|lib)$/.test(segments[0] ?? "") ? segments.slice(1) : segments

const c: Rules = {
  family: "c",
  regex: /^[ \t]*#[ \t]*(?:include|import)[ \t]*(?:<([^>\n]+)>|("[^"\n]+)")/gm,
  path: (target, folder) => (target.startsWith('"') ? resolve(folder, target.slice(1)) : resolve([], target)),
  byName: true,
  imported: (path) => path
}

const js: Rules = {
  family: "js",
  regex:
    /^[ \t]*(?:import|export)\b[^'"\n;=(]{0,500}['"]([^'"\n]+)['"]|^[ \t}][^'"\n]{0,300}\bfrom[ \t]*['"]([^'"\n]+)['"]|\b(?:require|import)\(['"]([^'"\n]+)['"]\)/gm,
  path: (target, folder) => {
    if (target.startsWith("node:")) return undefined
    const segments = target.startsWith(".") ? resolve(folder, target) : resolve([], target)
    return moduleOf(segments, /^index$/)
  },
  byName: false,
  imported: (path) => moduleOf(path, /^index$/)
}

const python: Rules = {
  family: "python",
  regex: /^[ \t]*(?:from[ \t]+(\.+[ \t]+import[ \t]+\w+|[\w.]+)|import[ \t]+([\w.]+))/gm,
  path: (target, folder) => {
    const [, dots = "", names = "", member] = /^(\.*)([\w.]*)(?:[ \t]+import[ \t]+(\w+))?/.exec(target) ?? []
    const base = dots === "" ? [] : folder.slice(0, folder.length - dots.length + 1)
    return [...base, ...names.split(".").filter((name) => name !== ""), ...(member === undefined ? [] : [member])]
  },
  byName: false,
  imported: (path) => withoutRoot(moduleOf(path, /^__init__$/))
}

const go: Rules = {
  family: "go",
  regex: /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"([\w.~-]+(?:\/[\w.~-]+)+)"[ \t]*(?:\/\/[^\n]*)?$/gm,
  path: (target) => target.split("/"),
  byName: false,
  imported: (path) => path.slice(0, -1)
}

const rust: Rules = {
  family: "rust",
  regex: /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:use[ \t]+([\w:]+)|(mod[ \t]+\w+)[ \t]*;)/gm,
  path: (target, folder) => {
    if (target.startsWith("mod")) return [...folder, target.slice(3).trim()]
    const names = target.split("::").filter((name) => /^[a-z_]\w*$/.test(name) && !/^(?:crate|self|super)$/.test(name))
    return names.length === 0 ? undefined : names
  },
  byName: true,
  imported: (path) => moduleOf(path, /^(?:mod|lib|main)$/)
}

const jvm: Rules = {
  family: "jvm",
  regex: /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)/gm,
  path: (target) => {
    const names = target.split(".")
    // Ends with the class: a static import continues with the name of a member.
    return names.slice(0, names.findIndex((name) => /^[A-Z]/.test(name)) + 1)
  },
  byName: false,
  imported: (path) => moduleOf(path, /^$/)
}

const ruby: Rules = {
  family: "ruby",
  regex: /^[ \t]*(?:require[ \t(]+['"]([^'"\n]+)['"]|(require_relative[ \t(]+['"][^'"\n]+)['"])/gm,
  path: (target, folder) =>
    target.startsWith("require_relative") ? resolve(folder, target.replace(/^[^'"]*['"]/, "")) : resolve([], target),
  byName: false,
  imported: (path) => withoutRoot(moduleOf(path, /^$/))
}

const byLanguage: Readonly<Record<string, Rules>> = {
  C: c,
  "C++": c,
  "Objective-C": c,
  TypeScript: js,
  JavaScript: js,
  Vue: js,
  Svelte: js,
  Python: python,
  Go: go,
  Rust: rust,
  Java: jvm,
  Kotlin: jvm,
  Scala: jvm,
  Groovy: jvm,
  Ruby: ruby
}

const rulesOf = (path: string): Rules | undefined => byLanguage[languageOf(path) ?? ""]
