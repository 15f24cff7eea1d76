import type { PinnedPath } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { Icon } from "./Icon.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"

/** A link from a file or folder to the comparison view, which offers branches, tags and commits for the other end. */
export const CompareLink = ({
  pinned,
  route: { owner, path, ref, repo }
}: {
  readonly route: Route.File | Route.Tree
  readonly pinned: PinnedPath | undefined
}) => {
  const head = pinned?.workTree === undefined ? (pinned?.ref ?? ref) : pinned.commit
  const to: Route.Compare = {
    _tag: "Compare",
    owner,
    repo,
    ...(head === undefined ? {} : { head }),
    ...(path === "" ? {} : { path })
  }
  useKeyboardShortcuts({ c: () => navigate(to) })
  return (
    <Link
      to={to}
      className="tool"
      title="Compare with another branch, tag or commit (c)"
      aria-keyshortcuts="c"
      aria-label="Compare with…"
    >
      <Icon name="compare" />
      <span aria-hidden="true">Compare…</span>
    </Link>
  )
}
