import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import { Callers } from "../access/Caller.ts"
import * as Forge from "../main/Forge.test-support.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as Support from "./Issues.test-support.ts"
import { MarkdownBodies } from "./MarkdownBodies.ts"

const urls = { api: "http://forge.test", html: "http://forge.test" }

const setUp = Effect.gen(function* () {
  yield* Support.setUp
  const bodies = yield* MarkdownBodies
  const callers = yield* Callers
  const repository = yield* Support.repository(`${(yield* Forge.TestForge).owner}/hello`)
  const commit = yield* requireRow(repository.git.resolve("HEAD"))
  const htmlFor = (token: string | undefined, source: string, mediaType = "html") =>
    Effect.gen(function* () {
      const caller = yield* callers.identify("test", token === undefined ? undefined : `Bearer ${token}`)
      const [body] = yield* bodies.make([{ text: source, repository }], { caller, mediaType, urls })
      return body?.body_html?.replaceAll(/^<p>|<\/p>$/g, "") ?? ""
    })
  return { bodies, callers, commit, htmlFor, repository }
})

const link = (kind: string, path: string, text: string) =>
  `<a class="${kind}" href="http://forge.test/${path}">${text}</a>`

layer(Support.layer)("rendered Markdown", (it) => {
  it.effect("links issues, pull requests, accounts and commits that exist", () =>
    Effect.gen(function* () {
      const { commit, htmlFor } = yield* setUp
      yield* Support.addIssue("keeper/hello", 1)
      yield* Support.addIssue("keeper/hello", 2, { is_pull_request: 1 })
      yield* Support.addIssue("acme/tool", 1)
      const one = link("issue-link", "keeper/hello/issues/1", "#1")
      const other = yield* requireRow((yield* Support.repository("keeper/bare")).git.resolve("HEAD"))
      const short = commit.slice(0, 7)
      const cases: ReadonlyArray<readonly [string, string]> = [
        [
          "#1 & GH-1, #2!",
          `${one} &amp; ${link("issue-link", "keeper/hello/issues/1", "GH-1")}, ${link("issue-link", "keeper/hello/pull/2", "#2")}!`
        ],
        [
          "ACME/tool#1 #3 acme/tool#2 acme/none#1",
          `${link("issue-link", "acme/tool/issues/1", "ACME/tool#1")} #3 acme/tool#2 acme/none#1`
        ],
        ["http://forge.test/keeper/hello/issues/1", one],
        [
          "http://forge.test/keeper/hello/pull/1#issuecomment-5",
          link("issue-link", "keeper/hello/issues/1#issuecomment-5", "#1 (comment)")
        ],
        ["http://forge.test/acme/tool/issues/1", link("issue-link", "acme/tool/issues/1", "acme/tool#1")],
        [
          "@MIA @acme @nobody @acme/team",
          `${link("user-mention", "mia", "@MIA")} ${link("user-mention", "acme", "@acme")} @nobody @acme/team`
        ],
        [
          `${commit} ${short} 0123456 keeper@${commit}`,
          `${link("commit-link", `keeper/hello/commit/${commit}`, short)} ${link("commit-link", `keeper/hello/commit/${commit}`, short)} 0123456 ${link("commit-link", `keeper/hello/commit/${commit}`, `keeper@${short}`)}`
        ],
        [`acme/tool@${commit}`, `acme/tool@${commit}`],
        [
          `keeper/bare@${other}`,
          link("commit-link", `keeper/bare/commit/${other}`, `keeper/bare@${other.slice(0, 7)}`)
        ],
        [
          `http://forge.test/keeper/bare/commit/${other}`,
          link("commit-link", `keeper/bare/commit/${other}`, `keeper/bare@${other.slice(0, 7)}`)
        ],
        [other, other],
        [`http://forge.test/keeper/hello/commit/${commit}`, link("commit-link", `keeper/hello/commit/${commit}`, short)]
      ]
      for (const [source, expected] of cases) assert.strictEqual(yield* htmlFor(undefined, source), expected)
      for (const url of ["http://other.test/keeper/hello/issues/1", "http://forge.test/keeper/hello/issues/9"]) {
        assert.strictEqual(yield* htmlFor("mia", url), `<a href="${url}" rel="nofollow noopener noreferrer">${url}</a>`)
      }
    })
  )

  it.effect("links issues of private repositories for their readers only, in any order of callers", () =>
    Effect.gen(function* () {
      const { htmlFor } = yield* setUp
      yield* Support.addIssue("keeper/secret", 7)
      yield* Support.addIssue("acme/closed", 8)
      const source = "keeper/secret#7 acme/closed#8"
      const secret = link("issue-link", "keeper/secret/issues/7", "keeper/secret#7")
      const closed = link("issue-link", "acme/closed/issues/8", "acme/closed#8")
      const expected: ReadonlyArray<readonly [string | undefined, string]> = [
        ["carl", `${secret} acme/closed#8`],
        [undefined, source],
        ["mia", `keeper/secret#7 ${closed}`],
        ["stranger", source],
        ["carl", `${secret} acme/closed#8`]
      ]
      for (const [token, html] of expected) assert.strictEqual(yield* htmlFor(token, source), html, token)
    })
  )

  it.effect("needs one statement for the autolinks, one for the issues and one for the accounts of 100 texts", () =>
    Effect.gen(function* () {
      const { bodies, callers, repository } = yield* setUp
      const caller = yield* callers.identify("test", "Bearer mia")
      const other = yield* Support.repository("acme/tool")
      const texts = Array.from({ length: 100 }, (_, index) => ({
        text: `#${index + 1} acme/none#${index + 1} @mia @user${index}`,
        repository: index % 2 === 0 ? repository : other
      }))
      const context = { caller, urls }
      yield* bodies.make(texts, { ...context, mediaType: "html" })
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      const bodyTexts = yield* Effect.withTracer(bodies.make(texts, { ...context, mediaType: "full" }), tracer)
      assert.include(bodyTexts[99]?.body_html, "@mia</a>")
      assert.strictEqual(spans.filter(({ attributes }) => attributes.has("db.query.text")).length, 3)
    })
  )

  it.effect("has the members of the media type", () =>
    Effect.gen(function* () {
      const { bodies, repository } = yield* setUp
      const make = (mediaType: string | undefined) =>
        bodies.make(
          ["**a**", "b"].map((text) => ({ text, repository })),
          { caller: { kind: "anonymous" }, mediaType, urls }
        )
      assert.deepStrictEqual(yield* make(undefined), [{ body: "**a**" }, { body: "b" }])
      assert.deepStrictEqual(yield* make("text"), [{ body_text: "a" }, { body_text: "b" }])
      assert.deepStrictEqual(yield* make("full"), [
        { body: "**a**", body_text: "a", body_html: "<p><strong>a</strong></p>" },
        { body: "b", body_text: "b", body_html: "<p>b</p>" }
      ])
    })
  )
})
