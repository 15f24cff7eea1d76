/** Escapes characters that control a terminal or are invisible. */

/** Matches a character that must not be printed to a terminal unescaped, tabs included. */
export const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Compiles a pattern on first use: V8 takes 20 ms for joined emoji, and compiles a literal when the module loads. */
const patternOf = (emoji: string) => {
  let pattern: RegExp | undefined
  return () => (pattern ??= new RegExp(String.raw`${emoji}|[\p{Emoji}--[#*0-9]][\uFE0E\uFE0F]|${unsafe.source}`, "gv"))
}

const anyEmojiOrUnsafe = patternOf(String.raw`\p{RGI_Emoji}`)

const unjoinedEmojiOrUnsafe = patternOf(
  String.raw`[\p{Basic_Emoji}\p{Emoji_Keycap_Sequence}\p{RGI_Emoji_Modifier_Sequence}\p{RGI_Emoji_Flag_Sequence}\p{RGI_Emoji_Tag_Sequence}]`
)

/** Escapes the unsafe characters of one line, except for tabs. The joiners and selectors in emoji are kept. */
export const escapeLine = (text: string): string => {
  if (!unsafe.test(text)) return text
  const pattern = text.includes("\u200d") ? anyEmojiOrUnsafe() : unjoinedEmojiOrUnsafe()
  return text.replace(pattern, escapeCharacter)
}

const escapeCharacter = (match: string): string => {
  const code = match.codePointAt(0) ?? 0
  if (code === 0x09 || !unsafe.test(String.fromCodePoint(code))) return match
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return "␡"
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}
