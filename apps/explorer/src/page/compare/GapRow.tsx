import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import * as Patch from "./Patch.ts"

/** A row for hidden lines, with buttons to show more. */
export const GapRow = ({
  gap,
  isLast,
  onExpand,
  section
}: {
  readonly gap: Patch.Gap
  readonly section: string
  /** True below the last hunk. */
  readonly isLast: boolean
  /** Undefined if the file cannot be read. */
  readonly onExpand: ((expansion: Patch.Expansion) => void) | undefined
}) => {
  const { first, last } = gap
  const count = last === undefined ? undefined : last - first + 1
  const isSmall = count !== undefined && count <= Patch.EXPANDED_LINES
  return (
    <div className="diff-gap">
      {onExpand !== undefined && (
        <span>
          {!isSmall && first > 1 && (
            <button type="button" className="quiet" onClick={() => onExpand("start")}>
              ↓ {Patch.EXPANDED_LINES} lines
            </button>
          )}
          {!isSmall && !isLast && (
            <button type="button" className="quiet" onClick={() => onExpand("end")}>
              ↑ {Patch.EXPANDED_LINES} lines
            </button>
          )}
          {count !== undefined && (
            <button type="button" className="quiet" onClick={() => onExpand("all")}>
              Show {NumberFormat.quantity(count, "line")}
            </button>
          )}
        </span>
      )}
      <code>{displayText(section)}</code>
    </div>
  )
}
