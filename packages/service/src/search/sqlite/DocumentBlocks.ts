/**
 * The text of a document is divided at ends of lines into blocks of about 2 KB, with consecutive numbers from the id of
 * the document. A block has few terms, so that a query finds the places of its texts: a match is within one line, and
 * therefore within one block.
 */

/** Bytes of a document per block. */
export const BYTES = 2_048

/** Number of blocks that are compressed together, as a chunk. Smaller chunks take more space, larger ones more time. */
export const PER_CHUNK = 4

/** Returns the number of blocks of a document of `size` bytes. */
export const count = (size: number): number => Math.max(1, Math.ceil(size / BYTES))

/** Divides a text at ends of lines. Blocks after a long line can be empty. */
export const split = (text: string, blocks: number): ReadonlyArray<string> => {
  if (blocks === 1) return [text]
  const length = Math.ceil(text.length / blocks)
  const divided: Array<string> = []
  let start = 0
  for (let block = 1; block <= blocks; block++) {
    const feed = block === blocks ? -1 : text.indexOf("\n", Math.max(start, block * length))
    const end = feed === -1 ? text.length : feed + 1
    divided.push(text.slice(start, end))
    start = end
  }
  return divided
}
