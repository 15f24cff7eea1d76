/** The text of a file: the lines, or the fact that the file is binary. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as BinaryContent from "../text/BinaryContent.ts"

/** Size in bytes below which a file can be a Git LFS pointer. */
const MAX_POINTER = 1_024

/** The lines of a file. */
export interface FileText {
  readonly lines: ReadonlyArray<string>
  /** Sentences about an encoding other than UTF-8, and line ends other than a newline. */
  readonly notes: ReadonlyArray<string>
}

/**
 * Decodes a file. Returns undefined for a binary file. `isCut` is true if `bytes` are only the beginning of the file.
 */
export const decode = (bytes: Uint8Array, isCut: boolean): FileText | undefined => {
  const decoded = decodeText(bytes, isCut)
  if (decoded === undefined) return undefined
  const { encoding, text } = decoded
  const lines = text.split("\n")
  const isEnded = lines.at(-1) === ""
  // The last line of a cut file can be incomplete.
  if (isEnded || (isCut && lines.length > 1)) lines.pop()
  const endings = lines.filter((line) => line.endsWith("\r")).length
  return {
    lines: endings === 0 ? lines : lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)),
    notes: [
      ...(bytes.length === 0 ? ["The file is empty."] : []),
      ...(encoding === "UTF-8" ? [] : [`The file's encoding is ${encoding}.`]),
      ...(endings === 0 ? [] : [endings === lines.length ? "Lines end with CRLF." : "Some lines end with CRLF."]),
      ...(isEnded || isCut || bytes.length === 0 ? [] : ["The last line has no newline."]),
      ...pointerNotes(bytes, text)
    ]
  }
}

/**
 * Decodes the text of a file. Returns undefined for a binary file. `isCut` is true if `bytes` are only the beginning.
 */
export const decodeText = (
  bytes: Uint8Array,
  isCut: boolean
): { readonly text: string; readonly encoding: string } | undefined => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: decodeAs("utf-16le", bytes, isCut), encoding: "UTF-16LE" }
  if (first === 0xfe && second === 0xff) return { text: decodeAs("utf-16be", bytes, isCut), encoding: "UTF-16BE" }
  if (BinaryContent.isBinary(bytes)) return undefined
  try {
    // Keeps a byte order mark, which a writer of the text has to write again.
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut }),
      encoding: "UTF-8"
    }
  } catch {
    return { text: decodeAs("windows-1252", bytes, isCut), encoding: "not UTF-8, read as Windows-1252" }
  }
}

const decodeAs = (encoding: string, bytes: Uint8Array, isCut: boolean): string =>
  new TextDecoder(encoding).decode(bytes, { stream: isCut })

const pointerNotes = (bytes: Uint8Array, text: string): ReadonlyArray<string> => {
  if (bytes.length > MAX_POINTER || !text.startsWith("version https://git-lfs.github.com/spec/")) return []
  const size = /^size (\d{1,15})$/m.exec(text)?.[1]
  const shown = size === undefined ? "" : ` of ${NumberFormat.bytes(Number(size))}`
  return [`This is a Git LFS pointer: the file's content${shown} is not in the repository.`]
}
