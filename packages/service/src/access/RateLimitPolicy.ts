/** Determines the rate limits of a caller (spec part 1 §8.2). */
import type { Caller, Installation } from "./Caller.ts"

/** All limits, so that a test can have a window of 5 requests and 3 seconds. Times are in milliseconds. */
export interface RateLimitNumbers {
  /** Window of the primary limit, and its requests by kind of caller. */
  readonly window: number
  readonly anonymous: number
  readonly user: number
  /** Base of an installation, the addition per repository and user beyond the first ones, and the maximum. */
  readonly installation: number
  readonly installationIncluded: number
  readonly installationExtra: number
  readonly installationMost: number
  /** Requests of workflow tokens, per repository. */
  readonly workflow: number
  /** Requests of an OAuth app that authenticates with client id and secret. */
  readonly app: number
  /** Requests with an organization on the enterprise plan. */
  readonly enterprise: number
  /** Window and limits of code search. */
  readonly searchWindow: number
  readonly searchAnonymous: number
  readonly searchAuthenticated: number
  /** The secondary limits. */
  readonly concurrent: number
  readonly minute: number
  readonly pointsPerMinute: number
  readonly cpuPerMinute: number
  readonly contentPerMinute: number
  readonly contentPerHour: number
  /** Requests for access tokens, which do not count as content creation. */
  readonly tokensPerHour: number
}

const hour = 3_600_000

export const specNumbers: RateLimitNumbers = {
  window: hour,
  anonymous: 60,
  user: 5000,
  installation: 5000,
  installationIncluded: 20,
  installationExtra: 50,
  installationMost: 12_500,
  workflow: 1000,
  app: 5000,
  enterprise: 15_000,
  searchWindow: 60_000,
  searchAnonymous: 10,
  searchAuthenticated: 30,
  concurrent: 100,
  minute: 60_000,
  pointsPerMinute: 900,
  cpuPerMinute: 90_000,
  contentPerMinute: 80,
  contentPerHour: 500,
  tokensPerHour: 2000
}

/** The resource of a window. `raised`: core requests of a user through an app that raises the limit. */
export type WindowResource = "core" | "raised" | "code_search"

/** Key of a budget. All tokens of a user share one; installations, apps and workflows of a repository have their own. */
export const budgetKey = (caller: Caller, address: string): string => {
  switch (caller.kind) {
    case "anonymous":
      return caller.app === undefined ? `address ${address}` : `app ${caller.app.id}`
    case "installation":
      return caller.installation === undefined ? `token ${caller.tokenId}` : `installation ${caller.installation.id}`
    case "workflow": {
      const [repository, ...others] = caller.repositories ?? []
      return repository === undefined || others.length > 0 ? `token ${caller.tokenId}` : `workflows of ${repository}`
    }
    default:
      return `user ${caller.user.id}`
  }
}

/** Maximum requests in a window. */
export const windowLimit = (numbers: RateLimitNumbers, caller: Caller, resource: WindowResource): number => {
  if (resource === "code_search") {
    return caller.kind === "anonymous" && caller.app === undefined
      ? numbers.searchAnonymous
      : numbers.searchAuthenticated
  }
  switch (caller.kind) {
    case "anonymous":
      if (caller.app === undefined) return numbers.anonymous
      return caller.app.plan === "enterprise_cloud" ? numbers.enterprise : numbers.app
    case "installation":
      return caller.installation === undefined ? numbers.installation : ofInstallation(numbers, caller.installation)
    case "workflow":
      return caller.repositoriesOnEnterprisePlan ? numbers.enterprise : numbers.workflow
    default:
      return resource === "raised" ? numbers.enterprise : numbers.user
  }
}

const ofInstallation = (
  numbers: RateLimitNumbers,
  { onEnterprisePlan, repositoryCount, userCount }: Installation
): number => {
  if (onEnterprisePlan) return numbers.enterprise
  const beyond = (count: number) => Math.max(0, count - numbers.installationIncluded)
  const more = numbers.installationExtra * (beyond(repositoryCount) + beyond(userCount))
  return Math.max(numbers.installation, Math.min(numbers.installation + more, numbers.installationMost))
}

/** True if the app of a token raises the limit of its user. */
export const hasRaisedLimit = (caller: Caller): boolean =>
  (caller.kind === "app_user" || caller.kind === "oauth") && caller.installation?.raisesUser === true

/** The window that counts a request for a resource. */
export const windowResource = (caller: Caller, resource: "core" | "code_search"): WindowResource =>
  resource === "core" && hasRaisedLimit(caller) ? "raised" : resource

/** The name of a caller in messages. */
export const callerName = (caller: Caller, address: string): string => {
  if (caller.kind !== "anonymous") return `user ID ${caller.user.id}`
  return caller.app === undefined ? address : `app ${caller.app.slug}`
}
