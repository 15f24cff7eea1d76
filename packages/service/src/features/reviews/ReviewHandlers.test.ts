import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestForge } from "../../main/Forge.test-support.ts"
import { forge, prepare, send } from "./ReviewHandlers.test-support.ts"

layer(forge)("reviews", (it) => {
  it.effect("approve, request changes and comment, with comments on lines", () =>
    Effect.gen(function* () {
      const { at, ben, cat, dan, head, pull } = yield* prepare
      const approved = yield* send(ben, "POST", `${pull}/reviews`, { event: "APPROVE" })
      assert.deepInclude(approved, { state: "APPROVED", body: "", commit_id: head, author_association: "COLLABORATOR" })
      assert.isString(approved.submitted_at)
      const requested = yield* send(cat, "POST", `${pull}/reviews`, {
        event: "REQUEST_CHANGES",
        body: "No",
        comments: [
          { path: "a.txt", line: 5, body: "why?" },
          { path: "a.txt", line: 8, side: "LEFT", body: "keep it" },
          { path: "a.txt", position: 5, body: "by position" }
        ]
      })
      assert.strictEqual(requested.state, "CHANGES_REQUESTED")
      const comments = yield* send(dan, "GET", `${pull}/reviews/${requested.id}/comments`)
      assert.deepStrictEqual(
        comments.map((one: Record<string, unknown>) => [one.line, one.side, one.position, one.original_line]),
        [
          [5, "RIGHT", 5, 5],
          [8, "LEFT", 8, 8],
          [5, "RIGHT", 5, 5]
        ]
      )
      assert.strictEqual(comments[0].diff_hunk.split("\n").at(-1), "+line five")
      assert.deepStrictEqual(
        (yield* send(dan, "GET", `${pull}/reviews`)).map(({ id }: { id: number }) => id),
        [approved.id, requested.id]
      )
      assert.strictEqual((yield* send(dan, "GET", pull)).review_comments, 3)
      assert.strictEqual((yield* send(dan, "GET", `${at}/pulls/comments`)).length, 3)
      const edited = yield* send(cat, "PUT", `${pull}/reviews/${requested.id}`, { body: "Not yet" })
      assert.deepStrictEqual([edited.body, edited.state], ["Not yet", "CHANGES_REQUESTED"])
      yield* send(dan, "PUT", `${pull}/reviews/${requested.id}`, { body: "mine" }, 403)
    })
  )

  it.effect("are pending for their author until they are submitted", () =>
    Effect.gen(function* () {
      const { ben, cat, pull } = yield* prepare
      const pending = yield* send(ben, "POST", `${pull}/reviews`, {
        body: "draft",
        comments: [{ path: "a.txt", line: 5, body: "hidden" }]
      })
      assert.strictEqual(pending.state, "PENDING")
      assert.notProperty(pending, "submitted_at")
      const one = `${pull}/reviews/${pending.id}`
      const [comment] = yield* send(ben, "GET", `${one}/comments`)
      const hidden = `${pull.replace(/\d+$/, "")}comments/${comment.id}`
      for (const token of [cat, null]) {
        assert.deepStrictEqual(yield* send(token, "GET", `${pull}/reviews`), [])
        assert.deepStrictEqual(yield* send(token, "GET", `${pull}/comments`), [])
        yield* send(token, "GET", one, undefined, 404)
        yield* send(token, "GET", hidden, undefined, 404)
      }
      yield* send(cat, "POST", `${one}/events`, { event: "COMMENT" }, 404)
      yield* send(cat, "POST", `${hidden}/reactions`, { content: "heart" }, 404)
      assert.strictEqual((yield* send(cat, "GET", pull)).review_comments, 0)
      yield* send(ben, "POST", `${pull}/reviews`, { event: "APPROVE" }, 422)
      const submitted = yield* send(ben, "POST", `${one}/events`, { event: "APPROVE" })
      assert.deepInclude(submitted, { state: "APPROVED", body: "draft", id: pending.id })
      assert.strictEqual((yield* send(cat, "GET", `${pull}/comments`)).length, 1)
      yield* send(ben, "POST", `${one}/events`, { event: "COMMENT", body: "again" }, 422)
      yield* send(ben, "DELETE", one, undefined, 422)
      const second = yield* send(ben, "POST", `${pull}/reviews`, { comments: [{ path: "a.txt", line: 4, body: "x" }] })
      assert.strictEqual((yield* send(ben, "DELETE", `${pull}/reviews/${second.id}`)).state, "PENDING")
      assert.strictEqual((yield* send(ben, "GET", `${pull}/comments`)).length, 1)
    })
  )

  it.effect("refuse opinions on one's own pull request, and those without a text", () =>
    Effect.gen(function* () {
      const { ann, ben, head, pull } = yield* prepare
      const refused = Effect.fnUntraced(function* (token: string, body: object) {
        return String((yield* send(token, "POST", `${pull}/reviews`, body, 422)).message)
      })
      assert.include(yield* refused(ann, { event: "APPROVE" }), "Can not approve your own pull request")
      assert.include(yield* refused(ann, { event: "REQUEST_CHANGES", body: "x" }), "own pull request")
      assert.include(yield* refused(ben, { event: "COMMENT" }), "needs a body")
      assert.include(yield* refused(ben, { event: "REQUEST_CHANGES", body: " " }), "needs a body")
      assert.include(yield* refused(ben, { commit_id: "0".repeat(40) }), "No commit found")
      const comment = (more: object) => ({ comments: [{ path: "a.txt", body: "x", ...more }] })
      for (const [more, message] of [
        [{ line: 99 }, "pull_request_review_thread.line must be part of the diff"],
        [{ line: 8, side: "RIGHT", start_line: 9 }, "must precede the end line"],
        [{ line: 5, start_line: 99 }, "start_line must be part of the diff"],
        [{ position: 99 }, "position must be part of the diff"],
        [{ path: "b.txt", line: 1 }, "path could not be resolved"],
        [{}, "line is missing"]
      ] as const) {
        assert.include(yield* refused(ben, { commit_id: head, ...comment(more) }), message)
      }
      assert.strictEqual(
        (yield* send(ann, "POST", `${pull}/reviews`, { event: "COMMENT", body: "self" })).state,
        "COMMENTED"
      )
      assert.strictEqual((yield* send(ann, "GET", `${pull}/reviews`)).length, 1)
    })
  )

  it.effect("are dismissed with a reason by people with write access", () =>
    Effect.gen(function* () {
      const { at, ben, cat, dan, number, pull } = yield* prepare
      const { id } = yield* send(ben, "POST", `${pull}/reviews`, { event: "APPROVE" })
      const dismissal = `${pull}/reviews/${id}/dismissals`
      yield* send(dan, "PUT", dismissal, { message: "stale" }, 403)
      assert.strictEqual((yield* send(cat, "PUT", dismissal, { message: "stale" })).state, "DISMISSED")
      assert.include((yield* send(cat, "PUT", dismissal, { message: "again" }, 422)).message, "Can not dismiss")
      const [event] = (yield* send(cat, "GET", `${at}/issues/${number}/events`)).filter(
        (one: { event: string }) => one.event === "review_dismissed"
      )
      assert.deepStrictEqual(event.dismissed_review, {
        state: "approved",
        review_id: id,
        dismissal_message: "stale"
      })
    })
  )

  it.effect("are requested from people and teams, and answer the request", () =>
    Effect.gen(function* () {
      const { ann, ben, cat, dan, eve, owner, pull } = yield* prepare
      const path = `${pull}/requested_reviewers`
      const asked = yield* send(ann, "POST", path, { reviewers: ["ben", "cat"], team_reviewers: ["crew"] })
      const names = (found: ReadonlyArray<{ login?: string; slug?: string }>) =>
        found.map(({ login, slug }) => login ?? slug)
      assert.deepStrictEqual(names(asked.requested_reviewers), ["ben", "cat"])
      assert.deepStrictEqual(names(asked.requested_teams), ["crew"])
      const query = (team: string) => `/search/issues?q=team-review-requested:${team}+repo:${owner}/hello`
      assert.strictEqual((yield* send(ann, "GET", query(`${owner}/crew`))).total_count, 1)
      assert.strictEqual((yield* send(ann, "GET", query(`${owner}/hold`))).total_count, 0)
      assert.strictEqual((yield* send(dan, "GET", query(`${owner}/crew`))).total_count, 0)
      assert.include((yield* send(ann, "GET", query("crew"), undefined, 422)).errors[0].message, "ORG/TEAM")
      const listed = yield* send(dan, "GET", path)
      assert.deepStrictEqual([names(listed.users), names(listed.teams)], [["ben", "cat"], ["crew"]])
      assert.include(
        (yield* send(ann, "POST", path, { reviewers: ["dan"] }, 422)).message,
        `not a collaborator of the ${owner}/hello repository`
      )
      yield* send(ann, "POST", path, { team_reviewers: ["hold"] }, 422)
      assert.include((yield* send(ben, "POST", path, { reviewers: ["ann"] }, 422)).message, "pull request author")
      yield* send(dan, "POST", path, { reviewers: ["ben"] }, 403)
      yield* send(ben, "POST", `${pull}/reviews`, { event: "COMMENT", body: "seen" })
      yield* send(eve, "POST", `${pull}/reviews`, { event: "APPROVE" })
      const rest = yield* send(cat, "GET", path)
      assert.deepStrictEqual([names(rest.users), names(rest.teams)], [["cat"], []])
      const removed = yield* send(ann, "DELETE", path, { reviewers: ["cat"] })
      assert.deepStrictEqual(removed.requested_reviewers, [])
    })
  )

  it.effect("of locked conversations are for people with write access", () =>
    Effect.gen(function* () {
      const { ann, at, ben, dan, number, pull } = yield* prepare
      yield* send(ann, "PUT", `${at}/issues/${number}/lock`, {})
      yield* send(dan, "POST", `${pull}/reviews`, { event: "COMMENT", body: "x" }, 403)
      yield* send(ben, "POST", `${pull}/reviews`, { event: "COMMENT", body: "x" })
      yield* send(null, "POST", `${pull}/reviews`, { event: "COMMENT", body: "x" }, 401)
      const { get } = yield* TestForge
      assert.strictEqual((yield* get(`${pull}/reviews/999`)).status, 404)
    })
  )
})
