import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  Support.repository(repos, "hello")
  Support.repository(repos, "other")
})

layer(forge)("cached lists of issues", (it) => {
  it.effect("show every change, and the same as uncached ones", () =>
    Effect.gen(function* () {
      const { ask, base, get, owner, token, user } = yield* TestForge
      const hello = `${base}/hello`
      const send = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
        const { json, status } = yield* ask(method, path, { body })
        assert.isBelow(status, 300, `${method} ${path}: ${JSON.stringify(json)}`)
        return json
      })
      yield* send("POST", `${hello}/labels`, { name: "dim", color: "ededed" })
      yield* send("POST", `${hello}/milestones`, { title: "First light" })
      const content = { body: "It never shone.", labels: ["dim"], milestone: 1, assignees: [owner] }
      yield* send("POST", `${hello}/issues`, { title: "The lamp is dark", ...content })
      yield* send("POST", `${hello}/issues`, { title: "The stairs, too", ...content })
      const elsewhere = yield* send("POST", `${base}/other/issues`, { title: "No oil" })
      yield* send("POST", `${hello}/issues/1/comments`, { body: "Since Monday." })
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
      const paths = [
        `${hello}/issues?state=all`,
        `${hello}/issues/1`,
        `${hello}/issues/1/comments`,
        `${hello}/labels`,
        `${hello}/milestones`
      ]
      let requests = 0
      const texts = Effect.forEach([undefined, reader], (token) =>
        Effect.forEach(
          paths,
          Effect.fnUntraced(function* (path) {
            const options = token === undefined ? {} : { token }
            const uncached = yield* get(`${path}${path.includes("?") ? "&" : "?"}n=${requests++}`, options)
            // The third request gets the cached response of the second one.
            for (let repeat = 0; repeat < 3; repeat++)
              assert.strictEqual((yield* get(path, options)).text, uncached.text, path)
            return uncached.text
          })
        )
      )
      let before = yield* texts
      for (const [method, path, body] of [
        ["PATCH", `${hello}/labels/dim`, { new_name: "dark" }],
        ["PATCH", `${hello}/milestones/1`, { title: "Second light" }],
        ["PATCH", `${hello}/issues/2`, { state: "closed" }],
        ["POST", `${hello}/issues/1/reactions`, { content: "heart" }],
        ["POST", `${hello}/issues/1/comments`, { body: "And today." }],
        ["DELETE", `${hello}/issues/1/assignees`, { assignees: [owner] }],
        ["POST", `${hello}/issues/1/sub_issues`, { sub_issue_id: elsewhere.id }],
        ["PATCH", `${base}/other/issues/1`, { state: "closed" }],
        ["PATCH", `${base}/other`, { private: true }]
      ] as const) {
        yield* send(method, path, body)
        const after = yield* texts
        assert.notDeepEqual(after, before, `${method} ${path}`)
        before = after
      }
      const [, hidden] = before
      assert.include(hidden?.[1], '"sub_issues_summary":{"total":0')
    })
  )
})
