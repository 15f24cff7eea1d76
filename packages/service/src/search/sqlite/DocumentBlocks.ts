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

const LINE_FEED = 0x0a

/** Divides a text, or the bytes of an ASCII text, at ends of lines. Returns the ends. Blocks after a long line can be empty. */
export const divide = (text: string | Buffer, blocks: number): ReadonlyArray<number> => {
  const length = Math.ceil(text.length / blocks)
  const ends: Array<number> = []
  let end = 0
  for (let block = 1; block < blocks; block++) {
    const from = Math.max(end, block * length)
    const feed = typeof text === "string" ? text.indexOf("\n", from) : text.indexOf(LINE_FEED, from)
    end = feed === -1 ? text.length : feed + 1
    ends.push(end)
  }
  return [...ends, text.length]
}
