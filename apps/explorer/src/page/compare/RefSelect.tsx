import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { RefMenu } from "../components/RefMenu.tsx"
import { Icon } from "../file/Icon.tsx"
import { displayText } from "../model/displayText.ts"

/** The base or head of a comparison, and a menu for the choice. `current` is undefined before the first choice. */
export const RefSelect = ({
  current,
  label,
  onSelect,
  repository,
  startsOpen
}: {
  readonly label: string
  readonly repository: RepositoryName
  readonly current: string | undefined
  readonly startsOpen?: boolean
  readonly onSelect: (ref: string) => void
}) => {
  const text = current === undefined ? "choose…" : displayText(AbbreviatedId.of(current))
  return (
    <RefMenu
      repository={repository}
      current={current}
      label={label}
      name={`${label}: ${text}`}
      align="start"
      verb="choose"
      startsOpen={startsOpen}
      onSelect={onSelect}
    >
      <span className="dim">{label.toLowerCase()}:</span>
      <span>{text}</span>
      <Icon name="down" />
    </RefMenu>
  )
}
