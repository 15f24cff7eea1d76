/** Decides whether the file of a use sees a definition. Each language has its own rules. */
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import * as PathText from "@tongs/core/text/PathText"
import { familyOf } from "../LanguageFamily.ts"
import * as ModulePaths from "../modules/ModulePaths.ts"
import type { Use } from "./Use.ts"

/** True for a member of the type before the dot, false for one of another type, undefined if that is not known. */
export const isOfContainer = ({ container, isMember }: Use, { scope }: Definition): boolean | undefined =>
  container === undefined || !isMember || scope === undefined ? undefined : scope === container

/** True if the file of a use sees a definition: by an import, an include or a common package. */
export const sees = (use: Use, definition: Definition): boolean => {
  const { path } = definition
  if (path === use.path) return isOfContainer(use, definition) ?? use.isMember === (definition.scope !== undefined)
  switch (familyOf(use.path)) {
    case "c":
      return use.includes.includes(path)
    case "Go":
      return seesInGo(use, definition)
    case "jvm":
      return seesInJava(use, path)
    case "Python":
      return (use.isMember || use.source !== undefined) && importsModule(use, path)
    case "Rust":
      return importsModule(use, path)
    default:
      return seesInScript(use, definition)
  }
}

const seesInGo = (use: Use, definition: Definition): boolean => {
  const { path } = definition
  if (path.endsWith("_test.go") && !use.path.endsWith("_test.go")) return false
  if (use.isMember && use.source !== undefined) return isGoPackage(use.source.target, definition)
  if (PathText.folderOf(path) === PathText.folderOf(use.path)) return true
  return use.isMember && use.imports.some(({ target }) => isGoPackage(target, definition))
}

/** True if an import of Go means the folder of a definition. */
const isGoPackage = (target: string, { owner, path, repo }: Definition): boolean => {
  const folder = PathText.folderOf(path)
  const plain = target.replace(/\/v\d+(?=\/|$)/, "")
  if (folder === "") return plain.endsWith(`/${owner}/${repo}`) || PathText.nameOf(plain) === repo
  return plain === folder || plain.endsWith(`/${folder}`)
}

const seesInJava = (use: Use, path: string): boolean => {
  const own = javaPackageOf(PathText.folderOf(path))
  if (own === javaPackageOf(PathText.folderOf(use.path))) return true
  const name = path.replace(/\.\w+$/, "").replaceAll("/", ".")
  return use.imports.some(({ imported, target }) =>
    imported === undefined ? own.endsWith(target) : name.endsWith(`.${target}`) || name === target
  )
}

/** Returns a Java package by its folder, below the folder of sources. */
const javaPackageOf = (folder: string): string =>
  folder.replace(/^.*?(?:src\/(?:main|test)\/java|src)\//, "").replaceAll("/", ".")

/** True if an import of Python or Rust can mean a file or a name in it, by the last name of the file. */
const importsModule = ({ imports }: Use, path: string): boolean => {
  const module = path
    .replace(/\.\w+$/, "")
    .replace(/\/(?:mod|lib|__init__)$/, "")
    .split("/")
    .at(-1)
  return imports.some(({ imported, target }) => {
    const names = target.split(/::|\./).filter((name) => !/^(?:|crate|self|super)$/.test(name))
    return names.at(-1) === module || imported === module
  })
}

/** True if a file imports another, for members. Other names come by imports that lead to their definitions. */
const seesInScript = (use: Use, definition: Definition): boolean => {
  if (!use.isMember) return false
  if (use.container === "IntrinsicElements") return definition.scope === use.container
  const module = definition.path.replace(/(?:\.d)?\.\w+$/, "").replace(/\/index$/, "")
  return use.imports.some(({ target }) => target.startsWith(".") && scriptModule(use.path, target) === module)
}

/** Returns the path of an imported module without its extension. */
const scriptModule = (from: string, target: string): string | undefined =>
  ModulePaths.join(PathText.folderOf(from), target)
    ?.replace(/\.[cm]?[jt]sx?$/, "")
    .replace(/\/index$/, "")
