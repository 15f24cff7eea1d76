/** Number of bytes to search for a NUL. Git detects binary files in the same way. */
const CHECKED_BYTES = 8_000

/** Returns true if the content of a file is binary rather than text. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, CHECKED_BYTES).includes(0)
