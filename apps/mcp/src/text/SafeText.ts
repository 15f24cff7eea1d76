/**
 * Makes invisible characters visible in text for an agent, because invisible characters can hide instructions from the
 * user.
 */
import * as Terminal from "@tongs/core/text/Terminal"

/**
 * Characters without a defined appearance: private use, unassigned, and U+1D159, a musical note that is invisible. A
 * person may see nothing where a language model reads bytes.
 */
const withoutGlyph = /[\p{Co}\p{Cn}\u{1D159}]/gu

/** Escapes control and invisible characters. Keeps tabs and newlines, which are part of file contents. */
export const sanitizeText = (text: string): string =>
  text
    .split("\t")
    .map((part) => Terminal.escape(part, { newlines: true }))
    .join("\t")
    .replace(withoutGlyph, (character) => `<U+${character.codePointAt(0)?.toString(16).toUpperCase() ?? ""}>`)

/** Maximum nesting depth of a sanitized value. Deeper values are omitted: a forge could exhaust the stack. */
const MAX_DEPTH = 64

/** Sanitizes every string in a JSON value, including the names of members. */
export const sanitizeValue = (value: unknown): unknown => mapStrings(value, sanitizeText)

/**
 * Applies a function to every string in a JSON value, including the names of members. Omits undefined members, which a
 * lenient decoder leaves for invalid values and JSON does not have.
 */
export const mapStrings = (value: unknown, change: (text: string) => string, depth = MAX_DEPTH): unknown => {
  if (typeof value === "string") return change(value)
  if (typeof value === "number" && !Number.isFinite(value)) return null
  if (typeof value !== "object" || value === null) return value ?? null
  if (depth === 0) return "…"
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, depth - 1))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === undefined ? [] : [[change(name), mapStrings(member, change, depth - 1)]]
    )
  )
}
