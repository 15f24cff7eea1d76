/**
 * Translates regular expressions from ripgrep's syntax (Rust's `regex`) to ECMAScript with the `u` flag.
 *
 * **Details**
 *
 * `\w`, `\d`, `\s` and `\b` are Unicode-aware, as in Rust. A match never crosses a line, so `\A` and `\z` mean the
 * start and end of a line. Look-around and backreferences are refused, as in ripgrep.
 *
 * **Gotchas**
 *
 * ECMAScript takes U+2028, U+2029 and a lone carriage return as line breaks in `.`, `^` and `$`; Rust does not.
 */
import * as Result from "effect/Result"
import * as RipgrepClass from "./RipgrepClass.ts"
import * as RipgrepEscape from "./RipgrepEscape.ts"
import * as RipgrepPiece from "./RipgrepPiece.ts"
import { NEWLINE_MESSAGE, type PatternError, PatternReader, PatternSyntaxError, SEARCH_HINT } from "./RipgrepReader.ts"

export type { PatternError } from "./RipgrepReader.ts"

/** A translated regular expression. */
export interface RipgrepPattern {
  /** Source of an ECMAScript regular expression for the flags `gmu`. */
  readonly source: string
  /** The only text that the pattern matches. Undefined for a pattern with special characters. */
  readonly literal: string | undefined
  /** Names of the capture groups, in the order of their numbers from 1. Undefined for a group without a name. */
  readonly groups: ReadonlyArray<string | undefined>
  /** True for a pattern with a literal character; `hasUppercase` for an upper-case one. For `--smart-case`. */
  readonly hasLiteral: boolean
  readonly hasUppercase: boolean
}

/** Translates a pattern. Fails with the position of the first error. */
export const parse = (pattern: string): Result.Result<RipgrepPattern, PatternError> => {
  try {
    return Result.succeed(new Parser(pattern).parse())
  } catch (error) {
    if (error instanceof PatternSyntaxError) return Result.fail(error.detail)
    throw error
  }
}

/** Formats an error like ripgrep: the pattern, a line that marks the position, and the message. */
export const formatError = (pattern: string, { length, message, start }: PatternError): string => {
  const lines = pattern.split("\n")
  if (lines.length > 1) return `regex parse error:\n    ${lines.join("\n    ")}\nerror: ${message}`
  const before = Array.from(pattern.slice(0, start)).length
  return `regex parse error:\n    ${pattern}\n    ${" ".repeat(before)}${"^".repeat(Math.max(1, length))}\nerror: ${message}`
}

/** Escapes a text to match literally. */
export const escape = (text: string): string => [...text].map(RipgrepEscape.literal).join("")

/** Restricts a source to whole words (`-w`). */
export const wholeWord = (source: string): string => `(?<!${RipgrepEscape.WORD})(?:${source})(?!${RipgrepEscape.WORD})`

/** The flags of a group, as set by `(?i)`. */
interface Flags {
  readonly insensitive: boolean | undefined
  readonly dotAll: boolean
  readonly swapGreed: boolean
  readonly unicode: boolean
  readonly verbose: boolean
}

/** Maximum nesting depth of groups, as in ripgrep. */
const MAX_DEPTH = 250

class Parser extends PatternReader {
  #flags: Flags = { insensitive: undefined, dotAll: false, swapGreed: false, unicode: true, verbose: false }
  #depth = 0
  readonly #groups: Array<string | undefined> = []
  #literal: string | undefined = ""
  #hasLiteral = false
  #hasUppercase = false

  parse(): RipgrepPattern {
    const feed = this.text.indexOf("\n")
    if (feed !== -1) this.fail(feed, 1, NEWLINE_MESSAGE)
    const { source } = this.#alternatives()
    if (!this.isAtEnd) this.fail(this.at, 1, "unopened group")
    return {
      source: source === "" ? "(?:)" : source,
      literal: this.#literal === "" ? undefined : this.#literal,
      groups: this.#groups,
      hasLiteral: this.#hasLiteral,
      hasUppercase: this.#hasUppercase
    }
  }

  #alternatives(): RipgrepPiece.Branches {
    const branches = [this.#sequence()]
    while (this.eat("|")) {
      this.#literal = undefined
      branches.push(this.#sequence())
    }
    return {
      source: branches.map(({ source }) => source).join("|"),
      startsWord: branches.every(({ startsWord }) => startsWord),
      endsWord: branches.every(({ endsWord }) => endsWord)
    }
  }

  #sequence(): RipgrepPiece.Branches {
    const pieces: Array<RipgrepPiece.Piece> = []
    for (;;) {
      this.#skipComments()
      if (this.isAtEnd || this.startsWith("|") || this.startsWith(")")) break
      if (this.peek(/[*+?{]/y) !== undefined) this.#repeat(pieces)
      else pieces.push(...this.#atom())
    }
    return RipgrepPiece.join(pieces)
  }

  #skipComments(): void {
    while (this.#flags.verbose && this.read(/\s+|#[^\n]*/y) !== undefined) continue
  }

  #repeat(pieces: Array<RipgrepPiece.Piece>): void {
    const start = this.at
    const last = pieces.pop()
    if (last === undefined) this.fail(start, 1, "repetition operator missing expression")
    this.#literal = undefined
    const quantifier = this.read(/[*+?]/y)?.[0] ?? this.#counted()
    const isLazy = this.eat("?") !== this.#flags.swapGreed
    const atom = last.isAtom ? last.source : `(?:${last.source})`
    const isNeeded = /^(?:\+|\{0*[1-9])/.test(quantifier)
    pieces.push({
      source: `${atom}${quantifier}${isLazy ? "?" : ""}`,
      insensitive: last.insensitive,
      isAtom: false,
      startsWord: isNeeded && last.startsWord,
      endsWord: isNeeded && last.endsWord
    })
  }

  #counted(): string {
    const start = this.at
    this.eat("{")
    const [, from, comma, to] = this.peek(/\s*(\d*)\s*(,?)\s*(\d*)\s*\}/y) ?? []
    if (from === undefined) {
      if (this.peek(/\s*\d*\s*,?\s*\d*\s*$/y) !== undefined) {
        this.fail(start, this.text.length - start, `unclosed counted repetition${BRACE}`)
      }
      this.fail(this.at, 1, `repetition quantifier expects a valid decimal${BRACE}`)
    }
    if (from === "") this.fail(this.at, 1, "repetition quantifier expects a valid decimal")
    this.read(/[^}]*\}/y)
    if (comma !== "" && to !== "" && Number(from) > Number(to)) {
      this.fail(start, this.at - start, "invalid repetition count range, the start must be <= the end")
    }
    if (Math.max(Number(from), Number(to)) > MAX_COUNT) {
      this.fail(start, this.at - start, `a repetition count can be at most ${MAX_COUNT}`)
    }
    return `{${from}${comma}${to}}`
  }

  #piece(source: string, isAtom = true, isWord = false): ReadonlyArray<RipgrepPiece.Piece> {
    return [{ source, isAtom, insensitive: this.#flags.insensitive, startsWord: isWord, endsWord: isWord }]
  }

  #atom(): ReadonlyArray<RipgrepPiece.Piece> {
    if (this.eat("(")) return this.#group()
    const { dotAll, unicode } = this.#flags
    const classStart = this.at
    if (this.eat("[")) {
      this.#literal = undefined
      const { isPlain, isWord, literals, source } = RipgrepClass.parse(this, classStart, this.#flags)
      for (const literal of literals) this.#countCase(literal)
      return this.#piece(source, isPlain, isWord)
    }
    if (this.eat(".")) {
      this.#literal = undefined
      return this.#piece(dotAll ? "[^\\n]" : ".")
    }
    const anchor = this.read(/[$^]/y)?.[0]
    if (anchor !== undefined) {
      this.#literal = undefined
      return this.#piece(anchor, false)
    }
    if (this.startsWith("\\")) {
      const escaped = RipgrepEscape.parse(this, unicode)
      if (escaped._tag === "Literal") return this.#character(escaped.character)
      this.#literal = undefined
      if (escaped._tag === "Class") {
        const isWord = !escaped.negated && RipgrepEscape.isWordClass(escaped.body)
        return this.#piece(`[${escaped.negated ? "^" : ""}${escaped.body}]`, true, isWord)
      }
      const [piece] = this.#piece(escaped.source, false)
      return piece === undefined ? [] : [escaped._tag === "Boundary" ? { ...piece, boundary: escaped } : piece]
    }
    return this.#character(this.next())
  }

  #character(character: string): ReadonlyArray<RipgrepPiece.Piece> {
    if (character === "\n") this.fail(this.at - 1, 1, NEWLINE_MESSAGE)
    if (this.#flags.insensitive !== undefined) this.#literal = undefined
    if (this.#literal !== undefined) this.#literal += character
    this.#countCase(character)
    return this.#piece(RipgrepEscape.literal(character), true, RipgrepEscape.isWord(character))
  }

  #countCase(character: string): void {
    this.#hasLiteral = true
    if (/\p{Uppercase}/u.test(character)) this.#hasUppercase = true
  }

  #group(): ReadonlyArray<RipgrepPiece.Piece> {
    const start = this.at - 1
    this.#literal = undefined
    if (++this.#depth > MAX_DEPTH) this.fail(start, 1, `exceeded the maximum number of nested groups (${MAX_DEPTH})`)
    const look = this.read(/\?<?[=!]/y)
    if (look !== undefined) {
      this.fail(
        start,
        look[0].length + 1,
        `look-around, including look-ahead and look-behind, is not supported${SEARCH_HINT}`
      )
    }
    const outer = this.#flags
    const named = this.read(/\?P?</y)
    if (named !== undefined) {
      const at = this.at
      const name = this.read(/[A-Za-z_][\w.[\]]*/y)?.[0]
      if (name === undefined) {
        this.fail(at, 1, this.isAtEnd ? "unclosed capture group name" : "invalid capture group name")
      }
      if (!this.eat(">")) {
        this.fail(this.at, 1, this.isAtEnd ? "unclosed capture group name" : "invalid capture group character")
      }
      if (this.#groups.includes(name)) this.fail(at, name.length, "duplicate capture group name")
      this.#groups.push(name)
    } else if (this.eat("?")) {
      this.#readFlags()
      if (this.eat(")")) {
        this.#depth--
        return []
      }
      this.eat(":")
    } else {
      this.#groups.push(undefined)
    }
    const isCapture = this.text[start + 1] !== "?" || named !== undefined
    const inner = this.#alternatives()
    if (!this.eat(")")) this.fail(start, 1, "unclosed group")
    this.#depth--
    this.#flags = outer
    // The group already sets the case sensitivity of each piece.
    return [{ ...inner, source: `${isCapture ? "(" : "(?:"}${inner.source})`, isAtom: true, insensitive: undefined }]
  }

  #readFlags(): void {
    let isOn = true
    const start = this.at
    while (!this.startsWith(")") && !this.startsWith(":")) {
      const flag = this.next("expected flag but got end of regex")
      if (flag === "-") {
        if (!isOn) this.fail(this.at - 1, 1, "flag negation operator repeated")
        if (this.startsWith(")") || this.startsWith(":")) this.fail(this.at - 1, 1, "dangling flag negation operator")
        isOn = false
        continue
      }
      const flags = this.#flags
      if (flag === "i") this.#flags = { ...flags, insensitive: isOn }
      else if (flag === "s") this.#flags = { ...flags, dotAll: isOn }
      else if (flag === "U") this.#flags = { ...flags, swapGreed: isOn }
      else if (flag === "u") this.#flags = { ...flags, unicode: isOn }
      else if (flag === "x") this.#flags = { ...flags, verbose: isOn }
      // A pattern matches within one line, so `m` and `R` change nothing.
      else if (flag !== "m" && flag !== "R") this.fail(this.at - flag.length, 1, "unrecognized flag")
    }
    if (this.at === start && this.startsWith(")")) this.fail(start - 1, 1, "repetition operator missing expression")
  }
}

/** Largest repetition count. A larger count makes an expression slow to compile. */
const MAX_COUNT = 1_000

const BRACE = "\n\nTo search for a brace, write \\{, or pass --fixed-strings (-F)."
