/** Classifies the bytes of a file as text, an image or binary. */
import type * as ExplorerApi from "../ExplorerApi.ts"

/** Decodes base64, with or without line breaks, as UTF-8. Undefined for bytes that are not UTF-8 text. */
export const text = (base64: string): string | undefined => decode(Buffer.from(base64, "base64"))

/** The content of a file for the page. For files other than images. */
export const content = (base64: string): ExplorerApi.FileContent => {
  const decoded = text(base64)
  return decoded === undefined ? { kind: "binary" } : { kind: "text", text: decoded }
}

/** Media type for a browser: the type of an image, or plain text. Undefined for a file that can only be saved. */
export const mediaType = (path: string, bytes: Uint8Array): string | undefined =>
  imageType(path) ?? (decode(bytes) === undefined ? undefined : "text/plain; charset=utf-8")

/** True for an SVG image, which is also a text and can contain scripts. */
export const isSvg = (path: string): boolean => extensionOf(path) === "svg"

const decode = (bytes: Uint8Array): string | undefined => {
  if (bytes.subarray(0, SNIFFED).includes(0)) return undefined
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Number of bytes to check for a NUL byte, which marks a binary file, like in git. */
const SNIFFED = 8_000

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Media type of an image, by file extension. Undefined for other files, and for SVG, which is text. */
export const imageType = (path: string): string | undefined => images.get(extensionOf(path))

const extensionOf = (path: string): string => path.slice(path.lastIndexOf(".") + 1).toLowerCase()

const images = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["avif", "image/avif"],
  ["bmp", "image/bmp"],
  ["ico", "image/x-icon"]
])
