/** The endpoints that an app calls with a JWT, by GitHub's description. The contract lacks these endpoints. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Forge from "@tongs/service/main/Forge.test-support"
import * as AppWithKey from "./AppWithKey.test-support.ts"
import { componentProblems } from "./GitHubOpenApi.test-support.ts"

const { TestForge } = Forge

const rows = {
  users: [{ login: "olga" }],
  organizations: [{ login: "acme", members: [{ login: "olga", role: "owner" }] }],
  repositories: ["acme/open", "acme/hidden", "olga/own"].map((full_name) => ({ full_name, private: true })),
  installations: [
    {
      id: 70,
      account: "acme",
      app_slug: "robot",
      permissions: { contents: "write", metadata: "read" },
      events: ["push"],
      repositories: ["acme/open"]
    },
    {
      id: 71,
      account: "olga",
      app_slug: "robot",
      permissions: { contents: "read", issues: "read" },
      events: ["push", "create"]
    },
    { id: 72, account: "acme", app_slug: "other" }
  ]
}

const forge = Forge.layer((repos) => void Forge.repository(repos, "hello"), { dialect: "github" })

layer(forge, { excludeTestServices: true })("an app with its JWT", (it) => {
  it.effect("reads itself, with the permissions and events of its installations or its own", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const token = yield* AppWithKey.load(rows)
      const { json, status } = yield* get("/app", { token })
      assert.strictEqual(status, 200)
      assert.isEmpty(componentProblems("integration", json))
      assert.deepInclude(json, {
        slug: "robot",
        permissions: { contents: "write", metadata: "read", issues: "read" },
        events: ["push", "create"],
        installations_count: 2
      })
      assert.strictEqual(json.owner.login, "keeper")
      assert.match(json.created_at, /^20..-..-..T..:..:..Z$/)
      yield* AppWithKey.load({}, { owner: "acme", permissions: { checks: "write" }, events: ["check_run"] })
      const own = (yield* get("/app", { token })).json
      assert.deepInclude(own, { permissions: { checks: "write" }, events: ["check_run"], created_at: json.created_at })
      assert.strictEqual(own.owner.login, "acme")
    })
  )

  it.effect("lists its installations in pages, and reads each", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const token = yield* AppWithKey.load(rows)
      const first = yield* get("/app/installations?per_page=1", { token })
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual(
        first.json.map(({ id }: { readonly id: number }) => id),
        [70]
      )
      assert.include(first.headers["link"], 'app/installations?per_page=1&page=2>; rel="next"')
      const all = yield* get("/app/installations", { token })
      for (const one of all.json) {
        assert.isEmpty(componentProblems("installation", one))
        assert.deepStrictEqual((yield* get(`/app/installations/${one.id}`, { token })).json, one)
      }
      assert.lengthOf(all.json, 2)
      assert.property(all.json[0].account, "gravatar_id")
      const headers = { "if-none-match": all.headers["etag"] ?? "" }
      assert.strictEqual((yield* get("/app/installations", { token, headers })).status, 304)
      assert.isEmpty((yield* get("/app/installations?since=2100-01-01T00:00:00Z", { token })).json)
      assert.strictEqual((yield* get("/app/installations?since=yesterday", { token })).status, 422)
      assert.strictEqual((yield* get("/app/installations/72", { token })).status, 404)
      assert.strictEqual((yield* get("/app/installations/7000", { token })).status, 404)
    })
  )

  it.effect("finds its installation on a repository, an organization and a user", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const token = yield* AppWithKey.load(rows)
      for (const [path, id] of [
        ["/repos/acme/open/installation", 70],
        ["/repos/olga/own/installation", 71],
        ["/orgs/ACME/installation", 70],
        ["/users/olga/installation", 71],
        ["/users/acme/installation", 70]
      ] as const) {
        const { json, status } = yield* get(path, { token })
        assert.deepStrictEqual([status, json.id], [200, id], path)
        assert.isEmpty(componentProblems("installation", json))
      }
      for (const path of [
        "/repos/acme/hidden/installation",
        "/repos/acme/nothing/installation",
        `${base}/hello/installation`,
        "/orgs/olga/installation",
        "/orgs/nothing/installation",
        "/users/keeper/installation"
      ]) {
        assert.strictEqual((yield* get(path, { token })).status, 404, path)
      }
      for (const caller of [{}, { token: null }]) {
        const { json, status } = yield* get("/repos/acme/open/installation", caller)
        assert.strictEqual(status, 401)
        assert.include(json.message, "A JSON web token could not be decoded")
      }
      // Names in other paths with the same end.
      assert.strictEqual((yield* get(`${base}/hello/contents/installation`)).json.message, "Not Found")
      const created = { ref: "refs/heads/installation", sha: (yield* get(`${base}/hello/commits/main`)).json.sha }
      yield* ask("POST", `${base}/hello/git/refs`, { body: created })
      assert.strictEqual((yield* get(`${base}/hello/git/ref/heads/installation`)).status, 200)
      assert.strictEqual((yield* ask("PATCH", "/repos/acme/open", { body: { name: "opened" } })).status, 200)
      const moved = yield* get("/repos/acme/open/installation", { token })
      assert.deepStrictEqual(
        [moved.status, moved.headers["location"]],
        [301, "http://forge.localhost/repos/acme/opened/installation"]
      )
    })
  )
})
