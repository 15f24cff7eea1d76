import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import type { RemoteBlame } from "./useRemoteBlame.ts"

/** The progress of the blame on a forge without the extension, the limits, and a button that reads more versions. */
export const RemoteBlameStatus = ({ blame, failure, goOn, state }: RemoteBlame) => {
  const now = useNow(state === "limited")
  const until = blame?.until ?? 0
  const isLimited = state === "limited" && until > now
  const known = blame?.known ?? 0
  return (
    <div className="blame-status">
      <span role="status">
        Blame: {NumberFormat.format(known)} of {NumberFormat.quantity(blame?.lines ?? 0, "line")},{" "}
        {NumberFormat.quantity(blame?.requests ?? 0, "request")}
        {state === "loading" && " …"}
      </span>
      {state === "failed" && <span className="blame-failure">{displayText(failure?.message ?? "")}</span>}
      {isLimited && (
        <span className="blame-failure">
          The rate limit has no budget left for this until {new Date(until).toLocaleTimeString("en")}.
        </span>
      )}
      {(state === "paused" || state === "failed" || state === "limited") && (
        <button type="button" disabled={isLimited} onClick={goOn}>
          {state === "failed" ? "Try again" : "Read older versions"}
        </button>
      )}
      <span className="dim">
        Computed from the versions of this path. Renames are not followed.
        {blame?.merges === true && " A merge changed this file: lines of merged branches can have a later commit."}
      </span>
    </div>
  )
}
