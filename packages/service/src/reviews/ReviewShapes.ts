/** Maps rows of reviews and review comments to resources of the contract. */
import type { ReviewComment } from "@tongs/core/contract/groups/ReviewComments"
import type { PullRequestReview } from "@tongs/core/contract/groups/Reviews"
import type { MarkdownBody } from "../api/MarkdownBody.ts"
import { nodeId } from "../api/NodeId.ts"
import * as Shapes from "../api/Shapes.ts"
import type { Urls } from "../api/Urls.ts"
import { parseTimestamp } from "../base/Time.ts"
import type { AuthorAssociation } from "../issues/AuthorAssociation.ts"
import * as IssueShapes from "../issues/IssueShapes.ts"
import type { ReviewCommentRow } from "./ReviewCommentRows.ts"
import type { ReviewRow } from "./ReviewRows.ts"
import type { ThreadPlace } from "./ReviewThreadRows.ts"

/** What a review or comment shows besides its row. */
export interface ReviewDetails {
  /** Owner and name of the repository. */
  readonly fullName: string
  readonly association: AuthorAssociation
  readonly body: MarkdownBody
}

/** Creates a review. */
export const review = (
  row: ReviewRow,
  { association, body, fullName }: ReviewDetails,
  urls: Urls
): PullRequestReview => {
  const html = `${urls.html}/${fullName}/pull/${row.number}#pullrequestreview-${row.id}`
  const pull = `${urls.api}/repos/${fullName}/pulls/${row.number}`
  return {
    id: row.id,
    node_id: nodeId("PullRequestReview", row.id),
    user: row.author === null ? null : Shapes.userSummary(row.author, urls),
    ...body,
    state: row.state,
    html_url: html,
    pull_request_url: pull,
    author_association: association,
    _links: { html: { href: html }, pull_request: { href: pull } },
    ...(row.submitted_at === null ? {} : { submitted_at: parseTimestamp(row.submitted_at) }),
    commit_id: row.commit_id
  }
}

type Place = Pick<
  ReviewComment,
  | "position"
  | "original_position"
  | "start_line"
  | "original_start_line"
  | "start_side"
  | "line"
  | "original_line"
  | "side"
  | "subject_type"
>

/** Members of comments without a range of lines, null in the API. */
const unsetRange = { start_line: null, original_start_line: null, start_side: null }

/** The place of a comment on a whole file is the first line, as on GitHub. */
const wholeFile = { position: 1, original_position: 1, line: 1, original_line: 1, side: "RIGHT" } as const // a literal type

const placeOf = (thread: ThreadPlace): Place => {
  const { original_line, original_position, original_start_line, position, side, start_side, subject_type } = thread
  if (subject_type === "file")
    return { ...unsetRange, ...wholeFile, ...(position === null ? { position, line: null } : {}), subject_type }
  return {
    position,
    original_position,
    start_line: thread.start_line,
    original_start_line,
    start_side,
    line: thread.line,
    original_line,
    side,
    subject_type
  }
}

/** Creates a review comment. */
export const comment = (
  row: ReviewCommentRow,
  { association, body, fullName }: ReviewDetails,
  urls: Urls
): ReviewComment => {
  const api = `${urls.api}/repos/${fullName}`
  const url = `${api}/pulls/comments/${row.id}`
  const pull = `${api}/pulls/${row.pull_number}`
  const html = `${urls.html}/${fullName}/pull/${row.pull_number}#discussion_r${row.id}`
  const { commit_id, original_commit_id, path } = row.thread ?? row
  return {
    url,
    pull_request_review_id: row.review_id,
    id: row.id,
    node_id: nodeId("PullRequestReviewComment", row.id),
    diff_hunk: row.diff_hunk,
    path,
    commit_id,
    original_commit_id,
    ...(row.in_reply_to_id === null ? {} : { in_reply_to_id: row.in_reply_to_id }),
    user: row.author === null ? null : Shapes.userSummary(row.author, urls),
    ...body,
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    html_url: html,
    pull_request_url: pull,
    author_association: association,
    _links: { self: { href: url }, html: { href: html }, pull_request: { href: pull } },
    ...(row.thread === null
      ? { ...unsetRange, ...(row.place.subject_type === "file" ? wholeFile : {}), ...row.place }
      : placeOf(row.thread)),
    reactions: IssueShapes.reactions(row.reactions, url)
  }
}
