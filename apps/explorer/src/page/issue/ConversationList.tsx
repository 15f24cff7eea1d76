import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Skeleton } from "../components/Skeleton.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { EventText } from "./EventText.tsx"
import type { ViewOf } from "./ForgeLinks.ts"
import { Account, Moment } from "./IssueParts.tsx"
import { IssueText } from "./IssueText.tsx"
import type { Conversation } from "./useConversation.ts"
import { WrittenText } from "./WrittenText.tsx"

/** The comments and events of an issue or pull request, with a button for the rest. */
export const ConversationList = ({
  conversation: { failure, hasMore, isCommentMissing, isLoading, items, loaded, loadMore, pageSize, total },
  now,
  route,
  viewOf
}: {
  readonly conversation: Conversation
  readonly route: Route.Issue | Route.Pull
  readonly now: number
  readonly viewOf: ViewOf
}) => {
  const rest = total === null ? undefined : Math.max(0, total - loaded)
  return (
    <section aria-label="Conversation">
      {isCommentMissing && (
        <p className="issue-note" role="status">
          {hasMore
            ? "The linked comment is not among the first comments. Show more to find it."
            : "The linked comment does not exist. It may have been deleted."}
        </p>
      )}
      {loaded === 0 && isLoading && <Skeleton rows={2} isSlow={false} activity="Loading the conversation" />}
      <ol className="conversation">
        {items.map((item, index) =>
          item.kind === "comment" ? (
            <li
              key={`comment ${item.id}`}
              id={`issuecomment-${item.id}`}
              className="comment"
              data-linked={item.id === route.comment ? "" : undefined}
            >
              <WrittenText
                written={item}
                verb="commented"
                empty="This comment is empty."
                to={{ ...route, comment: item.id }}
                repository={route}
                now={now}
                viewOf={viewOf}
              />
            </li>
          ) : (
            <li key={`event ${index}`} className="event">
              {item.actor !== undefined && <Account login={item.actor} />} <EventText event={item} from={route} />{" "}
              <span className="dim">{item.createdAt !== "" && <Moment at={item.createdAt} now={now} />}</span>
              {item.review !== undefined && item.review.source !== "" && (
                <div className="written written-text">
                  <IssueText
                    html={item.review.html}
                    source={item.review.source}
                    empty=""
                    repository={route}
                    viewOf={viewOf}
                  />
                </div>
              )}
            </li>
          )
        )}
      </ol>
      {failure !== undefined &&
        (loaded === 0 ? (
          <FailureNotice failure={failure} retry={loadMore} />
        ) : (
          <p className="issue-note" role="alert">
            {displayText(failure.message)}
          </p>
        ))}
      {hasMore && (
        <p className="more">
          <button type="button" disabled={isLoading} onClick={loadMore}>
            {isLoading ? "Loading…" : rest === undefined ? "Show more" : `Show ${Math.min(rest, pageSize)} more`}
          </button>
          <span className="dim" role="status">
            {total === null
              ? `${NumberFormat.format(loaded)} comments and events`
              : `${NumberFormat.format(loaded)} of ${NumberFormat.format(total)} comments and events`}
          </span>
        </p>
      )}
    </section>
  )
}
