/** Whether a pull request can be merged, in words. */
import type { PullRequest } from "../../PullRequestApi.ts"
import type { CheckResult } from "./CheckResults.ts"
import { displayText } from "./displayText.ts"

export const result = (mergeability: string): CheckResult => {
  switch (mergeability) {
    case "clean":
    case "has_hooks":
    case "unstable":
      return "passed"
    case "blocked":
    case "behind":
    case "conflicts":
      return "failed"
    case "draft":
      return "skipped"
    default:
      return "running"
  }
}

export const sentence = (mergeability: string, { base }: Pick<PullRequest, "base">): string => {
  switch (mergeability) {
    case "clean":
    case "has_hooks":
      return "This can be merged."
    case "unstable":
      return "This can be merged, but some checks have not passed."
    case "conflicts":
      return `This cannot be merged: its changes conflict with ${displayText(base.name)}.`
    case "blocked":
      return `This cannot be merged yet: a rule of ${displayText(base.name)} is not met, for example a required check or review.`
    case "behind":
      return `This cannot be merged yet: it must first have the newest commits of ${displayText(base.name)}.`
    case "draft":
      return "This is a draft, which cannot be merged."
    case "checking":
      return "The forge is checking whether this can be merged…"
    default:
      return "It is not known whether this can be merged."
  }
}
