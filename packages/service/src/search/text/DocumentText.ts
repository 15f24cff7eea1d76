/** Which files the index takes, and their text. */
import { isAscii, isUtf8 } from "node:buffer"
import type { LeftOutReason } from "@tongs/core/explore/Explore"

/** Files of this many bytes and more are not searched (spec part 3 §4.12). */
export const maxBytes = 384 * 1024

const reasons = ["binary", "encoding", "size", "unreadable"] as const
export type Reason = LeftOutReason

/** As it was stored. */
export const toReason = (value: unknown): Reason => reasons.find((reason) => reason === value) ?? "binary"

export type DocumentText =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "LeftOut"; readonly reason: Reason }

/** Bytes beyond ASCII, of a hundred, above which a text in no known encoding would be shown as gibberish. */
const maxForeign = 10

const text = (text: string): DocumentText => ({ _tag: "Text", text })
const leftOut = (reason: Reason): DocumentText => ({ _tag: "LeftOut", reason })

/** The text of a file, or why it has none: in UTF-8, in UTF-16 with its mark, or mostly ASCII in an old encoding. */
export const read = (bytes: Buffer): DocumentText => {
  if (bytes.length >= maxBytes) return leftOut("size")
  if (isAscii(bytes)) return bytes.includes(0) ? leftOut("binary") : text(bytes.toString("latin1"))
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0
  if (mark === 0xfffe || mark === 0xfeff) return readUtf16(bytes, mark === 0xfffe ? "utf-16le" : "utf-16be")
  if (bytes.includes(0)) return leftOut("binary")
  if (isUtf8(bytes)) return text(bytes.toString("utf8"))
  let foreign = 0
  for (const byte of bytes) if (byte >= 0x80) foreign++
  return foreign * 100 > bytes.length * maxForeign ? leftOut("encoding") : text(bytes.toString("latin1"))
}

const readUtf16 = (bytes: Buffer, encoding: string): DocumentText => {
  try {
    return text(new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return leftOut("encoding")
  }
}
