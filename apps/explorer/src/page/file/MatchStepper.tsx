import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { Icon } from "./Icon.tsx"

/** The index of the selected match, and buttons to the next and the previous match. */
export const MatchStepper = ({
  index,
  step,
  total
}: {
  readonly index: number | undefined
  readonly total: number
  readonly step: (by: 1 | -1) => void
}) => (
  <div className="stepper" role="group" aria-label="Matches">
    <span role="status">
      {index === undefined
        ? NumberFormat.quantity(total, "match", "matches")
        : `${NumberFormat.format(index + 1)} of ${NumberFormat.format(total)}`}
    </span>
    <button type="button" aria-label="Previous match" title="Previous match (p)" onClick={() => step(-1)}>
      <Icon name="up" />
    </button>
    <button type="button" aria-label="Next match" title="Next match (n)" onClick={() => step(1)}>
      <Icon name="down" />
    </button>
  </div>
)
