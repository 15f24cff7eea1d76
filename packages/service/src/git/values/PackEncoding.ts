/** Packs of git: https://git-scm.com/docs/gitformat-pack */
import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"
import type { ObjectFormat, ObjectType } from "./GitObject.ts"

/** An object of a pack. */
export interface PackedObject {
  readonly type: ObjectType
  readonly content: Uint8Array
}

const typeNumbers: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** The level of `core.looseCompression` in git. */
const LEVEL = 1

/** Offset of the number of objects in a pack. */
const COUNT_OFFSET = 8

/** Number of objects in a pack. */
export const countOf = (pack: Buffer): number => pack.readUInt32BE(COUNT_OFFSET)

/** Encodes a pack with whole objects, without deltas. */
export const encode = (objects: ReadonlyArray<PackedObject>, format: ObjectFormat): Buffer => {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1")
  header.writeUInt32BE(objects.length, COUNT_OFFSET)
  const parts = objects.flatMap(({ content, type }) => [
    headerOf(typeNumbers[type], content.length),
    deflateSync(content, { level: LEVEL })
  ])
  const body = Buffer.concat([header, ...parts])
  return Buffer.concat([body, createHash(format).update(body).digest()])
}

/** Type and size: four bits of the size in the first byte, then seven in each byte. The highest bit means more bytes. */
const headerOf = (type: number, size: number): Buffer => {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.from(bytes)
}
