/** Parameters of bytes, which the API takes in Base64. People and agents write the bytes as text. */
import * as Base64 from "effect/encoding/Base64"
import type { CatalogEntry } from "./CatalogEntry.ts"

/** Start of bytes that are Base64 already, for data that is not text. */
const DATA_URL = "data:;base64,"

/** Description of a parameter that takes Base64. */
export const DESCRIPTION = `Text; for other data, ${DATA_URL} followed by its Base64.`

/** Returns the input with the texts of Base64 parameters encoded. A text with an explicit encoding is not changed. */
export const encode = (
  { fields }: Pick<CatalogEntry, "fields">,
  input: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => {
  const encoded = fields.flatMap(({ encodingField, isBase64, name }) => {
    const value = input[name]
    if (isBase64 !== true || typeof value !== "string") return []
    if (encodingField === undefined) return [[name, encodeText(value)]]
    return encodingField in input
      ? []
      : [
          [name, encodeText(value)],
          [encodingField, "base64"]
        ]
  })
  return encoded.length === 0 ? input : { ...input, ...Object.fromEntries(encoded) }
}

/** Returns the Base64 of a text with an explicit encoding; undefined for any other text. */
export const base64Of = (text: string): string | undefined =>
  text.startsWith(DATA_URL) ? text.slice(DATA_URL.length).replace(/\s/g, "") : undefined

/** Returns Base64 in the form that a Base64 parameter accepts. */
export const ofBase64 = (base64: string): string => `${DATA_URL}${base64}`

/** Returns the Base64 of a text, or the Base64 that the text declares. */
export const encodeText = (text: string): string => base64Of(text) ?? Base64.encode(text)
