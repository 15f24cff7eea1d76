/** Translates escapes of ripgrep's syntax: characters, classes and assertions. */
import { NEWLINE_MESSAGE, type PatternReader, SEARCH_HINT } from "./RipgrepReader.ts"

/** Meaning of an escape. */
export type Escape =
  | { readonly _tag: "Literal"; readonly character: string }
  /** A class of characters, as the body of a class in brackets. */
  | { readonly _tag: "Class"; readonly body: string; readonly negated: boolean }
  | { readonly _tag: "Assertion"; readonly source: string }
  /** A word boundary. `before` and `after` are the shorter sources next to a character of a word. */
  | { readonly _tag: "Boundary"; readonly source: string; readonly before: string; readonly after: string }

// Short names of properties, because the length of an expression is limited.
const WORD_BODY = String.raw`\p{Alpha}\p{M}\p{Nd}\p{Pc}\p{Join_C}`
const ASCII_WORD_BODY = "0-9A-Za-z_"

/** Class of the characters of words. */
export const WORD = `[${WORD_BODY}]`

/** Returns the source that matches one character. */
export const literal = (character: string): string => {
  if (/[\^$\\.*+?()[\]{}|/]/.test(character)) return `\\${character}`
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? `\\u{${code(character)}}` : character
}

/** Returns the source for one character within brackets. */
export const classLiteral = (character: string): string => {
  if (/[\^\\\]\-[/]/.test(character)) return `\\${character}`
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(character) ? `\\u{${code(character)}}` : character
}

const code = (character: string) => (character.codePointAt(0) ?? 0).toString(16)

const controls: Readonly<Record<string, string>> = { a: "\x07", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }

/** Reads an escape. Fails for escapes that ripgrep does not know. */
export const parse = (reader: PatternReader, unicode: boolean): Escape => {
  const start = reader.at
  reader.eat("\\")
  const character = reader.next("incomplete escape sequence, reached end of pattern prematurely", start)
  switch (character) {
    case "d":
    case "D":
      return {
        _tag: "Class",
        ...negate(unicode ? "\\p{Nd}" : "0-9", unicode ? "\\P{Nd}" : undefined, character === "D")
      }
    case "s":
    case "S":
      return {
        _tag: "Class",
        ...negate(
          unicode ? "\\p{White_Space}" : "\\t\\n\\v\\f\\r ",
          unicode ? "\\P{White_Space}" : undefined,
          character === "S"
        )
      }
    case "w":
    case "W":
      return { _tag: "Class", ...negate(unicode ? WORD_BODY : ASCII_WORD_BODY, undefined, character === "W") }
    case "p":
    case "P":
      return property(reader, start, character === "P")
    case "A":
      return { _tag: "Assertion", source: "^" }
    case "z":
      return { _tag: "Assertion", source: "$" }
    case "b":
    case "B":
    case "<":
    case ">":
      return boundary(reader, character, unicode)
    case "x":
    case "u":
    case "U":
      return { _tag: "Literal", character: hexadecimal(reader, character) }
  }
  const control = controls[character]
  if (control !== undefined) {
    if (control === "\n") {
      reader.fail(start, 2, NEWLINE_MESSAGE)
    }
    return { _tag: "Literal", character: control }
  }
  if (/\d/.test(character)) {
    reader.fail(start, 2, `backreferences are not supported${SEARCH_HINT}`)
  }
  if (/[A-Za-z]/.test(character) || (character.codePointAt(0) ?? 0) > 0x7f) {
    const hint = character === "h" ? "\n\nFor horizontal white space, write [ \\t]." : ""
    reader.fail(start, 1 + character.length, `unrecognized escape sequence${hint}`)
  }
  return { _tag: "Literal", character }
}

const negate = (body: string, opposite: string | undefined, negated: boolean) =>
  negated && opposite !== undefined ? { body: opposite, negated: false } : { body, negated }

const boundary = (reader: PatternReader, kind: string, unicode: boolean): Escape => {
  const word = `[${unicode ? WORD_BODY : ASCII_WORD_BODY}]`
  const named = kind === "b" ? reader.read(/\{(start-half|end-half|start|end)\}/y)?.[1] : undefined
  const before = `(?<=${word})`
  const notBefore = `(?<!${word})`
  const after = `(?=${word})`
  const notAfter = `(?!${word})`
  const assertion = (source: string): Escape => ({ _tag: "Assertion", source })
  if (kind === "<" || named === "start") return assertion(notBefore + after)
  if (kind === ">" || named === "end") return assertion(before + notAfter)
  if (named === "start-half") return assertion(notBefore)
  if (named === "end-half") return assertion(notAfter)
  return kind === "b"
    ? { _tag: "Boundary", source: `(?:${before}${notAfter}|${notBefore}${after})`, before: notBefore, after: notAfter }
    : { _tag: "Boundary", source: `(?:${before}${after}|${notBefore}${notAfter})`, before, after }
}

/** Returns whether every character that a class in brackets matches is a character of a word. */
export const isWordClass = (body: string): boolean =>
  /^(?:a-z|A-Z|0-9|\\p\{(?:Alpha|M|Nd|Pc|L|Lu|Ll|Join_C)\}|\w(?!-))+$/.test(body)

/** Returns whether a character is part of a word. */
export const isWord = (character: string): boolean => /^\w$/.test(character)

const digits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

const hexadecimal = (reader: PatternReader, kind: string): string => {
  const isBraced = reader.eat("{")
  const start = reader.at
  const text = isBraced ? reader.read(/[^}]*/y)?.[0] : reader.text.slice(start, start + (digits[kind] ?? 0))
  if (isBraced) {
    if (!reader.eat("}")) reader.fail(start - 1, 1, "incomplete escape sequence, reached end of pattern prematurely")
    if (text === "") reader.fail(start - 1, 2, "hexadecimal literal empty")
  } else {
    reader.at += text?.length ?? 0
    if (text?.length !== digits[kind]) {
      reader.fail(start, 1, "incomplete escape sequence, reached end of pattern prematurely")
    }
  }
  const wrong = /[^0-9A-Fa-f]/.exec(text ?? "")
  if (wrong !== null) reader.fail(start + wrong.index, 1, "invalid hexadecimal digit")
  const point = Number.parseInt(text ?? "", 16)
  if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) {
    reader.fail(start, text?.length ?? 1, "hexadecimal literal is not a Unicode scalar value")
  }
  return String.fromCodePoint(point)
}

const property = (reader: PatternReader, start: number, isNegated: boolean): Escape => {
  const braced = reader.read(/\{(\^?)([^}]*)\}/y)
  const [, not = "", name = ""] = braced ?? [
    "",
    "",
    reader.next("incomplete escape sequence, reached end of pattern prematurely")
  ]
  const found = candidates(name).find(isProperty)
  if (found === undefined) reader.fail(start, reader.at - start, "Unicode property not found")
  return { _tag: "Class", body: `\\p{${found}}`, negated: isNegated !== (not === "^") }
}

/** Returns the names that ECMAScript can have for a property, which Rust compares without case and punctuation. */
const candidates = (name: string): ReadonlyArray<string> => {
  const [, key, value] = /^\s*([^=:]+?)\s*(?:!?=|:)\s*(.+?)\s*$/.exec(name) ?? []
  const title = (text: string) =>
    text
      .trim()
      .split(/[\s_-]+/)
      .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1).toLowerCase())
      .join("_")
  if (value !== undefined) {
    const known = /^(?:sc|script)$/i.test(key ?? "")
      ? "Script"
      : /^scx|script_?extensions$/i.test(key ?? "")
        ? "scx"
        : "gc"
    return [`${known}=${value}`, `${known}=${title(value)}`]
  }
  const whole = name.trim()
  return [whole, title(whole), whole.toUpperCase(), `Script=${whole}`, `Script=${title(whole)}`, `gc=${title(whole)}`]
}

const isProperty = (name: string): boolean => {
  if (!/^[\w=]+$/.test(name)) return false
  try {
    void new RegExp(`\\p{${name}}`, "u")
    return true
  } catch {
    return false
  }
}
