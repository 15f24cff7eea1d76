import { useQuery } from "@tanstack/react-query"
import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import * as ExplorerClient from "./ExplorerClient.ts"

/** Milliseconds between two reads of the status, while indexing, when idle, and after a failure. */
const INDEXING_INTERVAL = 700
const IDLE_INTERVAL = 15_000
const FAILURE_INTERVAL = 3_000

/** The index status of each repository, polled. Undefined without an index, and until the first response. */
export const useIndexStatus = (hasIndex: boolean): ReadonlyArray<IndexedRepository> | undefined =>
  useQuery({
    queryKey: ExplorerClient.queryKey(ExplorerClient.index),
    queryFn: ({ signal }) => ExplorerClient.get(ExplorerClient.index, {}, signal),
    enabled: hasIndex,
    refetchInterval: ({ state: { data, status } }) =>
      status === "error"
        ? FAILURE_INTERVAL
        : data?.repositories.some(isIndexing) === true
          ? INDEXING_INTERVAL
          : IDLE_INTERVAL
  }).data?.repositories

/** Whether a repository is queued for indexing or being indexed. */
export const isIndexing = ({ state }: IndexedRepository): boolean => state === "waiting" || state === "indexing"

/** The indexed share of all repositories, from 0 to 1. */
export const indexProgress = (repositories: ReadonlyArray<IndexedRepository>): number => {
  const shares = repositories.map(({ progress, state }) =>
    state === "waiting" ? 0 : progress === undefined || progress.of === 0 ? 1 : progress.files / progress.of
  )
  return shares.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}
