import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"

const { TestForge } = Support

const accounts = {
  users: [{ login: "olga" }, { login: "mia" }, { login: "troll" }],
  organizations: [{ login: "acme" }],
  tokens: [
    { token: "olga", user: "olga", scopes: ["user"] },
    { token: "narrow", user: "olga", scopes: ["repo"] },
    { token: "reader", user: "mia", kind: "fine_grained", permissions: { blocking: "read" } }
  ],
  blocks: [{ user: "mia", blocked: "troll" }]
}

const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

layer(forge)("blocked users", (it) => {
  const fill = Effect.gen(function* () {
    const { repos } = yield* TestForge
    const file = join(repos, "fixtures.json")
    writeFileSync(file, JSON.stringify(accounts))
    yield* Fixtures.load(file)
  })

  it.effect("are blocked, listed, checked and unblocked", () =>
    Effect.gen(function* () {
      yield* fill
      const { ask, get } = yield* TestForge
      const token = "olga"
      assert.strictEqual((yield* get("/user/blocks/mia", { token })).status, 404)
      const block = yield* ask("PUT", "/user/blocks/Mia", { token })
      assert.deepStrictEqual([block.status, block.text], [204, ""])
      assert.strictEqual((yield* ask("PUT", "/user/blocks/mia", { token })).status, 204)
      assert.strictEqual((yield* ask("PUT", "/user/blocks/troll", { token })).status, 204)
      assert.strictEqual((yield* get("/user/blocks/mia", { token })).status, 204)
      const list = yield* get("/user/blocks?per_page=1", { token })
      assert.deepStrictEqual([list.json.length, list.json[0].login], [1, "mia"])
      assert.include(list.headers["link"], 'rel="next"')
      assert.strictEqual((yield* ask("DELETE", "/user/blocks/mia", { token })).status, 204)
      assert.strictEqual((yield* ask("DELETE", "/user/blocks/mia", { token })).status, 204)
      assert.strictEqual((yield* get("/user/blocks/mia", { token })).status, 404)
      const mias = yield* get("/user/blocks", { token: "reader" })
      assert.strictEqual(mias.json[0].login, "troll")
    })
  )

  it.effect("cannot be the caller, an organization or a missing account", () =>
    Effect.gen(function* () {
      yield* fill
      const { ask, get } = yield* TestForge
      const block = (login: string, token: string | null = "olga") => ask("PUT", `/user/blocks/${login}`, { token })
      for (const login of ["olga", "acme"]) {
        const refused = yield* block(login)
        assert.strictEqual(refused.status, 422)
        assert.strictEqual(refused.json.errors[0].field, "username")
      }
      assert.strictEqual((yield* block("nobody")).status, 404)
      assert.strictEqual((yield* ask("DELETE", "/user/blocks/nobody", { token: "olga" })).status, 404)
      assert.strictEqual((yield* block("troll", "narrow")).status, 403)
      assert.strictEqual((yield* block("troll", "reader")).status, 403)
      assert.strictEqual((yield* block("troll", null)).status, 401)
      assert.strictEqual((yield* get("/user/blocks", { token: "narrow" })).status, 403)
    })
  )
})
