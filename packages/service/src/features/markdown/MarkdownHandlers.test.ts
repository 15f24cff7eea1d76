import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const raw = Effect.fnUntraced(function* (body: string, type = "text/plain") {
  const { ask } = yield* Support.TestForge
  return yield* ask("POST", "/markdown/raw", { body, token: null, headers: { "content-type": type } })
})

layer(
  Support.layer((repos) => mkdirSync(repos)),
  { timeout: 60_000 }
)("rendering of Markdown", (it) => {
  it.effect("takes plain text, without references and line breaks", () =>
    Effect.gen(function* () {
      const html = "<p>JIRA-9 <strong>b</strong> #1\nx</p>"
      for (const type of ["text/plain", "text/x-markdown; charset=utf-8"]) {
        const { headers, status, text } = yield* raw("JIRA-9 **b** #1\nx", type)
        assert.deepStrictEqual([status, text], [200, html])
        assert.include(headers["content-type"], "text/html")
      }
      assert.strictEqual((yield* raw('{"text":"b"}', "text/plain")).text, "<p>{&quot;text&quot;:&quot;b&quot;}</p>")
      assert.strictEqual((yield* raw("")).text, "")
      const wrong = yield* raw('{"text":"b"}', "application/json")
      assert.deepStrictEqual([wrong.status, wrong.json.message], [415, "The body must be text (text/plain or text/x-markdown), not application/json"]) // prettier-ignore
    })
  )

  it.effect("takes 400 KB and not more", () =>
    Effect.gen(function* () {
      const { ask } = yield* Support.TestForge
      const paragraph = "Hello *you*.\n\n"
      const text = paragraph.repeat(Math.floor((400 * 1024) / paragraph.length))
      const html = "<p>Hello <em>you</em>.</p>\n".repeat(text.length / paragraph.length).trimEnd()
      for (const mode of ["markdown", "gfm"]) {
        const rendered = yield* ask("POST", "/markdown", { body: { text, mode, context: "no/where" } })
        assert.deepStrictEqual([rendered.status, rendered.text === html], [200, true])
      }
      assert.strictEqual((yield* raw(text)).text, html)
      assert.strictEqual((yield* raw("é".repeat(204_801))).status, 422)
      assert.strictEqual((yield* ask("POST", "/markdown", { body: { text: "x".repeat(409_601) } })).status, 422)
    })
  )
})
