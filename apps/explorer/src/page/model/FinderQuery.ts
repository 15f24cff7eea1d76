/** The text of the file finder: parts of a path, and optionally a line. */
import type { LineRange } from "./Route.ts"

/** Parses `path`, `path:12` and `path#L12`. */
export const parse = (text: string): { readonly q: string; readonly lines: LineRange | undefined } => {
  const match = /^(.*?)(?::|#L)(\d{1,9})$/.exec(text.trim())
  const line = Number(match?.[2])
  return match === null || line === 0
    ? { q: text.trim(), lines: undefined }
    : { q: match[1] ?? "", lines: { first: line, last: line } }
}
