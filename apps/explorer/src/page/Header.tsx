/** What stands above every view: the way home, the search box, where this is connected, what is left of the budget. */
import type { RefObject } from "react"
import type * as Wire from "../Wire.ts"
import type { Answer } from "./Api.ts"
import { Link } from "./components/Link.tsx"
import { RateLimitMeter } from "./RateLimitMeter.tsx"
import { type Connectivity, useConnectivity } from "./api/Connectivity.ts"
import { SearchBox } from "./search/SearchBox.tsx"
import { displayText } from "./model/displayText.ts"
import * as Route from "./model/Route.ts"

export const Header = ({
  box,
  connection,
  early,
  onHelp,
  view
}: {
  readonly view: Route.Route
  readonly box: RefObject<HTMLInputElement | null>
  readonly connection: Answer<Wire.Connection>
  /** What was typed before the page was there. */
  readonly early: () => string
  readonly onHelp: () => void
}) => {
  const known = connection._tag === "Ready" ? connection.value : undefined
  const reach = useConnectivity()
  const isHasty = connection._tag === "Loading" && !connection.slow
  return (
    <header className="header">
      <Link to={Route.home} className="brand" aria-label="Tongs, home">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M7 22 13.8 12.6c2-2.8 2-6.2-.6-9.6" />
          <path d="M17 22 10.2 12.6c-2-2.8-2-6.2.6-9.6" />
          <circle cx="12" cy="7.8" r="2" />
        </svg>
        <span>Tongs</span>
      </Link>
      <SearchBox early={early} view={view} box={box} connection={known} />
      <div className="status">
        {known?.budget.map((budget) => (
          <RateLimitMeter key={budget.resource} {...budget} />
        ))}
        {!isHasty && (
          <span className="chip" data-reach={reach}>
            {[known?.label, SAID[reach]]
              .filter((text) => text !== undefined)
              .map(displayText)
              .join(" · ")}
          </span>
        )}
        <button type="button" className="quiet round" onClick={onHelp} aria-label="Keys and search syntax">
          ?
        </button>
      </div>
    </header>
  )
}

/** What there is to say of a connection that is not as it should be. */
const SAID: Readonly<Record<Connectivity, string | undefined>> = {
  trying: "connecting…",
  connected: undefined,
  alone: "does not answer",
  offline: "offline"
}
