/** Finds the declarations of a member by the inferred type of its value or object: in TypeScript and Go. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { familyOf } from "../LanguageFamily.ts"
import * as Place from "../Place.ts"
import * as ObjectKey from "./ObjectKey.ts"
import type { Declared } from "../types/GoPackages.ts"
import { GoTypes } from "../types/GoTypes.ts"
import type { Shape } from "../types/TypeNodes.ts"
import { Types } from "../types/Types.ts"
import type { UseContext } from "./Use.ts"

/**
 * Returns the declarations of a member after a dot, or of a key of an object or pattern. `outside` for a member of a
 * package outside of the repository.
 */
export const find = async (context: UseContext, own: Occurrence): Promise<ReadonlyArray<Place.Place> | "outside"> => {
  if (context.file.language === "go") return findInGo(context, own)
  if (familyOf(context.path) !== "js") return []
  const types = new Types(context.modules)
  const found: Array<Place.Place> = []
  for (const { file, node, path } of await types.memberNames(await shapesOf(types, context, own), context.name)) {
    const declared = SourceFile.occurrences(file, context.name).find(({ from }) => from === node.from)
    if (declared === undefined) continue
    const place = (declared.declaration === undefined ? ObjectKey.placeOf : Place.make)(
      path,
      context.name,
      file,
      declared
    )
    if (place !== undefined) found.push(place)
  }
  return found
}

const findInGo = async ({ file, modules, path }: UseContext, own: Occurrence) => {
  const found = await new GoTypes(modules).declarations({ path, file, node: own.node }, own)
  return found === "outside" ? found : placesOf(found)
}

/** Returns the declarations of a name in the other files of the package in Go. */
export const inPackage = async ({ modules, name, path }: UseContext): Promise<ReadonlyArray<Place.Place>> =>
  placesOf(await new GoTypes(modules).packages.inPackageOf(path, name))

/** Returns the places of declarations in Go. */
export const placesOf = (found: ReadonlyArray<Declared>): ReadonlyArray<Place.Place> =>
  found.flatMap(({ file, occurrence, path }) => {
    const place = Place.make(path, SourceFile.textOf(file, occurrence.node), file, occurrence)
    return place === undefined ? [] : [place]
  })

/** Returns the types that can declare the member. */
const shapesOf = async (
  types: Types,
  { file, path }: UseContext,
  { node, receiver }: Occurrence
): Promise<ReadonlyArray<Shape>> => {
  if (receiver !== undefined) return types.ofExpression({ path, file, node: receiver })
  const { parent } = node
  if (parent?.name === "PatternProperty") return types.ofPattern({ path, file, node })
  return parent?.name === "Property" && parent.parent !== null
    ? types.expected({ path, file, node: parent.parent })
    : []
}
