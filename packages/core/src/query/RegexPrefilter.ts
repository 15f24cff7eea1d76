import * as Prefilter from "./Prefilter.ts"

/** Maximum number of alternative texts of a `Piece`, and maximum length of each text in characters. */
const MAX_EXACT = 24
const MAX_LENGTH = 64

/**
 * Part of a regular expression: all texts that the part can match or, if there are too many, the prefilter of the
 * matches.
 */
type Piece =
  | { readonly _tag: "Exact"; readonly texts: ReadonlyArray<string> }
  | { readonly _tag: "Holds"; readonly prefilter: Prefilter.Prefilter }

const nothing: Piece = { _tag: "Exact", texts: [""] }
const unknown: Piece = { _tag: "Holds", prefilter: Prefilter.anything }

const exact = (texts: ReadonlyArray<string>): Piece => ({ _tag: "Exact", texts })
const needOf = (piece: Piece): Prefilter.Prefilter => (piece._tag === "Exact" ? ofTexts(piece.texts) : piece.prefilter)
const ofTexts = (texts: ReadonlyArray<string>): Prefilter.Prefilter =>
  Prefilter.any(texts.map((text) => (text === "" ? Prefilter.anything : Prefilter.substring(text))))

/**
 * Returns the prefilter of an ECMAScript regular expression: the literal texts that every match contains. Unknown syntax
 * adds no condition, so the prefilter never rejects a match.
 */
export const make = (source: string): Prefilter.Prefilter => needOf(new Reader(source).alternatives())

/** Concatenates pieces. Joins adjacent exact texts up to `MAX_EXACT` combinations and `MAX_LENGTH` characters. */
const sequence = (pieces: ReadonlyArray<Piece>): Piece => {
  const prefilters: Array<Prefilter.Prefilter> = []
  let run: ReadonlyArray<string> = [""]
  const end = () => {
    prefilters.push(ofTexts(run))
    run = [""]
  }
  for (const piece of pieces) {
    if (piece._tag === "Holds") {
      end()
      prefilters.push(piece.prefilter)
      continue
    }
    const longest = (texts: ReadonlyArray<string>) => Math.max(...texts.map((text) => text.length))
    if (run.length * piece.texts.length > MAX_EXACT || longest(run) + longest(piece.texts) > MAX_LENGTH) end()
    run = run.flatMap((before) => piece.texts.map((text) => before + text))
  }
  if (prefilters.length === 0) return exact(run)
  end()
  return { _tag: "Holds", prefilter: Prefilter.all(prefilters) }
}

const either = (pieces: ReadonlyArray<Piece>): Piece => {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return only
  const texts = pieces.flatMap((piece) => (piece._tag === "Exact" ? [piece.texts] : [])).flat()
  return pieces.every((piece) => piece._tag === "Exact") && texts.length <= MAX_EXACT
    ? exact([...new Set(texts)])
    : { _tag: "Holds", prefilter: Prefilter.any(pieces.map(needOf)) }
}

const controls: Readonly<Record<string, string>> = { t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" }

class Reader {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  alternatives(): Piece {
    const pieces = [this.#sequence()]
    while (this.#eat("|")) pieces.push(this.#sequence())
    return either(pieces)
  }

  #sequence(): Piece {
    const pieces: Array<Piece> = []
    while (this.#at < this.#source.length && !this.#sees("|") && !this.#sees(")")) {
      pieces.push(this.#quantified(this.#atom()))
    }
    return sequence(pieces)
  }

  #quantified(piece: Piece): Piece {
    const match = this.#match(/[*+?]\??|\{(\d+)(,?)(\d*)\}\??/y)
    if (match === undefined) return piece
    const [text = "", least] = match
    if (text.startsWith("?") && piece._tag === "Exact") return either([piece, nothing])
    const isNeeded = text.startsWith("+") || (least !== undefined && Number(least) > 0)
    return isNeeded ? { _tag: "Holds", prefilter: needOf(piece) } : unknown
  }

  #atom(): Piece {
    const source = this.#source
    if (this.#eat("(")) return this.#group()
    if (this.#eat("[")) return this.#class()
    if (this.#eat("\\")) return this.#escape()
    if (this.#eat("^") || this.#eat("$")) return nothing
    if (this.#eat(".")) return unknown
    const character = String.fromCodePoint(source.codePointAt(this.#at) ?? 0)
    this.#at += character.length
    return exact([character])
  }

  #group(): Piece {
    const isLook = this.#match(/\?<?[=!]/y) !== undefined
    if (!isLook) this.#match(/\?(?:<[^>]*>|[a-z]*(?:-[a-z]*)?:)/y)
    const piece = this.alternatives()
    this.#eat(")")
    // A look-around assertion consumes no text, and a negative assertion does not require any.
    return isLook ? nothing : piece
  }

  /** Parses a character class such as `[abc]`. Expands a class of at most 6 literal characters. */
  #class(): Piece {
    const body = this.#match(/((?:[^\]\\]|\\[^])*)\]/y)?.[1]
    if (body === "\\n") return exact(["\n"])
    const isPlain = body !== undefined && body !== "" && !/^\^|[\\-]/.test(body)
    const characters = isPlain ? [...body] : []
    return isPlain && characters.length <= 6 ? exact(characters) : unknown
  }

  #escape(): Piece {
    const code = this.#match(/u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2})/iy)
    if (code !== undefined) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? "", 16)
      // Surrogate pairs written as two escapes are not combined.
      return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? unknown : exact([String.fromCodePoint(point)])
    }
    if (this.#match(/[bB]/y) !== undefined) return nothing
    if (this.#match(/p\{[^}]*\}|P\{[^}]*\}|k<[^>]*>|c[a-z]|\d+|[dDwWsS]/iy) !== undefined) return unknown
    const character = this.#source[this.#at] ?? ""
    this.#at++
    return exact([controls[character] ?? character])
  }

  #sees(text: string): boolean {
    return this.#source.startsWith(text, this.#at)
  }

  #eat(text: string): boolean {
    if (!this.#sees(text)) return false
    this.#at += text.length
    return true
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#source) ?? undefined
    if (match !== undefined) this.#at = pattern.lastIndex
    return match
  }
}
