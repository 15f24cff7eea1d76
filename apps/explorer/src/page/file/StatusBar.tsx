import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import type * as Route from "../model/Route.ts"
import type { Caret } from "../editor/EditorHandle.ts"

/** The bar below a file: caret, selection, and the blame of the current line. */
export const StatusBar = ({
  blame,
  caret: { column, line, selected },
  copyStatus,
  route
}: {
  readonly caret: Caret
  readonly blame: ReadonlyArray<BlameRange> | null
  readonly route: Route.File
  /** The outcome of copying a permalink. */
  readonly copyStatus: string | undefined
}) => {
  const { lines } = route
  const range = blame?.find(({ from, to }) => from <= line && line <= to)
  const now = useNow(false)
  return (
    <div className="status-line">
      <span>
        Line {NumberFormat.format(line)}, column {NumberFormat.format(column)}
        {selected > 0 && ` · ${NumberFormat.quantity(selected, "character")} selected`}
        {lines !== undefined && lines.first !== lines.last && ` · lines ${lines.first}–${lines.last}`}
      </span>
      <span className="copy-status" role="status">
        {copyStatus === undefined ? "" : `Link: ${copyStatus.toLowerCase()}`}
      </span>
      {range !== undefined && (
        <Link
          to={{
            _tag: "Commit",
            owner: route.owner,
            repo: route.repo,
            ref: range.commit,
            file: range.path ?? route.path
          }}
          title="Show the commit (Shift+B)"
        >
          <bdi>{displayText(range.author)}</bdi>, {RelativeTime.format(Date.parse(range.date), now)}:{" "}
          {displayText(range.summary)}
        </Link>
      )}
    </div>
  )
}
