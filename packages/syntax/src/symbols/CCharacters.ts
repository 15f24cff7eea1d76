/** Characters of C and C++, by UTF-16 codes, and the words around an offset. */

/** UTF-16 codes of the marks of C. */
export const NEWLINE = 10
export const HASH = 35
export const QUOTE = 34
export const APOSTROPHE = 39
export const SLASH = 47
export const STAR = 42
export const BACKSLASH = 92
export const OPENS = 40
export const CLOSES = 41
export const OPENS_BRACKET = 91
export const CLOSES_BRACKET = 93
export const OPENS_BRACE = 123
export const CLOSES_BRACE = 125
export const LESS = 60
export const GREATER = 62
export const SEMICOLON = 59

const isWordCode = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_$]/.test(String.fromCharCode(code)) ? 1 : 0
)
/** True for a character of names and numbers, including all characters beyond ASCII except a byte order mark. */
export const isWord = (code: number): boolean => (code < 128 ? isWordCode[code] === 1 : code >= 128 && code !== 0xfeff)

/** True for a decimal digit. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** True if only spaces precede an offset in the line. */
export const startsLine = (text: string, at: number): boolean => {
  let before = at - 1
  while (text.charCodeAt(before) === 32 || text.charCodeAt(before) === 9) before--
  return before < 0 || text.charCodeAt(before) === NEWLINE
}

/** Returns the offset of the first character of the word before an offset. */
const wordBefore = (text: string, at: number): number => {
  let start = at
  while (start > 0 && at - start < 40 && isWord(text.charCodeAt(start - 1))) start--
  return start
}

/** True for the quotation mark of a raw string, as in `R"(x)"`. */
export const isRaw = (text: string, at: number): boolean =>
  text[at - 1] === "R" && /^(?:u8|[uUL])?R$/.test(text.slice(wordBefore(text, at), at))

/** True for an apostrophe between the digits of a number, as in `1'000`. */
export const isSeparator = (text: string, at: number): boolean =>
  isWord(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(wordBefore(text, at)))
