/** Decides whether a member is the one of a target, by the value or type before it. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import { familyOf } from "../LanguageFamily.ts"
import * as Exports from "./Exports.ts"
import * as MemberTypes from "./MemberTypes.ts"
import type { Meaning, SearchedFile } from "./ReferenceQuery.ts"

/** Names of members that objects of the language itself have, too. */
const standardNames: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    const value: unknown = Reflect.get(globalThis, name)
    if (typeof value !== "function") return []
    const prototype: unknown = value.prototype
    return [...Object.getOwnPropertyNames(value), ...Object.getOwnPropertyNames(prototype ?? {})]
  })
)

/** Returns whether a member is the one of a target. */
export const isTarget = async (one: Occurrence, searched: SearchedFile): Promise<Meaning> => {
  const { file, modules, path, query } = searched
  const { definitions } = query
  const { declaration, receiver } = one
  const containers = new Set(definitions.map(({ scope }) => scope))
  if (one.container !== undefined) return containers.has(one.container)
  if (receiver === undefined) {
    const isDeclared = declaration !== undefined && one.role !== "key"
    return isDeclared ? containers.has(declaration.container) : isOfType(one, searched)
  }
  const written = SourceFile.textOf(file, receiver)
  const last = written.split(/::|\.|->/).at(-1) ?? ""
  if (containers.has(last)) return true
  const bound = (await modules.importsOf(path, file)).find(({ local }) => local === written)
  // Members of modules are not members of classes.
  if (bound?.imported === "*") return false
  if (bound !== undefined && containers.has(bound.imported)) return true
  if (definitions.every(({ kind }) => kind === "enum_member"))
    return bound === undefined && !/^[A-Z]/.test(last) && familyOf(path) === "c" ? undefined : false
  const known = await MemberTypes.isMemberOfTarget(one, searched)
  if (known !== undefined) return known
  const type = SourceFile.typeOf(file, receiver)
  if (type === undefined) return canBeLinked(searched)
  return containers.has(type) || isRelated(type, containers, searched)
}

/** In C, members of enumerations are ordinary names. */
export const canBeEnumMember = (one: Occurrence, all: ReadonlyArray<Occurrence>, searched: SearchedFile): boolean =>
  searched.query.definitions.some(({ kind }) => kind === "enum_member") &&
  SourceFile.declarationsOf(one, all, searched.file).length === 0 &&
  familyOf(searched.path) !== "js"

/** Returns whether the value with a member has the type of a target. */
export const isOfType = async (one: Occurrence, searched: SearchedFile): Promise<Meaning> =>
  (await MemberTypes.isMemberOfTarget(one, searched)) ?? canBeLinked(searched)

/** Returns whether a member of an unknown type is a target's: certain if no other type has a member of this name. */
const canBeLinked = async (searched: SearchedFile): Promise<Meaning> => {
  if (!(await isLinked(searched))) return false
  const { containers, definitions, name } = searched.query
  const isNamed = definitions.some(({ scope }) => scope !== undefined)
  return isNamed && containers === 1 && !standardNames.has(name) ? true : undefined
}

/** True if a type extends or implements one of the containers, or the other way round. */
const isRelated = async (
  type: string,
  containers: ReadonlySet<string | undefined>,
  searched: SearchedFile
): Promise<Meaning> => {
  const { file, modules, path, query } = searched
  const names = (head: string, name: string) => new RegExp(`\\b${RegExp.escape(name)}\\b`).test(head)
  const declared = await modules.declared(path, file, type)
  for (const { text } of declared) {
    for (const one of containers) if (one !== undefined && names(text, one)) return true
  }
  for (const target of query.definitions) {
    const other = target.scope === undefined ? undefined : await modules.files.file(modules.at, target.path)
    if (other === undefined) continue
    const head = new RegExp(`\\b(?:class|interface|type)\\s+${RegExp.escape(target.scope ?? "")}\\b[^{]{0,300}`)
    if (names(head.exec(other.text)?.[0] ?? "", type)) return true
  }
  return declared.length === 0 && (await isLinked(searched)) ? undefined : false
}

/** True if a value of a target's container can be in a file, although its type is not written there. */
const isLinked = async ({ file, modules, path, query }: SearchedFile): Promise<boolean> => {
  const { definitions } = query
  if (definitions.some((one) => one.path === path) || familyOf(path) !== "js") return true
  for (const { path: own, scope } of definitions) {
    if (scope !== undefined && !(await Exports.isExported(scope, own, modules))) continue
    if (query.containers <= 1) return true
    // Without the name of the type, values of it come only by inference.
    if (scope !== undefined && !SourceFile.wordsIn(file.text, scope).next().done) return true
  }
  return false
}
