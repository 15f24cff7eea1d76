/** Content of new objects in Base64. */
import * as ApiError from "./ApiError.ts"

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/

/** Decodes Base64, in which line breaks are allowed. Returns undefined for an invalid text. */
export const decode = (text: string): Buffer | undefined => {
  const compact = text.replace(/[\r\n\t ]+/g, "")
  const digits = compact.replace(/=+$/, "")
  // One digit is less than a byte. Padding may be missing, but not wrong.
  const isPadded = compact.length === digits.length || compact.length % 4 === 0
  return alphabet.test(compact) && digits.length % 4 !== 1 && isPadded ? Buffer.from(compact, "base64") : undefined
}

/** The error for content that is not Base64, with the message of GitHub. */
export const invalid = (resource: string) =>
  ApiError.invalid("content is not valid Base64", [{ resource, field: "content", code: "invalid" }])
