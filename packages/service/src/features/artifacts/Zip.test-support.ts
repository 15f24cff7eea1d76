/** Reads zip files by the central directory, independently of `Zip.ts`. */
import { crc32, inflateRawSync } from "node:zlib"

/** Text of each file, by name. */
export const contents = (zip: Uint8Array): Readonly<Record<string, string>> => {
  const bytes = Buffer.from(zip)
  const end = bytes.lastIndexOf(Buffer.from("504b0506", "hex"))
  const files: Record<string, string> = {}
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset))
    const local = bytes.readUInt32LE(at + 42)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20))
    const content = bytes.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed)
    if (crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error("wrong checksum")
    files[bytes.toString("utf8", at + 46, at + 46 + (nameLength ?? 0))] = content.toString()
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return files
}
