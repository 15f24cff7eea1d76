/** Decodes the text of a file, or determines the reason why the index skips the file. */
import { isAscii, isUtf8 } from "node:buffer"
import type { LeftOutReason } from "@tongs/core/contract/groups/CodeSearch"
import { decodeLegacy } from "../../git/values/TextDecoding.ts"

/** Size limit in bytes: files of this size or larger are not searched. The largest text file of Linux has 24 MB. */
export const MAX_BYTES = 32 * 1024 * 1024

/** Size limit of the contract's own search in bytes. */
export const MAX_CONTRACT_BYTES = 384 * 1024

const reasons = ["binary", "encoding", "size", "unreadable"] as const
/** Reason why the index skips a file. */
export type Reason = LeftOutReason

/** Decodes a reason from a database column. Returns `binary` for an unknown value. */
export const toReason = (value: unknown): Reason => reasons.find((reason) => reason === value) ?? "binary"

/** Text of a file, or the reason why the file is not searched. */
export type DocumentText =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "LeftOut"; readonly reason: Reason }

/**
 * Maximum percentage of non-ASCII bytes in text of unknown encoding. Above this limit, most of the text would be
 * unreadable.
 */
const MAX_FOREIGN = 10

const text = (text: string): DocumentText => ({ _tag: "Text", text })
const leftOut = (reason: Reason): DocumentText => ({ _tag: "LeftOut", reason })

/**
 * Decodes UTF-8, UTF-16 with a byte order mark, and mostly ASCII text in a legacy encoding (read as Windows-1252), without
 * the byte order mark. Returns `LeftOut` for binary, undecodable and too large files.
 */
export const read = (bytes: Buffer): DocumentText => {
  if (bytes.length >= MAX_BYTES) return leftOut("size")
  if (isAscii(bytes)) return isBinary(bytes) ? leftOut("binary") : text(bytes.toString("latin1"))
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0
  if (mark === 0xfffe || mark === 0xfeff) return readUtf16(bytes, mark === 0xfffe ? "utf-16le" : "utf-16be")
  if (isBinary(bytes)) return leftOut("binary")
  const hasMark = bytes.length >= 3 && bytes.readUIntBE(0, 3) === 0xefbbbf
  return readBytes(hasMark ? bytes.subarray(3) : bytes)
}

/** Number of first bytes in which git looks for a NUL. */
const SEARCHED_FOR_NUL = 8_000

/** Returns whether git takes a file for binary. */
const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, SEARCHED_FOR_NUL).includes(0)

const readBytes = (bytes: Buffer): DocumentText => {
  if (isUtf8(bytes)) return text(bytes.toString("utf8"))
  let foreign = 0
  for (const byte of bytes) if (byte >= 0x80) foreign++
  return foreign * 100 > bytes.length * MAX_FOREIGN ? leftOut("encoding") : text(decodeLegacy(bytes))
}

const readUtf16 = (bytes: Buffer, encoding: string): DocumentText => {
  try {
    return text(new TextDecoder(encoding, { fatal: true }).decode(bytes))
  } catch {
    return leftOut("encoding")
  }
}
