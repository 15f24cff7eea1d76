/** Orders the definitions of a name for a use: those first that it can see and mean. */
import type { Definition } from "@tongs/core/contract/CodeNavigation"
import { languageOf } from "../../git/Languages.ts"
import * as FileKind from "../FileKind.ts"
import type { Use } from "./Locate.ts"
import * as ModulePaths from "./ModulePaths.ts"

/** Points of each fact. */
const points = {
  sameRepository: 2_000,
  /** The file of the definition is imported or included, or is in the same package. */
  visible: 300,
  sameFile: 260,
  sameFolder: 60,
  sharedFolder: 10,
  /** A header that other folders can include. */
  publicHeader: 100,
  /** The file names begin with the same word. */
  sameStem: 70,
  /** A name of the path before the dot is a folder or file of the definition. */
  namedInPath: 40,
  /** The definition's container is the type or the package before the dot. */
  container: 400,
  otherContainer: -80,
  role: 200,
  otherRole: -250,
  /** A function that only its own file sees, in another file. */
  hidden: -400,
  prototype: -150,
  otherLanguage: -1_500,
  /** A file for another purpose than the one of the use: a test, a tool, generated or foreign. */
  otherPurpose: 14,
  otherMachine: -60
}

/** A definition with the rank of its file for the name alone. */
export interface Candidate {
  readonly definition: Definition
  readonly rank: number
  readonly isHere: boolean
}

const families: Readonly<Record<string, string>> = {
  C: "c",
  "C++": "c",
  TypeScript: "js",
  JavaScript: "js",
  Vue: "js",
  Svelte: "js",
  Java: "jvm",
  Kotlin: "jvm"
}

/** Returns the family of languages of a file: those that see each other's names. */
export const familyOf = (path: string): string | undefined => {
  const language = languageOf(path)
  return language === undefined ? undefined : (families[language] ?? language)
}

/** Orders candidates for a use, the best first, and marks those that the use certainly sees. */
export const order = (use: Use, candidates: ReadonlyArray<Candidate>): ReadonlyArray<Definition> => {
  const seen = candidates.filter(({ definition, isHere }) => isHere && sees(use, definition))
  const prototypes = seen.filter(({ definition }) => isPrototype(definition))
  const scored = candidates.map((one) => {
    const isVisible = seen.includes(one)
    // A prototype shows that the use sees the definition, which is in another file.
    const declared = isDefinitionOf(prototypes, one)
    return { one, isVisible: isVisible || declared > 0, score: scoreOf(use, one, isVisible) + declared }
  })
  return scored
    .toSorted((a, b) => b.score - a.score)
    .map(({ isVisible, one, score }) => {
      const isCertain = isVisible && fits(use, one.definition) >= 0 && score > points.sameRepository + points.visible
      return isCertain ? { ...one.definition, certain: true } : one.definition
    })
}

const scoreOf = (use: Use, { definition, isHere, rank }: Candidate, isVisible: boolean): number => {
  const { path } = definition
  const isSameFile = isHere && path === use.path
  let score = rank / 10 + (isHere ? points.sameRepository : 0)
  if (familyOf(path) !== familyOf(use.path)) score += points.otherLanguage
  if (isVisible) score += points.visible
  if (isSameFile) score += isOfContainer(use, definition) === false ? 0 : points.sameFile
  else if (isHere && ModulePaths.folderOf(path) === ModulePaths.folderOf(use.path)) score += points.sameFolder
  if (isHere) score += points.sharedFolder * sharedFolders(path, use.path)
  if (isHere && familyOf(path) === "c") {
    if (/(?:^|\/)include\/.*\.h$/.test(path)) score += points.publicHeader
    if (ModulePaths.folderOf(path) === ModulePaths.folderOf(use.path) && stemOf(path) === stemOf(use.path))
      score += points.sameStem
  }
  if (use.source !== undefined || use.isMember) score += points.namedInPath * namedInPath(use, path)
  score += fits(use, definition) > 0 ? points.role : fits(use, definition) < 0 ? points.otherRole : 0
  const isMemberOf = isOfContainer(use, definition)
  if (isMemberOf !== undefined) score += isMemberOf ? points.container : points.otherContainer
  if (!isSameFile && isOfOneFile(definition)) score += points.hidden
  if (isPrototype(definition)) score += points.prototype
  const purpose = Math.min(0, FileKind.pointsOf(path) - Math.max(FileKind.pointsOf(use.path), FileKind.pointsOf(path)))
  if (isHere && areaOf(path) !== areaOf(use.path)) score += points.otherPurpose * FileKind.pointsOf(path)
  else score += points.otherPurpose * purpose
  const machine = machineOf(path)
  if (machine !== undefined && machine !== machineOf(use.path)) score += points.otherMachine
  return score
}

/** True for a member of the type before the dot, false for one of another type, undefined if that is not known. */
const isOfContainer = ({ container, isMember }: Use, { scope }: Definition): boolean | undefined =>
  container === undefined || !isMember || scope === undefined ? undefined : scope === container

/** Returns the folder that has all files of a purpose: `tools`, `samples`, a folder of tests. */
const areaOf = (path: string): string =>
  /^(?:.*\/)?(?:tools|scripts|samples?|examples?|tests?|testing|Documentation|docs?|selftests)\//i.exec(path)?.[0] ?? ""

/** Returns the first word of a file name. */
const stemOf = (path: string): string => /[^/_.-]+(?=[^/]*$)/.exec(path)?.[0] ?? path

/** Returns how many names of the import, or of the path before the dot, are in a path. */
const namedInPath = ({ qualifier, source }: Use, path: string): number => {
  const names = [...(source?.target ?? "").split(/[^\w-]+/), ...qualifier].filter((name) => name !== "")
  const parts = new Set(
    path
      .replace(/\.\w+$/, "")
      .toLowerCase()
      .split("/")
  )
  return Math.min(4, names.filter((name) => parts.has(name.toLowerCase())).length)
}

const machineOf = (path: string): string | undefined => /^(?:tools\/)?arch\/([^/]+)\//.exec(path)?.[1]

const sharedFolders = (a: string, b: string): number => {
  const [as, bs] = [a.split("/").slice(0, -1), b.split("/").slice(0, -1)]
  const length = as.findIndex((name, at) => name !== bs[at])
  return Math.min(5, length === -1 ? as.length : length)
}

/** True for a function or variable of C that only its file sees. */
const isOfOneFile = ({ path, scope, text }: Definition): boolean =>
  /\.(?:c|cc|cpp|cxx)$/.test(path) && scope === undefined && /^static\b/.test(text)

/** Returns points for a definition whose prototype a use sees, more if it is beside the prototype. */
const isDefinitionOf = (prototypes: ReadonlyArray<Candidate>, { definition, isHere }: Candidate): number => {
  const isHidden = !isHere || isPrototype(definition) || isOfOneFile(definition) || definition.scope !== undefined
  if (prototypes.length === 0 || isHidden || definition.kind !== "function") return 0
  const isBeside = prototypes.some(
    (one) => ModulePaths.folderOf(one.definition.path) === ModulePaths.folderOf(definition.path)
  )
  return points.visible + (isBeside ? points.sameFolder : 0)
}

/** True for a declaration of a function without its body, as far as its first line shows. */
const isPrototype = ({ end_line, kind, line, path, scope, text }: Definition): boolean => {
  if (/\.d\.[cm]?ts$/.test(path) || /^\s*extern\b(?!\s*"C")[^{]*$/.test(text)) return true
  if (kind !== "function" && kind !== "method") return false
  if (/\)[^={]*;\s*$/.test(text)) return true
  const isShort = end_line === undefined || end_line - line < maxPrototype
  return (
    path.endsWith(".h") &&
    scope === undefined &&
    isShort &&
    !/\b(?:static|inline|template|constexpr|define)\b|\{/.test(text)
  )
}

/** Maximum number of lines of a prototype. */
const maxPrototype = 8

const callable = new Set([
  "function",
  "method",
  "macro",
  "class",
  "struct",
  "constant",
  "variable",
  "field",
  "type",
  "enum_member"
])
const typeKinds = new Set(["class", "struct", "interface", "type", "enum", "module", "macro"])
const memberKinds = new Set(["method", "field", "enum_member", "constant"])

/** Returns 1 if a use can mean a kind of definition, -1 if not, and 0 if that is not known. */
export const fits = (
  { isCall, isMember, path, role, source, tag }: Pick<Use, "isCall" | "isMember" | "path" | "role" | "source" | "tag">,
  { kind, scope }: Pick<Definition, "kind" | "scope">
): number => {
  const isC = familyOf(path) === "c"
  if (tag !== undefined)
    return kind === (tag === "union" || tag === "class" ? "struct" : tag) || (tag === "class" && kind === "class")
      ? 1
      : -1
  if (role === undefined || role === "import" || role === "export" || role === "label") return 0
  if (role === "declaration") return isMember === (scope !== undefined) ? 0 : -1
  // The name of a package or module is before the dot.
  if (isMember && source !== undefined)
    return role === "type"
      ? typeKinds.has(kind)
        ? 1
        : -1
      : kind === "method" && scope !== undefined && familyOf(path) === "Go"
        ? -1
        : 0
  if (role === "key") return kind === "field" ? 1 : kind === "method" && !isC ? 0 : -1
  if (role === "type") return typeKinds.has(kind) ? 1 : isC && kind === "variable" ? 0 : -1
  if (role === "member") {
    if (isCall)
      return kind === "method" || (kind === "field" && isC)
        ? 1
        : kind === "field"
          ? 0
          : isC
            ? -1
            : kind === "function"
              ? 0
              : -1
    return memberKinds.has(kind) ? (kind === "method" && isC ? 0 : 1) : isC || familyOf(path) === "Go" ? -1 : 0
  }
  if (isCall) {
    if (!callable.has(kind) || (isC && kind === "struct")) return -1
    return kind === "function" || kind === "macro" || (kind === "method" && scope !== undefined && !isC) ? 1 : 0
  }
  if (isC && (kind === "struct" || kind === "field" || kind === "method")) return -1
  return kind === "field" ? -1 : 0
}

/** True if the file of a use sees a definition: by an import, an include or a common package. */
const sees = (use: Use, definition: Definition): boolean => {
  const { path } = definition
  if (path === use.path) return isOfContainer(use, definition) ?? use.isMember === (definition.scope !== undefined)
  switch (familyOf(use.path)) {
    case "c":
      return use.includes.includes(path)
    case "Go": {
      const folder = ModulePaths.folderOf(path)
      if (path.endsWith("_test.go") && !use.path.endsWith("_test.go")) return false
      if (use.isMember && use.source !== undefined) return isPackage(use.source.target, folder, definition)
      if (folder === ModulePaths.folderOf(use.path)) return true
      return use.isMember && use.imports.some(({ target }) => isPackage(target, folder, definition))
    }
    case "jvm": {
      const stem = path.replace(/\.\w+$/, "").replaceAll("/", ".")
      const folder = ModulePaths.folderOf(path)
      if (packageOf(folder) === packageOf(ModulePaths.folderOf(use.path))) return true
      return use.imports.some(({ imported, target }) =>
        imported === undefined ? packageOf(folder).endsWith(target) : stem.endsWith(`.${target}`) || stem === target
      )
    }
    case "Rust":
    case "Python": {
      if (!use.isMember && use.source === undefined && familyOf(use.path) === "Python") return false
      const module = path
        .replace(/\.\w+$/, "")
        .replace(/\/(?:mod|lib|__init__)$/, "")
        .split("/")
      return use.imports.some(({ imported, target }) => {
        const names = target.split(/::|\./).filter((name) => !/^(?:|crate|self|super)$/.test(name))
        const last = names.at(-1)
        return (last !== undefined && last === module.at(-1)) || (imported !== undefined && imported === module.at(-1))
      })
    }
    default: {
      // Other names come by imports that lead to their definitions.
      if (!use.isMember) return false
      const base = path.replace(/(?:\.d)?\.\w+$/, "").replace(/\/index$/, "")
      return use.imports.some(({ target }) => target.startsWith(".") && targetOf(use.path, target) === base)
    }
  }
}

const targetOf = (from: string, target: string): string | undefined =>
  ModulePaths.join(ModulePaths.folderOf(from), target)
    ?.replace(/\.[cm]?[jt]sx?$/, "")
    .replace(/\/index$/, "")

/** Returns a Java package by its folder, below the folder of sources. */
const packageOf = (folder: string): string =>
  folder.replace(/^.*?(?:src\/(?:main|test)\/java|src)\//, "").replaceAll("/", ".")

/** True if an import of Go means a folder of a repository. */
const isPackage = (target: string, folder: string, { owner, repo }: Definition): boolean => {
  const whole = `${owner}/${repo}${folder === "" ? "" : `/${folder}`}`
  const plain = target.replace(/\/v\d+(?=\/|$)/, "")
  return (
    plain.endsWith(`/${whole}`) ||
    (folder !== "" && (plain === folder || plain.endsWith(`/${folder}`))) ||
    (folder === "" && plain.split("/").at(-1) === repo)
  )
}
