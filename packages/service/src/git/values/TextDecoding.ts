import { isUtf8 } from "node:buffer"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/**
 * Decodes text in the declared encoding, else as UTF-8, else as Latin-1. Never fails: an unknown encoding or invalid
 * bytes lead to the next choice.
 */
export const decodeText = (bytes: Uint8Array, encoding?: string): string => {
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
    try {
      return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
    } catch {
      // The encoding is unknown, or the declaration is wrong.
    }
  }
  try {
    return utf8.decode(bytes)
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  }
}

const windows1252 = new TextDecoder("windows-1252")

/**
 * Decodes the content of a file in an unknown encoding, as browsers and agents decode it. `decodeText` differs, because
 * names have to give the same bytes again.
 */
export const decodeLegacy = (bytes: Uint8Array): string => windows1252.decode(bytes)

/**
 * Decodes names and paths in trees and git's listings. Decodes each path component separately, so that different bytes
 * give different names, and joined components give the path.
 */
export const decodeNames = (bytes: Buffer): string =>
  isUtf8(bytes)
    ? bytes.toString()
    : bytes.toString("latin1").replace(/[^\0\t\n/]+/g, (name) => decodeText(Buffer.from(name, "latin1")))
