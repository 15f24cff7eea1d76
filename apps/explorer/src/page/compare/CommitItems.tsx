import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type { ListedCommit } from "../../ComparisonApi.ts"
import type { RepositoryName } from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { useNow } from "../hooks/useNow.ts"
import { displayText } from "../model/displayText.ts"

/** Commits as a list, each with a link to its changes. */
export const CommitItems = ({
  commits,
  path,
  repository: { owner, repo }
}: {
  readonly repository: RepositoryName
  readonly commits: ReadonlyArray<ListedCommit>
  /** Restricts the changes to this file or folder. */
  readonly path?: string | undefined
}) => {
  const now = useNow(false)
  return (
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
  )
}
