/** Ends of literals and directives of C and C++. */
import { APOSTROPHE, BACKSLASH, isWord, NEWLINE, QUOTE, SLASH, STAR } from "./CCharacters.ts"

/** Returns the offset after a number. */
export const endOfNumber = (text: string, start: number): number => {
  let end = start + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (isWord(code) || code === 46) continue
    // A separator of digits, for example 1'000.
    if (code !== APOSTROPHE || !isWord(text.charCodeAt(end + 1))) break
  }
  return end
}

/** Returns the offset after a string or character, or the end of the line if the string is not closed. */
export const endOfString = (text: string, start: number, mark: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === mark) return at + 1
    else if (code === NEWLINE) return at
  }
  return text.length
}

/** Returns the offset after a raw string, by the offset of the quotation mark. */
export const endOfRaw = (text: string, start: number): number => {
  const open = text.indexOf("(", start)
  if (open === -1 || open - start > 17) return endOfString(text, start, QUOTE)
  const close = text.indexOf(`)${text.slice(start + 1, open)}"`, open)
  return close === -1 ? text.length : close + open - start + 1
}

/** Returns the offset of the end of the line of a directive, which backslashes and comments continue. */
export const endOfDirective = (text: string, start: number): number => {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === NEWLINE) return at
    if (code === BACKSLASH) at += text.charCodeAt(at + 1) === 13 ? 2 : 1
    else if (code === SLASH && text.charCodeAt(at + 1) === STAR) {
      const end = text.indexOf("*/", at + 2)
      if (end === -1) return text.length
      at = end + 1
    }
  }
  return text.length
}
