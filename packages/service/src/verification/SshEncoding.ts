/** Reads and writes the data types of SSH's binary formats (RFC 4251 §5). A string is a four-byte length and bytes. */

/** The data does not have the expected SSH format. */
export class MalformedSshData extends Error {}

/** Reads values one after another. Each method throws `MalformedSshData` at the end of the data. */
export interface Reader {
  readonly bytes: (length: number) => Buffer
  readonly uint32: () => number
  readonly string: () => Buffer
  readonly text: () => string
  /** Checks that all bytes were read. Throws `MalformedSshData` otherwise. */
  readonly end: () => void
}

/** Creates a reader at the start of the bytes. */
export const makeReader = (source: Uint8Array): Reader => {
  const buffer = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  let at = 0
  const bytes = (length: number) => {
    if (length > buffer.length - at) throw new MalformedSshData("the data is truncated")
    const read = buffer.subarray(at, at + length)
    at += length
    return read
  }
  const uint32 = () => bytes(4).readUInt32BE()
  const string = () => bytes(uint32())
  return {
    bytes,
    uint32,
    string,
    text: () => string().toString("latin1"),
    end: () => {
      if (at !== buffer.length) throw new MalformedSshData("unexpected data at the end")
    }
  }
}

/** Encodes a 32-bit number, big endian. */
export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Encodes a string with the length. */
export const string = (value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** Removes the leading zeros of a multiple-precision integer. Throws `MalformedSshData` for a negative number. */
export const unsigned = (value: Buffer): Buffer => {
  if (value.length > 0 && (value[0] ?? 0) >= 0x80) throw new MalformedSshData("a number is negative")
  let start = 0
  while (start < value.length && value[start] === 0) start++
  return value.subarray(start)
}
