/** Decides whether an occurrence can mean a target, by the scope, the imports, or the type before a dot. */
import type { Occurrence } from "@tongs/syntax/navigation/Occurrence"
import * as SourceFile from "@tongs/syntax/navigation/SourceFile"
import * as LineTable from "../../text/LineTable.ts"
import { familyOf } from "../LanguageFamily.ts"
import * as ImportedNames from "./ImportedNames.ts"
import * as Members from "./Members.ts"
import type { Meaning, ReferenceQuery, SearchedFile, Target } from "./ReferenceQuery.ts"

/** Returns whether an occurrence, one of `all` of its name in the file, means a target. */
export const isTarget = async (
  one: Occurrence,
  all: ReadonlyArray<Occurrence>,
  searched: SearchedFile
): Promise<Meaning> => {
  const { file, query } = searched
  const { definitions } = query
  if (one.role === "label") return false
  const isMember = one.receiver !== undefined || one.role === "key" || one.role === "member"
  if (definitions.length === 0) return isAsWritten(one, isMember, query) ? undefined : false
  if (definitions.some(({ level }) => level === "member")) {
    const isHidden = ({ path: own, range: [start, end] }: Target) =>
      own === searched.path && (one.from < start || one.from > end)
    if (definitions.every(isHidden)) return false
    // A value of a local object reaches another file by inference only.
    const isElsewhere = ({ path: own, range: [, end] }: Target) => own !== searched.path && end < file.text.length
    if (isMember && definitions.every(isElsewhere)) return undefined
    if (one.isShorthand === true) return Members.isOfType(one, searched)
    return isMember ? Members.isTarget(one, searched) : Members.canBeEnumMember(one, all, searched)
  }
  const local = definitions.find(({ level }) => level === "local")
  if (local !== undefined) return isMember ? false : isLocal(one, all, local, searched)
  if (isMember) return ImportedNames.isQualified(one, searched)
  const declared = SourceFile.declarationsOf(one, all, file)
  const isDeclaredHere = declared.length > 0 && declared.every(({ declaration }) => declaration?.level !== "import")
  return isDeclaredHere
    ? isOfTarget(declared, searched) || isPrototype(declared, searched)
    : ImportedNames.isImported(one, declared, searched)
}

/** True for a use of the same form as the one at the position, if no definition is known. */
const isAsWritten = ({ receiver, role }: Occurrence, isMember: boolean, query: ReferenceQuery): boolean =>
  query.isMember !== false || !isMember || (receiver !== undefined && role !== "member")

const isLocal = (
  one: Occurrence,
  all: ReadonlyArray<Occurrence>,
  target: Target,
  { file, path }: SearchedFile
): Meaning => {
  const [start, end] = target.range
  if (path !== target.path || one.from < start || one.from > end) return false
  const declared = SourceFile.declarationsOf(one, all, file)
  if (declared.length === 0) return target.kind === "module" ? true : undefined
  return declared.some(({ from }) => LineTable.numberAt(file.text, from) === target.line)
}

const isOfTarget = (declared: ReadonlyArray<Occurrence>, { file, path, query }: SearchedFile): boolean =>
  query.definitions.some(
    (target) => target.path === path && declared.some(({ from }) => LineTable.numberAt(file.text, from) === target.line)
  )

/** A prototype in another file declares the same function in C. */
const isPrototype = (declared: ReadonlyArray<Occurrence>, { path }: SearchedFile): boolean =>
  familyOf(path) === "c" && declared.every(({ declaration }) => declaration?.isPrototype === true)
