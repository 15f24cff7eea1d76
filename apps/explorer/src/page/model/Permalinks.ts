/** Links to a file that outlive its branch. */
import type * as Wire from "../../Wire.ts"
import * as Route from "./Route.ts"

/** The same place for ever: at the commit instead of the branch, without the search. */
export const permalink = ({ lines, owner, path, repo }: Route.File, commit: string): Route.File => ({
  _tag: "File",
  owner,
  repo,
  path,
  ref: commit,
  ...(lines === undefined ? {} : { lines })
})

/** The whole URL of a view, for others. */
export const absoluteUrl = (view: Route.Route): string => new URL(Route.href(view), location.href).href

/** Where the bytes of a file are, relative to the page. */
export const rawUrl = ({ commit, owner, path, repo }: Wire.Pinned): string =>
  `api/raw?${new URLSearchParams({ owner, repo, path, ref: commit })}`
