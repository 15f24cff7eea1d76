import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "./ExplorerClient.ts"

/**
 * Milliseconds between two reads of the remaining rate limit. A read costs no request of the forge: the server knows
 * the limit.
 */
const INTERVAL = 3_000

/** The forge that the explorer is connected to. Polls a remote forge, to keep the rate limits current. */
export const useConnection = (): ExplorerClient.RequestState<ExplorerApi.Connection> => {
  const once = ExplorerClient.useRequest(ExplorerClient.connection, {})
  const isMetered = once._tag === "Ready" && once.value.kind === "remote"
  return ExplorerClient.useRequest(ExplorerClient.connection, {}, { pollInterval: isMetered ? INTERVAL : false })
}
