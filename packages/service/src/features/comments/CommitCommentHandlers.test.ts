import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import { commit } from "../../git/Fixture.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  commit(join(repos, "hello"), { "b.txt": "two\n" }, "second")
})

/** Before the start of the test clock in 1970. */
const WRITTEN = "1969-01-02T03:04:05Z"

const fill = Effect.fnUntraced(function* () {
  const { owner, repos } = yield* TestForge
  const repository = `${owner}/hello`
  const comment = (id: number, user: string, body: string) => ({ repository, id, user, body, created_at: WRITTEN })
  const file = join(repos, "fixtures.json")
  const content = {
    users: ["reader", "stranger", "writer", "mia"].map((login) => ({ login })),
    organizations: [{ login: "acme", members: [{ login: "mia" }] }],
    repositories: [{ full_name: "acme/tool" }, { full_name: `${owner}/secret`, private: true }],
    collaborators: [{ repository, login: "writer", permission: "write" }],
    commit_comments: [
      comment(1, owner, "Hi **you** <b>x</b>"),
      { ...comment(2, "reader", "Nice"), path: "a.txt", position: 4, line: 14 },
      comment(3, "writer", "Hm"),
      { ...comment(4, "mia", "Ours"), repository: "acme/tool", commit_id: "a".repeat(40) },
      { ...comment(5, owner, "Quiet"), repository: `${owner}/secret`, commit_id: "b".repeat(40) }
    ],
    tokens: [
      ...["reader", "stranger", "writer", "mia"].map((user) => ({ token: user, user, scopes: ["public_repo"] })),
      { token: "no-scope", user: "writer", scopes: [] },
      {
        token: "elsewhere",
        user: "reader",
        kind: "fine_grained",
        permissions: { contents: "write" },
        repositories: ["acme/tool"]
      }
    ]
  }
  writeFileSync(file, JSON.stringify(content))
  yield* Fixtures.load(file)
})

layer(forge)("the commits", (it) => {
  it.effect("have a comment count that follows additions and deletions", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const counts = Effect.map(
        get(`${base}/hello/commits`),
        ({ json }) => json.map((one: any) => one.commit.comment_count) // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
      )
      // Repeated so that the response is cached.
      for (const _ of [1, 2, 3]) assert.deepStrictEqual(yield* counts, [3, 0])
      assert.strictEqual((yield* get(`${base}/hello/commits/HEAD`)).json.commit.comment_count, 3)
      yield* ask("DELETE", `${base}/hello/comments/2`)
      assert.deepStrictEqual(yield* counts, [2, 0])
      assert.strictEqual((yield* get(`${base}/hello/commits/HEAD`)).json.commit.comment_count, 2)
    })
  )
})

layer(forge)("comments on commits", (it) => {
  it.effect("are listed by id, with the author association", () =>
    Effect.gen(function* () {
      yield* fill()
      const { base, get } = yield* TestForge
      const all = yield* get(`${base}/hello/comments`, { token: null })
      assert.deepStrictEqual(
        all.json.map((one: any) => [one.id, one.body, one.author_association, one.path, one.position, one.line]), // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
        [
          [1, "Hi **you** <b>x</b>", "OWNER", null, null, null],
          [2, "Nice", "NONE", "a.txt", 4, 14],
          [3, "Hm", "COLLABORATOR", null, null, null]
        ]
      )
      assert.strictEqual(
        (yield* get("/repos/acme/tool/comments", { token: null })).json[0].author_association,
        "MEMBER"
      )
      const page = yield* get(`${base}/hello/comments?per_page=1&page=2`)
      assert.strictEqual(page.json[0].id, 2)
      assert.match(
        page.headers["link"] ?? "",
        /page=1>; rel="prev".*page=3>; rel="next".*page=3>; rel="last".*page=1>; rel="first"/
      )
    })
  )

  it.effect("have association CONTRIBUTOR if the author's address has a commit", () =>
    Effect.gen(function* () {
      yield* fill()
      const { base, get, repos, owner } = yield* TestForge
      const file = join(repos, "contributor.json")
      const content = {
        users: [{ login: "author", email: "test@example.org" }],
        commit_comments: [{ repository: `${owner}/hello`, id: 90, user: "author", body: "Mine" }]
      }
      writeFileSync(file, JSON.stringify(content))
      yield* Fixtures.load(file)
      const { json } = yield* get(`${base}/hello/comments/90`)
      assert.strictEqual(json.author_association, "CONTRIBUTOR")
      assert.match(json.commit_id, /^[0-9a-f]{40}$/)
    })
  )

  it.effect("are added to a commit by everyone who can read it, and listed with it", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const [second, first] = (yield* get(`${base}/hello/commits`)).json
      const path = `${base}/hello/commits/${second.sha}/comments`
      const before = (yield* get(path)).json.length
      const added = yield* ask("POST", path, { token: "stranger", body: { body: "Good", path: "b.txt", line: 1 } })
      assert.strictEqual(added.status, 201)
      assert.deepInclude(added.json, { commit_id: second.sha, path: "b.txt", line: 1, position: null, body: "Good" })
      assert.lengthOf((yield* get(`${base}/hello/commits/HEAD/comments`)).json, before + 1)
      assert.lengthOf((yield* get(`${base}/hello/commits/${first.sha}/comments`)).json, 0)
      assert.deepStrictEqual((yield* get(`${base}/hello/comments/${added.json.id}`)).json, added.json)
      const [event] = (yield* get(`${base}/hello/events`)).json
      assert.deepStrictEqual(
        [event.type, event.actor.login, event.payload.action, event.payload.comment.id],
        ["CommitCommentEvent", "stranger", "created", added.json.id]
      )
    })
  )

  it.effect("are refused for an unknown commit, and for a file that the commit does not change", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const path = `${base}/hello/commits/HEAD/comments`
      const unknown = yield* ask("POST", `${base}/hello/commits/${"0".repeat(40)}/comments`, { body: { body: "x" } })
      assert.deepStrictEqual(
        [unknown.status, unknown.json.message],
        [422, `No commit found for SHA: ${"0".repeat(40)}`]
      )
      for (const place of [{ line: 1 }, { position: 1 }, { path: "a.txt", line: 1 }, { path: "none" }]) {
        const refused = yield* ask("POST", path, { body: { body: "x", ...place } })
        assert.deepStrictEqual([refused.status, refused.json.errors?.[0]?.field], [422, "path"], JSON.stringify(place))
      }
      assert.strictEqual((yield* ask("POST", path, { token: "no-scope", body: { body: "x" } })).status, 403)
      assert.strictEqual((yield* ask("POST", path, { token: null, body: { body: "x" } })).status, 401)
      const secret = path.replace("/hello/", "/secret/")
      assert.strictEqual((yield* ask("POST", secret, { token: "stranger", body: { body: "x" } })).status, 404)
      assert.strictEqual((yield* get(secret, { token: "stranger" })).status, 404)
    })
  )

  it.effect("have four formats", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const forms = {
        raw: { body: "Hi **you** <b>x</b>" },
        text: { body_text: "Hi you <b>x</b>" },
        html: { body_html: "<p>Hi <strong>you</strong> &lt;b&gt;x&lt;/b&gt;</p>" }
      }
      const expected = { ...forms, full: { ...forms.raw, ...forms.text, ...forms.html } }
      const path = `${base}/hello/comments/1`
      for (const [form, bodies] of Object.entries(expected)) {
        for (const type of [`service-commitcomment.${form}`, `service.${form}`]) {
          const headers = { accept: `application/vnd.${type}+json` }
          const token = "writer"
          const got = yield* get(path, { headers })
          const listed = yield* get(`${base}/hello/comments`, { headers })
          const updated = yield* ask("PATCH", path, { token, headers, body: { body: forms.raw.body } })
          for (const { body, body_html, body_text } of [got.json, listed.json[0], updated.json]) {
            assert.deepStrictEqual(JSON.parse(JSON.stringify({ body, body_text, body_html })), bodies, type)
          }
          assert.strictEqual(got.headers["content-type"], "application/json; charset=utf-8")
        }
      }
    })
  )

  it.effect("can be changed by their author and with write access", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const patch = (id: number, token: string | null, body: unknown = { body: "New" }) =>
        ask("PATCH", `${base}/hello/comments/${id}`, { token, body })
      assert.strictEqual((yield* patch(2, null)).status, 401)
      assert.strictEqual((yield* patch(2, "stranger")).status, 403)
      const narrow = yield* patch(2, "no-scope")
      assert.deepStrictEqual([narrow.status, narrow.headers["x-accepted-oauth-scopes"]], [403, "public_repo, repo"])
      assert.strictEqual((yield* patch(3, "reader")).status, 403)
      const elsewhere = yield* patch(2, "elsewhere")
      assert.strictEqual(elsewhere.status, 403)
      assert.include(elsewhere.json.message, "This token was not made for")
      const own = yield* patch(2, "reader")
      assert.deepStrictEqual(
        [own.status, own.json.body, own.json.created_at, own.json.updated_at],
        [200, "New", WRITTEN, "1970-01-01T00:00:00Z"]
      )
      assert.strictEqual((yield* patch(2, "writer", { body: "Newer" })).json.body, "Newer")
      assert.strictEqual((yield* get(`${base}/hello/comments/2`)).json.body, "Newer")
    })
  )

  it.effect("reject an invalid text without changes", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const path = `${base}/hello/comments/1`
      const before = (yield* get(path)).json
      for (const body of [{}, { body: 1 }, { body: " \n" }, { body: "x".repeat(65_537) }, { body: null }]) {
        const refused = yield* ask("PATCH", path, { body })
        assert.deepStrictEqual([refused.status, refused.json.errors?.[0]?.field], [422, "body"])
      }
      assert.deepStrictEqual((yield* get(path)).json, before)
    })
  )

  it.effect("are not found after deletion", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      const remove = (id: number | string, token: string) =>
        Effect.map(ask("DELETE", `${base}/hello/comments/${id}`, { token }), ({ status, text }) => [
          status,
          text.length > 0
        ])
      assert.deepStrictEqual(yield* remove(3, "stranger"), [403, true])
      assert.deepStrictEqual(yield* remove(3, "writer"), [204, false])
      assert.deepStrictEqual(yield* remove(3, "writer"), [404, true])
      assert.strictEqual((yield* get(`${base}/hello/comments/3`)).status, 404)
    })
  )

  it.effect("are not found in other repositories, or without access", () =>
    Effect.gen(function* () {
      yield* fill()
      const { ask, base, get } = yield* TestForge
      for (const path of [
        "hello/comments/4",
        "hello/comments/999",
        "hello/comments/x",
        "hello/comments/1.5",
        "none/comments"
      ]) {
        assert.strictEqual((yield* get(`${base}/${path}`)).status, 404, path)
      }
      assert.strictEqual((yield* ask("PATCH", `${base}/hello/comments/4`, { body: { body: "x" } })).status, 404)
      assert.strictEqual((yield* get(`${base}/secret/comments/5`)).status, 200)
      assert.strictEqual((yield* get(`${base}/secret/comments/5`, { token: "stranger" })).status, 404)
      assert.strictEqual((yield* get(`${base}/secret/comments/5`, { token: null })).status, 404)
    })
  )
})
