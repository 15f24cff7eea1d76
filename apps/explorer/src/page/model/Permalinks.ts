/** URLs of a file. */
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as Route from "./Route.ts"

/**
 * The commit for permanent links to a file. Undefined for an uncommitted file: the snapshot of a work tree ends with the
 * explorer.
 */
export const commitOf = ({ commit, status, workTree }: ExplorerApi.File): string | undefined =>
  workTree === undefined ? commit : status === undefined ? (workTree.head ?? undefined) : undefined

/**
 * The route of a file at a commit, with the selected lines but without the query and panels. Without a commit, the route
 * on the default view.
 */
export const permalink = ({ lines, owner, path, repo }: Route.File, commit: string | undefined): Route.File => ({
  _tag: "File",
  owner,
  repo,
  path,
  ...(commit === undefined ? {} : { ref: commit }),
  ...(lines === undefined ? {} : { lines })
})

/** The absolute URL of a route, for the clipboard. */
export const absoluteUrl = (route: Route.Route): string => new URL(Route.href(route), location.href).href

/** The URL of the raw bytes of a file at the commit, relative to the page. */
export const rawUrl = ({ commit, owner, path, repo }: ExplorerApi.PinnedPath): string =>
  `api/raw?${new URLSearchParams({ owner, repo, path, ref: commit })}`
