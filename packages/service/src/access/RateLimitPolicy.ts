/** Whose budget a request takes from, and how large it is (spec part 1 §8.2). */
import type { Caller, Installation } from "./Caller.ts"

/** All the numbers, so that a test can ask for a window of 5 requests and 3 seconds. Times are in milliseconds. */
export interface RateLimitNumbers {
  /** The primary limit's window, and how many requests it has by who calls. */
  readonly window: number
  readonly anonymous: number
  readonly user: number
  /** Of an installation: this, so much more for each repository and user beyond the first ones, up to the most. */
  readonly installation: number
  readonly installationIncluded: number
  readonly installationExtra: number
  readonly installationMost: number
  /** Of a workflow's token, by repository. */
  readonly workflow: number
  /** Of an OAuth app that calls for nobody, by its client id and secret. */
  readonly app: number
  /** Where an organization with the enterprise plan is behind it. */
  readonly enterprise: number
  /** Code search has a window and limits of its own. */
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
  /** Requests for access tokens: they are none that create content. */
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

/** What a window counts. `raised`: core requests of a user by an app that gives them the higher limit. */
export type WindowResource = "core" | "raised" | "code_search"

/** Whose budget it is: all tokens of a user share one; an installation, an app and a repository's workflows have theirs. */
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

/** Requests of a window. */
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

/** Whether an app by which a user calls gives them the higher limit. */
export const hasRaisedLimit = (caller: Caller): boolean =>
  (caller.kind === "app_user" || caller.kind === "oauth") && caller.installation?.raisesUser === true

/** The window that counts a request of a resource. */
export const windowResource = (caller: Caller, resource: "core" | "code_search"): WindowResource =>
  resource === "core" && hasRaisedLimit(caller) ? "raised" : resource

/** The caller, as a message names it. */
export const callerName = (caller: Caller, address: string): string => {
  if (caller.kind !== "anonymous") return `user ID ${caller.user.id}`
  return caller.app === undefined ? address : `app ${caller.app.slug}`
}
