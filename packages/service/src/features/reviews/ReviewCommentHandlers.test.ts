import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"

const { TestForge } = Support

const SHA = "6dcb09b5b57875f334f61aebed695e2e4193db5e"

const fill = Effect.fnUntraced(function* () {
  const { owner, repos } = yield* TestForge
  const comment = {
    repository: `${owner}/hello`,
    user: "reader",
    body: "Great **stuff**!",
    path: "a.txt",
    pull_number: 1
  }
  const file = join(repos, "fixtures.json")
  const content = {
    users: [{ login: "reader" }, { login: "stranger" }],
    review_comments: [
      {
        ...comment,
        id: 10,
        pull_request_review_id: 42,
        diff_hunk: "@@ -16,33 +16,40 @@ public",
        position: 1,
        original_position: 4,
        commit_id: SHA,
        original_commit_id: "9c48853fa3dc5c1c3d6f1f1cd1f2743e72652840",
        in_reply_to_id: 8,
        start_line: 1,
        line: 2,
        side: "RIGHT",
        created_at: "1969-04-14T16:00:49Z",
        updated_at: "1969-04-20T00:00:00Z"
      },
      {
        ...comment,
        id: 11,
        subject_type: "file",
        created_at: "1969-04-12T00:00:00Z",
        updated_at: "1969-04-22T00:00:00Z"
      },
      { ...comment, id: 12, user: owner, created_at: "1969-04-13T00:00:00Z", updated_at: "1969-04-21T00:00:00Z" }
    ],
    tokens: [
      { token: "reader", user: "reader", scopes: ["public_repo"] },
      { token: "stranger", user: "stranger", scopes: ["repo"] },
      { token: "fine", user: owner, kind: "fine_grained", permissions: { pull_requests: "read" } }
    ]
  }
  writeFileSync(file, JSON.stringify(content))
  yield* Fixtures.load(file)
})

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("review comments", (it) => {
  it.effect("have current and original positions", () =>
    Effect.gen(function* () {
      yield* fill()
      const { base, get, owner } = yield* TestForge
      const { json } = yield* get(`${base}/hello/pulls/comments/10`, { token: null })
      const { node_id, reactions, user, ...comment } = json
      const api = `http://forge.localhost/repos/${owner}/hello/pulls`
      const html = `http://forge.localhost/${owner}/hello/pull/1#discussion_r10`
      assert.isString(node_id)
      assert.strictEqual(user.login, "reader")
      assert.strictEqual(reactions.total_count, 0)
      assert.deepStrictEqual(comment, {
        url: `${api}/comments/10`,
        pull_request_review_id: 42,
        id: 10,
        diff_hunk: "@@ -16,33 +16,40 @@ public",
        path: "a.txt",
        position: 1,
        original_position: 4,
        commit_id: SHA,
        original_commit_id: "9c48853fa3dc5c1c3d6f1f1cd1f2743e72652840",
        in_reply_to_id: 8,
        body: "Great **stuff**!",
        created_at: "1969-04-14T16:00:49Z",
        updated_at: "1969-04-20T00:00:00Z",
        html_url: html,
        pull_request_url: `${api}/1`,
        author_association: "NONE",
        _links: { self: { href: `${api}/comments/10` }, html: { href: html }, pull_request: { href: `${api}/1` } },
        start_line: 1,
        original_start_line: 1,
        start_side: "RIGHT",
        line: 2,
        original_line: 2,
        side: "RIGHT",
        subject_type: "line"
      })
      const file = (yield* get(`${base}/hello/pulls/comments/11`)).json
      assert.deepInclude(file, {
        subject_type: "file",
        position: 1,
        original_position: 1,
        line: 1,
        original_line: 1,
        side: "RIGHT",
        start_line: null
      })
      assert.notProperty(file, "in_reply_to_id")
      const single = (yield* get(`${base}/hello/pulls/comments/12`)).json
      assert.strictEqual(single.line, 1)
      for (const { original_start_line, start_line, start_side } of [single, file]) {
        assert.deepStrictEqual([start_line, original_start_line, start_side], [null, null, null])
      }
    })
  )

  it.effect("are sorted as requested", () =>
    Effect.gen(function* () {
      yield* fill()
      const { base, get } = yield* TestForge
      const ids = (query: string) =>
        Effect.map(get(`${base}/hello/pulls/comments?${query}`), ({ json }) => json.map(({ id }: { id: number }) => id))
      const expected = {
        "": [10, 11, 12],
        "direction=desc": [10, 11, 12],
        "sort=created": [11, 12, 10],
        "sort=created_at&direction=desc": [10, 12, 11],
        "sort=updated": [10, 12, 11],
        "sort=updated&direction=desc": [11, 12, 10],
        "since=1969-04-21T00:00:00Z": [11],
        "since=1969-04-20T23:59:59Z": [11, 12],
        "since=1969-04-21T01:59:59%2B02:00&sort=updated": [12, 11],
        "sort=updated&per_page=1&page=2": [12],
        "since=2099-01-01T00:00:00Z": []
      }
      for (const [query, order] of Object.entries(expected)) assert.deepStrictEqual(yield* ids(query), order, query)
      const { headers } = yield* get(`${base}/hello/pulls/comments?sort=updated&since=1969-04-20T23:59:59Z&per_page=1`)
      assert.match(
        headers["link"] ?? "",
        /sort=updated&since=1969-04-20T23%3A59%3A59Z&per_page=1&page=2>; rel="next", .*page=2>; rel="last"/
      )
      for (const wrong of ["sort=name", "direction=up", "since=yesterday", "since=2026-13-01T00:00:00Z"]) {
        assert.strictEqual((yield* get(`${base}/hello/pulls/comments?${wrong}`)).status, 422, wrong)
      }
    })
  )

  it.effect("can be changed by their author, and have four formats", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const path = `${base}/hello/pulls/comments/10`
      const patch = (token: string | null, body: unknown = { body: "*new*" }, accept = "application/json") =>
        ask("PATCH", path, { token, body, headers: { accept } })
      assert.strictEqual((yield* patch(null)).status, 401)
      assert.strictEqual((yield* patch("stranger")).status, 403)
      const fine = yield* patch("fine")
      assert.deepStrictEqual([fine.status, fine.headers["x-accepted-permissions"]], [403, "pull_requests=write"])
      assert.strictEqual((yield* get(path, { token: "fine" })).status, 200)
      assert.strictEqual((yield* patch("reader", {})).status, 422)
      const full = yield* patch("reader", { body: "*new*" }, "application/vnd.service-commitcomment.full+json")
      assert.deepStrictEqual(
        [full.status, full.json.body, full.json.body_text, full.json.body_html, full.json.updated_at],
        [200, "*new*", "new", "<p><em>new</em></p>", "1970-01-01T00:00:00Z"]
      )
      const text = yield* get(path, { headers: { accept: "application/vnd.service.text+json" } })
      assert.deepStrictEqual([text.json.body, text.json.body_text], [undefined, "new"])
    })
  )

  it.effect("are not found if missing", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      for (const path of ["hello/pulls/comments/9", "hello/pulls/comments/x", "none/pulls/comments"]) {
        assert.strictEqual((yield* get(`${base}/${path}`)).status, 404, path)
      }
      assert.strictEqual((yield* ask("PATCH", `${base}/hello/pulls/comments/9`, { body: { body: "x" } })).status, 404)
    })
  )
})
