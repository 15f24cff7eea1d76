/** Mutations of reviews. All but those of threads, which only GraphQL has, run operations of the REST API. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { atLeast } from "../../access/Roles.ts"
import { TeamRows } from "../../accounts/TeamRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as CommentRules from "../../issues/CommentRules.ts"
import * as NewThreads from "../../reviews/NewThreads.ts"
import type { Side } from "../../reviews/ReviewThreadRows.ts"
import { ReviewRows } from "../../reviews/ReviewRows.ts"
import { Reviews } from "../../reviews/Reviews.ts"
import { ThreadTracer } from "../../reviews/ThreadTracer.ts"
import * as ReviewTarget from "../reviews/ReviewTarget.ts"
import * as MutationNodes from "./MutationNodes.ts"
import { type Input, isGiven, pathOf, textOf, textsOf } from "./MutationNodes.ts"
import type { ReviewMutationName } from "./MutationSchema.ts"
import * as QueryError from "./QueryError.ts"
import { requireAccess } from "./RepositoryObjects.ts"
import * as ReviewNodes from "./ReviewNodes.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The access rules of new threads, replies and resolutions. */
const reviewsPulls = OperationAccess.operationOf("reviews", "create")
const comments = OperationAccess.operationOf("reviewComments", "create")

const RESOURCE = "PullRequestReviewComment"

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

const numberOf = (value: unknown) => (typeof value === "number" ? value : undefined)
const sideOf = (value: unknown): Side | undefined => (value === "LEFT" || value === "RIGHT" ? value : undefined)
const isRecord = (value: unknown): value is Input => typeof value === "object" && value !== null
const listOf = (value: unknown): ReadonlyArray<Input> => (Array.isArray(value) ? value.filter(isRecord) : [])

/** The place of a new thread in an input. */
const placeOf = (input: Input): NewThreads.RequestedPlace => ({
  path: textOf(input["path"]),
  side: sideOf(input["side"]),
  line: numberOf(input["line"]),
  startSide: sideOf(input["startSide"]),
  startLine: numberOf(input["startLine"]),
  isWholeFile: input["subjectType"] === "FILE"
})

/** The members of a comment of a new review in the REST API. */
const commentOf = (input: Input) => ({
  path: textOf(input["path"]),
  body: textOf(input["body"]),
  ...(isGiven(input["position"]) ? { position: input["position"] } : {}),
  ...(isGiven(input["line"]) ? { line: input["line"] } : {}),
  ...(isGiven(input["side"]) ? { side: input["side"] } : {}),
  ...(isGiven(input["startLine"]) ? { start_line: input["startLine"] } : {}),
  ...(isGiven(input["startSide"]) ? { start_side: input["startSide"] } : {})
})

/** Creates the function that returns the fields of `Mutation`. */
export const make = Effect.gen(function* () {
  const finders = yield* ReviewNodes.finders
  const nodes = yield* MutationNodes.make
  const reviews = yield* Reviews
  const rows = yield* ReviewRows
  const target = yield* ReviewTarget.make
  const teams = yield* TeamRows
  const tracer = yield* ThreadTracer

  return (query: RunningQuery) => {
    const { run } = query
    const { databaseId, loginsOf, missing, pullRequestOf, teamIdOf } = nodes(query)
    const find = finders(query)
    const call = (method: string, path: string, body?: object) => run(query.call(method, path, body))
    const actorOf = ({ role, served }: FoundRepository) => ({ caller: query.caller, repository: served, role })
    const eventOf = ({ served }: FoundRepository) => ({ actor: query.caller.user, repository: served })
    const actor = () => query.account(query.caller.user)

    const reviewObject = (id: number) => query.node(nodeId("PullRequestReview", id))
    const threadObject = (id: number | null) => (id === null ? null : query.node(nodeId("PullRequestReviewThread", id)))
    const commentObject = (id: number) => query.node(nodeId("PullRequestReviewComment", id))

    const reviewOf = async (id: unknown) => {
      const found = await find.review(databaseId(id, "PullRequestReview"))
      if (found === undefined) throw missing(id)
      const { at, row } = found
      return { at, row, path: `${pathOf(at)}/pulls/${row.number}/reviews/${row.id}` }
    }
    const threadOf = async (id: unknown) => {
      const found = await find.thread(databaseId(id, "PullRequestReviewThread"))
      if (found === undefined) throw missing(id)
      return found
    }
    const commentOfNode = async (id: unknown) => {
      const found = await find.comment(databaseId(id, "PullRequestReviewComment"))
      if (found === undefined) throw missing(id)
      return { row: found.row, path: `${pathOf(found.at)}/pulls/comments/${found.row.id}` }
    }

    /** Changes a review by an operation, and returns it. */
    const change = async (id: unknown, method: string, more: string, body: object) => {
      const { path, row } = await reviewOf(id)
      await call(method, path + more, body)
      return { pullRequestReview: () => reviewObject(row.id) }
    }

    /** Finds the pending review that an input names, else the one of the caller. */
    const pendingOf = async (input: Input, issueId: number) => {
      const { pullRequestReviewId: id } = input
      const row = isGiven(id) ? (await reviewOf(id)).row : await run(rows.pending(issueId, query.caller.user.id))
      const isPending = row?.state === "PENDING" && row.issue_id === issueId
      if (isGiven(id) && !isPending) throw QueryError.unprocessable("The review is not pending on the pull request.")
      return row
    }

    /** Finds the pull request that an input names, or the one of its review. */
    const reviewedOf = async (input: Input) => {
      if (isGiven(input["pullRequestId"])) {
        const { at, row } = await pullRequestOf(input["pullRequestId"])
        return { at, number: row.number }
      }
      const { at, row } = await reviewOf(input["pullRequestReviewId"])
      return { at, number: row.number }
    }

    /** Changes the requested reviewers. Without `union`, those who are not named are no longer asked. */
    const ask = async (
      input: Input,
      reviewers: ReadonlyArray<string>,
      slugsOf: (ownerId: number) => Promise<ReadonlyArray<string>>
    ) => {
      const { at, path, row } = await pullRequestOf(input["pullRequestId"])
      const slugs = (await slugsOf(at.served.row.owner.id)).map((slug) => slug.split("/").at(-1) ?? "")
      const pull = await query.pullRequest(row.id)
      const lower = new Set([...reviewers, ...slugs.map((slug) => `/${slug}`)].map((name) => name.toLowerCase()))
      if (input["union"] !== true && pull !== undefined) {
        const others = {
          reviewers: pull.requested_reviewers.map(({ login }) => login).filter((one) => !lower.has(one.toLowerCase())),
          team_reviewers: pull.requested_teams.map(({ slug }) => slug).filter((one) => !lower.has(`/${one}`))
        }
        if (others.reviewers.length + others.team_reviewers.length > 0)
          await call("DELETE", `${path}/requested_reviewers`, others)
      }
      if (lower.size > 0) await call("POST", `${path}/requested_reviewers`, { reviewers, team_reviewers: slugs })
      return { actor, pullRequest: () => query.issue(row.id) }
    }

    const setResolved = async (id: unknown, isResolved: boolean) => {
      const { at, issue, row } = await threadOf(id)
      requireAccess(comments, query, at, true)
      if (issue.author_id !== query.caller.user.id && !atLeast(at.role, "write"))
        throw new QueryError.QueryError(
          "FORBIDDEN",
          "Only the author of the pull request, or a user with write access, can resolve a thread"
        )
      await run(isResolved ? reviews.resolve(eventOf(at), issue, row) : reviews.unresolve(eventOf(at), issue, row))
      return { thread: () => threadObject(row.id) }
    }

    const mutations: Readonly<Record<ReviewMutationName, (input: Input) => Promise<object>>> = {
      addPullRequestReview: async (input) => {
        const { path } = await pullRequestOf(input["pullRequestId"])
        const added = [...listOf(input["comments"]), ...listOf(input["threads"])].map(commentOf)
        const { body, commitOID, event } = input
        const created = await call("POST", `${path}/reviews`, {
          ...(isGiven(body) ? { body } : {}),
          ...(isGiven(event) ? { event } : {}),
          ...(isGiven(commitOID) ? { commit_id: commitOID } : {}),
          ...(added.length === 0 ? {} : { comments: added })
        })
        const { id } = decodeId(created)
        return { pullRequestReview: () => reviewObject(id) }
      },
      submitPullRequestReview: async (input) => {
        const { body, event, pullRequestId, pullRequestReviewId } = input
        const content = { event, ...(isGiven(body) ? { body } : {}) }
        if (isGiven(pullRequestReviewId)) return change(pullRequestReviewId, "POST", "/events", content)
        const { path, row } = await pullRequestOf(pullRequestId)
        const pending = await pendingOf({}, row.id)
        if (pending === undefined) throw QueryError.unprocessable("The viewer has no pending review.")
        await call("POST", `${path}/reviews/${pending.id}/events`, content)
        return { pullRequestReview: () => reviewObject(pending.id) }
      },
      updatePullRequestReview: (input) =>
        change(input["pullRequestReviewId"], "PUT", "", { body: textOf(input["body"]) }),
      deletePullRequestReview: async (input) => {
        const { path, row } = await reviewOf(input["pullRequestReviewId"])
        const pullRequestReview = await reviewObject(row.id)
        await call("DELETE", path)
        return { pullRequestReview }
      },
      dismissPullRequestReview: (input) =>
        change(input["pullRequestReviewId"], "PUT", "/dismissals", { message: textOf(input["message"]) }),
      updatePullRequestReviewComment: async (input) => {
        const { path, row } = await commentOfNode(input["pullRequestReviewCommentId"])
        await call("PATCH", path, { body: textOf(input["body"]) })
        return { pullRequestReviewComment: () => commentObject(row.id) }
      },
      deletePullRequestReviewComment: async (input) => {
        const { path, row } = await commentOfNode(input["id"])
        await call("DELETE", path)
        return { pullRequestReview: () => (row.review_id === null ? null : reviewObject(row.review_id)) }
      },
      addPullRequestReviewThread: async (input) => {
        const { at, number } = await reviewedOf(input)
        requireAccess(reviewsPulls, query, at, true)
        const body = textOf(input["body"])
        const reviewed = await run(target.pull(number, { repository: at.served }))
        const review = await pendingOf(input, reviewed.issue.id)
        const added = Effect.gen(function* () {
          yield* target.requireOpen(reviewed.issue, actorOf(at))
          yield* CommentRules.checkBody(RESOURCE, body)
          const commit = reviewed.pull.head_sha
          const [place] = yield* NewThreads.placesOf(at.served, reviewed.pull, commit, [placeOf(input)])
          if (place === undefined) return undefined
          const pending =
            review ??
            (yield* reviews.create(eventOf(at), reviewed, { commit, body: "", event: undefined, comments: [] }))
          const comment = yield* reviews.comment(eventOf(at), reviewed, { ...place, body }, { review: pending })
          yield* tracer.trace(reviewed.issue.id)
          return comment
        })
        const comment = await run(added)
        return { thread: () => threadObject(comment?.thread_id ?? null) }
      },
      addPullRequestReviewThreadReply: async (input) => {
        const { at, first, issue } = await threadOf(input["pullRequestReviewThreadId"])
        requireAccess(comments, query, at, true)
        const body = textOf(input["body"])
        const review = await pendingOf(input, issue.id)
        const added = Effect.gen(function* () {
          yield* target.requireOpen(issue, actorOf(at))
          yield* CommentRules.checkBody(RESOURCE, body)
          const reviewed = yield* target.pull(issue.number, { repository: at.served })
          return yield* reviews.reply(eventOf(at), reviewed, first, body, { review })
        })
        const { id } = await run(added)
        return { comment: () => commentObject(id) }
      },
      resolveReviewThread: (input) => setResolved(input["threadId"], true),
      unresolveReviewThread: (input) => setResolved(input["threadId"], false),
      requestReviews: async (input) => {
        const reviewers = [...(await loginsOf(input["userIds"])), ...(await loginsOf(input["botIds"]))]
        const ids = textsOf(input["teamIds"]).map(teamIdOf)
        return ask(input, reviewers, async (ownerId) => {
          const found = await run(teams.byIds(ownerId, ids))
          if (found.length < new Set(ids).size) throw QueryError.unresolved("all teams by their global ids")
          return found.map(({ slug }) => slug)
        })
      },
      requestReviewsByLogin: (input) =>
        ask(input, [...textsOf(input["userLogins"]), ...textsOf(input["botLogins"])], () =>
          Promise.resolve(textsOf(input["teamSlugs"]))
        )
    }
    return mutations
  }
})
