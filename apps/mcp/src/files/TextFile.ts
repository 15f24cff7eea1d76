/** Text files with an encoding, for changes that keep all other bytes. */
import * as FileText from "./FileText.ts"

export interface TextFile {
  readonly text: string
  readonly encoding: string
  /** Encodes another text like the file. Undefined if the encoding or the file lacks a character of the text. */
  readonly encode: (text: string) => Uint8Array | undefined
}

/** Decodes a file. Returns undefined for a binary file, and for text that would not be encoded to the same bytes. */
export const decode = (bytes: Uint8Array): TextFile | undefined => {
  const decoded = FileText.decodeText(bytes, false)
  if (decoded === undefined) return undefined
  const { encoding, text } = decoded
  const encode = encoders[encoding] ?? encodeGuessed(text)
  const same = encode(text)
  return same === undefined || Buffer.compare(same, bytes) !== 0 ? undefined : { text, encoding, encode }
}

const MARK = "\ufeff"

const wellFormed = (encode: (text: string) => Uint8Array) => (text: string) =>
  text.isWellFormed() ? encode(text) : undefined

/** Decoding of UTF-16 removes the byte order mark. */
const encoders: Readonly<Record<string, TextFile["encode"]>> = {
  "UTF-8": wellFormed((text) => Buffer.from(text)),
  "UTF-16LE": wellFormed((text) => Buffer.from(MARK + text, "utf16le")),
  "UTF-16BE": wellFormed((text) => Buffer.from(MARK + text, "utf16le").swap16())
}

const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)

const windows = new Map([...new TextDecoder("windows-1252").decode(bytes)].map((character, byte) => [character, byte]))

/** Encodes as Windows-1252, which is only a guess: beyond ASCII, only characters of the file have a known byte. */
const encodeGuessed = (file: string) => {
  const known = new Set(file)
  return (text: string): Uint8Array | undefined => {
    const bytes = new Uint8Array(text.length)
    for (const [index, character] of [...text].entries()) {
      const byte = windows.get(character)
      if (byte === undefined || (byte > 127 && !known.has(character))) return undefined
      bytes[index] = byte
    }
    return bytes
  }
}
