import type { WaitingRequests } from "@tongs/core/limits/BudgetStatus"

/** Returns a short text for the limit or condition that a request waits for. */
export const describe = ({ reason, resource }: Pick<WaitingRequests, "reason" | "resource">): string => {
  switch (reason) {
    case "primary":
      return `${resource} window`
    case "reserve":
      return `${resource} reserve`
    case "points":
      return "points"
    case "content":
      return "content creation"
    case "tokens":
      return "token requests"
    case "cpu":
      return "CPU time"
    case "pause":
      return "pause after a refusal"
    case "probe":
      return "probe request"
    case "concurrency":
      return "concurrency limit"
    case undefined:
      return "queue"
  }
}
