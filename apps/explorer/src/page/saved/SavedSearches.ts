/** The user's saved searches on the forge, and the searches that repositories share. */
import type { NewResults, SavedSearch, SharedSearch } from "@tongs/core/contract/groups/SavedSearches"
import * as ExplorerClient from "../api/ExplorerClient.ts"

const PATH = "api/tongs/user/saved-searches"

const list: ExplorerClient.Endpoint<ReadonlyArray<SavedSearch>> = { path: PATH }
const shared: ExplorerClient.Endpoint<ReadonlyArray<SharedSearch>> = { path: "api/tongs/shared-searches" }
const newResults: ExplorerClient.Endpoint<NewResults> = { path: `${PATH}/:search_id/new` }

/** Items per page, which is the maximum number of saved searches. */
const all = { per_page: 100 }

/** Milliseconds between two reads of the new results. Hidden pages read only the results to notify about. */
const INTERVAL = 60_000

/** The saved searches. With `isEnabled` false, sends no request. */
export const useSavedSearches = (isEnabled = true): ReadonlyArray<SavedSearch> => {
  const state = ExplorerClient.useRequest(list, isEnabled ? all : undefined)
  return state._tag === "Ready" ? state.value : none
}

/** The searches that repositories share, up to 1,000. */
export const useSharedSearches = (): ReadonlyArray<SharedSearch> => {
  const state = ExplorerClient.useAll(shared, {})
  return state._tag === "Ready" ? state.value : none
}

/**
 * The new results of a saved search, read again while the page is visible; with `inBackground` also while the page is
 * hidden.
 */
export const useNewResults = (
  id: number,
  { inBackground = false }: { readonly inBackground?: boolean } = {}
): ExplorerClient.RequestState<NewResults> =>
  ExplorerClient.useRequest(newResults, { search_id: id }, { pollInterval: INTERVAL, pollsInBackground: inBackground })

const none: ReadonlyArray<never> = []

/** Saves a query under a name. */
export const create = (name: string, query: string) => change("POST", PATH, { name, query })

export const rename = (id: number, name: string) => change("PATCH", `${PATH}/${id}`, { name })

export const remove = (id: number) => change("DELETE", `${PATH}/${id}`)

/** Marks results as seen. If there are newer results, reads these instead. */
export const markSeen = async ({ id, version }: NewResults): Promise<void> => {
  try {
    await change("PUT", `${PATH}/${id}/seen`, { version })
  } finally {
    await ExplorerClient.queryClient.invalidateQueries({
      queryKey: ExplorerClient.queryKey(newResults, { search_id: id })
    })
  }
}

/** A name for a query: the shortened query. */
export const nameOf = (query: string, taken: ReadonlyArray<string>): string => {
  const short = query.replace(/\s+/g, " ").trim().slice(0, 80)
  const names = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const name = number === 1 ? short : `${short} (${number})`
    if (!names.has(name.toLowerCase())) return name
  }
}

const change = async (method: string, url: string, body?: object): Promise<void> => {
  const init = {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  }
  await ExplorerClient.send(url, new AbortController().signal, init)
  await ExplorerClient.queryClient.invalidateQueries({ queryKey: ExplorerClient.queryKey(list, all) })
}
