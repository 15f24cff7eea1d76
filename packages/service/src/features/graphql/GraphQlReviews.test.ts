import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { create, data, open, query, write } from "./GraphQlPullRequests.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => void Support.repository(repos, "adopted"))

const as = (token: string) => ({ token })

/** Runs a mutation, and returns its payload and its first error. */
const mutate = Effect.fnUntraced(function* (name: string, input: object, selection: string, options: Support.Ask = {}) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`
  const text = `mutation M($input: ${type}) { m: ${name}(input: $input) { ${selection} } }`
  const { data: found, errors } = yield* query(text, { input }, options)
  return { value: found?.m, error: errors?.[0] }
})

/** A pull request with an author, and with the writer `ann` and the reader `ben`. */
const prepare = Effect.fnUntraced(function* (name: string) {
  const { owner, repos } = yield* TestForge
  const { at } = yield* create(name)
  yield* Fixtures.add(
    {
      users: [{ login: "ann" }, { login: "ben" }],
      collaborators: [{ repository: `${owner}/${name}`, login: "ann", permission: "write" }],
      tokens: [
        { token: "ann", user: "ann", scopes: ["repo"] },
        { token: "ben", user: "ben", scopes: ["repo"] }
      ]
    },
    repos
  )
  const pull = yield* open(at, "topic")
  const view = (selection: string, token?: string) =>
    Effect.map(
      data(
        `{ repository(owner: "${owner}", name: "${name}") { pullRequest(number: 1) { ${selection} } } }`,
        {},
        token === undefined ? {} : as(token)
      ),
      ({ repository }) => repository.pullRequest
    )
  return { ...pull, at, owner, view }
})

layer(forge)("reviews in GraphQL", (it) => {
  it.effect("are submitted, dismissed and shown by their authors", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { at, head, id: pullRequestId, owner, view } = yield* prepare("opinions")
      const selection = "pullRequestReview { id state body author { login } commit { oid } url }"
      const add = (event: string, body: string, token: string) =>
        mutate("addPullRequestReview", { pullRequestId, event, body }, selection, as(token))
      assert.isNull((yield* view("reviewDecision")).reviewDecision)
      const approved = (yield* add("APPROVE", "", "ben")).value.pullRequestReview
      assert.deepInclude(approved, { state: "APPROVED", author: { login: "ben" }, commit: { oid: head } })
      assert.match(approved.url, new RegExp(`/${owner}/opinions/pull/1#pullrequestreview-\\d+$`))
      // Only the opinions of those who may write count.
      assert.isNull((yield* view("reviewDecision")).reviewDecision)
      const refused = (yield* add("REQUEST_CHANGES", "No", "ann")).value.pullRequestReview
      yield* add("COMMENT", "Hm", "ann")
      const shown = yield* view(`reviewDecision
        reviews(first: 100, states: [COMMENTED], author: "ann") { totalCount nodes { body state } }
        latestReviews(first: 100) { nodes { author { login } state } }
        latestOpinionatedReviews(first: 100, writersOnly: true) { nodes { author { login } state } }`)
      assert.deepStrictEqual(shown, {
        reviewDecision: "CHANGES_REQUESTED",
        reviews: { totalCount: 1, nodes: [{ body: "Hm", state: "COMMENTED" }] },
        latestReviews: {
          nodes: [
            { author: { login: "ben" }, state: "APPROVED" },
            { author: { login: "ann" }, state: "COMMENTED" }
          ]
        },
        latestOpinionatedReviews: { nodes: [{ author: { login: "ann" }, state: "CHANGES_REQUESTED" }] }
      })
      const dismiss = { pullRequestReviewId: refused.id, message: "Done" }
      assert.strictEqual(
        (yield* mutate("dismissPullRequestReview", dismiss, selection, as("ben"))).error?.type,
        "FORBIDDEN"
      )
      const dismissed = yield* mutate("dismissPullRequestReview", dismiss, selection)
      assert.strictEqual(dismissed.value.pullRequestReview.state, "DISMISSED")
      assert.isNull((yield* view("reviewDecision")).reviewDecision)
      yield* add("APPROVE", "", "ann")
      assert.strictEqual((yield* view("reviewDecision")).reviewDecision, "APPROVED")
      const own = yield* mutate("addPullRequestReview", { pullRequestId, event: "APPROVE" }, selection)
      assert.match(own.error?.message, /Can not approve your own pull request/)
      const edited = { pullRequestReviewId: approved.id, body: "Nice" }
      assert.strictEqual(
        (yield* mutate("updatePullRequestReview", edited, selection, as("ben"))).value.pullRequestReview.body,
        "Nice"
      )
      assert.strictEqual((yield* get(`${at}/pulls/1/reviews`)).json.length, 4)
      for (const [terms, count] of [
        ["reviewed-by:ann", 1],
        ["reviewed-by:@me", 0],
        ["review:approved", 1],
        ["review:changes-requested", 0],
        ["review:none", 0]
      ] as const) {
        const { search } = yield* data(
          `{ search(query: "repo:${owner}/opinions ${terms}", type: ISSUE) { issueCount } }`
        )
        assert.strictEqual(search.issueCount, count, terms)
      }
    })
  )

  it.effect("collect threads until they are submitted, and threads are resolved", () =>
    Effect.gen(function* () {
      const { at, id: pullRequestId, view } = yield* prepare("threads")
      const threads = `reviewThreads(first: 10) { totalCount nodes {
        id isResolved isOutdated line startLine diffSide path subjectType resolvedBy { login } viewerCanResolve
        comments(first: 10) { nodes { id body state outdated line position replyTo { body } pullRequestReview { state } } }
      } }`
      const thread = { pullRequestId, path: "topic", body: "Why?" }
      const missing = yield* mutate("addPullRequestReviewThread", { ...thread, line: 9 }, "thread { id }", as("ann"))
      assert.match(missing.error?.message, /must be part of the diff/)
      assert.strictEqual((yield* view("reviews(first: 9) { totalCount }", "ann")).reviews.totalCount, 0)
      const started = yield* mutate(
        "addPullRequestReviewThread",
        { ...thread, line: 2, startLine: 1 },
        "thread { id }",
        as("ann")
      )
      const threadId = started.value.thread.id
      yield* mutate("addPullRequestReviewThread", { ...thread, subjectType: "FILE" }, "thread { id }", as("ann"))
      assert.strictEqual((yield* view(threads, "ben")).reviewThreads.totalCount, 0)
      assert.strictEqual((yield* view(threads, "ann")).reviewThreads.totalCount, 2)
      const hidden = yield* query(`{ node(id: "${threadId}") { id } }`, {}, as("ben"))
      assert.strictEqual(hidden.errors[0].type, "NOT_FOUND")
      const submit = { pullRequestId, event: "COMMENT" }
      const submitted = yield* mutate(
        "submitPullRequestReview",
        submit,
        "pullRequestReview { state comments(first: 9) { nodes { body } } }",
        as("ann")
      )
      assert.deepStrictEqual(submitted.value.pullRequestReview, {
        state: "COMMENTED",
        comments: { nodes: [{ body: "Why?" }, { body: "Why?" }] }
      })
      const reply = { pullRequestReviewThreadId: threadId, body: "So" }
      const replied = yield* mutate("addPullRequestReviewThreadReply", reply, "comment { body replyTo { body } }")
      assert.deepStrictEqual(replied.value.comment, { body: "So", replyTo: { body: "Why?" } })
      const resolve = (token: string) => mutate("resolveReviewThread", { threadId }, "thread { isResolved }", as(token))
      assert.strictEqual((yield* resolve("ben")).error?.type, "FORBIDDEN")
      assert.isTrue((yield* resolve("ann")).value.thread.isResolved)
      const [lines, file] = (yield* view(threads, "ben")).reviewThreads.nodes
      const { comments, ...place } = lines
      assert.deepStrictEqual(place, {
        id: threadId,
        isResolved: true,
        isOutdated: false,
        line: 2,
        startLine: 1,
        diffSide: "RIGHT",
        path: "topic",
        subjectType: "LINE",
        resolvedBy: { login: "ann" },
        viewerCanResolve: false
      })
      assert.deepInclude(file, { line: null, subjectType: "FILE", isResolved: false })
      const [first] = comments.nodes
      assert.deepInclude(first, { state: "SUBMITTED", line: 2, position: 2, replyTo: null, outdated: false })
      const unresolved = yield* mutate("unresolveReviewThread", { threadId }, "thread { isResolved }", as("ann"))
      assert.isFalse(unresolved.value.thread.isResolved)
      const edit = { pullRequestReviewCommentId: first.id, body: "How?" }
      const edited = yield* mutate(
        "updatePullRequestReviewComment",
        edit,
        "pullRequestReviewComment { body }",
        as("ann")
      )
      assert.deepStrictEqual(edited.value.pullRequestReviewComment, { body: "How?" })
      yield* write(at, "other", "x\n", "topic")
      assert.isFalse((yield* view(threads)).reviewThreads.nodes[0].isOutdated)
    })
  )

  it.effect("are drafts that only their author sees and deletes", () =>
    Effect.gen(function* () {
      const { id: pullRequestId, view } = yield* prepare("drafts")
      const threads = [{ path: "topic", line: 1, body: "Why?" }]
      const { value } = yield* mutate(
        "addPullRequestReview",
        { pullRequestId, threads },
        "pullRequestReview { id state submittedAt }",
        as("ann")
      )
      const { id, ...review } = value.pullRequestReview
      assert.deepStrictEqual(review, { state: "PENDING", submittedAt: null })
      assert.strictEqual((yield* view("reviews(first: 1) { totalCount }")).reviews.totalCount, 0)
      assert.isNull((yield* view("viewerLatestReview { id }", "ben")).viewerLatestReview)
      assert.strictEqual((yield* view("viewerLatestReview { id }", "ann")).viewerLatestReview.id, id)
      const discard = (token: string) =>
        mutate("deletePullRequestReview", { pullRequestReviewId: id }, "pullRequestReview { id }", as(token))
      assert.strictEqual((yield* discard("ben")).error?.type, "NOT_FOUND")
      assert.strictEqual((yield* discard("ann")).value.pullRequestReview.id, id)
      assert.strictEqual((yield* view("reviews(first: 1) { totalCount }", "ann")).reviews.totalCount, 0)
    })
  )

  it.effect("are requested by id and by login", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { at, id: pullRequestId, owner, view } = yield* prepare("requests")
      const requests = "reviewRequests(first: 9) { nodes { asCodeOwner requestedReviewer { ... on User { login } } } }"
      const logins = Effect.map(view(requests), ({ reviewRequests }) =>
        reviewRequests.nodes.map((one: { requestedReviewer: { login: string } }) => one.requestedReviewer.login)
      )
      const byLogin = (input: object) =>
        mutate("requestReviewsByLogin", { pullRequestId, ...input }, "pullRequest { number }")
      assert.isUndefined((yield* byLogin({ userLogins: ["ann"], botLogins: [], teamSlugs: [], union: true })).error)
      assert.deepStrictEqual(yield* logins, ["ann"])
      const ben = (yield* get("/users/ben")).json.node_id
      assert.match(
        (yield* mutate("requestReviews", { pullRequestId, userIds: [ben], union: true }, "actor { login }")).error
          ?.message,
        /collaborators/
      )
      for (const [terms, count] of [
        ["review-requested:ann", 1],
        ["user-review-requested:ann", 1],
        ["review-requested:ben", 0]
      ] as const) {
        const { search } = yield* data(
          `{ search(query: "repo:${owner}/requests ${terms}", type: ISSUE) { issueCount } }`
        )
        assert.strictEqual(search.issueCount, count, terms)
      }
      yield* byLogin({ userLogins: [] })
      assert.deepStrictEqual(yield* logins, [])
      const ann = (yield* get("/users/ann")).json.node_id
      yield* mutate("requestReviews", { pullRequestId, userIds: [ann] }, "actor { login }")
      assert.deepStrictEqual(yield* logins, ["ann"])
      assert.strictEqual((yield* get(`${at}/pulls/1`)).json.requested_reviewers[0].login, "ann")
      const refused = yield* mutate("requestReviews", { pullRequestId }, "actor { login }", as("ben"))
      assert.strictEqual(refused.error?.type, "FORBIDDEN")
    })
  )
})
