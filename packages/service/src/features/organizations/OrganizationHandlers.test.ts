import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fixtures from "../../main/Fixtures.ts"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

layer(Forge.layer((repos) => void Forge.repository(repos, "hello")))("organizations", (it) => {
  it.effect("lists memberships and the visible repositories of organizations and users", () =>
    Effect.gen(function* () {
      const { get, repos } = yield* TestForge
      const file = join(repos, "fixtures.json")
      writeFileSync(
        file,
        JSON.stringify({
          users: [{ login: "mia" }, { login: "stranger" }],
          organizations: [{ login: "acme", name: "Acme", members: [{ login: "mia" }] }, { login: "other" }],
          tokens: [
            { token: "mia", user: "mia", scopes: ["repo", "read:org"] },
            { token: "stranger", user: "stranger", scopes: ["repo", "read:org"] }
          ],
          repositories: [
            { full_name: "acme/open" },
            { full_name: "acme/closed", private: true },
            { full_name: "mia/own" },
            { full_name: "mia/secret", private: true }
          ]
        })
      )
      yield* Fixtures.load(file)
      const names = (answer: Forge.Answer) => answer.json.map(({ name }: { readonly name: string }) => name)

      const mine = yield* get("/user/orgs", { token: "mia" })
      assert.deepStrictEqual(
        mine.json.map(({ login }: { readonly login: string }) => login),
        ["acme"]
      )
      assert.deepStrictEqual((yield* get("/user/orgs", { token: "stranger" })).json, [])
      const acme = yield* get("/orgs/ACME", { token: "stranger" })
      assert.deepInclude(acme.json, { login: "acme", name: "Acme", public_repos: 1, type: "Organization" })
      for (const path of ["/orgs/mia", "/orgs/absent", "/users/absent/repos"]) {
        assert.strictEqual((yield* get(path, { token: "mia" })).status, 404, path)
      }

      const sorted = "sort=full_name"
      assert.deepStrictEqual(names(yield* get(`/orgs/acme/repos?${sorted}`, { token: "mia" })), ["closed", "open"])
      assert.deepStrictEqual(names(yield* get("/orgs/acme/repos", { token: "stranger" })), ["open"])
      assert.deepStrictEqual(names(yield* get("/users/mia/repos", { token: "mia" })), ["own"])
      const page = yield* get(`/orgs/acme/repos?${sorted}&per_page=1`, { token: "mia" })
      assert.deepStrictEqual(names(page), ["closed"])
      assert.include(page.headers["link"], 'rel="next"')
    })
  )
})
