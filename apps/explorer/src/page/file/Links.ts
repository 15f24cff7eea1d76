/** Links to a file that outlive its branch. */
import type * as Wire from "../../Wire.ts"
import * as View from "../View.ts"

/** The same place for ever: at the commit instead of the branch, without the search. */
export const pinned = ({ lines, owner, path, repo }: View.File, commit: string): View.File => ({
  _tag: "File",
  owner,
  repo,
  path,
  ref: commit,
  ...(lines === undefined ? {} : { lines })
})

/** The whole URL of a view, for others. */
export const absolute = (view: View.View): string => new URL(View.print(view), location.href).href

/** Where the bytes of a file are, relative to the page. */
export const raw = ({ commit, owner, path, repo }: Wire.Pinned): string =>
  `api/raw?${new URLSearchParams({ owner, repo, path, ref: commit })}`
