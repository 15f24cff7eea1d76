import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

layer(Support.layer((repos) => void Support.repository(repos, "hello")))("a team", (it) => {
  it.effect("has no member who leaves the organization at the same time", () =>
    Effect.gen(function* () {
      const { ask, token, user } = yield* TestForge
      const organizations = yield* OrganizationRows
      const sql = yield* SqlClient.SqlClient
      const organizationId = yield* user({ login: "acme", type: "Organization" })
      const ownerId = yield* user({ login: "olga" })
      yield* organizations.setRole(organizationId, ownerId, "owner")
      const by = { token: yield* token({ userId: ownerId, kind: "classic", scopes: ["repo", "admin:org"] }) }
      yield* ask("POST", "/orgs/acme/teams", { ...by, body: { name: "core" } })
      // The removal begins later and later in the addition.
      for (let round = 0; round < 60; round++) {
        const login = `leaver-${round}`
        yield* organizations.setRole(organizationId, yield* user({ login }), "member")
        yield* Effect.all(
          [
            ask("PUT", `/orgs/acme/teams/core/memberships/${login}`, { ...by, body: {} }),
            Effect.andThen(
              Effect.repeat(Effect.yieldNow, { times: round }),
              ask("DELETE", `/orgs/acme/members/${login}`, by)
            )
          ],
          { concurrency: "unbounded" }
        )
      }
      const strangers = yield* sql`
        SELECT user_id FROM team_members WHERE user_id NOT IN (SELECT user_id FROM memberships)`
      assert.deepStrictEqual(strangers, [])
    })
  )
})
