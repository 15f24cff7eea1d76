import { useQuery } from "@tanstack/react-query"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import type * as Route from "../model/Route.ts"

/** Milliseconds before the mergeability is requested again. The forge computes it in the background. */
const RETRY_DELAY = 1_000

/** Maximum number of repeated requests. */
const MAX_RETRIES = 5

/** A pull request. Asks again until it is known whether it can be merged. */
export const usePullRequest = (route: Route.Pull): ExplorerClient.RequestState<PullRequestApi.PullRequest> => {
  const parameters = ViewRequests.issue(route)
  useQuery({
    ...ExplorerClient.queryOptions(ExplorerClient.pull, parameters),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.mergeability === "checking" && dataUpdateCount <= MAX_RETRIES
        ? RETRY_DELAY * 2 ** (dataUpdateCount - 1)
        : false
  })
  return ExplorerClient.useRequest(ExplorerClient.pull, parameters)
}
