/** Why requests wait, for people. */
import type { WaitingRequests } from "@tongs/core/limits/ScopeStatus"

/** The limit or condition that a request waits for, in a few words. */
export const describe = ({ reason, resource }: Pick<WaitingRequests, "reason" | "resource">): string => {
  switch (reason) {
    case "primary":
      return `${resource} window`
    case "reserve":
      return `kept rest of ${resource}`
    case "points":
      return "points"
    case "content":
      return "content to create"
    case "tokens":
      return "token requests"
    case "cpu":
      return "computing time"
    case "pause":
      return "end of the pause"
    case "probe":
      return "a first try"
    case "concurrency":
      return "others in flight"
    case undefined:
      return "its turn"
  }
}
