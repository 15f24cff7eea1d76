import type * as PullRequestApi from "../../PullRequestApi.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import type { ViewOf } from "../issue/ForgeLinks.ts"
import { WrittenText } from "../issue/WrittenText.tsx"

/** A thread of review comments below its line. */
export const ThreadItem = ({
  now,
  route,
  thread,
  viewOf
}: {
  readonly thread: PullRequestApi.ReviewThread
  readonly route: Route.Pull
  readonly now: number
  readonly viewOf: ViewOf
}) => {
  const { comments, id, isOnFile, line, path, side } = thread
  const { file: _, line: __, ...view } = route
  const to = { ...view, file: path, ...(line === null ? {} : { line: { side, number: line } }) }
  const place = placeOf(thread)
  return (
    <section className="review-thread" id={`discussion_r${id}`} aria-label={`Thread on ${displayText(path)}, ${place}`}>
      <p className="dim">
        {place} {line === null && !isOnFile && <span className="tag">outdated</span>}
      </p>
      <ol>
        {comments.map((comment, index) => (
          <li key={comment.id}>
            <WrittenText
              written={comment}
              verb={index === 0 ? "commented" : "replied"}
              empty="This comment is empty."
              to={to}
              repository={route}
              now={now}
              viewOf={viewOf}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

const placeOf = ({ isOnFile, line, original, side, startLine }: PullRequestApi.ReviewThread): string => {
  if (isOnFile) return "whole file"
  const [first, last] = line === null ? [original.startLine, original.line] : [startLine, line]
  if (last === null) return "lines that are gone"
  const version = line === null ? " of an older version" : side === "L" ? " before the changes" : ""
  return first === null || first === last ? `line ${last}${version}` : `lines ${first} to ${last}${version}`
}
