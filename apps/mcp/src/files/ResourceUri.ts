/** URIs of the server's resources. */
import type { Target } from "./FileReader.ts"

/** Returns the URI of a file or folder. */
export const contents = ({ owner, path, ref, repo }: Target): string => {
  const encoded = path.split("/").map(encodeURIComponent).join("/")
  const query = ref === undefined ? "" : `?ref=${encodeURIComponent(ref)}`
  return `forge://${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/contents/${encoded}${query}`
}

const types: Readonly<Record<string, string>> = {
  gif: "image/gif",
  gz: "application/gzip",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  pdf: "application/pdf",
  png: "image/png",
  wasm: "application/wasm",
  webp: "image/webp",
  zip: "application/zip"
}

/** Returns the media type of a binary file by name. */
export const mediaType = (path: string): string =>
  types[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "application/octet-stream"
