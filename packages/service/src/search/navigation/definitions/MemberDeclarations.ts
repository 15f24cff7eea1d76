/** Finds the declarations of members: in the module, class or structure that is before the dot. */
import * as PathText from "@tongs/core/text/PathText"
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import type { Modules } from "../modules/Modules.ts"
import * as Place from "../Place.ts"
import * as BaseClass from "./BaseClass.ts"
import { containerOf, receiverOf, type UseContext } from "./Use.ts"

/** Maximum number of names of a path, and of declarations in which each is searched. */
const MAX_NAMES = 20
const MAX_PLACES = 4

/** Returns the declarations of a member. */
export const find = async (context: UseContext, own: Occurrence): Promise<ReadonlyArray<Place.Place>> => {
  const receiver = receiverOf(context, own)
  if (receiver !== undefined) {
    const found = await findByPath(context, [...receiver, context.name])
    if (found.length > 0) return found
  }
  const container = containerOf(context, own)
  return container === undefined ? [] : findInType(context, container)
}

/** Follows a path of names from the imports of the file: of modules, and of types in them. */
const findByPath = async (context: UseContext, names: ReadonlyArray<string>): Promise<ReadonlyArray<Place.Place>> => {
  const { file, modules, path } = context
  const imported = await findByImports(context, names)
  if (imported.length > 0) return imported
  if (file.language === "rust") {
    const target = names.slice(0, -1).join("::")
    const found = await modules.find(path, { target, imported: names.at(-1), local: undefined })
    if (found.length > 0) return found
  }
  const [first = "", ...rest] = names
  const types = await modules.declared(path, file, first)
  if (types.length > 0 || file.language !== "java") return walk(modules, types, rest)
  // A class of another file of the package.
  const folder = PathText.folderOf(path)
  return walk(modules, await modules.exported(`${folder === "" ? "" : `${folder}/`}${first}.java`, first), rest)
}

/** Follows a path whose first names are an import, the longest import first. */
const findByImports = async (
  { imports, modules, path }: UseContext,
  names: ReadonlyArray<string>
): Promise<ReadonlyArray<Place.Place>> => {
  for (let count = names.length - 1; count > 0; count--) {
    const local = names.slice(0, count).join(".")
    for (const one of imports) {
      if (one.local !== local || one.target === "") continue
      const [next = "", ...rest] = names.slice(count)
      const starts =
        one.imported === "*"
          ? await modules.find(path, { ...one, imported: next })
          : await findIn(modules, await modules.find(path, one), next)
      const found = await walk(modules, starts, rest)
      if (found.length > 0) return found
    }
  }
  return []
}

/** Follows names from declarations to members of modules and types. */
export const walk = async (
  modules: Modules,
  from: ReadonlyArray<Place.Place>,
  names: ReadonlyArray<string>
): Promise<ReadonlyArray<Place.Place>> => {
  let places = from
  for (const name of names.slice(0, MAX_NAMES)) places = await findIn(modules, places, name)
  return places
}

/** Returns the declarations that a name means in modules or types. */
const findIn = async (
  modules: Modules,
  places: ReadonlyArray<Place.Place>,
  name: string
): Promise<ReadonlyArray<Place.Place>> => {
  for (const { kind, name: container, path } of places.slice(0, MAX_PLACES)) {
    if (kind === "function" || kind === "macro") continue
    const found = kind === "module" ? await modules.exported(path, name) : await modules.members(path, container, name)
    if (found.length > 0) return found
  }
  return []
}

/** Returns the members of the type with a name in a file, including the members of extended types. */
const findInType = async (
  { all, file, modules, name, path }: UseContext,
  container: string
): Promise<ReadonlyArray<Place.Place>> => {
  const here = all.filter(({ declaration }) => declaration?.container === container)
  if (here.length > 0) return Place.ofDeclarations(path, name, file, here)
  for (const place of await modules.declared(path, file, container)) {
    const found = await modules.members(place.path, place.name, name)
    if (found.length > 0) return found
    const other = await modules.files.file(modules.at, place.path)
    const base = other === undefined ? undefined : BaseClass.of(place, other)
    if (other === undefined || base === undefined || base === container) continue
    for (const parent of await modules.declared(place.path, other, base)) {
      const inherited = await modules.members(parent.path, parent.name, name)
      if (inherited.length > 0) return inherited
    }
  }
  return []
}
