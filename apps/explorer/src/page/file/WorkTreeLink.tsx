import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { PinnedPath } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"

/** In the work tree, a link to the uncommitted changes. At a version of a repository with a work tree, a link to it. */
export const WorkTreeLink = ({
  pinned: { commit, hasWorkTree, workTree },
  route
}: {
  readonly pinned: PinnedPath
  readonly route: Route.File | Route.Tree
}) => {
  const { owner, ref: _ref, repo, ...rest } = route
  if (workTree === undefined)
    return (
      hasWorkTree === true && (
        <Link className="tool" to={{ ...rest, owner, repo }} title="Show the files on disk">
          Work tree
        </Link>
      )
    )
  const { changedFiles, head, notes } = workTree
  const count = changedFiles === 0 ? "without changes" : NumberFormat.quantity(changedFiles, "changed file")
  const title = notes.map(displayText).join("\n")
  return changedFiles === 0 || head === null ? (
    <span className="work-tree-count" title={title}>
      {count}
    </span>
  ) : (
    <Link
      className="tool"
      to={{ _tag: "Compare", owner, repo, base: head, head: commit }}
      title={title === "" ? "Show the uncommitted changes" : title}
    >
      {count}
    </Link>
  )
}
