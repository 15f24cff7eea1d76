import type { Budget } from "../ExplorerApi.ts"
import { formatRemaining, useNow } from "./hooks/useNow.ts"

/** The remaining requests of one rate limit, and the time until the reset. */
export const RateLimitMeter = ({ limit, remaining, reset, resource }: Budget) => {
  const now = useNow(remaining < limit)
  const left = reset <= now ? limit : remaining
  const label = `${names[resource] ?? resource}: ${left} of ${limit} left`
  return (
    <span className="meter" title={reset > now ? `${label}, resets in ${formatRemaining(reset, now)}` : label}>
      <span className="meter-name">{names[resource] ?? resource}</span>
      <meter min={0} max={limit} low={limit / 5} optimum={limit} value={left} aria-label={label} />
      <span className="meter-count">{left}</span>
    </span>
  )
}

const names: Readonly<Record<string, string>> = { code_search: "searches", core: "requests" }
