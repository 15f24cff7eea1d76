import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => Forge.repository(repos, "hello", { "a.ts": "export {}\n" })))("autolinks", (it) => {
  const add = (body: object) =>
    Effect.flatMap(TestForge, ({ ask, base }) => ask("POST", `${base}/hello/autolinks`, { body }))

  it.effect("adds, lists, gets and deletes autolinks", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const made = yield* add({ key_prefix: "TICKET-", url_template: "https://example.com/TICKET?query=<num>" })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.json, { key_prefix: "TICKET-", is_alphanumeric: true })
      assert.deepStrictEqual((yield* get(`${base}/hello/autolinks`)).json, [made.json])
      const path = `${base}/hello/autolinks/${made.json.id}`
      assert.deepStrictEqual((yield* get(path)).json, made.json)
      assert.strictEqual((yield* get(path, { token: null })).status, 401)
      assert.strictEqual((yield* ask("DELETE", path)).status, 204)
      assert.strictEqual((yield* ask("DELETE", path)).status, 404)
      assert.strictEqual((yield* get(path)).status, 404)
    })
  )

  it.effect("rejects prefixes that overlap or cannot be prefixes, and URLs without a place for the number", () =>
    Effect.gen(function* () {
      const url_template = "https://example.com/<num>"
      yield* add({ key_prefix: "TASK", url_template })
      const wrong = [
        [{ key_prefix: "TASK", url_template }, "key_prefix"],
        [{ key_prefix: "task-", url_template }, "key_prefix"],
        [{ key_prefix: "TA", url_template }, "key_prefix"],
        [{ key_prefix: "", url_template }, "key_prefix"],
        [{ key_prefix: "X1", url_template }, "key_prefix"],
        [{ key_prefix: "a b", url_template }, "key_prefix"],
        [{ key_prefix: "x".repeat(33), url_template }, "key_prefix"],
        [{ key_prefix: "BUG-", url_template: "https://example.com/" }, "url_template"],
        [{ key_prefix: "BUG-", url_template: "javascript:alert(<num>)" }, "url_template"],
        [{ key_prefix: "BUG-", url_template: "example.com/<num>" }, "url_template"]
      ] as const
      for (const [body, field] of wrong) {
        const refused = yield* add(body)
        assert.deepStrictEqual([refused.status, refused.json.errors[0].field], [422, field], JSON.stringify(body))
      }
      assert.strictEqual((yield* add({ key_prefix: "TASK-" })).status, 422)
    })
  )

  it.effect("links the references in texts of the repository, but not in code, links and words", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      yield* add({ key_prefix: "JIRA-", url_template: "https://jira.example/browse/JIRA-<num>?a=1&b=2" })
      yield* add({ key_prefix: "NUM-", url_template: "https://num.example/<num>", is_alphanumeric: false })
      const body = "See JIRA-12a and NUM-7, not XJIRA-3, NUM-x, `JIRA-4` or [JIRA-5](https://other.example). #1 JIRA-6"
      const { number } = (yield* ask("POST", `${base}/hello/issues`, { body: { title: "links", body } })).json
      const html = { headers: { accept: "application/vnd.service.html+json" } }
      const text = (yield* get(`${base}/hello/issues/${number}`, html)).json.body_html
      assert.include(
        text,
        '<a href="https://jira.example/browse/JIRA-12a?a=1&amp;b=2" rel="nofollow noopener noreferrer">JIRA-12a</a>'
      )
      assert.include(text, '<a href="https://num.example/7" rel="nofollow noopener noreferrer">NUM-7</a>')
      assert.include(text, ">JIRA-6</a>")
      assert.include(text, "/hello/issues/1")
      for (const plain of ["XJIRA-3", "NUM-x", "<code>JIRA-4</code>"]) assert.include(text, plain)
      assert.strictEqual(text.match(/jira\.example|num\.example/g)?.length, 3)

      const rendered = (mode: string, context?: string) =>
        ask("POST", "/markdown", {
          body: { text: "JIRA-9 **b** #1\nx", mode, ...(context === undefined ? {} : { context }) }
        })
      const own = yield* rendered("gfm", `${base.slice(1).replace("repos/", "")}/hello`)
      assert.include(own.text, "https://jira.example/browse/JIRA-9")
      assert.include(own.text, "<br>")
      assert.include(own.headers["content-type"], "text/html")
      assert.strictEqual((yield* rendered("markdown")).text, "<p>JIRA-9 <strong>b</strong> #1\nx</p>")
      assert.strictEqual((yield* rendered("gfm", "no/where")).text, "<p>JIRA-9 <strong>b</strong> #1<br>\nx</p>")
      assert.strictEqual((yield* ask("POST", "/markdown", { body: {} })).status, 422)
    })
  )

  it.effect("lists licenses and .gitignore templates, and names a version", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const all = (yield* get("/licenses")).json
      assert.lengthOf(all, 13)
      assert.deepStrictEqual(
        (yield* get("/licenses?featured=true")).json.map(({ key }: { key: string }) => key),
        ["apache-2.0", "gpl-3.0", "mit"]
      )
      assert.lengthOf((yield* get("/licenses?per_page=5&page=3")).json, 3)
      assert.include((yield* get("/licenses/MIT")).json.body, "[fullname]")
      assert.strictEqual((yield* get("/licenses/none")).status, 404)
      const names = (yield* get("/gitignore/templates")).json
      assert.includeMembers(names, ["C++", "Node"])
      assert.include((yield* get("/gitignore/templates/C++")).json.source, "*.o")
      const raw = yield* get("/gitignore/templates/Node", { headers: { accept: "application/vnd.service.raw+json" } })
      assert.include(raw.text, "node_modules/")
      assert.strictEqual((yield* get("/gitignore/templates/constructor")).status, 404)
      assert.deepInclude((yield* get("/meta")).json, { verifiable_password_authentication: false })
    })
  )
})
