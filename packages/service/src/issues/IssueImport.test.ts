import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Forge from "../main/Forge.test-support.ts"
import { IssueImport } from "./IssueImport.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => Forge.repository(repos, "hello")))("imported issues", (it) => {
  it.effect("record references and mentions once, and notify nobody", () =>
    Effect.gen(function* () {
      const { base, get, token, user } = yield* TestForge
      const imports = yield* IssueImport
      const { id: repositoryId } = (yield* get(`${base}/hello`)).json
      const userId = yield* user({ login: "anna" })
      const anna = yield* token({ kind: "classic", userId, scopes: ["repo", "notifications"] })
      const author = { mannequin: "old" }
      const issue = { repositoryId, author, createdAt: "2020-01-02T03:04:05Z", title: "first", body: null }
      yield* imports.add({ ...issue, number: 7 })
      const comment = { author, createdAt: "2020-02-02T03:04:05Z", body: "See #7, `#8` and @nobody", foreignId: "c1" }
      const second = { ...issue, number: 8, foreignId: "8", body: "Like #7, @anna", comments: [comment] }
      const third = { ...issue, number: 9, body: "In #8", comments: [{ ...comment, foreignId: "c2" }] }
      for (const one of [second, second, third]) yield* imports.add(one)

      const timeline = (number: number) =>
        Effect.map(get(`${base}/hello/issues/${number}/timeline`), ({ json }) =>
          json.map((one: { event: string; created_at?: string; source?: { issue: { number: number } } }) =>
            [one.event, one.created_at?.slice(0, 7), one.source?.issue.number].filter((part) => part !== undefined)
          )
        )
      assert.deepStrictEqual(yield* timeline(7), [
        ["cross-referenced", "2020-01", 8],
        ["cross-referenced", "2020-02", 9]
      ])
      assert.deepInclude(yield* timeline(8), ["mentioned", "2020-01"])
      assert.deepInclude(yield* timeline(8), ["cross-referenced", "2020-01", 9])
      const found = yield* get(`/search/issues?q=mentions:anna`, { token: anna })
      assert.strictEqual(found.json.total_count, 1)
      assert.deepStrictEqual((yield* get("/notifications?all=true", { token: anna })).json, [])
    })
  )
})
