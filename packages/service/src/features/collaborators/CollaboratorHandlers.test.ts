import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => {
  for (const name of ["hello", "closed", "busy"]) Support.repository(repos, name)
})

const prepare = Effect.gen(function* () {
  const { ask, base, get, owner, token, user } = yield* TestForge
  const person = Effect.fnUntraced(function* (login: string) {
    const userId = yield* user({ login })
    return { login, token: yield* token({ userId, kind: "classic", scopes: ["repo"] }) }
  })
  const invite = (repository: string, login: string, permission?: string) =>
    ask("PUT", `${base}/${repository}/collaborators/${login}`, { body: permission === undefined ? {} : { permission } })
  const inbox = (token: string) => Effect.map(get("/user/repository_invitations", { token }), ({ json }) => json)
  const join = Effect.fnUntraced(function* (repository: string, login: string, permission?: string) {
    const one = yield* person(login)
    const { json } = yield* invite(repository, login, permission)
    yield* ask("PATCH", `/user/repository_invitations/${json.id}`, { token: one.token })
    return one
  })
  return { ask, base, get, inbox, invite, join, owner, person }
})

layer(forge)("collaborators", (it) => {
  it.effect("get access when they accept, and lose it at once when they are removed", () =>
    Effect.gen(function* () {
      const { ask, base, get, inbox, invite, person } = yield* prepare
      const { login, token } = yield* person("ann")
      yield* ask("PATCH", `${base}/closed`, { body: { private: true } })
      const path = `${base}/closed`
      const sees = Effect.map(get(path, { token }), ({ status }) => status)
      const made = yield* invite("closed", login, "triage")
      assert.strictEqual(made.status, 201, JSON.stringify(made.json))
      assert.deepInclude(made.json, { permissions: "triage", expired: false })
      assert.strictEqual(made.json.invitee.login, login)
      assert.strictEqual(yield* sees, 404)
      const [invitation] = yield* inbox(token)
      assert.deepInclude(invitation, { id: made.json.id, url: made.json.url })
      const own = `/user/repository_invitations/${invitation.id}`
      assert.strictEqual((yield* ask("PATCH", own)).status, 404)
      assert.strictEqual((yield* ask("PATCH", own, { token })).status, 204)
      assert.strictEqual((yield* ask("PATCH", own, { token })).status, 404)
      assert.strictEqual(yield* sees, 200)
      const role = (yield* get(`${path}/collaborators/${login}/permission`)).json
      assert.deepStrictEqual([role.permission, role.role_name, role.user.permissions.triage], ["read", "triage", true])
      assert.strictEqual((yield* invite("closed", login, "maintain")).status, 204)
      assert.strictEqual((yield* get(`${path}/collaborators/${login}/permission`)).json.role_name, "maintain")
      const listed = (yield* get(`${path}/collaborators`)).json
      assert.deepStrictEqual(
        listed.map((one: { login: string; role_name: string }) => [one.login, one.role_name]),
        [
          ["keeper", "admin"],
          ["ann", "maintain"]
        ]
      )
      assert.lengthOf((yield* get(`${path}/collaborators?permission=admin`)).json, 1)
      const etag = (yield* get(path, { token })).headers["etag"] ?? ""
      assert.strictEqual((yield* ask("DELETE", `${path}/collaborators/${login}`)).status, 204)
      assert.strictEqual((yield* get(path, { token, headers: { "if-none-match": etag } })).status, 404)
      assert.strictEqual((yield* get(`${path}/collaborators/${login}`)).status, 404)
    })
  )

  it.effect("are invited, changed and removed only by administrators, but leave by themselves", () =>
    Effect.gen(function* () {
      const { ask, base, get, invite, join, person } = yield* prepare
      const writer = yield* join("hello", "will")
      const reader = yield* person("rita")
      const other = yield* join("hello", "otto", "admin")
      const path = `${base}/hello/collaborators`
      for (const { token } of [writer, reader]) {
        assert.strictEqual((yield* ask("PUT", `${path}/rita`, { token, body: {} })).status, 403)
        assert.strictEqual((yield* ask("DELETE", `${path}/otto`, { token })).status, 403)
        assert.strictEqual((yield* get(`${base}/hello/invitations`, { token })).status, 403)
      }
      assert.strictEqual((yield* get(path, { token: writer.token })).status, 200)
      assert.strictEqual((yield* get(path, { token: reader.token })).status, 403)
      assert.strictEqual((yield* get(`${path}/rita/permission`, { token: reader.token })).json.permission, "read")
      assert.strictEqual((yield* ask("PUT", `${path}/rita`, { token: other.token, body: {} })).status, 201)
      assert.strictEqual((yield* invite("hello", "keeper")).status, 422)
      assert.strictEqual((yield* invite("hello", "nobody-here")).status, 404)
      assert.strictEqual((yield* ask("DELETE", `${path}/otto`, { token: other.token })).status, 204)
      // The invitations that otto made are cancelled.
      assert.lengthOf((yield* get(`${base}/hello/invitations`)).json, 0)
      assert.strictEqual((yield* ask("DELETE", `${path}/keeper`)).status, 422)
    })
  )

  it.effect("are told apart from invitations that were changed, cancelled, declined or have expired", () =>
    Effect.gen(function* () {
      const { ask, base, get, inbox, invite, person } = yield* prepare
      const { login, token } = yield* person("ida")
      const first = (yield* invite("hello", login)).json
      const again = (yield* invite("hello", login, "pull")).json
      assert.deepStrictEqual([again.id, again.permissions], [first.id, "read"])
      const path = `${base}/hello/invitations/${first.id}`
      const changed = yield* ask("PATCH", path, { body: { permissions: "admin" } })
      assert.strictEqual(changed.json.permissions, "admin")
      assert.strictEqual((yield* ask("PATCH", `${base}/busy/invitations/${first.id}`, { body: {} })).status, 404)
      assert.strictEqual((yield* ask("DELETE", path)).status, 204)
      assert.lengthOf(yield* inbox(token), 0)
      const declined = (yield* invite("hello", login)).json
      assert.strictEqual((yield* ask("DELETE", `/user/repository_invitations/${declined.id}`, { token })).status, 204)
      const old = (yield* invite("hello", login)).json
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE repository_invitations SET created_at = '1969-12-24T00:00:00Z' WHERE id = ${old.id}`
      assert.lengthOf(yield* inbox(token), 0)
      assert.strictEqual((yield* ask("PATCH", `/user/repository_invitations/${old.id}`, { token })).status, 409)
      assert.deepInclude((yield* get(`${base}/hello/invitations`)).json[0], { id: old.id, expired: true })
    })
  )

  it.effect("lose their assignments, with events and webhooks", () =>
    Effect.gen(function* () {
      const { ask, base, get, join } = yield* prepare
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = (yield* ask("POST", `${base}/busy/hooks`, { body: { config, events: ["member"] } })).json
      const { login } = yield* join("busy", "max")
      const body = { title: "assigned", assignees: [login, "keeper"] }
      const { number } = (yield* ask("POST", `${base}/busy/issues`, { body })).json
      yield* ask("PUT", `${base}/busy/collaborators/${login}`, { body: { permission: "admin" } })
      yield* ask("DELETE", `${base}/busy/collaborators/${login}`)
      const { assignees } = (yield* get(`${base}/busy/issues/${number}`)).json
      assert.deepStrictEqual(
        assignees.map((one: { login: string }) => one.login),
        ["keeper"]
      )
      const events = (yield* get(`${base}/busy/issues/${number}/events`)).json
      assert.deepInclude(events.at(-1).assignee, { login })
      assert.strictEqual(events.at(-1).event, "unassigned")
      const sql = yield* SqlClient.SqlClient
      const sent = yield* sql<{ readonly payload: string }>`
        SELECT payload FROM deliveries WHERE hook_id = ${hook.id} AND event = 'member' ORDER BY id`
      assert.deepStrictEqual(
        sent.map(({ payload }) => {
          const { action, changes, member } = JSON.parse(payload)
          return [action, member.login, changes?.permission]
        }),
        [
          ["added", login, { to: "write" }],
          ["edited", login, { from: "write", to: "admin" }],
          ["removed", login, undefined]
        ]
      )
      assert.strictEqual((yield* get(`${base}/busy/events`)).json.at(-1).type, "MemberEvent")
    })
  )

  it.effect("of a page need two statements", () =>
    Effect.gen(function* () {
      const { base, get } = yield* prepare
      yield* get(`${base}/busy/collaborators?per_page=1`)
      assert.strictEqual(yield* Support.statements(get(`${base}/busy/collaborators?per_page=100`)), 2)
    })
  )
})
