import { Popover } from "@base-ui/react/popover"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { useNow } from "../hooks/useNow.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"

/** The commit that changed a line last: author, time, whole message, and further links. */
export const BlamedCommit = ({ range, route }: { readonly range: BlameRange; readonly route: Route.File }) => {
  const { author, commit, date, summary } = range
  const { owner, repo } = route
  const now = useNow(false)
  const path = range.path ?? route.path
  // Restricted to the file, because only the message is shown.
  const answer = ExplorerClient.useRequest(ExplorerClient.commit, { owner, repo, ref: commit, path })
  const body = answer._tag === "Ready" ? answer.value.message.slice(summary.length).trim() : ""
  const before = blameBefore(range, route)
  return (
    <>
      <Popover.Title className="hover-card-title">{displayText(summary)}</Popover.Title>
      {body !== "" && <pre className="hover-card-message">{body.split("\n").map(displayText).join("\n")}</pre>}
      <p className="hover-card-text">
        <bdi>{displayText(author)}</bdi>,{" "}
        <time dateTime={date} title={date}>
          {RelativeTime.format(Date.parse(date), now)}
        </time>
        <span className="dim"> · {new Date(date).toLocaleDateString("en", { dateStyle: "medium" })} · </span>
        <code>{AbbreviatedId.of(commit)}</code>
      </p>
      <p className="hover-card-footer blame-links">
        <Link to={{ _tag: "Commit", owner, repo, ref: commit, file: path }}>Show the commit</Link>
        {before !== undefined && <Link to={before}>Blame before this commit</Link>}
        <Link to={{ ...route, lines: undefined, path, ref: commit }}>Open the file at this commit</Link>
      </p>
    </>
  )
}

/** The blame of a file before a commit, at the same place. Undefined if the commit added the file. */
const blameBefore = ({ line, previous }: BlameRange, { owner, repo }: Route.File): Route.File | undefined =>
  previous === undefined
    ? undefined
    : {
        _tag: "File",
        owner,
        repo,
        path: previous.path,
        ref: previous.commit,
        blame: true,
        ...(line === undefined ? {} : { lines: { first: line, last: line } })
      }
