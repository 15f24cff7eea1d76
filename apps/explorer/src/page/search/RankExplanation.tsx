import { Popover } from "@base-ui/react/popover"
import type { RankFactor } from "@tongs/core/contract/groups/CodeSearch"
import { popupContainer } from "../components/popupContainer.ts"
import { displayText } from "../model/displayText.ts"

/** A popover with the factors of a result's rank. */
export const RankExplanation = ({
  path,
  reasons
}: {
  readonly reasons: ReadonlyArray<RankFactor>
  readonly path: string
}) => (
  <Popover.Root>
    <Popover.Trigger className="quiet">Explain rank</Popover.Trigger>
    <Popover.Portal container={popupContainer()}>
      <Popover.Positioner className="popup-positioner" sideOffset={6} collisionPadding={12} align="end">
        <Popover.Popup className="popup rank-explanation">
          <Popover.Title>Rank</Popover.Title>
          <Popover.Description className="dim">{displayText(path)}</Popover.Description>
          <table>
            <thead className="visually-hidden">
              <tr>
                <th scope="col">Factor</th>
                <th scope="col">Points</th>
              </tr>
            </thead>
            <tbody>
              {reasons.map(({ factor, points }) => (
                <tr key={factor}>
                  <th scope="row">{factor}</th>
                  <td>{points > 0 ? `+${round(points)}` : round(points)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
)

const round = (points: number): string => points.toLocaleString("en", { maximumFractionDigits: 1 })
