import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { StatusMark } from "../components/StatusMark.tsx"
import * as Permalinks from "../model/Permalinks.ts"

/** The line count, size, line endings, and the commit or the status of a file. */
export const FileInfo = ({
  file,
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
    <span>{NumberFormat.bytes(file.size)}</span>
    {text !== undefined && text.includes("\r\n") && (
      <span title="Lines end with a carriage return and a line feed">CRLF</span>
    )}
    {text !== undefined && !text.endsWith("\n") && <span>no newline at the end</span>}
    <FileCommit file={file} />
  </>
)

const FileCommit = ({ file }: { readonly file: ExplorerApi.File }) => {
  const commit = Permalinks.commitOf(file)
  return (
    <span className="metadata-commit">
      {commit === undefined ? (
        <>
          <StatusMark status={file.status} /> not committed
        </>
      ) : (
        <>
          at <code title={commit}>{AbbreviatedId.of(commit)}</code>
        </>
      )}
    </span>
  )
}
