/** Quotes third-party text inside a sentence. */
import { sanitizeText } from "./SafeText.ts"
import * as Truncation from "./Truncation.ts"

/**
 * Quotes a text as JSON, so that the text cannot look like a part of the sentence. Shortens the text to a number of
 * characters.
 */
export const quote = (text: string, characters: number): string =>
  sanitizeText(JSON.stringify(Truncation.shorten(text, characters)))
