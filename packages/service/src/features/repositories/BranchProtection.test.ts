import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => void Forge.repository(repos, "hello")))("protected branches", (it) => {
  it.effect("are those of active rulesets, in the list, its filter and each branch", () =>
    Effect.gen(function* () {
      const { ask, get, repos } = yield* TestForge
      const fixtures = {
        users: [{ login: "olga" }],
        organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }] }],
        tokens: [{ token: "olga", user: "olga", scopes: ["repo", "admin:org"] }]
      }
      writeFileSync(join(repos, "fixtures.json"), JSON.stringify(fixtures))
      yield* Fixtures.load(join(repos, "fixtures.json"))
      const token = "olga"
      yield* ask("POST", "/orgs/acme/repos", { token, body: { name: "app", auto_init: true } })
      const at = "/repos/acme/app"
      const sha = (yield* get(`${at}/commits/main`, { token })).json.sha
      for (const name of ["release/1", "release/2", "topic"]) {
        yield* ask("POST", `${at}/git/refs`, { token, body: { ref: `refs/heads/${name}`, sha } })
      }
      const list = Effect.fnUntraced(function* (query: string) {
        const { headers, json } = yield* get(`${at}/branches${query}`, { token })
        return {
          names: json.map((one: { name: string; protected: boolean }) => `${one.name} ${one.protected}`),
          link: headers["link"]
        }
      })
      assert.deepStrictEqual((yield* list("?protected=true")).names, [])
      const protect = (include: ReadonlyArray<string>, enforcement: string, name: string) =>
        ask("POST", "/orgs/acme/rulesets", {
          token,
          body: {
            name,
            enforcement,
            conditions: { ref_name: { include, exclude: [] }, repository_name: { include: ["~ALL"], exclude: [] } },
            rules: [{ type: "deletion" }]
          }
        })
      assert.strictEqual((yield* protect(["refs/heads/release/*"], "active", "releases")).status, 201)
      assert.strictEqual((yield* protect(["refs/heads/topic"], "evaluate", "trial")).status, 201)
      assert.deepStrictEqual((yield* list("")).names, ["main false", "release/1 true", "release/2 true", "topic false"])
      assert.deepStrictEqual((yield* list("?protected=true")).names, ["release/1 true", "release/2 true"])
      assert.deepStrictEqual((yield* list("?protected=false")).names, ["main false", "topic false"])
      const paged = yield* list("?protected=true&per_page=1&page=2")
      assert.deepStrictEqual(paged.names, ["release/2 true"])
      assert.include(paged.link, "protected=true")
      assert.notInclude(paged.link, 'rel="next"')
      for (const [name, expected] of [
        ["release%2F1", true],
        ["topic", false]
      ] as const) {
        assert.strictEqual((yield* get(`${at}/branches/${name}`, { token })).json.protected, expected)
      }
      assert.strictEqual((yield* get(`${at}/branches?protected=maybe`, { token })).status, 422)
    })
  )
})
