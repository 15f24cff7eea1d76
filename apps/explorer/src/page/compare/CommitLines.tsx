import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Comparison } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { CommitItems } from "./CommitItems.tsx"

/** The commits of a comparison, closed at first. */
export const CommitLines = ({
  comparison: { aheadBy, commits },
  path,
  repository
}: {
  readonly repository: RepositoryName
  readonly comparison: Comparison
  readonly path: string | undefined
}) => {
  if (commits.length === 0) return null
  return (
    <details className="diff-commits">
      <summary>
        {NumberFormat.quantity(path === undefined ? aheadBy : commits.length, "commit")}
        {path !== undefined && " of this path"}
      </summary>
      <CommitItems commits={commits} path={path} repository={repository} />
      {path === undefined && commits.length < aheadBy && (
        <p className="side-note">These are the newest {commits.length}.</p>
      )}
    </details>
  )
}
