/**
 * Cuts characters off the ends of a text in linear time. A pattern such as `/ +$/` takes quadratic time if the text has
 * a long run of them in the middle, which a commit that somebody pushed may have.
 */

/** Without those of `characters` at the end. */
export const end = (text: string, characters: string): string => {
  let length = text.length
  while (length > 0 && characters.includes(text.charAt(length - 1))) length--
  return text.slice(0, length)
}

/** Without those of `characters` at either end. */
export const both = (text: string, characters: string): string => {
  const trimmed = end(text, characters)
  let start = 0
  while (start < trimmed.length && characters.includes(trimmed.charAt(start))) start++
  return trimmed.slice(start)
}
