import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type * as ExplorerApi from "../../ExplorerApi.ts"

/** The line count, size, line endings and commit of a file. */
export const FileInfo = ({
  file: { commit, size },
  lines,
  text
}: {
  readonly file: ExplorerApi.File
  /** The text of a text file, and its line count. */
  readonly text?: string
  readonly lines?: number
}) => (
  <>
    {lines !== undefined && <span>{NumberFormat.quantity(lines, "line")}</span>}
    <span>{NumberFormat.bytes(size)}</span>
    {text !== undefined && text.includes("\r\n") && (
      <span title="Lines end with a carriage return and a line feed">CRLF</span>
    )}
    {text !== undefined && !text.endsWith("\n") && <span>no newline at the end</span>}
    <span className="metadata-commit">
      at <code title={commit}>{AbbreviatedId.of(commit)}</code>
    </span>
  </>
)
