/** What happened lately: commits by day, and the latest ones. */
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import * as DailyCounts from "./DailyCounts.ts"

/** Repositories that are looked at, days that are drawn, and commits that are named. */
const LOOKS = 12
const DAYS = 42
const NAMED = 8

export const RecentCommits = ({ repositories }: { readonly repositories: ReadonlyArray<Wire.Repository> }) => {
  const repo = repositories.slice(0, LOOKS).map(({ owner, repo }) => `${owner}/${repo}`)
  const answer = Api.useAnswer(Api.pulse, { repo })
  const now = useNow(false)
  // It is beside the point of the page: where it fails the page does without.
  if (answer._tag !== "Ready" || answer.value.commits.length === 0) return null
  const { commits } = answer.value
  const days = DailyCounts.dailyCounts(
    commits.map(({ date }) => date),
    now,
    DAYS
  )
  const most = Math.max(1, ...days)
  const total = days.reduce((sum, count) => sum + count, 0)
  const isOne = repo.length === 1
  return (
    <section className="pulse" aria-labelledby="pulse">
      <h2 id="pulse">Recent commits</h2>
      <svg
        viewBox={`0 0 ${DAYS * 6 - 2} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${NumberFormat.quantity(total, "commit")} in ${NumberFormat.quantity(DAYS, "day")}`}
      >
        {days.map((count, day) => {
          const height = count === 0 ? 1.5 : 4 + (36 * count) / most
          return (
            <rect
              key={day}
              x={day * 6}
              y={40 - height}
              width={4}
              height={height}
              rx={1}
              data-none={count === 0 ? "" : undefined}
            />
          )
        })}
      </svg>
      <ol>
        {commits.slice(0, NAMED).map(({ author, commit, date, owner, repo, summary }) => (
          <li key={`${owner}/${repo}/${commit}`}>
            <Link to={{ _tag: "Tree", owner, repo, path: "", ref: commit }}>{displayText(summary)}</Link>
            <span className="facts">
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
