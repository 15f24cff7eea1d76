/**
 * Splits C and C++ into tokens, without expanding macros. Groups in parentheses and brackets are one token each, and so
 * are template arguments. Directives are reported to a listener and are not tokens.
 */

import {
  APOSTROPHE,
  BACKSLASH,
  CLOSES,
  CLOSES_BRACE,
  CLOSES_BRACKET,
  GREATER,
  HASH,
  isDigit,
  isRaw,
  isSeparator,
  isWord,
  LESS,
  NEWLINE,
  OPENS,
  OPENS_BRACE,
  OPENS_BRACKET,
  QUOTE,
  SEMICOLON,
  SLASH,
  STAR,
  startsLine
} from "./CCharacters.ts"
import { endOfDirective, endOfNumber, endOfRaw, endOfString } from "./CLiterals.ts"

/** Kinds of tokens. A `GROUP` is a group in parentheses, `BRACKETS` in brackets, `ANGLES` template arguments. */
export const WORD = 0
export const GROUP = 1
export const BRACKETS = 2
export const ANGLES = 3
export const LITERAL = 4
export const MARK = 5
export const BODY = 6
export const END = 7

/** A token: the text from `start` to `end`. */
export interface Token {
  readonly type: number
  readonly start: number
  readonly end: number
}

/** Receives the directives between tokens, for example `#define`. */
export interface DirectiveListener {
  /** `at` is the offset after the name of the directive. `isInside` is true in a block or group. */
  readonly directive: (name: string, at: number, isInside: boolean) => void
}

/** A conditional directive at the start of a line. */
const conditional = /^[ \t]*#[ \t]*(ifdef|ifndef|if|else|elif|endif)\b/gm

/** Maximum UTF-16 units of template arguments. Longer ones are comparisons. */
const MAX_ANGLES = 2_000

/** Reads the tokens of a text, each character at most a few times. */
export class CScanner {
  readonly text: string
  readonly #listener: DirectiveListener
  /** Offset of the next token. */
  at = 0
  #isLineStart = true

  constructor(text: string, listener: DirectiveListener) {
    this.text = text
    this.#listener = listener
  }

  /** Returns the next token, of type `END` after the last one. */
  next(): Token {
    const { text } = this
    this.#skipSpace()
    const start = this.at
    if (start >= text.length) return { type: END, start, end: start }
    const code = text.charCodeAt(start)
    this.#isLineStart = false
    if (isDigit(code)) return this.#literal(start, endOfNumber(text, start))
    if (isWord(code)) {
      let end = start + 1
      while (end < text.length && isWord(text.charCodeAt(end))) end++
      // A prefix of a string, for example `L"x"` or `R"(x)"`.
      if (text.charCodeAt(end) === QUOTE && end - start <= 3 && /^(?:u8|[uUL])?R?$/.test(text.slice(start, end))) {
        return this.#literal(start, text[end - 1] === "R" ? endOfRaw(text, end) : endOfString(text, end, QUOTE))
      }
      this.at = end
      return { type: WORD, start, end }
    }
    if (code === QUOTE || code === APOSTROPHE) return this.#literal(start, endOfString(text, start, code))
    if (code === OPENS || code === OPENS_BRACKET) {
      this.#skipGroup()
      return { type: code === OPENS ? GROUP : BRACKETS, start, end: this.at }
    }
    this.at = start + 1
    return { type: MARK, start, end: start + 1 }
  }

  /** Skips a block after the opening brace. Ends at a closing brace in the first column, if braces do not match. */
  skipBlock(): void {
    const { text } = this
    const branches: Array<number> = []
    for (let depth = 1; depth > 0;) {
      const code = this.#nextCode(ofBlock)
      if (code === END_OF_TEXT) return
      if (code === OPENS_BRACE) depth++
      else if (code === CLOSES_BRACE) {
        depth--
        if (text.charCodeAt(this.at - 2) === NEWLINE && /[\s;]/.test(text[this.at] ?? "\n")) return
      } else depth = branch(branches, code, depth)
    }
  }

  /** Skips template arguments after `<`, and returns true. For a comparison, returns false at the same offset. */
  skipAngles(): boolean {
    const { text } = this
    const start = this.at
    let depth = 1
    for (let at = start; at < text.length && at < start + MAX_ANGLES; at++) {
      const code = text.charCodeAt(at)
      if (code === LESS) depth++
      else if (code === GREATER && text.charCodeAt(at - 1) !== 45) depth--
      else if (code === SEMICOLON || code === OPENS_BRACE || code === CLOSES_BRACE) return false
      if (depth === 0) {
        this.at = at + 1
        return true
      }
    }
    return false
  }

  #literal(start: number, end: number): Token {
    this.at = end
    return { type: LITERAL, start, end }
  }

  /** Skips spaces, comments and directives. */
  #skipSpace(): void {
    const { text } = this
    while (this.at < text.length) {
      const code = text.charCodeAt(this.at)
      if (code === NEWLINE) {
        this.#isLineStart = true
        this.at++
      } else if (code <= 32 || code === 0xfeff) this.at++
      else if (code === SLASH && this.#skipComment()) continue
      else if (code === BACKSLASH) this.at++
      else if (code === HASH && this.#isLineStart) this.#directive(false)
      else return
    }
  }

  /** Skips a comment, if there is one. */
  #skipComment(): boolean {
    const { text } = this
    const next = text.charCodeAt(this.at + 1)
    if (next !== SLASH && next !== STAR) return false
    const end = next === STAR ? text.indexOf("*/", this.at + 2) : text.indexOf("\n", this.at)
    this.at = end === -1 ? text.length : next === STAR ? end + 2 : end
    return true
  }

  /** Skips a directive, and a branch that is never compiled. Returns the name of the directive. */
  #directive(isInside: boolean): string {
    const { text } = this
    let at = this.at + 1
    while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++
    const start = at
    while (at < text.length && isWord(text.charCodeAt(at))) at++
    const name = text.slice(start, at)
    this.at = endOfDirective(text, at)
    this.#isLineStart = true
    this.#listener.directive(name, at, isInside)
    if (name === "if" && /^[ \t]+0[ \t\r]*(?:$|\/)/.test(text.slice(at, this.at))) this.#skipBranch()
    return name
  }

  #skipBranch(): void {
    const { text } = this
    conditional.lastIndex = this.at
    let depth = 0
    for (let match = conditional.exec(text); match !== null; match = conditional.exec(text)) {
      const name = match[1] ?? ""
      if (name.startsWith("if")) depth++
      else if (depth === 0) {
        this.at = match.index
        return
      } else if (name === "endif") depth--
    }
    this.at = text.length
  }

  /**
   * Skips a group in parentheses or brackets. Ends before a semicolon outside braces, because the group is not closed.
   */
  #skipGroup(): void {
    this.at++
    let braces = 0
    const branches: Array<number> = []
    for (let depth = 1; depth > 0;) {
      const code = this.#nextCode(ofGroup)
      if (code === END_OF_TEXT) return
      if (code === OPENS || code === OPENS_BRACKET) depth++
      else if (code === CLOSES || code === CLOSES_BRACKET) depth--
      else if (code === OPENS_BRACE) braces++
      else if (code === CLOSES_BRACE) braces--
      else depth = branch(branches, code, depth)
      if (braces < 0 || (code === SEMICOLON && braces === 0)) {
        this.at--
        return
      }
    }
  }

  /**
   * Returns the next significant character outside of comments, literals and directives, a conditional directive, or
   * `end`. One loop passes over all other characters, because most of a text is in blocks.
   */
  #nextCode(counts: Uint8Array): number {
    const { text } = this
    let { at } = this
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code > 127 || counts[code] === 0) at++
      else if (code === SLASH) {
        this.at = at
        at = this.#skipComment() ? this.at : at + 1
      } else if (code === HASH) {
        if (!startsLine(text, at)) at++
        else {
          this.at = at
          const name = this.#directive(true)
          if (name.startsWith("if")) return OPENS_BRANCH
          if (name.startsWith("el")) return CHANGES_BRANCH
          if (name === "endif") return CLOSES_BRANCH
          at = this.at
        }
      } else if (code === QUOTE) at = isRaw(text, at) ? endOfRaw(text, at) : endOfString(text, at, code)
      else if (code === APOSTROPHE) at = isSeparator(text, at) ? at + 1 : endOfString(text, at, code)
      else {
        this.at = at + 1
        this.#isLineStart = false
        return code
      }
    }
    this.at = text.length
    return END_OF_TEXT
  }
}

/** Table of the characters that `#nextCode` handles: starts of literals, comments and directives, and further ones. */
const codes = (further: string): Uint8Array =>
  Uint8Array.from({ length: 128 }, (_, code) => (`/#"'${further}`.includes(String.fromCharCode(code)) ? 1 : 0))

const ofBlock = codes("{}")
const ofGroup = codes("{}()[];")

/** Results of `#nextCode` that are not characters. */
const END_OF_TEXT = -1
const OPENS_BRANCH = -2
const CHANGES_BRANCH = -3
const CLOSES_BRANCH = -4

/** Returns the depth after a conditional directive: all branches begin at the same depth. */
const branch = (branches: Array<number>, code: number, depth: number): number => {
  if (code === OPENS_BRANCH) branches.push(depth)
  else if (code === CHANGES_BRANCH) return branches.at(-1) ?? depth
  else if (code === CLOSES_BRANCH) branches.pop()
  return depth
}
