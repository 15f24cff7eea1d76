/**
 * A large document has several consecutive numbers, one for each part of the text. A part has few terms, so that a
 * query can rule the part out, while a whole text of many megabytes has nearly all terms.
 */

/** Maximum bytes of a document with a single number. */
export const MAX_BYTES = 256 * 1024

/** Returns the number of parts of a document of `size` bytes. */
export const count = (size: number): number => Math.max(1, Math.ceil(size / MAX_BYTES))

/** Divides a text at ends of lines, because terms never span lines. Parts after a long line can be empty. */
export const split = (text: string, parts: number): ReadonlyArray<string> => {
  const length = Math.ceil(text.length / parts)
  const divided: Array<string> = []
  let start = 0
  for (let part = 1; part <= parts; part++) {
    const feed = part === parts ? -1 : text.indexOf("\n", Math.max(start, part * length))
    const end = feed === -1 ? text.length : feed + 1
    divided.push(text.slice(start, end))
    start = end
  }
  return divided
}
