/** From the bytes of a file to what a page can show of it. */
import type * as ExplorerApi from "../ExplorerApi.ts"

/** The text in base64 with line breaks, as the contract sends it; undefined where the bytes are no UTF-8 text. */
export const text = (base64: string): string | undefined => decode(Buffer.from(base64, "base64"))

/** What a file of this name with these bytes is. */
export const content = (path: string, base64: string): ExplorerApi.FileContent => {
  const mediaType = imageOf(path)
  if (mediaType !== undefined) return { kind: "image", mediaType, base64: base64.replaceAll("\n", "") }
  const decoded = text(base64)
  return decoded === undefined ? { kind: "binary" } : { kind: "text", text: decoded }
}

/** What a browser may take a file for: an image that it draws, or plain text. Undefined for what it can only keep. */
export const mediaType = (path: string, bytes: Uint8Array): string | undefined =>
  imageOf(path) ?? (decode(bytes) === undefined ? undefined : "text/plain; charset=utf-8")

const decode = (bytes: Uint8Array): string | undefined => {
  if (bytes.subarray(0, SNIFFED).includes(0)) return undefined
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** Git takes a file for binary that has a NUL among its first bytes; so do we. */
const SNIFFED = 8_000

const utf8 = new TextDecoder("utf-8", { fatal: true })

const imageOf = (path: string): string | undefined => IMAGES.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase())

// Drawn by the browser from a `data:` URL, where nothing in them can run. SVG is text first: it is shown as its source.
const IMAGES = new Map([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["avif", "image/avif"],
  ["bmp", "image/bmp"],
  ["ico", "image/x-icon"]
])
