import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { get, json, reply, start } from "./TestServer.test-support.ts"

const TIME = "2026-01-02T03:04:05Z"
const API = "https://forge.example/api/v3/repos/octo/hello"

const issue = (number: number, more: object = {}) => ({
  id: number,
  node_id: "",
  url: "",
  repository_url: API,
  labels_url: "",
  comments_url: "",
  events_url: "",
  html_url: `https://forge.example/octo/hello/issues/${number}`,
  number,
  state: "open",
  title: `Issue ${number}`,
  user: Stub.owner,
  labels: [{ name: "bug", color: "d73a4a" }],
  assignee: null,
  milestone: null,
  locked: false,
  comments: 0,
  closed_at: null,
  created_at: TIME,
  updated_at: TIME,
  ...more
})

const event = (name: string, more: object = {}) => ({
  id: 1,
  node_id: "",
  url: "",
  actor: Stub.owner,
  event: name,
  commit_id: null,
  commit_url: null,
  created_at: TIME,
  ...more
})

const NAME = "owner=octo&repo=hello"
const PATH = "/repos/octo/hello/issues/7"

const call = (query: string) => Effect.flatMap(start, (url) => json(`${url}api/${query}`))

const found = (total: number) => reply({ total_count: total, incomplete_results: false, items: [issue(7)] })

const search = (state: string, page: string, repo = "octo/hello", kind = "issue") =>
  `/search/issues?q=repo:${repo} is:${kind} is:${state}&sort=created&order=desc&${page}`.replaceAll(" ", "+")

describe("Issues", () => {
  it.effect("leaves out members that a forge does not have", () =>
    Effect.gen(function* () {
      const [status, body] = yield* call(`issue?${NAME}&number=7`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepStrictEqual(body, {
        owner: "octo",
        repo: "hello",
        number: 7,
        title: "Issue 7",
        state: "open",
        stateReason: null,
        pull: null,
        author: null,
        createdAt: TIME,
        closedAt: null,
        labels: [{ name: "bug", color: "d73a4a", description: null }],
        assignees: [],
        milestone: null,
        type: null,
        comments: 0,
        source: "",
        html: "",
        association: null,
        reactions: [],
        url: "https://forge.example/octo/hello/issues/7",
        closedBy: null,
        locked: false,
        lockReason: null,
        parent: null,
        subIssues: { total: 0, issues: [] },
        completedSubIssues: 0,
        blockedBy: { total: 0, issues: [] },
        blocking: { total: 0, issues: [] }
      })
    }).pipe(Effect.scoped, Effect.provide(Stub.layer({ [PATH]: reply(issue(7, { user: null, body: null })) })))
  )

  it.effect("keeps the number of related issues that the caller cannot read", () =>
    Effect.gen(function* () {
      const [, body] = yield* call(`issue?${NAME}&number=7`)
      assert.deepInclude(body, {
        parent: null,
        subIssues: { total: 3, issues: [] },
        blockedBy: {
          total: 1,
          issues: [
            { owner: "octo", repo: "hello", number: 8, title: "Issue 8", state: "open", stateReason: null, pull: null }
          ]
        }
      })
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [PATH]: reply(
            issue(7, {
              parent_issue_url: `${API}/issues/1`,
              sub_issues_summary: { total: 3, completed: 1, percent_completed: 33 },
              issue_dependencies_summary: { blocked_by: 1, blocking: 0, total_blocked_by: 1, total_blocking: 0 }
            })
          ),
          [`${PATH}/dependencies/blocked_by`]: reply([issue(8)])
        })
      )
    )
  )

  it.effect("counts the items of a long conversation", () =>
    Effect.gen(function* () {
      const [, first] = yield* call(`timeline?${NAME}&number=7&page=1`)
      assert.deepInclude(first, { total: 120, next: 2 })
      const [, last] = yield* call(`timeline?${NAME}&number=7&page=3`)
      assert.deepStrictEqual(last, {
        items: [
          {
            kind: "comment",
            id: 9,
            source: "text",
            html: "<p>text</p>",
            author: null,
            association: "NONE",
            createdAt: TIME,
            reactions: []
          },
          {
            kind: "event",
            event: "closed",
            createdAt: TIME,
            actor: "octo",
            reason: "completed",
            commit: { owner: "octo", repo: "other", id: Stub.commitId }
          },
          { kind: "event", event: "sub_issue_added", createdAt: TIME, actor: null, issue: null },
          {
            kind: "event",
            event: "committed",
            createdAt: "",
            commit: { owner: "octo", repo: "hello", id: Stub.commitId }
          },
          {
            kind: "event",
            event: "reviewed",
            createdAt: "",
            actor: "octo",
            review: { state: "approved", source: "", html: "" }
          }
        ],
        total: 105,
        next: null
      })
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [`${PATH}/timeline?per_page=50&page=1`]: Effect.succeed({
            body: Array.from({ length: 50 }, () => event("labeled", { label: { name: "bug", color: "d73a4a" } })),
            headers: { link: `<${API}/issues/7/timeline?per_page=50&page=2>; rel="next"` }
          }),
          [`${PATH}/timeline?per_page=1&page=1`]: Effect.succeed({
            body: [event("labeled")],
            headers: { link: `<${API}/issues/7/timeline?per_page=1&page=120>; rel="last"` }
          }),
          [`${PATH}/timeline?per_page=50&page=3`]: reply([
            {
              ...event("commented", { id: 9, actor: undefined, user: null }),
              body: "text",
              body_html: "<p>text</p>",
              author_association: "NONE"
            },
            event("closed", {
              state_reason: "completed",
              commit_id: Stub.commitId,
              commit_url: "https://forge.example/api/v3/repos/octo/other/commits/c"
            }),
            event("sub_issue_added", { actor: null, sub_issue: null }),
            {
              event: "committed",
              sha: Stub.commitId,
              html_url: `https://forge.example/octo/hello/commit/${Stub.commitId}`
            },
            { event: "reviewed", id: 10, user: Stub.owner, state: "approved" }
          ])
        })
      )
    )
  )

  it.effect("lists and counts issues, also by a former name of the repository", () =>
    Effect.gen(function* () {
      const [, open] = yield* call(`issues?${NAME}&state=open&page=2`)
      assert.deepInclude(open, { open: 61, closed: 4, pages: 3, limit: null })
      const [status, closed] = yield* call("issues?owner=octo&repo=former&state=closed&page=1")
      assert.strictEqual(status, 200, JSON.stringify(closed))
      assert.deepInclude(closed, { open: 1, closed: 4_321, pages: 34, limit: 1_000 })
      const [, pulls] = yield* call(`issues?${NAME}&state=open&page=1&kind=pull`)
      assert.deepInclude(pulls, { open: 2, closed: 3, pages: 1, limit: null })
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [search("open", "per_page=30&page=2")]: found(61),
          [search("closed", "per_page=1&page=1")]: found(4),
          [search("closed", "per_page=30&page=1")]: found(4_321),
          [search("open", "per_page=1&page=1")]: found(1),
          [search("open", "per_page=30&page=1", "octo/hello", "pr")]: found(2),
          [search("closed", "per_page=1&page=1", "octo/hello", "pr")]: found(3),
          "/search/issues": Effect.succeed({ status: 422, body: { message: "Validation Failed", errors: [] } }),
          "/repos/octo/former": reply(Stub.repository)
        })
      )
    )
  )

  it.effect("finds nothing for other users' repositories, and for names that are more than a name", () =>
    Effect.gen(function* () {
      for (const query of [
        "issues?owner=octo&repo=private&state=open&page=1",
        `issues?owner=octo&repo=${encodeURIComponent("hello repo:octo/private")}&state=open&page=1`,
        "issue?owner=octo&repo=private&number=1",
        "timeline?owner=octo&repo=private&number=1&page=1"
      ]) {
        const [status, body] = yield* call(query)
        assert.deepInclude(body, { kind: "NotFound" }, query)
        assert.strictEqual(status, 404, query)
      }
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          "/search/issues": Effect.succeed({ status: 422, body: { message: "Validation Failed", errors: [] } })
        })
      )
    )
  )
})

describe("GitHub's paths", () => {
  it.effect("lead to the views, relative to the page", () =>
    Effect.gen(function* () {
      const url = yield* start
      for (const [path, location] of [
        ["octo/hello/issues/7", "../../../issue?repo=octo/hello&number=7"],
        ["octo/hello/issues", "../../issues?repo=octo/hello"],
        ["octo/hello/pull/7/files", "../../../../pull?repo=octo/hello&number=7&tab=files"],
        ["octo/hello", "../tree?repo=octo/hello"]
      ] as const) {
        const { headers, status } = yield* get(`${url}${path}`)
        assert.deepStrictEqual([status, headers.location], [302, location])
      }
      for (const path of ["assets/none.js", "api/none"]) assert.strictEqual((yield* get(`${url}${path}`)).status, 404)
      assert.strictEqual((yield* get(`${url}octo/hello/wiki`)).status, 200)
    }).pipe(Effect.scoped, Effect.provide(Stub.layer({})))
  )
})
