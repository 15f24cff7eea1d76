import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { TestForge } from "../../main/Forge.test-support.ts"
import { ReviewState } from "../../reviews/ReviewState.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"
import { ReviewThreadRows } from "../../reviews/ReviewThreadRows.ts"
import { Reviews } from "../../reviews/Reviews.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { after, forge, prepare, send, write } from "./ReviewHandlers.test-support.ts"

/** Asks until a comment has a line, or none, of the present head. */
const moved = Effect.fnUntraced(function* (path: string, isMoved: (comment: { line: number | null }) => boolean) {
  const { get } = yield* TestForge
  for (let attempt = 0; attempt < 400; attempt++) {
    const { json } = yield* get(path)
    if (isMoved(json)) return json
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 25)))
  }
  return assert.fail(`${path} did not move`)
})

layer(forge)("threads of pull requests", (it) => {
  it.effect("start on a line, a range, an old line or a file, and have replies", () =>
    Effect.gen(function* () {
      const { ann, at, ben, cat, dan, head, pull } = yield* prepare
      const start = (body: object, token = ben) =>
        send(token, "POST", `${pull}/comments`, { body: "x", commit_id: head, path: "a.txt", ...body })
      const line = yield* start({ line: 5 })
      assert.deepInclude(line, {
        line: 5,
        original_line: 5,
        position: 5,
        start_line: null,
        start_side: null,
        side: "RIGHT"
      })
      assert.isNumber(line.pull_request_review_id)
      assert.deepInclude(yield* start({ line: 7, start_line: 5, start_side: "side", side: "RIGHT" }), {
        start_line: 5,
        original_start_line: 5,
        start_side: "RIGHT",
        line: 7
      })
      assert.deepInclude(yield* start({ line: 8, side: "LEFT" }), { line: 8, side: "LEFT" })
      assert.deepInclude(yield* start({ subject_type: "file" }), { subject_type: "file", line: 1, position: 1 })
      const reply = yield* send(dan, "POST", `${pull}/comments/${line.id}/replies`, { body: "a reply" })
      assert.deepInclude(reply, { in_reply_to_id: line.id, line: 5, diff_hunk: line.diff_hunk, path: "a.txt" })
      const second = yield* start({ in_reply_to: line.id }, cat)
      assert.strictEqual(second.in_reply_to_id, line.id)
      yield* send(dan, "POST", `${pull}/comments/${reply.id}/replies`, { body: "to a reply" }, 404)
      yield* send(ben, "POST", `${pull}/comments`, { body: "x", path: "a.txt", line: 5 }, 422)
      assert.strictEqual((yield* send(dan, "GET", `${pull}/comments?sort=created&direction=desc`))[0].id, second.id)
      yield* send(dan, "DELETE", `${at}/pulls/comments/${line.id}`, undefined, 403)
      yield* send(dan, "DELETE", `${at}/pulls/comments/${reply.id}`)
      yield* send(ann, "DELETE", `${at}/pulls/comments/${line.id}`)
      assert.strictEqual((yield* send(dan, "GET", `${pull}/comments`)).length, 4)
      assert.strictEqual((yield* send(dan, "GET", pull)).review_comments, 4)
    })
  )

  it.effect("follow their lines through later pushes, and are outdated when the line changes", () =>
    Effect.gen(function* () {
      const { ann, at, ben, head, pull } = yield* prepare
      const start = (body: object) =>
        send(ben, "POST", `${pull}/comments`, { body: "x", commit_id: head, path: "a.txt", ...body })
      const kept = yield* start({ line: 7, start_line: 6 })
      const changed = yield* start({ line: 5 })
      const next = yield* write(at, "a.txt", `first\n${after.replace("line five", "line V")}`, "fix", ann)
      const comments = `${at}/pulls/comments`
      const followed = yield* moved(`${comments}/${kept.id}`, ({ line }) => line === 8)
      assert.deepInclude(followed, { start_line: 7, original_line: 7, original_start_line: 6, commit_id: next })
      assert.deepInclude(followed, { original_commit_id: head, original_position: kept.position })
      const outdated = yield* moved(`${comments}/${changed.id}`, ({ line }) => line === null)
      assert.deepInclude(outdated, { position: null, original_line: 5, original_position: 5, commit_id: head })
      // A comment on an earlier commit is where its line is now.
      assert.deepInclude(yield* start({ line: 6 }), { line: 7, original_line: 6, commit_id: next })
    })
  )

  it.effect("are resolved, and count for the rules with the latest opinions", () =>
    Effect.gen(function* () {
      const { ben, cat, dan, head, number, owner, pull } = yield* prepare
      yield* send(ben, "POST", `${pull}/reviews`, { event: "REQUEST_CHANGES", body: "no" })
      yield* send(ben, "POST", `${pull}/reviews`, { event: "APPROVE" })
      yield* send(ben, "POST", `${pull}/reviews`, {
        event: "COMMENT",
        body: "later",
        comments: [{ path: "a.txt", line: 5, body: "x" }]
      })
      yield* send(dan, "POST", `${pull}/reviews`, { event: "APPROVE" })
      const { id } = yield* send(cat, "POST", `${pull}/reviews`, { event: "REQUEST_CHANGES", body: "no" })
      const row = yield* (yield* RepositoryRows).find(owner, "hello")
      assert.isDefined(row)
      const issue = yield* (yield* IssueRows).find(row.id, number)
      assert.isDefined(issue)
      const state = yield* ReviewState
      const read = () =>
        Effect.map(state.of([issue.id]), (found) => {
          const { opinions = [], unresolvedThreads } = found.get(issue.id) ?? {}
          return {
            opinions: opinions.map(({ commit_id, state, user }) => [user.login, state, commit_id]),
            unresolvedThreads
          }
        })
      assert.deepStrictEqual(yield* read(), {
        opinions: [
          ["ben", "APPROVED", head],
          ["cat", "CHANGES_REQUESTED", head]
        ],
        unresolvedThreads: 1
      })
      yield* send(ben, "PUT", `${pull}/reviews/${id}/dismissals`, { message: "wrong" })
      const threads = yield* ReviewThreadRows
      const [first = 0] = (yield* threads.idsOfIssues([issue.id], undefined)).get(issue.id) ?? []
      const thread = (yield* threads.byIds([first])).get(first)
      assert.isDefined(thread)
      const [repository] = yield* (yield* RepositoryRegistry).open([row])
      assert.isDefined(repository)
      assert.isNotNull(issue.author)
      const reviews = yield* Reviews
      yield* reviews.resolve({ actor: issue.author, repository }, issue, thread)
      assert.deepStrictEqual(yield* read(), { opinions: [["ben", "APPROVED", head]], unresolvedThreads: 0 })
      const resolved = (yield* threads.byIds([thread.id])).get(thread.id)
      assert.strictEqual(resolved?.resolved_by?.login, "ann")
      assert.isDefined(resolved)
      yield* reviews.unresolve({ actor: issue.author, repository }, issue, resolved)
      assert.strictEqual((yield* read()).unresolvedThreads, 1)
    })
  )

  it.effect("and reviews are in the timeline, in public events, in notifications and in webhooks", () =>
    Effect.gen(function* () {
      const { ann, at, ben, cat, number, pull } = yield* prepare
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = yield* send(ann, "POST", `${at}/hooks`, { config, events: ["*"] })
      yield* send(ann, "POST", `${pull}/requested_reviewers`, { reviewers: ["ben"], team_reviewers: ["crew"] })
      yield* send(ann, "DELETE", `${pull}/requested_reviewers`, { reviewers: [], team_reviewers: ["crew"] })
      const [thread] = yield* send(ben, "GET", "/notifications")
      assert.deepInclude([thread.reason, thread.subject.title], "review_requested")
      const review = yield* send(ben, "POST", `${pull}/reviews`, {
        event: "APPROVE",
        body: "For @cat",
        comments: [{ path: "a.txt", line: 5, body: "fine" }]
      })
      yield* send(ben, "PUT", `${pull}/reviews/${review.id}`, { body: "Fine" })
      yield* send(ann, "PUT", `${pull}/reviews/${review.id}/dismissals`, { message: "stale" })
      const timeline = yield* send(cat, "GET", `${at}/issues/${number}/timeline`)
      const kinds = timeline.map(({ event }: { event: string }) => event)
      for (const kind of ["review_requested", "review_request_removed", "reviewed", "mentioned", "review_dismissed"])
        assert.include(kinds, kind)
      const requested = timeline.filter(({ event }: { event: string }) => event === "review_requested")
      assert.deepStrictEqual(
        requested.map((one: Record<string, { login?: string; slug?: string } | undefined>) => [
          one["review_requester"]?.login,
          one["requested_reviewer"]?.login ?? one["requested_team"]?.slug
        ]),
        [
          ["ann", "ben"],
          ["ann", "crew"]
        ]
      )
      const reviewed = timeline.find(({ event }: { event: string }) => event === "reviewed")
      assert.deepInclude(reviewed, { id: review.id, state: "dismissed", body: "Fine" })
      assert.deepInclude((yield* send(cat, "GET", "/notifications"))[0], { reason: "mention" })
      const events = (yield* send(cat, "GET", `${at}/events`)).map((one: { type: string }) => one.type)
      assert.includeMembers(events, ["PullRequestReviewEvent", "PullRequestReviewCommentEvent"])
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hook.id} ORDER BY id`
      assert.deepStrictEqual(
        sent.map(({ event, payload }) => `${event}.${JSON.parse(payload).action}`).filter((one) => /review/.test(one)),
        [
          "pull_request.review_requested",
          "pull_request.review_requested",
          "pull_request.review_request_removed",
          "pull_request_review.submitted",
          "pull_request_review_comment.created",
          "pull_request_review.edited",
          "pull_request_review.dismissed"
        ]
      )
    })
  )
})
