/** Reads a pattern character by character, for the parsers of `RipgrepPattern`. */

/** An error in a pattern, and the position in UTF-16 code units. */
export interface PatternError {
  readonly start: number
  readonly length: number
  readonly message: string
}

/** Carries a `PatternError` out of the parser, until `RipgrepPattern.parse` returns the error as a failure. */
export class PatternSyntaxError extends Error {
  readonly detail: PatternError

  constructor(detail: PatternError) {
    super(detail.message)
    this.detail = detail
  }
}

/** A pattern with a position. */
export class PatternReader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at)
  }

  /** Skips a text. Returns false if the rest of the pattern does not start with the text. */
  eat(text: string): boolean {
    if (!this.startsWith(text)) return false
    this.at += text.length
    return true
  }

  /** Matches a sticky expression at the position. */
  peek(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    return pattern.exec(this.text) ?? undefined
  }

  /** Matches a sticky expression at the position, and skips the match. */
  read(pattern: RegExp): RegExpExecArray | undefined {
    const match = this.peek(pattern)
    if (match !== undefined) this.at += match[0].length
    return match
  }

  /** Reads a character. At the end of the pattern, fails with `message`, which marks the character at `start`. */
  next(message = "unexpected end of the pattern", start = this.at): string {
    const code = this.text.codePointAt(this.at)
    if (code === undefined) this.fail(start, 1, message)
    const character = String.fromCodePoint(code)
    this.at += character.length
    return character
  }

  fail(start: number, length: number, message: string): never {
    throw new PatternSyntaxError({ start, length, message })
  }
}

/** Message for a line feed in a pattern. */
export const NEWLINE_MESSAGE = `the literal "\\n" is not allowed in a regex

A pattern matches within one line. To find files with several texts, use \`tongs search 'first second'\`.`

/** Hint for assertions and references that ripgrep's syntax does not have. */
export const SEARCH_HINT = "\n\nThe command `tongs search '/…/'` supports look-around and backreferences."
