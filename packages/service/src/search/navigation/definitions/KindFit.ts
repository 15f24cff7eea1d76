/** Compares the kind of a definition with the role of a use: a call means a function, and a type no field. */
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type { Role } from "@tongs/syntax/navigation/Occurrence"
import { familyOf } from "../LanguageFamily.ts"
import type { Use } from "./Use.ts"

/** 1 if a use can mean a kind of definition, -1 if not, and 0 if that is not known. */
export type Fit = -1 | 0 | 1

type UseKind = Pick<Use, "isCall" | "isMember" | "path" | "role" | "source" | "tag">
type DefinitionKind = Pick<Definition, "kind" | "scope">

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
const types = new Set(["class", "struct", "interface", "type", "enum", "module", "macro"])
const members = new Set(["method", "field", "enum_member", "constant"])

/** Roles that any kind of definition can have. */
const neutral: ReadonlySet<Role | undefined> = new Set([undefined, "import", "export", "label"])

/** Compares a use with a definition. */
export const compare = (use: UseKind, definition: DefinitionKind): Fit => {
  const { isCall, isMember, role, source, tag } = use
  if (tag !== undefined) return hasTag(definition, tag) ? 1 : -1
  if (neutral.has(role)) return 0
  if (role === "declaration") return isMember === (definition.scope !== undefined) ? 0 : -1
  const family = familyOf(use.path)
  if (isMember && source !== undefined) return compareQualified(role, definition, family)
  const isC = family === "c"
  switch (role) {
    case "key":
      return compareKey(definition, isC)
    case "type":
      return compareType(definition, isC)
    case "member":
      return isCall ? compareMemberCall(definition, isC) : compareMember(definition, isC, family === "Go")
    default:
      return isCall ? compareCall(definition, isC) : compareValue(definition, isC)
  }
}

/** True for a definition that `struct`, `union`, `class` or `enum` before the name can mean in C. */
const hasTag = ({ kind }: DefinitionKind, tag: string): boolean =>
  tag === "class" ? kind === "class" || kind === "struct" : kind === (tag === "union" ? "struct" : tag)

/** Compares a name after a package or module. */
const compareQualified = (role: Role | undefined, { kind, scope }: DefinitionKind, family: string | undefined): Fit => {
  if (role === "type") return types.has(kind) ? 1 : -1
  return kind === "method" && scope !== undefined && family === "Go" ? -1 : 0
}

const compareKey = ({ kind }: DefinitionKind, isC: boolean): Fit => {
  if (kind === "field") return 1
  return kind === "method" && !isC ? 0 : -1
}

const compareType = ({ kind }: DefinitionKind, isC: boolean): Fit => {
  if (types.has(kind)) return 1
  return isC && kind === "variable" ? 0 : -1
}

const compareMemberCall = ({ kind }: DefinitionKind, isC: boolean): Fit => {
  if (kind === "method" || (kind === "field" && isC)) return 1
  return kind === "field" || (kind === "function" && !isC) ? 0 : -1
}

const compareMember = ({ kind }: DefinitionKind, isC: boolean, isGo: boolean): Fit => {
  if (members.has(kind)) return kind === "method" && isC ? 0 : 1
  return isC || isGo ? -1 : 0
}

const compareCall = ({ kind, scope }: DefinitionKind, isC: boolean): Fit => {
  if (!callable.has(kind) || (isC && kind === "struct")) return -1
  return kind === "function" || kind === "macro" || (kind === "method" && scope !== undefined && !isC) ? 1 : 0
}

const compareValue = ({ kind }: DefinitionKind, isC: boolean): Fit =>
  kind === "field" || (isC && (kind === "struct" || kind === "method")) ? -1 : 0
