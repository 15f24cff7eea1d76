import { useQuery } from "@tanstack/react-query"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import type { Endpoint, Parameters } from "../api/Endpoints.ts"
import type * as ExplorerApi from "../../ExplorerApi.ts"

/** Milliseconds between requests for runs that are not completed: of the embedded forge, and of a remote one. */
const POLL_INTERVAL = 3_000
const REMOTE_POLL_INTERVAL = 15_000

/** The interval of requests for what has not ended yet. */
export const pollInterval = ({ kind }: ExplorerApi.Connection): number =>
  kind === "embedded" ? POLL_INTERVAL : REMOTE_POLL_INTERVAL

/** Requests an endpoint, and again while `isRunning` is true of the response and the page is visible. */
export const usePolled = <A>(
  endpoint: Endpoint<A>,
  parameters: Parameters,
  connection: ExplorerApi.Connection,
  isRunning: (answer: A) => boolean
): ExplorerClient.RequestState<A> => {
  useQuery({
    ...ExplorerClient.queryOptions(endpoint, parameters),
    refetchInterval: ({ state: { data, status } }) =>
      status === "success" && data !== undefined && isRunning(data) ? pollInterval(connection) : false
  })
  return ExplorerClient.useRequest(endpoint, parameters)
}
