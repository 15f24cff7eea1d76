import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => void Support.repository(repos, "adopted"))

const suggest = (...lines: ReadonlyArray<string>) => ["Better:", "```suggestion", ...lines, "```"].join("\n")

layer(forge)("suggested changes", (it) => {
  it.effect("are applied in one commit, with their authors", () =>
    Effect.gen(function* () {
      const { ask, get, owner, repos } = yield* TestForge
      const at = `/repos/${owner}/suggested`
      yield* ask("POST", "/user/repos", { body: { name: "suggested", auto_init: true } })
      yield* Fixtures.add(
        {
          users: [{ login: "ann" }, { login: "ben" }],
          collaborators: [{ repository: `${owner}/suggested`, login: "ann", permission: "write" }],
          tokens: ["ann", "ben"].map((user) => ({ token: user, user, scopes: ["repo"] }))
        },
        repos
      )
      const put = Effect.fnUntraced(function* (path: string, text: string, sha?: string) {
        const content = Buffer.from(text).toString("base64")
        const body = { message: path, branch: "topic", content, ...(sha === undefined ? {} : { sha }) }
        const { json } = yield* ask("PUT", `${at}/contents/${path}`, { body })
        return { commit: String(json.commit.sha), blob: String(json.content.sha) }
      })
      const text = Effect.fnUntraced(function* (path: string) {
        const { json } = yield* get(`${at}/contents/${path}?ref=topic`)
        return Buffer.from(json.content, "base64").toString()
      })
      const { sha } = (yield* get(`${at}/git/ref/heads/main`)).json.object
      yield* ask("POST", `${at}/git/refs`, { body: { ref: "refs/heads/topic", sha } })
      yield* put("a.txt", "one\ntwo\nthree\nfour\n")
      const { blob, commit } = yield* put("b.txt", "x\r\ny\r\n")
      yield* ask("POST", `${at}/pulls`, { body: { title: "Topic", head: "topic", base: "main" } })
      const comment = Effect.fnUntraced(function* (path: string, body: string, line: number, more: object = {}) {
        const input = { commit_id: commit, path, body, line, ...more }
        const { json, status, text } = yield* ask("POST", `${at}/pulls/1/comments`, { body: input, token: "ben" })
        assert.strictEqual(status, 201, text)
        return Number(json.id)
      })
      const apply = (ids: ReadonlyArray<number>, token = "ann", more: object = {}) =>
        ask("POST", `/tongs${at}/pulls/1/suggestions`, {
          token,
          body: { suggestions: ids.map((comment_id) => ({ comment_id })), ...more }
        })

      const range = yield* comment("a.txt", suggest("zwei", "und drei"), 3, { start_line: 2 })
      const inside = yield* comment("a.txt", suggest("drei"), 3)
      const last = yield* comment("a.txt", suggest(), 4)
      const other = yield* comment("b.txt", suggest("Y", "Z"), 2)
      const plain = yield* comment("b.txt", "Why?", 2)
      assert.match((yield* apply([range, inside])).json.message, /change the same lines of a\.txt/)
      assert.match((yield* apply([plain])).json.message, /has no suggestion 0/)
      assert.match((yield* apply([9_999])).json.message, /no review comment 9999/)
      assert.match((yield* apply([range], "ann", { expected_head_sha: sha })).json.message, /expected head sha/)
      assert.strictEqual((yield* apply([range], "ben")).status, 403)
      const applied = yield* apply([range, last, other])
      assert.strictEqual(applied.status, 201, applied.text)
      assert.deepInclude(applied.json, { branch: "topic", paths: ["a.txt", "b.txt"] })
      assert.strictEqual(yield* text("a.txt"), "one\nzwei\nund drei\n")
      assert.strictEqual(yield* text("b.txt"), "x\r\nY\r\nZ\r\n")
      const made = (yield* get(`${at}/commits/${applied.json.sha}`)).json
      assert.match(made.commit.message, /^Apply suggestions from code review\n\nCo-authored-by: ben <.*ben@.*>/)
      assert.deepStrictEqual([made.author.login, made.parents[0].sha], ["ann", commit])
      assert.strictEqual((yield* get(`${at}/pulls/1`)).json.head.sha, applied.json.sha)
      // The lines of these suggestions have changed.
      assert.match((yield* apply([inside])).json.message, /outdated/)
      assert.strictEqual((yield* apply([other])).status, 422)
      assert.notStrictEqual(blob, "")
    })
  )
})
