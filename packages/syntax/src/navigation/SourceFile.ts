/** A parsed file: names and scopes. */
import type { Parser, SyntaxNode, Tree } from "@lezer/common"
import * as Language from "../Language.ts"
import * as CFamily from "./CFamily.ts"
import * as CLocals from "./CLocals.ts"
import * as Declare from "./Declare.ts"
import * as Go from "./Go.ts"
import * as Java from "./Java.ts"
import * as Nodes from "./Nodes.ts"
import type { Import, Occurrence, Rules } from "./Occurrence.ts"
import * as Python from "./Python.ts"
import * as Rust from "./Rust.ts"
import * as Script from "./Script.ts"

const byLanguage: Partial<Record<Language.Language, Rules>> = {
  ts: Script.rules,
  tsx: Script.rules,
  js: Script.rules,
  python: Python.rules,
  go: Go.rules,
  rust: Rust.rules,
  cpp: CFamily.rules,
  java: Java.rules
}

/** Maximum length of a text that is parsed, in UTF-16 code units. */
export const MAX_LENGTH = 2_000_000

/** Maximum number of occurrences of one name in a file. */
const MAX_OCCURRENCES = 20_000

/** A parsed file. */
export interface SourceFile {
  readonly language: Language.Language
  readonly text: string
  readonly tree: Tree
  readonly rules: Rules
  /** False if the time was not enough for the whole file. */
  readonly isComplete: boolean
}

/** True for a file in a language with rules. */
export const isSupported = (path: string): boolean => byLanguage[Language.fromPath(path) ?? "json"] !== undefined

const parsers = new Map<Language.Language, Promise<Parser>>()

/** Parses a file until `isOver` returns true. Undefined for a language without rules, or a too large file. */
export const parse = async (
  path: string,
  text: string,
  { isOver }: { readonly isOver: () => boolean }
): Promise<SourceFile | undefined> => {
  const language = Language.fromPath(path)
  const rules = language === undefined ? undefined : byLanguage[language]
  if (language === undefined || rules === undefined || text.length > MAX_LENGTH) return undefined
  const loading = parsers.get(language) ?? Language.loadParser(language)
  parsers.set(language, loading)
  const partial = (await loading).startParse(readable(language, text))
  let isComplete = true
  for (;;) {
    const tree = partial.advance()
    if (tree !== null) return { language, text, tree, rules, isComplete }
    if (partial.stoppedAt === null && isOver()) {
      isComplete = false
      partial.stopAt(partial.parsedPos)
    }
  }
}

/** Returns a text of the same length without the syntax that the grammar of a language does not know. */
const readable = (language: Language.Language, text: string): string => {
  switch (language) {
    case "ts":
      return withNamedSignatures(withoutTypeMarks(text))
    case "tsx":
      return withoutTagLikes(withoutTypeMarks(text))
    case "go":
      return withSemicolons(text)
    default:
      return text
  }
}

/** The grammar does not end a statement after `true`, `false` or `nil`, so the next line gets a semicolon for a space. */
const withSemicolons = (text: string): string =>
  text.replace(/\b(?:true|false|nil)[ \t]*\r?\n[ \t]*[ \t](?=\S)/g, (end, at: number) => {
    const isComment = text.slice(text.lastIndexOf("\n", at) + 1, at).includes("//")
    return isComment ? end : `${end.slice(0, -1)};`
  })

/** The grammar does not know `type` before a name in a list of exports, so it gets spaces for the word. */
const withoutTypeMarks = (text: string): string =>
  text.replace(/\bexport\s*\{[^{}]{0,20000}\}/g, (list) =>
    list.replace(/([{,]\s*)type(?=\s+(?!as\b)[\w$])/g, (_, before: string) => `${before}    `)
  )

/** The grammar does not know generic call signatures, so each gets a name in place of a space: `_<T>(value: T): T`. */
const withNamedSignatures = (text: string): string =>
  text.replace(/\n[ \t]*[ \t](?=<\s*[A-Z])/g, (indent, at: number) => {
    const before = /[^\n]*$/.exec(text.slice(Math.max(0, at - 200), at))?.[0].trim() ?? ""
    return /(?:=>|[=(,:?|&[])$/.test(before) ? indent : `${indent.slice(0, -1)}_`
  })

/** The grammar takes the type parameters of a function in a file with JSX for a tag, so they get spaces. */
const withoutTagLikes = (text: string): string =>
  text.replace(/(?<=[=(,:?]\s{0,40})<\w+(?:,|\s+extends\s(?:[^<>(){}]|<[^<>(){}]*>){1,200})>(?=\()/g, (list) =>
    " ".repeat(list.length)
  )

/** Maximum length of the text of a node. Names and paths of names are shorter. */
const MAX_NODE_LENGTH = 200

/** Returns the start of the text of a node. */
export const textOf = ({ text }: Pick<SourceFile, "text">, { from, to }: Pick<SyntaxNode, "from" | "to">): string =>
  text.slice(from, Math.min(to, from + MAX_NODE_LENGTH))

const word = /[\p{L}\p{N}_$]/u

/** Returns the places of a whole word in a text. */
export const wordsIn = function* (text: string, name: string): Generator<number> {
  if (name === "") return
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const next = text[at + name.length]
    const before = text[at - 1]
    if ((before === undefined || !word.test(before)) && (next === undefined || !word.test(next))) yield at
  }
}

/** Returns the occurrences of a name in code, without comments and strings. */
export const occurrences = (file: SourceFile, name: string): ReadonlyArray<Occurrence> => {
  const found: Array<Occurrence> = []
  for (const from of wordsIn(file.text, name)) {
    const one = occurrenceAt(file, from)
    if (one !== undefined) found.push(one)
    if (found.length >= MAX_OCCURRENCES) break
  }
  return withoutAssignments(found)
}

/** Makes declarations of names that the same scope already has to uses. */
const withoutAssignments = (all: ReadonlyArray<Occurrence>): ReadonlyArray<Occurrence> => {
  if (!all.some(({ declaration }) => declaration?.canAssign === true)) return all
  const seen = new Set<string>()
  return all.map((one) => {
    const scope = one.declaration?.scope.join(" ")
    if (scope === undefined || one.declaration?.level === "member") return one
    if (one.declaration?.canAssign === true && seen.has(scope))
      return { from: one.from, node: one.node, ...Declare.value }
    seen.add(scope)
    return one
  })
}

const occurrenceAt = ({ rules, text, tree }: SourceFile, from: number): Occurrence | undefined => {
  if (from >= tree.length) return undefined
  const node = tree.resolveInner(from, 1)
  if (!rules.names.has(node.name)) return undefined
  if (node.from !== from) {
    // The body of a macro is one node, with its comments and strings.
    if (node.name !== "PreprocArg" || isQuoted(text.slice(node.from, from))) return undefined
  }
  return { from, node, ...rules.classify(node, text) }
}

const isQuoted = (before: string): boolean => {
  const plain = before.replace(/\\.|\/\*[^]*?\*\//g, "")
  return plain.includes("/*") || plain.includes("//") || (plain.match(/"/g) ?? []).length % 2 === 1
}

/**
 * Returns the declarations that a use sees in the same file, by scope: all of the innermost scope that has one, for
 * example the overloads of a function. Leaves out members, because a container declares them.
 */
export const declarationsOf = (
  use: Occurrence,
  all: ReadonlyArray<Occurrence>,
  file?: SourceFile
): ReadonlyArray<Occurrence> => {
  let best: ReadonlyArray<Occurrence> = []
  let size = Infinity
  for (const one of all) {
    const { declaration } = one
    if (declaration === undefined || declaration.level === "member" || !canMean(use, one)) continue
    const [from, to] = declaration.scope
    if (use.from < from || use.from > to || to - from > size) continue
    if (declaration.isOrdered === true && one.from > use.from) continue
    if (to - from < size) best = []
    size = to - from
    // A later declaration in the same scope hides the one before.
    best = declaration.isOrdered === true ? [one] : [...best, one]
  }
  const isLocal = best.some(({ declaration }) => declaration?.level !== "file")
  if (isLocal || file?.language !== "cpp" || use.tag !== undefined || use.declaration !== undefined) return best
  const inFunction = CLocals.declarationOf(file.text, use, all)
  return inFunction === undefined ? best : [inFunction]
}

/** In C, the tags of structures are names of their own: `struct foo *foo`. */
const canMean = ({ role, tag }: Occurrence, { tag: declared }: Occurrence): boolean =>
  tag !== undefined
    ? declared !== undefined
    : declared === undefined || role === "type" || declared === "class" || role === "declaration"

/** Returns the written type of the expression before a member: of `this`, or of a name that the file declares. */
export const typeOf = (file: SourceFile, receiver: SyntaxNode): string | undefined => {
  const { rules, text } = file
  const inner = unwrap(receiver)
  const written = textOf(file, inner)
  if (rules.self.has(written)) return rules.selfAt(inner, text)
  if (inner.name === "this" || inner.name === "self") return rules.selfAt(inner, text)
  // `value as Type`
  const as = inner.name === "BinaryExpression" ? inner.lastChild : null
  if (as?.name === "TypeName") return text.slice(as.from, as.to)
  // `value as typeof other`
  const other = as?.name === "TypeofType" ? as.lastChild : null
  if (other !== null && rules.names.has(other.name)) return text.slice(other.from, other.to)
  if (!rules.names.has(inner.name)) return undefined
  const all = occurrences(file, written)
  const use = all.find(({ from }) => from === inner.from)
  // A field of the instance, whose type is in this file, or unknown.
  const declared =
    use === undefined || use.receiver !== undefined
      ? all.filter(({ declaration }) => declaration?.level === "member")
      : declarationsOf(use, all)
  return declared[0] === undefined ? undefined : rules.typeOf(declared[0].node, text)
}

const wrappers = new Set([
  "ParenthesizedExpression",
  "PostfixExpression",
  "NonNullExpression",
  "PointerExpression",
  "UnaryExp",
  "TryExpression"
])
const memberNodes = new Set(["MemberExpression", "SelectorExpr", "FieldExpression", "FieldAccess"])

/** Returns the inner expression of parentheses, and the last name of a path. */
const unwrap = (node: SyntaxNode): SyntaxNode => {
  let at = node
  for (let steps = 0; steps < 10; steps++) {
    const inner = wrappers.has(at.name)
      ? [...Nodes.children(at)].find(({ name }) => /Name|Identifier|Expression|this|self/.test(name))
      : memberNodes.has(at.name)
        ? (at.lastChild ?? undefined)
        : undefined
    if (inner === undefined) return at
    at = inner
  }
  return at
}

/** Returns the imports of a file. */
export const imports = ({ rules, text, tree }: SourceFile): ReadonlyArray<Import> => rules.imports(tree.topNode, text)
