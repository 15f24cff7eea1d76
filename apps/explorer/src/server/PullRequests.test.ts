import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stub from "./FakeForge.test-support.ts"
import { json, reply, start } from "./TestServer.test-support.ts"

const TIME = "2026-01-02T03:04:05Z"
const API = "https://forge.example/api/v3/repos/octo/hello"
const base = "a".repeat(40)

const branch = (ref: string, more: object = {}) => ({
  label: `octo:${ref}`,
  ref,
  sha: ref === "main" ? base : Stub.commitId,
  user: Stub.owner,
  repo: Stub.repository,
  ...more
})

const link = { href: "" }

const issue = (more: object = {}) => ({
  id: 7,
  node_id: "",
  url: "",
  repository_url: API,
  labels_url: "",
  comments_url: "",
  events_url: "",
  html_url: "https://forge.example/octo/hello/pull/7",
  number: 7,
  state: "open",
  title: "Say hello twice",
  user: Stub.owner,
  labels: [],
  assignee: null,
  milestone: null,
  locked: false,
  comments: 0,
  closed_at: null,
  created_at: TIME,
  updated_at: TIME,
  pull_request: { url: null, html_url: null, diff_url: null, patch_url: null, merged_at: null },
  draft: false,
  ...more
})

const summary = (more: object = {}) => ({
  ...issue(),
  diff_url: "",
  patch_url: "",
  issue_url: "",
  commits_url: "",
  review_comments_url: "",
  review_comment_url: "",
  statuses_url: "",
  merged_at: null,
  merge_commit_sha: null,
  assignees: [],
  requested_reviewers: [Stub.owner],
  requested_teams: [],
  head: branch("twice"),
  base: branch("main"),
  _links: {
    self: link,
    html: link,
    issue: link,
    comments: link,
    review_comments: link,
    review_comment: link,
    commits: link,
    statuses: link
  },
  author_association: "OWNER",
  auto_merge: null,
  ...more
})

const pull = (more: object = {}) => ({
  ...summary(more),
  merged: false,
  mergeable: true,
  mergeable_state: "clean",
  merged_by: null,
  comments: 0,
  review_comments: 0,
  maintainer_can_modify: false,
  commits: 1,
  additions: 1,
  deletions: 0,
  changed_files: 1,
  ...more
})

const PATH = "/repos/octo/hello/pulls/7"
const ISSUE = "/repos/octo/hello/issues/7"
const NAME = "owner=octo&repo=hello"

const call = (query: string) => Effect.flatMap(start, (url) => json(`${url}api/${query}`))

describe("PullRequests", () => {
  it.effect("leads to the branches of an open pull request without asking for them", () => {
    const requests: Array<string> = []
    return Effect.gen(function* () {
      const [status, body] = yield* call(`pull?${NAME}&number=7`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepInclude(body, {
        number: 7,
        pull: "open",
        base: {
          repository: { owner: "octo", repo: "hello" },
          owner: "octo",
          name: "main",
          commit: base,
          isDeleted: false
        },
        head: { repository: null, owner: null, name: "twice", commit: Stub.commitId, isDeleted: false },
        mergedAt: null,
        mergeCommit: null,
        mergeability: "conflicts",
        reviewers: ["octo"]
      })
      assert.strictEqual(requests.length, 2, requests.join("\n"))
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer(
          {
            [PATH]: reply(
              pull({ mergeable: false, mergeable_state: "dirty", head: branch("twice", { user: null, repo: null }) })
            ),
            [ISSUE]: reply(issue())
          },
          "embedded",
          requests
        )
      )
    )
  })

  it.effect("knows the deleted branch and the commit of a merged one", () =>
    Effect.gen(function* () {
      const [, body] = yield* call(`pull?${NAME}&number=7`)
      assert.deepInclude(body, {
        pull: "merged",
        mergedAt: TIME,
        mergedBy: "octo",
        mergeCommit: Stub.commitId,
        mergeability: null,
        head: {
          repository: { owner: "octo", repo: "hello" },
          owner: "octo",
          name: "twice",
          commit: Stub.commitId,
          isDeleted: true
        }
      })
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [PATH]: reply(
            pull({
              state: "closed",
              merged: true,
              merged_at: TIME,
              merged_by: Stub.owner,
              merge_commit_sha: Stub.commitId
            })
          ),
          [ISSUE]: reply(
            issue({
              state: "closed",
              pull_request: { url: null, html_url: null, diff_url: null, patch_url: null, merged_at: TIME }
            })
          ),
          "/repos/octo/hello/git/ref/heads/main": reply({
            ref: "refs/heads/main",
            node_id: "",
            url: "",
            object: { type: "commit", sha: base, url: "" }
          })
        })
      )
    )
  )

  it.effect("says that the forge still checks whether it can be merged", () =>
    Effect.gen(function* () {
      const [, body] = yield* call(`pull?${NAME}&number=7`)
      assert.deepInclude(body, { pull: "draft", mergeability: "checking" })
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [PATH]: reply(pull({ draft: true, mergeable: null, mergeable_state: "unknown" })),
          [ISSUE]: reply(issue({ draft: true }))
        })
      )
    )
  )

  it.effect("reads the commits in at most three requests", () => {
    const requests: Array<string> = []
    const more = { link: `<${API}/pulls/7/commits?page=2>; rel="next"` }
    return Effect.gen(function* () {
      const [, body] = yield* call(`pull-commits?${NAME}&number=7`)
      assert.lengthOf(Object.values(Object(body)), 3)
      assert.lengthOf(requests, 3)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer(
          { [`${PATH}/commits`]: Effect.succeed({ body: [Stub.commit], headers: more }) },
          "embedded",
          requests
        )
      )
    )
  })

  it.effect("reads the files of the documented operation, at most 3,000", () => {
    const requests: Array<string> = []
    const more = { link: `<${API}/pulls/7/files?page=2>; rel="next"` }
    const file = {
      sha: "b".repeat(40),
      filename: "a.ts",
      status: "modified",
      additions: 1,
      deletions: 1,
      changes: 2,
      blob_url: null,
      raw_url: null,
      contents_url: "",
      patch: "@@ -1 +1 @@\n-a\n+b"
    }
    return Effect.gen(function* () {
      const [status, body] = yield* call(`pull-changes?${NAME}&number=7&base=${base}&head=${Stub.commitId}`)
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.deepInclude(body, { from: base, head: Stub.commitId, totalFiles: 3_000, hasPages: false })
      assert.lengthOf(
        requests.filter((request) => request.includes("/pulls/7/files")),
        30
      )
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer(
          { [`${PATH}/files`]: Effect.succeed({ body: Array.from({ length: 100 }, () => file), headers: more }) },
          "remote",
          requests
        )
      )
    )
  })

  it.effect("finds the pull requests of a commit", () =>
    Effect.gen(function* () {
      const [, body] = yield* call(`commit-pulls?${NAME}&ref=${Stub.commitId}`)
      assert.deepStrictEqual(body, [
        {
          owner: "octo",
          repo: "hello",
          number: 7,
          title: "Say hello twice",
          state: "closed",
          stateReason: null,
          pull: "merged"
        }
      ])
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Stub.layer({
          [`/repos/octo/hello/commits/${Stub.commitId}/pulls`]: reply([summary({ state: "closed", merged_at: TIME })])
        })
      )
    )
  )

  it.effect("finds nothing of private repositories", () =>
    Effect.gen(function* () {
      for (const query of [
        "pull?number=1",
        "pull-commits?number=1",
        `pull-changes?number=1&base=${base}&head=${base}`,
        `commit-pulls?ref=${base}`,
        `checks?ref=${base}`,
        "annotations?run=1&page=1"
      ]) {
        const [status] = yield* call(`${query}&owner=octo&repo=private`)
        assert.strictEqual(status, 404, query)
      }
    }).pipe(Effect.scoped, Effect.provide(Stub.layer({})))
  )
})
