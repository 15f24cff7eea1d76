/** The facts about a use of a name that decide which definitions it can mean. */
import type { Import, Occurrence, Role } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import type { Modules } from "../modules/Modules.ts"
import * as BaseClass from "./BaseClass.ts"

/** A use of a name. */
export interface Use {
  readonly path: string
  readonly role: Role | undefined
  readonly isCall: boolean
  readonly tag: string | undefined
  /** True for a name after a dot, an arrow or `::`, and for a key. */
  readonly isMember: boolean
  /** Name of the type, or of the package, before the dot. */
  readonly container: string | undefined
  /** Names before the last dot. */
  readonly qualifier: ReadonlyArray<string>
  /** The same names, if only names are before the last dot, and the first one is not a local variable. */
  readonly receiver?: ReadonlyArray<string>
  /** The import by which the name, or the name before the dot, comes into the file. */
  readonly source: Import | undefined
  readonly imports: ReadonlyArray<Import>
  /** Files that the file includes, directly or through other files. */
  readonly includes: ReadonlyArray<string>
}

/** The file of a use, with all occurrences of the name. */
export interface UseContext {
  readonly file: SourceFile.SourceFile
  readonly path: string
  readonly name: string
  readonly all: ReadonlyArray<Occurrence>
  readonly imports: ReadonlyArray<Import>
  readonly modules: Modules
}

/** Describes a use. Most facts are missing if the position has no occurrence of the name. */
export const make = (context: UseContext, own: Occurrence | undefined, includes: ReadonlyArray<string>): Use => ({
  path: context.path,
  role: own?.role,
  isCall: own?.isCall === true,
  tag: own?.tag,
  isMember:
    own?.receiver !== undefined ||
    own?.role === "key" ||
    own?.role === "member" ||
    own?.declaration?.level === "member",
  container: own === undefined ? undefined : containerOf(context, own),
  qualifier: own === undefined ? [] : qualifierOf(context, own),
  ...(own === undefined ? {} : receiverPart(receiverOf(context, own))),
  source: own === undefined ? undefined : sourceOf(context, own),
  imports: context.imports,
  includes
})

/** Returns the import that binds a name, or the module before the dot of a member. */
export const sourceOf = ({ file, imports, name }: UseContext, own: Occurrence): Import | undefined => {
  if (own.receiver !== undefined) {
    const written = SourceFile.textOf(file, own.receiver)
    return imports.find(({ local }) => local === written)
  }
  if (own.role === "key" || own.declaration?.level === "member") return undefined
  if (own.role === "import" || own.role === "export")
    return imports.find(({ exported, imported, local }) => imported === name || local === name || exported === name)
  return imports.find(({ local, target }) => local === name && target !== "")
}

/** Maximum length of the names before a dot. */
const MAX_LENGTH = 300

/**
 * Returns the names before the last dot or `::` of a member. Undefined if the expression has more than names, or begins
 * with a local variable.
 */
export const receiverOf = (
  { file }: Pick<UseContext, "file">,
  { node: { parent }, receiver }: Occurrence
): ReadonlyArray<string> | undefined => {
  if (receiver === undefined) return undefined
  const start =
    file.language === "rust" && parent !== null && parent.name.startsWith("Scoped") ? parent.from : receiver.from
  const written = file.text.slice(start, Math.min(receiver.to, start + MAX_LENGTH))
  if (!/^[\w$]+(?:(?:\.|::)[\w$]+)*$/.test(written)) return undefined
  const names = written.split(/\.|::/)
  return isHidden(file, names[0] ?? "", start) ? undefined : names
}

/** True if a local declaration hides an import of the same name. */
const isHidden = (file: SourceFile.SourceFile, name: string, from: number): boolean => {
  const all = SourceFile.occurrences(file, name)
  const use = all.findLast((one) => one.from <= from)
  const declared = use === undefined ? [] : SourceFile.declarationsOf(use, all)
  return declared.length > 0 && declared.every((one) => one.declaration?.level === "local")
}

const receiverPart = (receiver: Use["receiver"]): Pick<Use, "receiver"> => (receiver === undefined ? {} : { receiver })

/** Returns the container of a member: the declared one, or the type before the dot. */
export const containerOf = ({ file }: UseContext, own: Occurrence): string | undefined => {
  if (own.declaration?.container !== undefined) return own.declaration.container
  if (own.container !== undefined) return own.container
  if (own.receiver === undefined) return undefined
  const written = SourceFile.textOf(file, own.receiver)
  if (/^super\b/.test(written)) return BaseClass.around(own, file)
  const type = SourceFile.typeOf(file, own.receiver)
  if (type !== undefined) return type
  const last = /(\w+)$/.exec(written)?.[1]
  return last !== undefined && /^[A-Z]/.test(last) ? last : undefined
}

const qualifierOf = ({ file }: UseContext, own: Occurrence): ReadonlyArray<string> => {
  if (own.receiver === undefined) return []
  const { parent } = own.node
  const from = parent !== null && parent.name.startsWith("Scoped") ? parent.from : own.receiver.from
  return SourceFile.textOf(file, { from, to: own.receiver.to }).match(/[A-Za-z_]\w*/g) ?? []
}
