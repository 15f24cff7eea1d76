import type { Extension } from "@codemirror/state"
import { highlightSpecialChars } from "@codemirror/view"
import { bidiControl } from "../model/BidiControls.ts"

/**
 * Matches controls except the tab; soft hyphens, zero-width, tag and other characters without a glyph; and separators
 * that look like line breaks.
 *
 * **Details**
 *
 * Joiners, variation selectors and tags do not match inside emoji and scripts with legitimate uses. They match after an
 * ASCII character or after one another, because there they carry only hidden data.
 */
export const hiddenCharacter = new RegExp(
  [
    String.raw`[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\t\u200c\u200d\p{VS}\u{e0020}-\u{e007f}]]`,
    String.raw`(?<=^|[\p{ASCII}\u200c\u200d])[\u200c\u200d]`,
    String.raw`(?<=^|[\p{VS}[\p{ASCII}--[#*0-9]]])\p{VS}`,
    String.raw`(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0020}-\u{e007f}]`
  ].join("|"),
  "gv"
)

/** Shows hidden and reordering characters as code points, so that code reads in the order of execution. */
export const hiddenCharacters: Extension = highlightSpecialChars({
  specialChars: hiddenCharacter,
  render: (code) => {
    const name = names.get(code)
    const element = document.createElement("span")
    element.className = bidiControl.test(String.fromCodePoint(code)) ? "hidden-char reorders" : "hidden-char"
    element.textContent = codePoint(code)
    element.title = name === undefined ? codePoint(code) : `${codePoint(code)}, ${name}`
    return element
  }
})

const codePoint = (code: number): string => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`

const names = new Map([
  [0x00, "null"],
  [0x07, "bell"],
  [0x08, "backspace"],
  [0x0d, "carriage return"],
  [0x1b, "escape"],
  [0xad, "soft hyphen"],
  [0x61c, "Arabic letter mark"],
  [0x200b, "zero-width space"],
  [0x200e, "left-to-right mark"],
  [0x200f, "right-to-left mark"],
  [0x2028, "line separator"],
  [0x2029, "paragraph separator"],
  [0x202a, "left-to-right embedding"],
  [0x202b, "right-to-left embedding"],
  [0x202c, "end of embedding"],
  [0x202d, "left-to-right override"],
  [0x202e, "right-to-left override"],
  [0x2066, "left-to-right isolate"],
  [0x2067, "right-to-left isolate"],
  [0x2068, "first strong isolate"],
  [0x2069, "end of isolate"],
  [0xfeff, "byte order mark"]
])
