/** What the forge's index has; looked at again and again while it is being built. */
import { useQuery } from "@tanstack/react-query"
import type * as Explore from "@tongs/core/explore/Explore"
import * as Api from "../Api.ts"

/** Milliseconds between two looks at an index that is being built, at one that is there, and at none that answers. */
const BUSY = 700
const CALM = 15_000
const GONE = 3_000

/** Nothing where the forge has no index, or has not said yet. */
export const useIndexStatus = (hasIndex: boolean): ReadonlyArray<Explore.IndexedRepository> | undefined =>
  useQuery({
    queryKey: Api.key(Api.index),
    queryFn: ({ signal }) => Api.get(Api.index, {}, signal),
    enabled: hasIndex,
    refetchInterval: ({ state: { data, status } }) =>
      status === "error" ? GONE : data?.repositories.some(isIndexing) === true ? BUSY : CALM
  }).data?.repositories

export const isIndexing = ({ state }: Explore.IndexedRepository): boolean => state === "waiting" || state === "indexing"

/** How far the index is, all repositories together, from 0 to 1. */
export const indexProgress = (repositories: ReadonlyArray<Explore.IndexedRepository>): number => {
  const parts = repositories.map(({ progress, state }) =>
    state === "waiting" ? 0 : progress === undefined || progress.of === 0 ? 1 : progress.files / progress.of
  )
  return parts.length === 0 ? 1 : parts.reduce((sum, part) => sum + part, 0) / parts.length
}
