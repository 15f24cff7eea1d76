/** Finds the names that a statement of C or C++ declares, from the tokens of the statement. */
import * as CScanner from "./CScanner.ts"
import type { Token } from "./CScanner.ts"

/** A declared name: offset and text, which differ for operators and the kernel's system calls. */
export interface Name {
  readonly at: number
  readonly name: string
  /** Qualifier before the name, without template arguments, for example `Foo` of `Foo::bar`. */
  readonly scope: string | undefined
}

/** Words that cannot be names of functions. */
const keywords = new Set(
  "if else for while do switch case default return goto break continue sizeof typeof __typeof__ alignof _Alignof static_assert _Static_assert asm __asm__ __asm throw catch try new delete using co_return co_await co_yield".split(
    " "
  )
)

/** Words of C++ that are names in C. */
const wordsOfCpp = new Set(
  "class new delete export virtual friend typename explicit try catch throw mutable".split(" ")
)

/** Words before a name that are not types. */
const modifiers = new Set(
  "static inline extern const volatile register constexpr consteval constinit virtual explicit friend typedef auto mutable thread_local _Thread_local __inline __inline__ __extension__ restrict unsigned signed struct union enum class typename export".split(
    " "
  )
)

/** Macros and specifiers with arguments that are attributes, whichever name follows. */
const attribute =
  /^(?:__attribute__|__attribute|__declspec|_Alignas|alignas|noexcept|throw|decltype|__asm__|__asm|asm|__section|__aligned|__printf|__scanf|__must_hold|__acquires|__releases|__nonnull|__alloc_size|__counted_by|__cond_lock|__assume_aligned|__deprecated|explicit|requires|__malloc|__error|__warning|__releases_shared|DEPRECATED|__typeof__|typeof|__typeof)$/

const isAttribute = (name: string): boolean => attribute.test(name)

/** True for a name in capitals, like the name of a macro. */
const isCapital = (name: string): boolean => /^[A-Z_][A-Z0-9_]*$/.test(name) && /[A-Z]/.test(name)

/** True for a word that, after a name, is an attribute of the kernel. */
const isTrailing = (name: string): boolean => /^_{2,}[a-z]/.test(name) || isCapital(name)

const textOf = (text: string, token: Token | undefined): string =>
  token === undefined ? "" : text.slice(token.start, token.end)

const isMark = (text: string, token: Token | undefined, mark: string): boolean =>
  token?.type === CScanner.MARK && text[token.start] === mark

/** True if two colons end before a token. */
const isQualified = (text: string, tokens: ReadonlyArray<Token>, at: number): boolean =>
  isMark(text, tokens[at - 1], ":") && isMark(text, tokens[at - 2], ":")

/** The name whose last token is at an index, with the qualifier. */
const nameAt = (text: string, tokens: ReadonlyArray<Token>, at: number): Name | undefined => {
  const token = tokens[at]
  if (token === undefined) return undefined
  const isDestructor = isMark(text, tokens[at - 1], "~")
  let before = isDestructor ? at - 1 : at
  const start = tokens[before]?.start ?? token.start
  let scope: string | undefined
  if (isQualified(text, tokens, before)) {
    before -= 3
    if (tokens[before]?.type === CScanner.ANGLES) before--
    if (tokens[before]?.type === CScanner.WORD) scope = textOf(text, tokens[before])
  }
  return { at: start, name: (isDestructor ? "~" : "") + textOf(text, token), scope }
}

/** A group that begins with a star: the declarator of a pointer to a function or array. */
const pointer =
  /^\(\s*(?:[A-Za-z_]\w*\s+|[A-Za-z_]\w*::)?[*^&]+\s*(?:(?:const|volatile|restrict|__\w+|[A-Z_]+)\s+)*([A-Za-z_]\w*)\s*([[(])?/

/** A name alone in parentheses. */
const enclosed = /^\(\s*([A-Za-z_]\w*)\s*\)$/

/** Maximum length of a declarator in parentheses. */
const MAX_DECLARATOR = 300

/** A name in a group: of a pointer, of a function that returns a pointer, or of a function in parentheses. */
export const inGroup = (
  text: string,
  tokens: ReadonlyArray<Token>,
  at: number
): (Name & { readonly isFunction: boolean }) | undefined => {
  const group = tokens[at]
  if (group?.type !== CScanner.GROUP) return undefined
  const next = tokens[at + 1]?.type
  const inner = text.slice(group.start, Math.min(group.end, group.start + MAX_DECLARATOR))
  // Parameters can begin with a pointer, too, but not with a star.
  const isPointer = next === CScanner.GROUP || /^\(\s*[*^&]/.test(inner)
  const match = isPointer ? (pointer.exec(inner) ?? enclosed.exec(inner)) : null
  const name = match?.[1]
  if (match === null || name === undefined) return undefined
  const offset = group.start + match[0].lastIndexOf(name)
  const isFunction = inner.charAt(1) !== "*" ? enclosed.test(inner) : match[2] === "("
  return { at: offset, name, scope: undefined, isFunction }
}

/** A function head: the name, and the index of the parameters. */
export interface Head extends Name {
  readonly parameters: number
}

/**
 * Finds the name of the function that a statement defines or declares: the word before the parameters. Undefined for a
 * call of a macro.
 */
export const functionHead = (
  text: string,
  tokens: ReadonlyArray<Token>,
  className: string | undefined
): Head | undefined => {
  const operator = tokens.findIndex((token) => token.type === CScanner.WORD && textOf(text, token) === "operator")
  if (operator !== -1) return operatorHead(text, tokens, operator)
  const heads: Array<Head> = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (isMark(text, token, "=")) break
    // The initializers of a constructor follow the parameters.
    if (
      heads.length > 0 &&
      isMark(text, token, ":") &&
      !isMark(text, tokens[at + 1], ":") &&
      !isMark(text, tokens[at - 1], ":")
    )
      break
    if (token?.type === CScanner.GROUP) {
      const inner = tokens[at - 1]?.type === CScanner.GROUP ? undefined : inGroup(text, tokens, at)
      if (inner?.isFunction === true && heads.length === 0) return { ...inner, parameters: at + 1 }
      if (inner !== undefined && heads.length === 0) return undefined
      const isAngled = tokens[at - 1]?.type === CScanner.ANGLES
      const word = isAngled ? at - 2 : at - 1
      const before = tokens[word]
      if (before?.type !== CScanner.WORD) continue
      const name = textOf(text, before)
      if (keywords.has(name) || modifiers.has(name) || isAttribute(name)) continue
      const found = nameAt(text, tokens, word)
      if (found !== undefined) heads.push({ ...found, parameters: at })
    }
  }
  const [first, ...others] = heads
  if (first === undefined) return undefined
  const later = others[0]
  // A macro with arguments can precede the name: `EXPORT(int) f(void)`.
  const head = later !== undefined && isMacroBefore(tokens, first, later) ? later : first
  return hasType(text, tokens, head, className) ? head : undefined
}

const operatorHead = (text: string, tokens: ReadonlyArray<Token>, operator: number): Head | undefined => {
  let parameters = tokens.findIndex((token, at) => at > operator && token.type === CScanner.GROUP)
  if (parameters === operator + 1 && tokens[parameters + 1]?.type === CScanner.GROUP) parameters++
  const start = tokens[operator]
  const end = tokens[parameters]?.start
  if (start === undefined || end === undefined || end - start.start > MAX_DECLARATOR) return undefined
  const found = nameAt(text, tokens, operator)
  const rest = text.slice(start.end, end).trim()
  const name = /^\w/.test(rest) ? `operator ${rest}` : `operator${rest.replaceAll(/\s+/g, "")}`
  return found === undefined ? undefined : { ...found, name, parameters }
}

const isMacroBefore = (tokens: ReadonlyArray<Token>, first: Head, later: Head): boolean => {
  if (isTrailing(later.name) && !isCapital(first.name)) return false
  if (isCapital(first.name) && !isCapital(later.name)) return true
  // Two names in a row are a call of a macro without a semicolon, and a function.
  const next = tokens[first.parameters + 1]
  return first.name.startsWith("__") && next?.type === CScanner.WORD && !isTrailing(later.name)
}

/**
 * True if a type precedes the name, or for a name without a type: a constructor, a destructor, or a function such as
 * `main`.
 */
const hasType = (text: string, tokens: ReadonlyArray<Token>, head: Head, className: string | undefined): boolean => {
  if (head.name.startsWith("~") || head.scope !== undefined) return true
  if (className !== undefined && head.name === className) return true
  return tokens.some(
    (token) =>
      token.end <= head.at &&
      token.type === CScanner.WORD &&
      !/^(?:static|inline|extern|const|virtual|explicit|friend|typedef|template|constexpr)$/.test(textOf(text, token))
  )
}

/** Returns the index of the sign of equality before a value, or -1. Ignores the names of operators. */
export const equalsAt = (text: string, tokens: ReadonlyArray<Token>): number =>
  tokens.findIndex(
    (token, at) =>
      isMark(text, token, "=") && ![1, 2].some((before) => textOf(text, tokens[at - before]) === "operator")
  )

/** Returns the names of the variables, fields or types that a statement declares. */
export const variables = (text: string, tokens: ReadonlyArray<Token>): ReadonlyArray<Name> => {
  const names: Array<Name> = []
  let start = 0
  let isFirst = true
  for (let at = 0; at <= tokens.length; at++) {
    if (at < tokens.length && !isMark(text, tokens[at], ",")) continue
    const name = variable(text, tokens.slice(start, at), isFirst)
    if (name !== undefined) names.push(name)
    isFirst = false
    start = at + 1
  }
  return names
}

/** Returns the name in one declarator. The first one follows a type. */
const variable = (text: string, tokens: ReadonlyArray<Token>, isFirst: boolean): Name | undefined => {
  const isAfterBody = tokens[0]?.type === CScanner.BODY
  let words = 0
  let found: Name | undefined
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token === undefined || isMark(text, token, "=")) break
    const isColon = isMark(text, token, ":")
    if (isColon && !isMark(text, tokens[at + 1], ":") && !isMark(text, tokens[at - 1], ":")) break
    if (token.type === CScanner.BODY) words++
    if (token.type === CScanner.GROUP) {
      const inner = inGroup(text, tokens, at)
      if (inner !== undefined) return inner
    }
    if (token.type === CScanner.BRACKETS && found !== undefined) return found
    if (token.type !== CScanner.WORD) continue
    const name = textOf(text, token)
    // C has names that are words of C++: `struct class *class`.
    const isTag = /^(?:struct|union|enum)$/.test(textOf(text, tokens[at - 1]))
    const isName = at === tokens.length - 1 && words > 0 && wordsOfCpp.has(name)
    if (!isTag && !isName && (modifiers.has(name) || keywords.has(name))) {
      if (name === "unsigned" || name === "signed" || name === "auto") words++
      continue
    }
    if (isAttribute(name) || (isAfterBody && /^_{2,}/.test(name))) continue
    const isKnown = words > (isFirst ? 1 : 0)
    words++
    // Attributes follow the name: `int x __aligned(8)`.
    if (isKnown && isTrailing(name) && (tokens[at + 1]?.type === CScanner.GROUP || /^_{2,}/.test(name))) continue
    found = nameAt(text, tokens, at)
  }
  return words > (isFirst ? 1 : 0) ? found : undefined
}
