/** Whose budget a request takes from, and how large it is (spec part 1 §8.2). */
import type { Caller, Installation } from "./Caller.ts"
import type { Numbers } from "./RateLimits.ts"

/** What a window counts. `raised`: core requests of a user by an app that gives them the higher limit. */
export type Resource = "core" | "raised" | "code_search"

/** Whose budget it is: all tokens of a user share one; an installation, an app and a repository's workflows have theirs. */
export const keyOf = (caller: Caller, address: string): string => {
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
export const limitOf = (numbers: Numbers, caller: Caller, resource: Resource): number => {
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

const ofInstallation = (numbers: Numbers, { onEnterprisePlan, repositoryCount, userCount }: Installation): number => {
  if (onEnterprisePlan) return numbers.enterprise
  const beyond = (count: number) => Math.max(0, count - numbers.installationIncluded)
  const more = numbers.installationExtra * (beyond(repositoryCount) + beyond(userCount))
  return Math.max(numbers.installation, Math.min(numbers.installation + more, numbers.installationMost))
}

/** Whether an app by which a user calls gives them the higher limit. */
export const isRaised = (caller: Caller): boolean =>
  (caller.kind === "app_user" || caller.kind === "oauth") && caller.installation?.raisesUser === true

/** The window that counts a request of a resource. */
export const countedAs = (caller: Caller, resource: "core" | "code_search"): Resource =>
  resource === "core" && isRaised(caller) ? "raised" : resource

/** The caller, as a message names it. */
export const nameOf = (caller: Caller, address: string): string => {
  if (caller.kind !== "anonymous") return `user ID ${caller.user.id}`
  return caller.app === undefined ? address : `app ${caller.app.slug}`
}
