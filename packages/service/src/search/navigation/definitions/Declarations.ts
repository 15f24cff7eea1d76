/** Follows a use to the declarations, by scopes in the same file and by imports in other files. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as Place from "../Place.ts"
import * as TypedMembers from "./TypedMembers.ts"
import * as MemberDeclarations from "./MemberDeclarations.ts"
import * as ObjectKey from "./ObjectKey.ts"
import { sourceOf, type UseContext } from "./Use.ts"

/** Returns the declarations that an occurrence means. Empty if only the index of symbols can know them. */
export const find = async (context: UseContext, own: Occurrence): Promise<ReadonlyArray<Place.Place>> => {
  const { all, file } = context
  const { declaration } = own
  const members = await TypedMembers.find(context, own)
  if (members === "outside") return []
  if (members.length > 0) return members
  if (declaration !== undefined && declaration.level !== "import") {
    const same = declaration.level === "member" ? [own] : SourceFile.declarationsOf(own, all)
    return definitions(context, same.length === 0 ? [own] : same)
  }
  if (own.role === "key") return ObjectKey.find(context, own)
  const bound = context.imports.find(({ from, local }) => from !== undefined && local === context.name)
  if (own.receiver !== undefined) return MemberDeclarations.find(context, own)
  if (
    bound?.from !== undefined &&
    SourceFile.declarationsOf(own, all).every(({ declaration }) => declaration?.level === "import")
  )
    return [Place.ofImport(context.path, context.name, file.text, bound.from)]
  if (own.role === "import" || own.role === "export") return findPassedOn(context, own)
  const declared = SourceFile.declarationsOf(own, all, file)
  if (declared.some((one) => one.declaration?.level === "import")) return findImported(context)
  if (declared.length > 0) return definitions(context, declared)
  return file.language === "go" ? TypedMembers.inPackage(context) : findInWholeImports(context)
}

/** Returns the places of declarations, unless all are prototypes, whose definitions only the index knows. */
const definitions = (
  { file, name, path }: UseContext,
  declared: ReadonlyArray<Occurrence>
): ReadonlyArray<Place.Place> => {
  const places = Place.ofDeclarations(path, name, file, declared)
  return places.every(({ isPrototype }) => isPrototype) ? [] : places
}

/** Finds a name in an import or export. */
const findPassedOn = async (context: UseContext, own: Occurrence): Promise<ReadonlyArray<Place.Place>> => {
  const { file, modules, name, path } = context
  const one = sourceOf(context, own)
  if (one === undefined) return []
  return one.target === "" ? modules.declared(path, file, one.imported ?? name) : modules.find(path, one)
}

const findImported = async ({ imports, modules, name, path }: UseContext): Promise<ReadonlyArray<Place.Place>> => {
  for (const one of imports) {
    if (one.local !== name || one.target === "") continue
    const found = await modules.find(path, one)
    if (found.length > 0) return found
  }
  return []
}

/** Finds a name in the modules of which the file imports all names. */
const findInWholeImports = async ({
  file,
  imports,
  modules,
  name,
  path
}: UseContext): Promise<ReadonlyArray<Place.Place>> => {
  for (const one of imports) {
    if (one.imported !== undefined || one.target === "" || file.language === "cpp") continue
    const found = await modules.find(path, { ...one, imported: name })
    if (found.length > 0) return found
  }
  return []
}
