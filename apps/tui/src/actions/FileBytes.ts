/** Text files in an editor: which files can be edited, and what must stay as it was. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import * as NumberFormat from "@tongs/core/text/NumberFormat"

/** The text of a file, or a clause that says why the file cannot be edited. */
export type FileBytes =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Refused"; readonly reason: string }

/** Fails for bytes that are not UTF-8, because an editor would replace them. Keeps a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Reads the text of a file, so that encoding the text as UTF-8 gives the same bytes. */
export const read = (entry: Pick<ContentEntry, "type" | "size" | "encoding" | "content">): FileBytes => {
  if (entry.type !== "file") return refused(`it is a ${entry.type}`)
  if (entry.encoding !== "base64" || entry.content === undefined)
    return refused(`it is too large for the API (${NumberFormat.bytes(entry.size)})`)
  const bytes = Base64.decode(entry.content.replace(/\s/g, ""))
  if (Result.isFailure(bytes)) return refused("the forge returned invalid content")
  const [first = 0, second = 0] = bytes.success
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return refused("it is UTF-16, which not every editor keeps")
  if (bytes.success.includes(0)) return refused("it is a binary file")
  try {
    return { _tag: "Text", text: utf8.decode(bytes.success) }
  } catch {
    return refused("it is not UTF-8, and an editor would change the other bytes")
  }
}

const refused = (reason: string): FileBytes => ({ _tag: "Refused", reason })

const BYTE_ORDER_MARK = "\ufeff"

/**
 * Restores in an edited text what editors change by themselves: a byte order mark, CRLF if all lines of the original
 * end so, and a missing final newline. A text that differs only in the final newline stays as it is.
 */
export const restore = (original: string, edited: string): string => {
  if (original === "" || edited === "" || edited === `${original}\n` || edited === `${original}\r\n`) return edited
  const isMarked = original.startsWith(BYTE_ORDER_MARK) && !edited.startsWith(BYTE_ORDER_MARK)
  const hasReturns = original.includes("\n") && !/(?<!\r)\n/.test(original)
  const marked = isMarked ? `${BYTE_ORDER_MARK}${edited}` : edited
  const lines = hasReturns ? marked.replace(/\r?\n/g, "\r\n") : marked
  return original.endsWith("\n") ? lines : lines.replace(/\r?\n$/, "")
}
