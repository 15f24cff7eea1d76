import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

const prepare = Effect.gen(function* () {
  const { ask, base, get, repos } = yield* TestForge
  const variables = `${base}/hello/actions/variables`
  const create = (name: string, value: string, path = variables, more: object = {}) =>
    ask("POST", path, { body: { name, value, ...more } })
  return { ask, base, create, get, repos, variables }
})

layer(forge)("variables", (it) => {
  it.effect("are created, read, renamed and deleted", () =>
    Effect.gen(function* () {
      const { ask, create, get, variables } = yield* prepare
      const made = yield* create("region", "eu")
      assert.deepStrictEqual([made.status, made.json], [201, {}])
      assert.deepInclude((yield* get(`${variables}/Region`)).json, { name: "REGION", value: "eu" })
      const again = yield* create("REGION", "us")
      assert.deepStrictEqual([again.status, again.json.message], [409, "Already exists - Variable already exists"])
      const change = (body: object, name = "region") => ask("PATCH", `${variables}/${name}`, { body })
      assert.strictEqual((yield* change({ value: "us" })).status, 204)
      assert.strictEqual((yield* change({ name: "zone" })).status, 204)
      assert.strictEqual((yield* get(`${variables}/region`)).status, 404)
      assert.deepInclude((yield* get(`${variables}/zone`)).json, { name: "ZONE", value: "us" })
      yield* create("other", "x")
      assert.strictEqual((yield* change({ name: "other" }, "zone")).status, 409)
      assert.strictEqual((yield* change({ name: "1a" }, "zone")).status, 422)
      assert.strictEqual((yield* change({ value: "x" }, "missing")).status, 404)
      assert.strictEqual((yield* create("github_x", "x")).status, 422)
      assert.strictEqual((yield* create("big", "x".repeat(48 * 1024 + 1))).status, 422)
      for (const name of ["zone", "other"]) {
        assert.strictEqual((yield* ask("DELETE", `${variables}/${name}`)).status, 204)
        assert.strictEqual((yield* ask("DELETE", `${variables}/${name}`)).status, 404)
      }
    })
  )

  it.effect("are listed ten at a time, at most thirty", () =>
    Effect.gen(function* () {
      const { create, get, variables } = yield* prepare
      for (let index = 10; index < 45; index++) yield* create(`N${index}`, "x")
      const sizeOf = Effect.fnUntraced(function* (query: string) {
        const { json } = yield* get(`${variables}${query}`)
        assert.strictEqual(json.total_count, 35)
        return json.variables.length
      })
      assert.deepStrictEqual(yield* Effect.all([sizeOf(""), sizeOf("?per_page=100"), sizeOf("?page=4")]), [10, 30, 5])
      assert.isAtMost(yield* Support.statements(get(`${variables}?per_page=30&page=2`)), 3)
    })
  )

  it.effect("of environments and organizations", () =>
    Effect.gen(function* () {
      const { ask, base, create, get, repos } = yield* prepare
      const environment = `${base}/hello/environments/prod`
      yield* ask("PUT", environment)
      assert.strictEqual((yield* create("A", "x", `${environment}/variables`)).status, 201)
      assert.strictEqual((yield* get(`${environment}/variables/a`)).json.value, "x")
      yield* Fixtures.add({ organizations: [{ login: "pier" }] }, repos)
      const { json: repo } = yield* ask("POST", "/orgs/pier/repos", { body: { name: "boat" } })
      const variables = "/orgs/pier/actions/variables"
      const visible = Effect.map(get("/repos/pier/boat/actions/organization-variables"), ({ json }) => json.total_count)
      const some = { visibility: "selected", selected_repository_ids: [repo.id] }
      assert.strictEqual((yield* create("B", "x", variables, some)).status, 201)
      assert.strictEqual(yield* visible, 1)
      assert.strictEqual((yield* ask("DELETE", `${variables}/b/repositories/${repo.id}`)).status, 204)
      assert.strictEqual(yield* visible, 0)
      assert.strictEqual((yield* ask("PATCH", `${variables}/b`, { body: { visibility: "all" } })).status, 204)
      assert.strictEqual(yield* visible, 1)
      assert.strictEqual((yield* get(`${variables}/b/repositories`)).status, 409)
    })
  )
})
