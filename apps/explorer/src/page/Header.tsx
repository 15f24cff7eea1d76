import type { RefObject } from "react"
import type * as ExplorerApi from "../ExplorerApi.ts"
import type { RequestState } from "./api/ExplorerClient.ts"
import { Link } from "./components/Link.tsx"
import { RateLimitMeter } from "./RateLimitMeter.tsx"
import { type Connectivity, useConnectivity } from "./api/Connectivity.ts"
import { SearchBox } from "./search/SearchBox.tsx"
import { displayText } from "./model/displayText.ts"
import * as Route from "./model/Route.ts"

/** The page header: home link, search box, rate limits, connection and help. */
export const Header = ({
  box,
  connection,
  earlyInput,
  onHelp,
  route
}: {
  readonly route: Route.Route
  readonly box: RefObject<HTMLInputElement | null>
  readonly connection: RequestState<ExplorerApi.Connection>
  /** The text typed before React started. */
  readonly earlyInput: () => string
  readonly onHelp: () => void
}) => {
  const ready = connection._tag === "Ready" ? connection.value : undefined
  const connectivity = useConnectivity()
  // No status for the usual short wait.
  const isStarting = connection._tag === "Loading" && !connection.slow
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
      <SearchBox earlyInput={earlyInput} route={route} box={box} connection={ready} onHelp={onHelp} />
      <div className="status">
        {ready?.budget.map((budget) => (
          <RateLimitMeter key={budget.resource} {...budget} />
        ))}
        {!isStarting && (
          <span className="chip" data-connectivity={connectivity}>
            {[ready?.label, labels[connectivity]]
              .filter((text) => text !== undefined)
              .map(displayText)
              .join(" · ")}
          </span>
        )}
        <button
          type="button"
          className="quiet round"
          onClick={onHelp}
          aria-label="Keyboard shortcuts and search syntax"
        >
          ?
        </button>
      </div>
    </header>
  )
}

const labels: Readonly<Record<Connectivity, string | undefined>> = {
  connecting: "connecting…",
  connected: undefined,
  "forge-unreachable": "does not respond",
  offline: "offline"
}
