import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"

const { TestForge } = Support

const rows = {
  users: [{ login: "ann" }, { login: "eve" }, { login: "zoe" }],
  organizations: [{ login: "acme", members: [{ login: "ann", role: "owner" }] }],
  repositories: [
    { full_name: "ann/secret", private: true },
    { full_name: "ann/other", private: true },
    { full_name: "eve/own", private: true },
    { full_name: "acme/site", private: true }
  ],
  collaborators: [
    { repository: "ann/secret", login: "eve", permission: "admin" },
    { repository: "acme/site", login: "zoe", permission: "write" },
    { repository: "eve/own", login: "ann", permission: "write" }
  ],
  tokens: ["ann", "eve", "zoe"].map((login) => ({ token: login, user: login, scopes: ["repo", "user", "admin:org"] }))
}

const setUp = Effect.gen(function* () {
  yield* Fixtures.add(rows, (yield* TestForge).repos)
})

const forge = Layer.provideMerge(
  Layer.effectDiscard(Effect.orDie(setUp)),
  Support.layer((repos) => void Support.repository(repos, "hello"))
)

const invitationsOf = (token: string) =>
  Effect.flatMap(TestForge, ({ get }) =>
    Effect.map(get("/user/repository_invitations", { token }), ({ json }) =>
      json.map((one: { repository: { full_name: string } }) => one.repository.full_name)
    )
  )

layer(forge)("a user who blocks another", (it) => {
  it.effect("and the blocked one no longer collaborate, and cannot invite each other", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const statusOf = (path: string, token: string) => Effect.map(get(path, { token }), ({ status }) => status)
      const invite = (repository: string, login: string, token: string) =>
        Effect.map(ask("PUT", `/repos/${repository}/collaborators/${login}`, { token }), ({ status }) => status)
      assert.strictEqual(yield* invite("ann/other", "eve", "ann"), 201)
      assert.strictEqual(yield* statusOf("/repos/ann/secret", "eve"), 200)
      assert.strictEqual((yield* ask("PUT", "/user/blocks/eve", { token: "ann" })).status, 204)
      assert.strictEqual(yield* statusOf("/repos/ann/secret", "eve"), 404)
      assert.strictEqual(yield* statusOf("/repos/eve/own", "ann"), 404)
      assert.deepStrictEqual(yield* invitationsOf("eve"), [])
      assert.strictEqual(yield* invite("ann/other", "eve", "ann"), 422)
      assert.strictEqual(yield* invite("eve/own", "ann", "eve"), 422)
      assert.strictEqual((yield* ask("DELETE", "/user/blocks/eve", { token: "ann" })).status, 204)
      assert.strictEqual(yield* invite("ann/other", "eve", "ann"), 201)
    })
  )
})

layer(forge)("an organization that blocks a user", (it) => {
  it.effect("cancels the invitations, and ends the collaborations", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const invited = yield* ask("PUT", "/orgs/acme/memberships/eve", { token: "ann", body: { role: "admin" } })
      assert.strictEqual(invited.json.state, "pending")
      for (const login of ["eve", "zoe"])
        assert.strictEqual((yield* ask("PUT", `/orgs/acme/blocks/${login}`, { token: "ann" })).status, 204)
      const accepted = yield* ask("PATCH", "/user/memberships/orgs/acme", { token: "eve", body: { state: "active" } })
      assert.strictEqual(accepted.status, 404)
      assert.strictEqual((yield* get("/repos/acme/site", { token: "zoe" })).status, 404)
      assert.strictEqual((yield* ask("PUT", "/repos/acme/site/collaborators/zoe", { token: "ann" })).status, 422)
    })
  )

  it.effect("keeps the invitations of others", () =>
    Effect.gen(function* () {
      const { ask } = yield* TestForge
      yield* ask("PUT", "/orgs/acme/memberships/keeper", { token: "ann", body: {} })
      yield* ask("PUT", "/orgs/acme/blocks/zoe", { token: "ann" })
      const accepted = yield* ask("PATCH", "/user/memberships/orgs/acme", { body: { state: "active" } })
      assert.strictEqual(accepted.status, 200)
    })
  )
})
