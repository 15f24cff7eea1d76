import { isUtf8 } from "node:buffer"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * The text of bytes that git calls text: in the encoding that they declare, else UTF-8, else Latin-1.
 *
 * Never fails: an unknown encoding, or bytes that are not in it, fall through to the next.
 */
export const decodeText = (bytes: Uint8Array, encoding?: string): string => {
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
    try {
      return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      // Not an encoding that this runtime knows, or a wrong label: judge by the bytes.
    }
  }
  try {
    return utf8.decode(bytes)
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  }
}

/**
 * Names and paths, as trees and git's listings have them: each name by itself, so that two that differ in their bytes
 * stay two, and a path is its names.
 */
export const decodeNames = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? bytes.toString()
    : bytes.toString("latin1").replace(/[^\0\t\n/]+/g, (name) => decodeText(Buffer.from(name, "latin1")))
