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

/** A character of several bytes in UTF-8 as a binary string, or another byte that is not ASCII. */
const multibyte =
  /([\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|[\x80-\xff]/g

/**
 * Converts the text of a commit to UTF-8, as git does when it writes the commit again: from the declared encoding, else
 * each byte that is not part of a UTF-8 character from Latin-1. `undefined` for an unknown encoding or invalid bytes.
 */
export const toUtf8 = (bytes: Buffer, encoding: string | undefined): Buffer | undefined => {
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
    if (/^(?:iso-?8859-1|latin-?1)$/i.test(encoding)) return Buffer.from(bytes.toString("latin1"))
    try {
      return Buffer.from(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes))
    } catch {
      return undefined
    }
  }
  if (isUtf8(bytes)) return bytes
  const converted = bytes
    .toString("latin1")
    .replace(multibyte, (byte, character?: string) => character ?? Buffer.from(byte).toString("latin1"))
  return Buffer.from(converted, "latin1")
}
