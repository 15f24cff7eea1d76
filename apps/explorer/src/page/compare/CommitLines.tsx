import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { Comparison } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { useNow } from "../hooks/useNow.ts"
import { displayText } from "../model/displayText.ts"

/** The commits of a comparison, closed at first. */
export const CommitLines = ({
  comparison: { aheadBy, commits },
  path,
  repository: { owner, repo }
}: {
  readonly repository: RepositoryName
  readonly comparison: Comparison
  readonly path: string | undefined
}) => {
  const now = useNow(false)
  if (commits.length === 0) return null
  return (
    <details className="diff-commits">
      <summary>
        {NumberFormat.quantity(path === undefined ? aheadBy : commits.length, "commit")}
        {path !== undefined && " of this path"}
      </summary>
      <ol>
        {commits.map(({ author, commit, date, summary }) => (
          <li key={commit}>
            <Link to={{ _tag: "Commit", owner, repo, ref: commit, ...(path === undefined ? {} : { path }) }}>
              <span className="summary-line">{displayText(summary)}</span>
            </Link>
            <span className="dim">
              <code>{AbbreviatedId.of(commit)}</code>
              {author !== null && (
                <>
                  {" · "}
                  <bdi>{displayText(author)}</bdi>
                </>
              )}
              {date !== null && (
                <>
                  {" · "}
                  <time dateTime={date} title={date}>
                    {RelativeTime.format(Date.parse(date), now)}
                  </time>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      {path === undefined && commits.length < aheadBy && (
        <p className="side-note">These are the newest {commits.length}.</p>
      )}
    </details>
  )
}
