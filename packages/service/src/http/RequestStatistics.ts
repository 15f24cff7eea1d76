/** Counts requests for the statistics of organizations. */
import * as Effect from "effect/Effect"
import { RequestRecorder } from "../features/insights/RequestRecorder.ts"
import type { KnownRequest } from "./RequestStages.ts"

type CountedRequest = Pick<KnownRequest, "caller" | "found" | "target">

export const make = Effect.map(RequestRecorder, (recorder) => ({
  /** Counts a request with a route. `now` is in epoch milliseconds. */
  count: (method: string, request: CountedRequest, isLimited: boolean, now: number) => {
    const { caller, found } = request
    if (found === undefined) return
    const organization = organizationOf(request)
    recorder.count({ method, caller, route: found.route.template, organization, limited: isLimited }, now)
  }
}))

/**
 * Returns the organization of a request. Without a resolved target, returns the name in the path, which may not exist.
 */
const organizationOf = ({ found, target }: CountedRequest): string | undefined => {
  switch (target?.kind) {
    case undefined:
      return found?.route.target === "repository" ? found.params.owner : found?.params.org
    case "organization":
      return target.organization.login
    case "repository": {
      const { owner } = target.repository.row
      return owner.type === "Organization" ? owner.login : undefined
    }
    case "enterprise":
    case "user":
    case "site":
    case "none":
      return undefined
  }
}
