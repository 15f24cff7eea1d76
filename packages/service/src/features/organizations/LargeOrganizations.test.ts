import { mkdirSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const MEMBERS = 10_000
const TEAMS = 2000

/** Runs of which the fastest is printed with TONGS_TEST_FIGURES=1. Other processes use the same cores. */
const RUNS = 9

layer(Support.layer((repos) => mkdirSync(repos)))("an organization with 10,000 members and 2,000 teams", (it) => {
  const prepare = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { token, user } = yield* TestForge
    const organizationId = yield* user({ login: "acme", type: "Organization" })
    const first = 1_000_000
    const numbers = (count: number) => sql`(
      WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}) SELECT i FROM n) numbers`
    const time = "2026-01-01T00:00:00Z"
    yield* sql`
      INSERT INTO users (id, login, type, site_admin, created_at, updated_at)
      SELECT ${first} + i, 'member-' || i, 'User', 0, ${time}, ${time} FROM ${numbers(MEMBERS)}`
    yield* sql`
      INSERT INTO memberships (organization_id, user_id, role, public)
      SELECT ${organizationId}, ${first} + i, CASE WHEN i < 5 THEN 'owner' ELSE 'member' END, i % 2
      FROM ${numbers(MEMBERS)}`
    yield* sql`
      INSERT INTO teams (id, organization_id, parent_id, name, slug, privacy, notification_setting, created_at, updated_at)
      SELECT 1 + i, ${organizationId}, CASE WHEN i = 0 THEN NULL ELSE 1 END, 'Team ' || i, 'team-' || i, 'closed',
        'notifications_enabled', ${time}, ${time}
      FROM ${numbers(TEAMS)}`
    yield* sql`INSERT INTO team_ancestors (team_id, ancestor_id) SELECT id, id FROM teams`
    yield* sql`INSERT INTO team_ancestors (team_id, ancestor_id) SELECT id, 1 FROM teams WHERE id > 1`
    yield* sql`
      INSERT INTO team_members (team_id, user_id, role)
      SELECT 1 + i % ${TEAMS}, ${first} + i, 'member' FROM ${numbers(MEMBERS)}`
    return {
      member: yield* token({ userId: first + 9, kind: "classic", scopes: ["repo", "read:org"] }),
      owner: yield* token({ userId: first, kind: "classic", scopes: ["repo", "admin:org"] })
    }
  })

  it.effect("lists uncached pages in at most three statements", () =>
    Effect.gen(function* () {
      const { member, owner } = yield* prepare
      const { get } = yield* TestForge
      const times: Record<string, number> = {}
      for (const [path, token] of [
        ["/orgs/acme/members", member],
        ["/orgs/acme/members?role=admin", member],
        ["/orgs/acme/public_members", member],
        ["/orgs/acme/teams", member],
        ["/orgs/acme/teams", owner],
        ["/orgs/acme/teams/team-0/members", member],
        ["/orgs/acme/teams/team-0/members?role=member", member],
        ["/orgs/acme/teams/team-0/teams", member],
        ["/orgs/acme/outside_collaborators", owner],
        ["/orgs/acme/invitations", owner],
        ["/user/teams", member],
        ["/user/memberships/orgs", member]
      ] as const) {
        const page = (number: number) =>
          get(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${number}`, { token })
        yield* page(50)
        let fastest = Infinity
        for (let run = 1; run <= RUNS; run++) {
          const start = performance.now()
          assert.strictEqual((yield* page(run)).status, 200, path)
          fastest = Math.min(fastest, performance.now() - start)
        }
        times[`${path} ${token === owner ? "owner" : "member"}`] = Math.round(fastest * 10) / 10
        assert.isAtMost(yield* Support.statements(page(RUNS + 1)), 3, path)
      }
      if (process.env["TONGS_TEST_FIGURES"] !== undefined) process.stdout.write(`${JSON.stringify(times, null, 1)}\n`)
    })
  )
})
