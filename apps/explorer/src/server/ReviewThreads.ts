/** The threads of review comments on a pull request. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { ReviewComment } from "@tongs/core/contract/groups/ReviewComments"
import type * as PullRequestApi from "../PullRequestApi.ts"
import type { IssueName } from "./Issues.ts"
import { interactive } from "./RequestOptions.ts"
import * as TimelineItems from "./TimelineItems.ts"

const PAGE = 100

/** Maximum number of comments. */
const MAX_PAGES = 20

/** All threads in the order of their first comments. */
export const list = Effect.fn("ReviewThreads.list")(function* ({ number, owner, repo }: IssueName) {
  const forge = yield* Forge
  const options = { ...(yield* interactive), mediaType: "full" as const, perPage: PAGE }
  const comments: Array<ReviewComment> = []
  let isComplete = false
  for (let page = 1; page <= MAX_PAGES && !isComplete; page++) {
    const { items, links } = yield* forge.reviewComments.listForPullRequest(
      { owner, repo, pull_number: number },
      { ...options, page }
    ).first
    comments.push(...items)
    isComplete = links.next === undefined
  }
  const threads = Map.groupBy(comments, (comment) => comment.in_reply_to_id ?? comment.id)
  return {
    threads: [...threads].map(([id, comments]) => thread(id, comments)),
    isComplete
  } satisfies PullRequestApi.ReviewThreads
})

const thread = (id: number, comments: ReadonlyArray<ReviewComment>): PullRequestApi.ReviewThread => {
  // A first comment that was deleted leaves its replies.
  const first = comments.find((comment) => comment.id === id) ?? comments[0]
  const isOnFile = first?.subject_type === "file"
  return {
    id,
    path: first?.path ?? "",
    isOnFile,
    side: first?.side === "LEFT" ? "L" : "R",
    // Forges differ in the line of a whole file.
    line: isOnFile ? null : (first?.line ?? null),
    startLine: first?.start_line ?? null,
    original: { line: first?.original_line ?? null, startLine: first?.original_start_line ?? null },
    hunk: first?.diff_hunk ?? "",
    comments: comments.map((comment) => ({ id: comment.id, ...TimelineItems.written(comment) }))
  }
}
