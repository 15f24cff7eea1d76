/** Compares the inferred types of values with the types that declare the targets: in TypeScript and Go. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as LineTable from "../../text/LineTable.ts"
import { familyOf } from "../LanguageFamily.ts"
import type { RepositoryFiles } from "../RepositoryFiles.ts"
import * as ObjectKeys from "../types/ObjectKeys.ts"
import type { Shape, Written } from "../types/TypeNodes.ts"
import type { Types } from "../types/Types.ts"
import type { Meaning, ReferenceQuery, SearchedFile, Target } from "./ReferenceQuery.ts"

/** Adds the members of declared types to the keys of objects of these types. */
export const withDeclaredTypes = async (
  query: ReferenceQuery,
  files: RepositoryFiles,
  types: Types
): Promise<ReferenceQuery> => {
  const others: Array<Target> = []
  for (const one of query.definitions) {
    if (one.level !== "member" || one.scope === undefined || familyOf(one.path) !== "js") continue
    const file = await files.file(query, one.path)
    for (const { name, path } of file === undefined ? [] : await types.named(one.path, file, one.scope)) {
      if (name !== undefined && name !== one.scope) others.push({ ...one, path, scope: name, line: 0 })
    }
  }
  return others.length === 0 ? query : { ...query, definitions: [...query.definitions, ...others] }
}

/** True if the value with a member has a type of the targets, false if it has another, undefined if unknown. */
export const isMemberOfTarget = async (own: Occurrence, searched: SearchedFile): Promise<Meaning> => {
  const { declaration, node, receiver } = own
  const { file, path, query, types } = searched
  if (file.language === "go") return isMemberInGo(own, searched)
  if (familyOf(path) !== "js") return undefined
  const { definitions } = query
  const { parent } = node
  if (receiver !== undefined) return isAmong(await types.ofExpression({ path, file, node: receiver }), query, types)
  if (parent?.name === "PatternProperty") return isAmong(await types.ofPattern({ path, file, node }), query, types)
  const object = parent?.name === "Property" ? parent.parent : null
  if (object === null) return undefined
  const expected = await types.expected({ path, file, node: object })
  if (expected.length > 0 && (await isAmong(expected, query, types)) !== true) return false
  if (declaration !== undefined && expected.length === 0)
    return definitions.some(({ scope }) => scope === declaration.container)
  if (!(await types.canHaveType({ path, file, node: object }, definitions))) return false
  if (expected.length > 0) return true
  return query.containers > 1 && ObjectKeys.isArgument(object) ? false : undefined
}

const isMemberInGo = async (own: Occurrence, { file, goTypes, path, query }: SearchedFile): Promise<Meaning> => {
  const found = await goTypes.declarations({ path, file, node: own.node }, own)
  if (found === "outside") return false
  if (found.length === 0) return undefined
  return found.some((one) =>
    query.definitions.some(
      ({ line, path }) => path === one.path && line === LineTable.numberAt(one.file.text, one.occurrence.from)
    )
  )
}

const isAmong = async (
  shapes: ReadonlyArray<Shape>,
  { definitions, name }: ReferenceQuery,
  types: Types
): Promise<Meaning> => {
  if (shapes.length === 0) return undefined
  const declared = await types.memberNames(shapes, name)
  const isTarget = ({ file, node, path }: Written) =>
    definitions.some((one) => one.path === path && one.line === LineTable.numberAt(file.text, node.from))
  if (declared.some(isTarget)) return true
  // Objects without a type, or with one that is known in part, can have further members.
  const isPartly =
    definitions.every(({ scope }) => scope === undefined) || shapes.every(({ name }) => name === undefined)
  if (isPartly && declared.length === 0) return undefined
  for (const shape of shapes) {
    for (const { name, path } of [shape, ...(await types.bases(shape))])
      if (definitions.some((one) => one.scope === name && one.path === path)) return true
  }
  return false
}
