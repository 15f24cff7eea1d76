/** Counts requests for the statistics of organizations, and for the metrics of this process. */
import * as Effect from "effect/Effect"
import { RequestRecorder } from "../features/insights/RequestRecorder.ts"
import { RequestMetrics } from "./RequestMetrics.ts"
import type { KnownRequest } from "./RequestStages.ts"

type CountedRequest = Pick<KnownRequest, "caller" | "found" | "target"> & Partial<Pick<KnownRequest, "request">>

export const make = Effect.gen(function* () {
  const recorder = yield* RequestRecorder
  const metrics = yield* RequestMetrics
  return {
    /** Counts a request. `now` is in epoch milliseconds. */
    count: (method: string, request: CountedRequest, isLimited: boolean, now: number) => {
      const { caller, found } = request
      if (found === undefined) {
        metrics.note(request.request, undefined, isLimited)
        return
      }
      const { entry, name, template } = found.route
      metrics.note(request.request, entry.operation.operationId ?? name, isLimited)
      const organization = organizationOf(request)
      recorder.count({ method, caller, route: template, organization, limited: isLimited }, now)
    }
  }
})

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
