/** Formats heads of requests and responses as gh does. */
import { STATUS_CODES } from "node:http"
import type { RawResponse } from "@tongs/core/client/RawCall"
import * as Terminal from "@tongs/core/text/Terminal"

/** Formats a header with the usual capitals, for example `Content-Type: text/plain`. */
export const header = (name: string, value: string): string =>
  `${name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())}: ${Terminal.escape(value)}`

/** Returns the lines of a response's head: the status, which ends with `\n` as in gh, and the sorted headers. */
export const head = (
  prefix: string,
  lineEnd: string,
  { headers, status }: Pick<RawResponse, "headers" | "status">
): ReadonlyArray<string> => {
  const first = `${prefix}HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd()
  // The client has decompressed the body, so both headers no longer describe the body.
  const { "content-encoding": encoding, "content-length": length, ...rest } = headers
  const shown = encoding === undefined && length !== undefined ? { ...rest, "content-length": length } : rest
  const lines = Object.entries(shown).map(([name, value]) => `${prefix}${header(name, value)}${lineEnd}`)
  return [`${first}\n`, ...lines.toSorted()]
}
