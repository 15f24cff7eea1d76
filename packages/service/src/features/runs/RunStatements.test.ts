import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import { forge, headSha, report, send } from "./RunForge.test-support.ts"

/** Maximum statements of an uncached list. */
const MAX_STATEMENTS = 3

layer(forge)("lists of runs", (it) => {
  it.effect("need at most three statements, as many for 2 as for 100 items", () =>
    Effect.gen(function* () {
      const { get, token, user, base } = yield* Support.TestForge
      const reader = yield* token({ userId: yield* user({ login: "reader" }), kind: "classic", scopes: ["repo"] })
      const head_sha = yield* headSha
      const body = { workflow: ".github/workflows/ci.yml", head_sha, head_branch: "main" }
      const jobs = Array.from({ length: 100 }, (_, index) => ({ name: `job ${index}` }))
      const { json } = yield* report({ ...body, jobs })
      for (let index = 0; index < 99; index++) yield* report(body)
      let requests = 0
      /** Asks for a page after a change, so that nothing is cached, and after the reads of the caller's rights. */
      const measure = Effect.fnUntraced(function* (path: string, size: number) {
        yield* report({ run_id: json.run.id, jobs: [{ name: `job ${requests}` }] })
        yield* send("GET", "branches", undefined, { token: reader })
        let items = -1
        const url = `${base}/hello/${path}?per_page=${size}&n=${requests++}`
        const answer = Effect.map(get(url, { token: reader }), ({ json, status }) => {
          assert.strictEqual(status, 200, url)
          items = (json.workflow_runs ?? json.jobs ?? json.workflows).length
        })
        return { statements: yield* Support.statements(answer), items }
      })
      for (const [path, count] of [
        ["actions/runs", 100],
        [`actions/runs/${json.run.id}/jobs`, 100],
        ["actions/workflows", 3]
      ] as const) {
        const few = yield* measure(path, 2)
        const many = yield* measure(path, 100)
        assert.strictEqual(many.items, count, path)
        assert.strictEqual(many.statements, few.statements, path)
        assert.isAtLeast(many.statements, 1, path)
        assert.isAtMost(many.statements, MAX_STATEMENTS, path)
      }
    })
  )
})
