/** Translates classes in brackets from ripgrep's syntax, with nested classes and the operations `&&`, `--` and `~~`. */
import * as RipgrepEscape from "./RipgrepEscape.ts"
import type { PatternReader } from "./RipgrepReader.ts"

/** A class, as a source that matches exactly one character. */
interface CharacterClass {
  readonly source: string
  /** True if a quantifier can follow the source directly. */
  readonly isPlain: boolean
  /** True if all characters of the class are characters of words. */
  readonly isWord: boolean
  /** The literal characters of the class. */
  readonly literals: ReadonlyArray<string>
}

/** A set of characters: a body of a class in brackets, which may be negated, or any source. */
type CharacterSet =
  | { readonly _tag: "Body"; readonly body: string; readonly negated: boolean }
  | { readonly _tag: "Source"; readonly source: string }

/** Maximum nesting depth of classes. */
const MAX_DEPTH = 50

/** Reads a class after the opening bracket, which is at `start`. */
export const parse = (
  reader: PatternReader,
  start: number,
  flags: { readonly unicode: boolean; readonly verbose: boolean }
): CharacterClass => {
  const literals: Array<string> = []
  const set = readClass(reader, start, { ...flags, literals }, 1)
  const isWord = set._tag === "Body" && !set.negated && RipgrepEscape.isWordClass(set.body)
  return { source: print(set), isPlain: set._tag === "Body", isWord, literals }
}

interface Setting {
  readonly unicode: boolean
  readonly verbose: boolean
  readonly literals: Array<string>
}

const readClass = (reader: PatternReader, start: number, setting: Setting, depth: number): CharacterSet => {
  if (depth > MAX_DEPTH) reader.fail(start, 1, `exceeded the maximum number of nested classes (${MAX_DEPTH})`)
  const isNegated = reader.eat("^")
  let left: CharacterSet | undefined
  let operator: string | undefined
  for (let isFirst = true; ; isFirst = false) {
    const right = readUnion(reader, start, setting, depth, isFirst)
    left = left === undefined || operator === undefined ? right : combine(left, operator, right)
    operator = reader.read(/&&|--|~~/y)?.[0]
    if (operator === undefined) break
  }
  reader.eat("]")
  if (!isNegated) return left
  if (left._tag === "Body") return { ...left, negated: !left.negated }
  return { _tag: "Source", source: `(?:(?!${left.source})[^\\n])` }
}

/** Reads items up to the end of the class or an operator. */
const readUnion = (
  reader: PatternReader,
  start: number,
  setting: Setting,
  depth: number,
  isFirst: boolean
): CharacterSet => {
  let body = ""
  const others: Array<CharacterSet> = []
  const add = (set: CharacterSet): void => {
    if (set._tag === "Body" && !set.negated) body += set.body
    else others.push(set)
  }
  // Hyphens and a closing bracket at the start of a class are characters.
  if (isFirst) {
    const first = reader.read(/-+|\]/y)?.[0]
    if (first !== undefined) body += RipgrepEscape.classLiteral(first[0] ?? "")
  }
  for (;;) {
    if (setting.verbose) reader.read(/\s+/y)
    if (reader.isAtEnd) reader.fail(start, Math.max(1, Math.min(2, reader.at - start)), "unclosed character class")
    if (reader.startsWith("]") || reader.peek(/&&|--|~~/y) !== undefined) break
    const nested = reader.at
    const posix = reader.read(/\[:(\^?)([a-z]+):\]/y)
    const ascii = posix === undefined ? undefined : posixClasses[posix[2] ?? ""]
    if (ascii !== undefined) add({ _tag: "Body", body: ascii, negated: posix?.[1] === "^" })
    else {
      reader.at = nested
      if (reader.eat("[")) add(readClass(reader, nested, setting, depth + 1))
      else add(readRange(reader, setting))
    }
  }
  if (others.length === 0) return { _tag: "Body", body, negated: false }
  if (others.length === 1 && body === "") return others[0] ?? { _tag: "Body", body, negated: false }
  const all = [...(body === "" ? [] : [`[${body}]`]), ...others.map(print)]
  return { _tag: "Source", source: `(?:${all.join("|")})` }
}

/** Reads a character, an escaped class, or a range of characters. */
const readRange = (reader: PatternReader, setting: Setting): CharacterSet => {
  const start = reader.at
  const first = readItem(reader, setting)
  if (first._tag === "Class") return { _tag: "Body", body: first.body, negated: first.negated }
  if (reader.peek(/-(?![\]-])/y) === undefined || reader.at + 1 >= reader.text.length) {
    return { _tag: "Body", body: RipgrepEscape.classLiteral(first.character), negated: false }
  }
  reader.eat("-")
  const from = reader.at
  const last = readItem(reader, setting)
  if (last._tag === "Class") reader.fail(from, reader.at - from, "invalid range boundary, must be a literal")
  if ((first.character.codePointAt(0) ?? 0) > (last.character.codePointAt(0) ?? 0)) {
    reader.fail(start, reader.at - start, "invalid character class range, the start must be <= the end")
  }
  const body = `${RipgrepEscape.classLiteral(first.character)}-${RipgrepEscape.classLiteral(last.character)}`
  return { _tag: "Body", body, negated: false }
}

type Item = Exclude<RipgrepEscape.Escape, { readonly _tag: "Assertion" | "Boundary" }>

const readItem = (reader: PatternReader, { literals, unicode }: Setting): Item => {
  const start = reader.at
  let item: Item
  if (reader.startsWith("\\")) {
    const escaped = RipgrepEscape.parse(reader, unicode)
    if (escaped._tag === "Assertion" || escaped._tag === "Boundary") {
      reader.fail(start, reader.at - start, "invalid escape sequence found in character class")
    }
    item = escaped
  } else {
    item = { _tag: "Literal", character: reader.next() }
  }
  if (item._tag === "Literal") literals.push(item.character)
  return item
}

const combine = (left: CharacterSet, operator: string, right: CharacterSet): CharacterSet => {
  const a = print(left)
  const b = print(right)
  switch (operator) {
    case "&&":
      return { _tag: "Source", source: `(?:(?=${a})${b})` }
    case "--":
      return { _tag: "Source", source: `(?:(?!${b})${a})` }
    default:
      return { _tag: "Source", source: `(?:(?!${b})${a}|(?!${a})${b})` }
  }
}

const print = (set: CharacterSet): string =>
  set._tag === "Source" ? set.source : `[${set.negated ? "^" : ""}${set.body}]`

/** Bodies of the POSIX classes, all of ASCII characters. */
const posixClasses: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\u{0}-\\u{7f}",
  blank: "\\t ",
  cntrl: "\\u{0}-\\u{1f}\\u{7f}",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@\\[-`{-~",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "0-9A-Z_a-z",
  xdigit: "0-9A-Fa-f"
}
