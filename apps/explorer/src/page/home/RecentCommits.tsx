import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import { DAYS, useActivity } from "./useActivity.ts"

const MAX_COMMITS = 8

/** The latest commits, and a chart of commits per day. Optional: renders nothing if the request fails. */
export const RecentCommits = ({ repositories }: { readonly repositories: ReadonlyArray<ExplorerApi.Repository> }) => {
  const activity = useActivity(repositories)
  const now = useNow(false)
  if (activity === undefined || activity.latest.length === 0) return null
  const { days: counts, latest } = activity
  const most = Math.max(1, ...counts)
  const total = counts.reduce((sum, count) => sum + count, 0)
  const isOne = repositories.length === 1
  return (
    <section className="recent-commits" aria-labelledby="recent-commits">
      <h2 id="recent-commits">Recent commits</h2>
      {total > 0 && (
        <svg
          viewBox={`0 0 ${DAYS * 6 - 2} 40`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${NumberFormat.quantity(total, "commit")} in ${NumberFormat.quantity(DAYS, "day")}`}
        >
          {counts.map((count, day) => {
            const height = count === 0 ? 1.5 : 4 + (36 * count) / most
            return (
              <rect
                key={day}
                x={day * 6}
                y={40 - height}
                width={4}
                height={height}
                rx={1}
                data-empty={count === 0 ? "" : undefined}
              />
            )
          })}
        </svg>
      )}
      <ol>
        {latest.slice(0, MAX_COMMITS).map(({ author, commit, date, owner, repo, summary }) => (
          <li key={`${owner}/${repo}/${commit}`}>
            <Link to={{ _tag: "Commit", owner, repo, ref: commit }}>{displayText(summary)}</Link>
            <span className="metadata">
              {!isOne && <span>{displayText(repo)}</span>}
              {author !== null && <span>{displayText(author)}</span>}
              {date !== null && <time dateTime={date}>{RelativeTime.format(Date.parse(date), now)}</time>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
