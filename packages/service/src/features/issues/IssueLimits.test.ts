import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const setUp = Effect.gen(function* () {
  const { ask, base, get } = yield* TestForge
  const repo = `${base}/hello`
  const post = (path: string, body: object) => ask("POST", `${repo}/${path}`, { body })
  const issue = (yield* post("issues", { title: "limits" })).json
  return { ask, get, issue, path: `issues/${issue.number}`, post, repo }
})

const namesOf = ({ json }: Support.Answer) => json.map(({ name }: { name: string }) => name)

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("texts of issues", (it) => {
  it.effect("have limits in characters, not in UTF-16 units", () =>
    Effect.gen(function* () {
      const { path, post } = yield* setUp
      for (const [to, member, limit] of [
        ["issues", "title", 256],
        ["issues", "body", 65_536],
        [`${path}/comments`, "body", 65_536],
        ["labels", "name", 50],
        ["milestones", "title", 256]
      ] as const) {
        const status = (length: number) =>
          Effect.map(post(to, { title: "t", [member]: "😀".repeat(length) }), (answer) => answer.status)
        assert.deepStrictEqual([yield* status(limit), yield* status(limit + 1)], [201, 422], `${to} ${member}`)
      }
    })
  )

  it.effect("can have NUL characters and lone surrogates, which names of labels lose", () =>
    Effect.gen(function* () {
      const { get, path, post, repo } = yield* setUp
      assert.strictEqual((yield* post("issues", { title: "a\0b\uD800", body: "\uDC00\0" })).status, 201)
      assert.strictEqual((yield* post(`${path}/comments`, { body: "a\0\uD800" })).status, 201)
      for (let time = 0; time < 2; time++)
        assert.deepStrictEqual(namesOf(yield* post(`${path}/labels`, { labels: ["half \uD800"] })), ["half \uFFFD"])
      assert.strictEqual((yield* post(`${path}/assignees`, { assignees: ["x\uD800", "y\0"] })).status, 201)
      assert.strictEqual((yield* get(`${repo}/issues?labels=a%00b&type=a%00b`)).status, 200)
    })
  )

  it.effect("of labels are trimmed and short, also if an issue adds them, and an issue has 100", () =>
    Effect.gen(function* () {
      const { path, post, get, repo } = yield* setUp
      const add = (labels: ReadonlyArray<string>) => post(`${path}/labels`, { labels })
      assert.deepStrictEqual(namesOf(yield* add([" padded "])), ["padded"])
      assert.strictEqual((yield* add(["x".repeat(51)])).status, 422)
      assert.strictEqual((yield* get(`${repo}/labels/${"x".repeat(51)}`)).status, 404)
      const many = Array.from({ length: 99 }, (_, index) => `l${index}`)
      assert.lengthOf(namesOf(yield* add(many)), 100)
      assert.strictEqual((yield* add(["one more"])).status, 422)
      assert.lengthOf((yield* get(`${repo}/${path}`)).json.labels, 100)
    })
  )

  it.effect("of labels ignore the case of ASCII letters in lists and on issues", () =>
    Effect.gen(function* () {
      const { get, path, post, repo } = yield* setUp
      yield* post(`${path}/labels`, { labels: ["Übel"] })
      const listed = (name: string) =>
        Effect.map(get(`${repo}/issues?labels=${encodeURIComponent(name)}`), ({ json }) => json.length)
      assert.deepStrictEqual([yield* listed("Übel"), yield* listed("ÜBEL"), yield* listed("übel")], [1, 1, 0])
      assert.deepStrictEqual(namesOf(yield* post(`${path}/labels`, { labels: ["ÜBEL", "übel"] })), ["Übel", "übel"])
    })
  )

  it.effect("as times are checked", () =>
    Effect.gen(function* () {
      const { get, post, repo } = yield* setUp
      const times = [
        "2020-13-01T00:00:00Z",
        "2020-01-01T25:00:00Z",
        "2020-01-01T00:00:00+99:00",
        "2020-01-32T00:00:00Z"
      ]
      for (const time of times) {
        for (const list of ["issues", "issues/comments"])
          assert.strictEqual((yield* get(`${repo}/${list}?since=${encodeURIComponent(time)}`)).status, 422, time)
        assert.strictEqual((yield* post("milestones", { title: time, due_on: time })).status, 422, time)
      }
      const zone = encodeURIComponent("1970-01-01T02:00:00+02:00")
      assert.isAbove((yield* get(`${repo}/issues?since=${zone}`)).json.length, 0)
    })
  )
})
