/** Finds reviews, their comments and threads by node ids, as the caller may see them. */
import * as Effect from "effect/Effect"
import { IssueRows } from "../../issues/IssueRows.ts"
import { refusal } from "./RepositoryObjects.ts"
import * as ReviewObjects from "./ReviewObjects.ts"
import type { RunningQuery } from "./RunningQuery.ts"

/** The types of nodes. */
export type ReviewNodeType = "PullRequestReview" | "PullRequestReviewComment" | "PullRequestReviewThread"

/** Creates the functions that find rows. Each returns undefined for a row that the caller cannot see. */
export const finders = Effect.gen(function* () {
  const issues = yield* IssueRows

  return (query: RunningQuery) => {
    const readable = async (repositoryId: number) => {
      const at = await query.findRepository(repositoryId)
      return at === undefined || refusal(ReviewObjects.readsReviews, query.caller, at) !== undefined ? undefined : at
    }

    const review = async (id: number) => {
      const row = await query.review(id)
      const at = row === undefined ? undefined : await readable(row.repository_id)
      return row === undefined || at === undefined ? undefined : { row, at }
    }

    const comment = async (id: number) => {
      const row = await query.reviewComment(id)
      const at = row === undefined ? undefined : await readable(row.repository_id)
      return row === undefined || at === undefined ? undefined : { row, at }
    }

    const thread = async (id: number) => {
      // A thread with pending comments only belongs to their author.
      const [row, comments = []] = await Promise.all([query.reviewThread(id), query.commentsOfThread(id)])
      const [first] = comments
      if (row === undefined || first === undefined) return undefined
      const at = await readable(first.repository_id)
      const issue = (await query.run(issues.byIds([row.issue_id]))).get(row.issue_id)
      return at === undefined || issue === undefined ? undefined : { row, at, issue, first }
    }

    return { comment, review, thread }
  }
})

/** Creates the function that returns the object with an id. Null for an object that the caller cannot see. */
export const make = Effect.fnUntraced(function* (objects: Effect.Success<typeof ReviewObjects.make>) {
  const find = yield* finders

  return async (query: RunningQuery, type: ReviewNodeType, id: number): Promise<object | null> => {
    switch (type) {
      case "PullRequestReview": {
        const found = await find(query).review(id)
        return found === undefined ? null : objects.review(query, found.row, found.at)
      }
      case "PullRequestReviewComment": {
        const found = await find(query).comment(id)
        return found === undefined ? null : objects.comment(query, found.row, found.at)
      }
      case "PullRequestReviewThread": {
        const found = await find(query).thread(id)
        return found === undefined ? null : objects.thread(query, found.row, found.at, found.issue)
      }
    }
  }
})
