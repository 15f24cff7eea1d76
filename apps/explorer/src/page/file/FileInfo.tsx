/** What can be said of a file in a few words. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"

export const FileInfo = ({
  file: { commit, size },
  lines,
  text
}: {
  readonly file: Wire.File
  /** Of a text, and how many lines it has. */
  readonly text?: string
  readonly lines?: number
}) => (
  <>
    {lines !== undefined && <span>{NumberFormat.quantity(lines, "line")}</span>}
    <span>{NumberFormat.bytes(size)}</span>
    {text !== undefined && text.includes("\r\n") && (
      <span title="Lines end with carriage return and line feed">CRLF</span>
    )}
    {text !== undefined && !text.endsWith("\n") && <span>no newline at the end</span>}
    <span className="fact-commit">
      at <code title={commit}>{commit.slice(0, 10)}</code>
    </span>
  </>
)
