/** Makes invisible characters visible in text for an agent, because they can hide instructions from the user. */
import * as Terminal from "@tongs/core/text/Terminal"

/** Escapes control and invisible characters. Keeps tabs and newlines, which are part of file contents. */
export const sanitizeText = (text: string): string =>
  text
    .split("\t")
    .map((part) => Terminal.escape(part, { newlines: true }))
    .join("\t")

/** Sanitizes every string in a JSON value, including the names of members. */
export const sanitizeValue = (value: unknown): unknown => {
  if (typeof value === "string") return sanitizeText(value)
  if (Array.isArray(value)) return value.map(sanitizeValue)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [sanitizeText(name), sanitizeValue(member)]))
}
