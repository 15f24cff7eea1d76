/** The references to a name in one repository. */
import type { Reference } from "@tongs/core/contract/groups/CodeNavigation"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import type { Identifier } from "../editor/EditorHandle.ts"
import type * as Route from "../model/Route.ts"
import * as Definitions from "./Definitions.ts"

/** The maximum of the contract. */
const PER_PAGE = 100

/** The uses that an identifier of a file leads to. */
export const usesOf = (
  { path }: ExplorerApi.PinnedPath,
  { column, line, text }: Pick<Identifier, "text" | "line" | "column">
): Route.Uses => ({ name: text, at: { path, line, column: column + 1 } })

/** The request for the number of an identifier's uses. */
export const countOptions = (file: ExplorerApi.PinnedPath, identifier: Identifier) => ({
  staleTime: Definitions.STALE_TIME,
  ...ExplorerClient.queryOptions(ExplorerClient.references, {
    ...parameters(file, usesOf(file, identifier)),
    per_page: 1
  })
})

/** The requests for all uses, page by page. */
export const pagesOptions = (file: ExplorerApi.PinnedPath, uses: Route.Uses) => {
  const common = { ...parameters(file, uses), per_page: PER_PAGE }
  return {
    queryKey: ["uses", common],
    queryFn: ({ pageParam, signal }: { readonly pageParam: number; readonly signal: AbortSignal }) =>
      ExplorerClient.get(ExplorerClient.references, { ...common, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: (
      { items, total_count }: ExplorerClient.CountedItems<Reference>,
      _: unknown,
      page: number
    ): number | undefined => (items.length === PER_PAGE && page * PER_PAGE < total_count ? page + 1 : undefined)
  }
}

/** The request for the definitions whose uses are listed. */
export const definitionsOptions = (file: ExplorerApi.PinnedPath, { at, name }: Route.Uses) =>
  at === undefined
    ? ExplorerClient.queryOptions(ExplorerClient.definitions, {
        owner: file.owner,
        repo: file.repo,
        name,
        ref: file.commit
      })
    : Definitions.queryOptions({ ...file, path: at.path }, { text: name, line: at.line, column: at.column - 1 })

const parameters = ({ commit, owner, repo }: ExplorerApi.PinnedPath, { at, name }: Route.Uses) => ({
  owner,
  repo,
  name,
  ref: commit,
  ...(at === undefined ? {} : { path: at.path, line: at.line, column: at.column - 1 })
})
