/** Breaks text that imitates the frames of `ThirdPartyText`. Expects text with escaped hidden characters (`SafeText`). */

/** The first word of each frame, which rarely follows a bracket in code and prose. */
export const WORD = "untrusted"

/** A bracket that can begin a frame, plain or encoded, or a rule such as `---`. */
const opening =
  /[<＜﹤‹«⟨〈〈《˂ᐸ❬❮❰⦑⧼≺≪[［⟦【〔{｛(（⁅]|&(?:lt|lsqb|lbrack|lcub|lpar|#0*60|#x0*3c);?|\\u00(?:3c|5b|7b)|\\u\{3c\}|\\x3c|%3c|[-=#*~_]{3,}/giu

const angle = /^(?:[<＜﹤‹«⟨〈〈《˂ᐸ❬❮❰⦑⧼≺≪]|&(?:lt|#)|\\|%)/iu

/**
 * Breaks look-alikes: replaces the first character by the code, for example `<U+003C>`, like hidden characters. Leaves
 * all other text unchanged, and `breakAll(breakAll(x))` is `breakAll(x)`.
 */
export const breakAll = (text: string): string =>
  text.replace(opening, (opening, at: number) =>
    imitatesFrame(text, at, opening) && !isBroken(text, at) ? escapeFirst(opening) : opening
  )

/** Returns whether a code replaces the first character of a rule, which continues at the position. */
const isBroken = (text: string, at: number): boolean =>
  /^[-=#*~_]/.test(text.charAt(at)) && /<U\+00(?:2D|3D|23|2A|7E|5F)>$/.test(text.slice(Math.max(0, at - 8), at))

const escapeFirst = (text: string): string => {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0)
  const code = first.codePointAt(0) ?? 0
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>${text.slice(first.length)}`
}

/** Maximum number of characters after a bracket in which a look-alike is searched. */
const MAX_LENGTH = 160

/** The letters that begin a look-alike. Most have a word that ends or begins a frame. */
const names = ["", "end", "endof", "endofthe", "close", "stop", "begin", "start"].map((edge) => `${edge}${WORD}`)

const imitatesFrame = (text: string, at: number, opening: string): boolean => {
  let position = at + opening.length
  const end = Math.min(text.length, position + MAX_LENGTH)
  let letters = ""
  let isClosing = false
  let gap = 0
  while (position < end) {
    const { length, value } = readCharacter(text, position)
    position += length
    if (slash.test(value) && letters === "") isClosing = true
    const letter = skeleton(value)
    if (letter === "") {
      if (!separator.test(value) || ++gap > MAX_GAP) return false
      continue
    }
    gap = 0
    letters += letter
    const name = names.find((name) => letters.startsWith(name))
    if (name === undefined) {
      if (!names.some((name) => name.startsWith(letters))) return false
      continue
    }
    const rest = text.slice(position, position + 12)
    if (/^\p{L}/u.test(rest)) return false // a longer name, such as `UntrustedInput`
    if (isClosing || name !== WORD) return true
    return angle.test(opening) ? /^(?:\s|[:=#._-]?\p{N})/u.test(rest) : /^\s*[:=#._-]?\s*\p{N}{3}/u.test(rest)
  }
  return false
}

const slash = /[/\\⁄∕／＼╱⧸]/u
/** A character that does not interrupt a word, such as a space or an underscore. Empty for an escaped character. */
const separator = /^(?:[\s\p{M}]|(?![>＞])[\p{P}\p{S}])?$/u
/** Maximum number of separators between two letters. */
const MAX_GAP = 4

const encoded =
  /&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?|\\u\{?([\da-f]{4,6})\}?|\\x([\da-f]{2})|%([\da-f]{2})|&(sol|bsol|lowbar|nbsp);|(<U\+[\dA-F]{4,6}>)/iy

/** Reads one character, plain or in an encoding of HTML, JSON or URLs. */
const readCharacter = (text: string, at: number): { readonly value: string; readonly length: number } => {
  if (/[&\\%<]/.test(text.charAt(at))) {
    encoded.lastIndex = at
    const match = encoded.exec(text)
    if (match !== null) {
      const [whole, hexEntity, entity, json, hex, url, name] = match
      const code =
        entity === undefined ? Number.parseInt(hexEntity ?? json ?? hex ?? url ?? "", 16) : Number.parseInt(entity, 10)
      if (name !== undefined) return { value: name.endsWith("sol") ? "/" : " ", length: whole.length }
      if (code <= 0x10ffff) return { value: String.fromCodePoint(code), length: whole.length }
      return { value: "", length: whole.length }
    }
  }
  const value = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return { value, length: value.length }
}

/** Letters of other scripts that look like a letter of the words above, and digits that people read as one. */
const confusable: Readonly<Record<string, string>> = {
  u: "υսʋᴜꭎ",
  n: "ηոռпᴎɴꞑ",
  t: "тτᴛ7ꚍ",
  r: "гᴦʀᴙꭇꮁ",
  s: "ѕꜱʂ5$ꮪ",
  e: "еєҽεᴇ3ꬲɘ",
  d: "ԁժɗᴅꓒ",
  o: "оοօᴏ0",
  f: "ꬵẝƒ",
  c: "сϲᴄ"
}

const confusables: ReadonlyMap<string, string> = new Map(
  Object.entries(confusable).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const))
)

/** Returns the ASCII letters that a character resembles, possibly none. */
const skeleton = (character: string): string => {
  if (/^[a-zA-Z]$/.test(character)) return character.toLowerCase()
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return confusables.get(character) ?? ""
  const enclosed = enclosedLetters.find(([first]) => code >= first && code < first + 26)
  if (enclosed !== undefined) return String.fromCharCode(0x61 + code - enclosed[0])
  return [...character.normalize("NFKD").toLowerCase()]
    .map((part) => (/[a-z]/.test(part) ? part : (confusables.get(part) ?? "")))
    .join("")
}

/** First characters of the alphabets in circles and squares that have no decomposition. */
const enclosedLetters = [[0x1f150], [0x1f170], [0x1f1e6]] as const // the length of the tuples
