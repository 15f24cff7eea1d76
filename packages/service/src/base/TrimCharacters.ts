/**
 * Trims characters in linear time. A pattern such as `/ +$/` takes quadratic time on a long run of spaces in the middle
 * of a text, for example of a pushed commit.
 */

/** Removes trailing characters that `characters` contains. */
export const end = (text: string, characters: string): string => {
  let length = text.length
  while (length > 0 && characters.includes(text.charAt(length - 1))) length--
  return text.slice(0, length)
}

/** Removes leading and trailing characters that `characters` contains. */
export const both = (text: string, characters: string): string => {
  const trimmed = end(text, characters)
  let start = 0
  while (start < trimmed.length && characters.includes(trimmed.charAt(start))) start++
  return trimmed.slice(start)
}
