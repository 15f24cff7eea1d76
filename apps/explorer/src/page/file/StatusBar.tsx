/** Below the text: where the reader is, and, with blame, who wrote the line. */
import type { BlameRange } from "@tongs/core/explore/Explore"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import type * as Route from "../model/Route.ts"
import type { Caret } from "../editor/EditorHandle.ts"

export const StatusBar = ({
  blame,
  caret: { column, line, selected },
  chosen,
  said,
  view
}: {
  readonly caret: Caret
  readonly chosen: Route.LineRange | undefined
  readonly blame: ReadonlyArray<BlameRange> | null
  readonly view: Route.File
  /** What came of copying a link by its key. */
  readonly said: string | undefined
}) => {
  const range = blame?.find(({ from, to }) => from <= line && line <= to)
  const now = useNow(false)
  return (
    <div className="status-line">
      <span>
        Line {NumberFormat.format(line)}, column {NumberFormat.format(column)}
        {selected > 0 && ` · ${NumberFormat.quantity(selected, "character")} selected`}
        {chosen !== undefined && chosen.first !== chosen.last && ` · lines ${chosen.first}–${chosen.last}`}
      </span>
      <span className="said" role="status">
        {said === undefined ? "" : `Link: ${said.toLowerCase()}`}
      </span>
      {range !== undefined && (
        <Link to={{ ...view, lines: undefined, ref: range.commit }} title="The file at this commit">
          <bdi>{displayText(range.author)}</bdi>, {RelativeTime.format(Date.parse(range.date), now)}:{" "}
          {displayText(range.summary)}
        </Link>
      )}
    </div>
  )
}
