/** Characters of text from elsewhere that a terminal acts upon or that a reader cannot see, made visible. */

/** Anything that must not reach a terminal as it is. Tabs are among them. */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/v

// An emoji is matched first, so that the joiners and selectors inside it are not taken for hidden characters.
const EMOJI_OR_HIDDEN =
  /\p{RGI_Emoji}|\p{Emoji}[\uFE0E\uFE0F]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gv

/** One line with nothing hidden in it but tabs. */
export const line = (text: string): string => (HIDDEN.test(text) ? text.replace(EMOJI_OR_HIDDEN, show) : text)

const show = (match: string): string => {
  const code = match.codePointAt(0) ?? 0
  if (code === 0x09 || !HIDDEN.test(String.fromCodePoint(code))) return match
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return "␡"
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}
