/** The strings of which SSH's binary formats are made (RFC 4251 §5): four bytes of length, then the bytes. */

/** What is there is not what the format says. */
export class MalformedSshData extends Error {}

export interface Reader {
  readonly bytes: (length: number) => Buffer
  readonly uint32: () => number
  readonly string: () => Buffer
  readonly text: () => string
  /** Nothing may follow. */
  readonly end: () => void
}

/** Reads front to back; throws `Malformed` where the bytes run out. */
export const reader = (source: Uint8Array): Reader => {
  const buffer = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  let at = 0
  const bytes = (length: number) => {
    if (length > buffer.length - at) throw new MalformedSshData("it breaks off")
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
      if (at !== buffer.length) throw new MalformedSshData("something follows it")
    }
  }
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export const string = (value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** A number that is not negative, without the zeros before it. */
export const unsigned = (value: Buffer): Buffer => {
  if (value.length > 0 && (value[0] ?? 0) >= 0x80) throw new MalformedSshData("a number is negative")
  let start = 0
  while (start < value.length && value[start] === 0) start++
  return value.subarray(start)
}
