import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { issuesRead } from "@tongs/core/contract/IssueAccess"
import * as Fixtures from "../main/Fixtures.ts"
import * as Forge from "../main/Forge.test-support.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { decodeRows } from "../storage/RowDecoder.ts"
import { type Caller, Callers } from "./Caller.ts"
import * as ReadableRepositories from "./ReadableRepositories.ts"
import { atLeast, Roles } from "./Roles.ts"

const users = ["olga", "mia", "cleo", "trix", "will", "tess", "theo", "nobody"]
const names = ["acme/open", "acme/closed", "olga/secret", "olga/shared", "bare/vault", "bare/attic"]

const content = {
  users: [...users.map((login) => ({ login })), { login: "root", site_admin: true }],
  organizations: [
    { login: "acme", members: [{ login: "olga", role: "owner" }, { login: "mia" }] },
    // Members of `bare` read only what their teams and the teams above those have.
    {
      login: "bare",
      base_permission: "none",
      members: [{ login: "olga", role: "owner" }, { login: "mia" }, { login: "tess" }, { login: "theo" }]
    }
  ],
  repositories: names.map((full_name) => ({ full_name, private: full_name !== "acme/open" })),
  collaborators: [
    { repository: "acme/closed", login: "cleo", permission: "read" },
    { repository: "acme/closed", login: "trix", permission: "triage" },
    { repository: "olga/shared", login: "will", permission: "write" },
    { repository: "acme/open", login: "will", permission: "maintain" }
  ],
  teams: [
    { organization: "bare", name: "top", repositories: [{ repository: "bare/vault", permission: "write" }] },
    { organization: "bare", name: "middle", parent: "top", members: [{ login: "theo" }] },
    {
      organization: "bare",
      name: "bottom",
      parent: "middle",
      members: [{ login: "tess" }],
      repositories: [
        { repository: "bare/attic", permission: "triage" },
        { repository: "bare/vault", permission: "read" }
      ]
    }
  ],
  installations: [
    { id: 70, app_slug: "robot", account: "acme", permissions: { issues: "write" } },
    { id: 71, app_slug: "gardener", account: "acme", permissions: { issues: "read" }, repositories: ["acme/closed"] }
  ],
  tokens: [
    ...[...users, "root"].flatMap((user) => [
      { token: user, user, scopes: ["repo"] },
      { token: `${user}-public`, user, scopes: ["public_repo"] },
      { token: `${user}-fine`, user, kind: "fine_grained", permissions: { issues: "read" } },
      {
        token: `${user}-one`,
        user,
        kind: "fine_grained",
        permissions: { issues: "write" },
        repositories: ["acme/closed"]
      },
      { token: `${user}-app`, user, kind: "app_user", installation: 70 }
    ]),
    { token: "robot", kind: "installation", installation: 70 },
    { token: "robot-one", kind: "installation", installation: 71 },
    { token: "contents", user: "olga", kind: "fine_grained", permissions: { contents: "read" } }
  ]
}

const ids = decodeRows(Schema.Struct({ id: Schema.Int }))

layer(Forge.layer((repos) => mkdirSync(repos)))("the repositories that a caller may read", (it) => {
  const setUp = Effect.gen(function* () {
    const { repos } = yield* Forge.TestForge
    const file = join(repos, "fixtures.json")
    writeFileSync(file, JSON.stringify(content))
    yield* Fixtures.load(file)
    const rows = yield* (yield* RepositoryRegistry).list
    return rows.filter(({ name, owner }) => names.includes(`${owner.login}/${name}`))
  })

  it.effect("are those on which the caller has a role", () =>
    Effect.gen(function* () {
      const rows = yield* setUp
      const sql = yield* SqlClient.SqlClient
      const callers = yield* Callers
      const roles = yield* Roles
      const compare = Effect.fnUntraced(function* (token: string, caller: Caller) {
        const visible = yield* roles.visible(caller, rows)
        const condition = ReadableRepositories.byCaller(sql, caller, issuesRead, "r")
        const found = yield* ids(sql`SELECT r.id FROM repositories r WHERE ${condition}`)
        const nameOf = new Map(rows.map(({ id, name }) => [id, name]))
        assert.sameMembers(
          found.map(({ id }) => nameOf.get(id)),
          visible.map(({ name }) => name),
          token
        )
        return found.length
      })
      const counts = new Set<number>()
      for (const { token } of content.tokens) {
        if (token !== "contents") counts.add(yield* compare(token, yield* callers.identify("test", `Bearer ${token}`)))
      }
      counts.add(yield* compare("anonymous", { kind: "anonymous" }))
      assert.sameMembers([...counts], [1, 2, 3, 6])
      // Nested teams give roles; a member without a team has none.
      for (const [token, readable] of [
        ["mia", 2],
        ["theo", 2],
        ["tess", 3]
      ] as const)
        assert.strictEqual(yield* compare(token, yield* callers.identify("test", `Bearer ${token}`)), readable, token)
    })
  )

  it.effect("need the permission to read issues if private", () =>
    Effect.gen(function* () {
      yield* setUp
      const sql = yield* SqlClient.SqlClient
      const caller = yield* (yield* Callers).identify("test", "Bearer contents")
      const condition = ReadableRepositories.byCaller(sql, caller, issuesRead, "r")
      assert.lengthOf(yield* ids(sql`SELECT r.id FROM repositories r WHERE ${condition}`), 1)
    })
  )

  it.effect("and write to, are the same for accounts as for their unlimited tokens", () =>
    Effect.gen(function* () {
      const rows = yield* setUp
      const sql = yield* SqlClient.SqlClient
      const callers = yield* Callers
      const roles = yield* Roles
      for (const login of [...users, "root"]) {
        const caller = yield* callers.identify("test", `Bearer ${login}`)
        for (const access of ["read", "write"] as const) {
          const found = yield* ids(sql`
            SELECT r.id FROM repositories r JOIN users u ON u.login = ${login}
            WHERE ${sql.literal(ReadableRepositories.byAccount(access, "u", "r"))}`)
          const expected = yield* Effect.filter(rows, (row) =>
            Effect.map(roles.onRepository(caller, row), (role) => atLeast(role, access))
          )
          assert.sameMembers(
            found.map(({ id }) => id),
            expected.map(({ id }) => id),
            `${login} ${access}`
          )
        }
      }
    })
  )
})
