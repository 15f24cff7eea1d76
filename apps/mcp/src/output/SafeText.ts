/** Text from a forge as an agent gets it: whole, but with nothing in it that cannot be seen. */
import * as Terminal from "@tongs/core/text/Terminal"

/** Hidden and control characters made visible; tabs and newlines stay, since files mean them. */
export const sanitizeText = (text: string): string =>
  text
    .split("\t")
    .map((part) => Terminal.escape(part, { newlines: true }))
    .join("\t")

/** A value with every text in it, names included, made safe. */
export const sanitizeValue = (value: unknown): unknown => {
  if (typeof value === "string") return sanitizeText(value)
  if (Array.isArray(value)) return value.map(sanitizeValue)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [sanitizeText(name), sanitizeValue(member)]))
}
