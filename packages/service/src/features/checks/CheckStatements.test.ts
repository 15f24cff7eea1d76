import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Rollups } from "../../checks/Rollup.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { RepositoryRows } from "../../repositories/RepositoryRows.ts"
import { BASE, forge, push, succeed } from "./CheckHandlers.test-support.ts"

/** Maximum statements of an uncached list, and of the checks of commits. */
const MAX_STATEMENTS = 3
const MAX_ROLLUP = 2

const each = <A>(count: number, item: (index: number) => A) => Array.from({ length: count }, (_, index) => item(index))

layer(forge)("lists of checks", (it) => {
  it.effect("need at most three statements, as many for 2 as for 100 items", () =>
    Effect.gen(function* () {
      const { get, repos } = yield* Support.TestForge
      const sha = yield* push("one")
      const apps = each(100, (index) => `app-${index}`)
      yield* Fixtures.add(
        {
          users: apps.map((login) => ({ login })),
          apps: apps.map((slug) => ({ slug })),
          statuses: apps.map((creator) => ({
            repository: "acme/tool",
            sha,
            creator,
            context: creator,
            state: "success"
          })),
          check_runs: apps.map((app) => ({
            repository: "acme/tool",
            head_sha: sha,
            app,
            name: "check",
            conclusion: "success"
          }))
        },
        repos
      )
      const run = yield* succeed("POST", "check-runs", { name: "many", head_sha: sha })
      const remark = { path: "a", start_line: 1, end_line: 1, annotation_level: "notice", message: "m" }
      const annotations = { output: { summary: "s", annotations: each(50, () => remark) } }
      for (const _ of each(2, () => undefined)) yield* succeed("PATCH", `check-runs/${run.id}`, annotations)
      let requests = 0
      /** Asks for a page after a change, so that nothing is cached, and after the reads of the caller's rights. */
      const measure = Effect.fnUntraced(function* (path: string, size: number) {
        yield* succeed("PATCH", `check-runs/${run.id}`, { external_id: String(requests) })
        yield* succeed("GET", `/repos/acme/tool/branches`, undefined, "ben")
        let items = -1
        const url = `${BASE}/${path}?per_page=${size}&n=${requests++}`
        const answer = Effect.map(get(url, { token: "ben" }), ({ json, status }) => {
          assert.strictEqual(status, 200, url)
          items = (json.statuses ?? json.check_runs ?? json.check_suites ?? json).length
        })
        return { statements: yield* Support.statements(answer), items }
      })
      for (const path of [
        `commits/${sha}/statuses`,
        `commits/${sha}/status`,
        `commits/${sha}/check-runs`,
        `commits/${sha}/check-suites`,
        `check-runs/${run.id}/annotations`
      ]) {
        const few = yield* measure(path, 2)
        const many = yield* measure(path, 100)
        assert.strictEqual(many.items, 100, path)
        assert.strictEqual(many.statements, few.statements, path)
        assert.isAtLeast(many.statements, 1, path)
        assert.isAtMost(many.statements, MAX_STATEMENTS, path)
      }
    })
  )

  it.effect("of many commits need two statements", () =>
    Effect.gen(function* () {
      const shas = yield* Effect.forEach(each(5, String), (name) => push(`file-${name}`))
      for (const sha of shas) yield* succeed("POST", `statuses/${sha}`, { state: "error" })
      const rows = yield* RepositoryRows
      const rollups = yield* Rollups
      const repository = yield* rows.find("acme", "tool")
      assert.isDefined(repository)
      const read = rollups.ofCommits(repository.id, [...shas, "0".repeat(40)])
      assert.strictEqual(yield* Support.statements(read), MAX_ROLLUP)
      assert.strictEqual(yield* Support.statements(read), 0)
      const found = yield* read
      assert.deepStrictEqual([...found.keys()], shas)
      assert.strictEqual(found.get(shas[0] ?? "")?.state, "error")
    })
  )
})
