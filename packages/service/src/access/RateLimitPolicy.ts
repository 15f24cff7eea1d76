/** Determines the hourly rate limits of a caller: 60 requests without a token, 1,000 to 15,000 with one. */
import type { RateLimitResource } from "@tongs/core/contract/Operation"
import type { Caller, Installation } from "./Caller.ts"

/**
 * All numbers of the rate limits. A test can use small ones, such as 5 requests per 3 seconds. Times in milliseconds.
 */
export interface RateLimitNumbers {
  /** Window of the primary limit, and maximum requests per window by kind of caller. */
  readonly window: number
  readonly anonymous: number
  readonly user: number
  /**
   * Limit of an installation: base, number of included repositories and users, addition for each further one, maximum.
   */
  readonly installation: number
  readonly installationIncluded: number
  readonly installationExtra: number
  readonly installationMost: number
  /** Maximum requests with workflow tokens of one repository. */
  readonly workflow: number
  /** Maximum requests of an OAuth app that authenticates with client id and secret. */
  readonly app: number
  /** Maximum requests of callers whose organization has the enterprise plan. */
  readonly enterprise: number
  /**
   * Maximum points of GraphQL queries of the same callers. For other callers the maximum equals the maximum requests.
   */
  readonly graphqlEnterprise: number
  /** Window of the limits of searches and of code searches, and maximum requests per window. */
  readonly searchWindow: number
  readonly searchAnonymous: number
  readonly searchAuthenticated: number
  /** Secondary limits: concurrent requests, then points, CPU time and content creation in a minute or hour. */
  readonly concurrent: number
  readonly minute: number
  readonly pointsPerMinute: number
  readonly cpuPerMinute: number
  /** The same for GraphQL. `cpuPerMinute` includes the CPU time of GraphQL requests. */
  readonly graphqlPointsPerMinute: number
  readonly graphqlCpuPerMinute: number
  readonly contentPerMinute: number
  readonly contentPerHour: number
  /** Maximum requests per hour that create access tokens. These requests do not count as content creation. */
  readonly tokensPerHour: number
}

const HOUR = 3_600_000

export const specNumbers: RateLimitNumbers = {
  window: HOUR,
  anonymous: 60,
  user: 5000,
  installation: 5000,
  installationIncluded: 20,
  installationExtra: 50,
  installationMost: 12_500,
  workflow: 1000,
  app: 5000,
  enterprise: 15_000,
  graphqlEnterprise: 10_000,
  searchWindow: 60_000,
  searchAnonymous: 10,
  searchAuthenticated: 30,
  concurrent: 100,
  minute: 60_000,
  pointsPerMinute: 900,
  cpuPerMinute: 90_000,
  graphqlPointsPerMinute: 2000,
  graphqlCpuPerMinute: 60_000,
  contentPerMinute: 80,
  contentPerHour: 500,
  tokensPerHour: 2000
}

/** A resource that a primary limit counts. */
export type LimitedResource = Exclude<RateLimitResource, "none">

/** The resource that a window counts. `raised` is `core` for users of an app that raises this limit. */
export type WindowResource = LimitedResource | "raised"

/** True for the resources of searches, whose window is shorter. */
export const isSearch = (resource: WindowResource): boolean => resource === "search" || resource === "code_search"

/**
 * Returns the key of a caller's budget. All tokens of a user share one budget; installations, apps and workflows have
 * separate budgets.
 */
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

/** Returns the maximum requests of a caller in a window. */
export const windowLimit = (numbers: RateLimitNumbers, caller: Caller, resource: WindowResource): number => {
  if (isSearch(resource)) {
    return caller.kind === "anonymous" && caller.app === undefined
      ? numbers.searchAnonymous
      : numbers.searchAuthenticated
  }
  const enterprise = resource === "graphql" ? numbers.graphqlEnterprise : numbers.enterprise
  switch (caller.kind) {
    case "anonymous":
      if (caller.app === undefined) return numbers.anonymous
      return caller.app.plan === "enterprise_cloud" ? enterprise : numbers.app
    case "installation":
      if (caller.installation?.onEnterprisePlan === true) return enterprise
      return caller.installation === undefined ? numbers.installation : ofInstallation(numbers, caller.installation)
    case "workflow":
      return caller.repositoriesOnEnterprisePlan ? numbers.enterprise : numbers.workflow
    default:
      return resource === "raised" || (resource === "graphql" && hasRaisedLimit(caller)) ? enterprise : numbers.user
  }
}

const ofInstallation = (numbers: RateLimitNumbers, { repositoryCount, userCount }: Installation): number => {
  const beyond = (count: number) => Math.max(0, count - numbers.installationIncluded)
  const more = numbers.installationExtra * (beyond(repositoryCount) + beyond(userCount))
  return Math.max(numbers.installation, Math.min(numbers.installation + more, numbers.installationMost))
}

/** True if the app of a token raises the limit of the token's user. */
export const hasRaisedLimit = (caller: Caller): boolean =>
  (caller.kind === "app_user" || caller.kind === "oauth") && caller.installation?.raisesUser === true

/** Returns the window that counts a caller's requests for a resource. */
export const windowResource = (caller: Caller, resource: LimitedResource): WindowResource =>
  resource === "core" && hasRaisedLimit(caller) ? "raised" : resource

/** Returns the name of a caller in messages. */
export const callerName = (caller: Caller, address: string): string => {
  if (caller.kind !== "anonymous") return `user ID ${caller.user.id}`
  return caller.app === undefined ? address : `app ${caller.app.slug}`
}
