/** Escapes characters that control a terminal or are invisible. */

/** Matches a character that must not be printed to a terminal unescaped, tabs included. */
export const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

let emojiOrUnsafe: RegExp | undefined

/**
 * Returns a pattern that matches emoji first, so that the joiners and selectors in emoji are kept. Compiled on first
 * use, because V8 takes more than 10 ms for the list of emoji, and compiles a literal when the module loads.
 */
const emojiOrUnsafePattern = (): RegExp =>
  (emojiOrUnsafe ??= new RegExp(String.raw`\p{RGI_Emoji}|[\p{Emoji}--[#*0-9]][\uFE0E\uFE0F]|${unsafe.source}`, "gv"))

/** Escapes the unsafe characters of one line, except for tabs. */
export const escapeLine = (text: string): string =>
  unsafe.test(text) ? text.replace(emojiOrUnsafePattern(), escapeCharacter) : text

const escapeCharacter = (match: string): string => {
  const code = match.codePointAt(0) ?? 0
  if (code === 0x09 || !unsafe.test(String.fromCodePoint(code))) return match
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return "␡"
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}
