import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import * as Support from "../../main/Forge.test-support.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => Support.repository(repos, "hello"))

/** An organization with the owner, the member ann, and a stranger. */
const prepare = Effect.fnUntraced(function* (org: string) {
  const { ask, get, token, user } = yield* TestForge
  const organizations = yield* OrganizationRows
  const sql = yield* SqlClient.SqlClient
  const organizationId = yield* user({ login: org, type: "Organization" })
  const person = Effect.fnUntraced(function* (name: string, role?: "owner" | "member") {
    const login = `${name}-${org}`
    const userId = yield* user({ login })
    if (role !== undefined) yield* organizations.setRole(organizationId, userId, role)
    const scopes = ["repo", "user", "admin:org", "admin:org_hook"]
    return { login, userId, token: yield* token({ userId, kind: "classic", scopes }) }
  })
  const owner = yield* person("owner", "owner")
  const ann = yield* person("ann", "member")
  const stranger = yield* person("stranger")
  const base = `/orgs/${org}`
  type Person = typeof owner
  const request = (method: string, path: string, one: Person, body?: object) =>
    ask(method, path, { token: one.token, ...(body === undefined ? {} : { body }) })
  const status = (method: string, path: string, one: Person, body?: object) =>
    Effect.map(request(method, path, one, body), (answer) => answer.status)
  const logins = (path: string, one: Person | undefined) =>
    Effect.map(get(path, { token: one?.token ?? null }), ({ json }) =>
      json.map((item: { login: string }) => item.login)
    )
  const accept = (one: Person) => request("PATCH", `/user/memberships/orgs/${org}`, one, { state: "active" })
  return { accept, ann, base, get, logins, organizationId, owner, person, request, sql, status, stranger }
})

layer(forge)("members of an organization", (it) => {
  it.effect("are seen by members, public ones by everyone", () =>
    Effect.gen(function* () {
      const { ann, base, get, logins, owner, status, stranger } = yield* prepare("acme")
      assert.deepStrictEqual(yield* logins(`${base}/members`, ann), [owner.login, ann.login])
      assert.deepStrictEqual(yield* logins(`${base}/members?role=admin`, ann), [owner.login])
      assert.deepStrictEqual(yield* logins(`${base}/members`, stranger), [])
      assert.strictEqual(yield* status("GET", `${base}/members/${ann.login}`, stranger), 404)
      assert.strictEqual(yield* status("GET", `${base}/members/${ann.login}`, owner), 204)
      assert.strictEqual(yield* status("GET", `${base}/members/${stranger.login}`, owner), 404)
      const shown = `${base}/public_members/${ann.login}`
      assert.strictEqual(yield* status("PUT", shown, owner), 403)
      assert.strictEqual(yield* status("PUT", shown, ann), 204)
      for (const path of ["members", "public_members"]) {
        assert.deepStrictEqual(yield* logins(`${base}/${path}`, undefined), [ann.login])
        assert.strictEqual((yield* get(`${base}/${path}/${ann.login}`, { token: null })).status, 204)
      }
      assert.deepStrictEqual(yield* logins(`/users/${ann.login}/orgs`, undefined), ["acme"])
      assert.strictEqual(yield* status("DELETE", shown, ann), 204)
      assert.deepStrictEqual(yield* logins(`/users/${ann.login}/orgs`, ann), [])
      assert.deepStrictEqual(yield* logins(`${base}/public_members`, ann), [])
      assert.strictEqual(yield* status("GET", `${base}/members?filter=2fa_disabled`, ann), 422)
      assert.strictEqual(yield* status("GET", `${base}/members?filter=2fa_disabled`, owner), 200)
    })
  )

  it.effect("are invited by owners, and join when they accept, with the teams of the invitation", () =>
    Effect.gen(function* () {
      const { accept, ann, base, get, logins, owner, request, sql, status, stranger } = yield* prepare("globex")
      const { json: team } = yield* request("POST", `${base}/teams`, owner, { name: "crew", privacy: "secret" })
      const body = { invitee_id: stranger.userId, team_ids: [team.id] }
      assert.strictEqual(yield* status("POST", `${base}/invitations`, ann, body), 403)
      const made = yield* request("POST", `${base}/invitations`, owner, body)
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(made.json, { login: stranger.login, role: "direct_member", team_count: 1 })
      assert.strictEqual(yield* status("GET", `${base}/invitations`, ann), 403)
      assert.deepStrictEqual(yield* logins(`${base}/invitations`, owner), [stranger.login])
      const teams = (yield* request("GET", `${base}/invitations/${made.json.id}/teams`, owner)).json
      assert.deepStrictEqual(
        teams.map((one: { slug: string }) => one.slug),
        ["crew"]
      )
      const membership = `${base}/memberships/${stranger.login}`
      assert.strictEqual((yield* request("GET", membership, owner)).json.state, "pending")
      assert.strictEqual(yield* status("GET", membership, ann), 404)
      assert.strictEqual(
        (yield* request("GET", `${base}/teams/crew/memberships/${stranger.login}`, owner)).json.state,
        "pending"
      )
      assert.strictEqual(yield* status("GET", `${base}/teams/crew`, stranger), 404)
      const own = (yield* get("/user/memberships/orgs?state=pending", { token: stranger.token })).json
      assert.deepStrictEqual([own[0].organization.login, own[0].role], ["globex", "member"])
      assert.strictEqual((yield* accept(stranger)).json.state, "active")
      assert.strictEqual((yield* accept(stranger)).json.state, "active")
      assert.strictEqual(yield* status("GET", `${base}/teams/crew`, stranger), 200)
      assert.deepStrictEqual(yield* logins(`${base}/invitations`, owner), [])
      assert.strictEqual(yield* status("POST", `${base}/invitations`, owner, body), 422)
      assert.strictEqual(yield* status("POST", `${base}/invitations`, owner, {}), 422)
      assert.strictEqual(yield* status("POST", `${base}/invitations`, owner, { invitee_id: 999_999 }), 404)
      // Expired and cancelled invitations cannot be accepted.
      yield* request("DELETE", membership, owner)
      const again = (yield* request("POST", `${base}/invitations`, owner, body)).json
      yield* sql`UPDATE organization_invitations SET created_at = '1969-12-24T00:00:00Z' WHERE id = ${again.id}`
      assert.strictEqual((yield* accept(stranger)).status, 404)
      yield* request("PUT", membership, owner, { role: "admin" })
      yield* request("DELETE", membership, owner)
      assert.strictEqual((yield* accept(stranger)).status, 404)
    })
  )

  it.effect("who are blocked cannot be invited", () =>
    Effect.gen(function* () {
      const { base, owner, request, status, stranger } = yield* prepare("initech")
      yield* request("PUT", `/user/blocks/${stranger.login}`, owner)
      assert.strictEqual(yield* status("POST", `${base}/invitations`, owner, { invitee_id: stranger.userId }), 422)
      assert.strictEqual(yield* status("PUT", `${base}/memberships/${stranger.login}`, owner, {}), 422)
      yield* request("POST", `${base}/teams`, owner, { name: "crew" })
      assert.strictEqual(yield* status("PUT", `${base}/teams/crew/memberships/${stranger.login}`, owner, {}), 422)
    })
  )

  it.effect("who leave lose teams, roles and assignments at once, and the last owner stays", () =>
    Effect.gen(function* () {
      const { ann, base, get, owner, request, sql, status, stranger } = yield* prepare("hooli")
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hook = (yield* request("POST", `${base}/hooks`, owner, { name: "web", config, events: ["organization"] }))
        .json
      const path = "/repos/hooli/closed"
      yield* request("POST", `${base}/repos`, owner, { name: "closed", private: true })
      yield* request("POST", `${base}/teams`, owner, { name: "crew", privacy: "closed" })
      yield* request("PUT", `${base}/teams/crew/repos/hooli/closed`, owner, { permission: "push" })
      yield* request("PUT", `${base}/teams/crew/memberships/${ann.login}`, owner, {})
      yield* request("PUT", `${path}/collaborators/${ann.login}`, owner, { permission: "admin" })
      const issue = { title: "assigned", assignees: [ann.login] }
      const { number } = (yield* request("POST", `${path}/issues`, owner, issue)).json
      yield* request("PUT", `${path}/collaborators/${stranger.login}`, ann, {})
      const etag = (yield* get(path, { token: ann.token })).headers["etag"] ?? ""
      assert.strictEqual(yield* status("DELETE", `${base}/members/${owner.login}`, ann), 403)
      assert.strictEqual(yield* status("DELETE", `${base}/memberships/${owner.login}`, ann), 403)
      assert.strictEqual(yield* status("DELETE", `${base}/memberships/${ann.login}`, ann), 204)
      const headers = { "if-none-match": etag }
      assert.strictEqual((yield* get(path, { token: ann.token, headers })).status, 404)
      assert.lengthOf((yield* request("GET", `${path}/issues/${number}`, owner)).json.assignees, 0)
      assert.strictEqual(yield* status("GET", `${base}/teams/crew/memberships/${ann.login}`, owner), 404)
      assert.lengthOf((yield* request("GET", `${path}/invitations`, owner)).json, 0)
      assert.strictEqual(yield* status("DELETE", `${base}/members/${ann.login}`, owner), 404)
      for (const [method, last] of [
        ["DELETE", "members"],
        ["DELETE", "memberships"],
        ["PUT", "memberships"],
        ["PUT", "outside_collaborators"]
      ] as const)
        assert.strictEqual(yield* status(method, `${base}/${last}/${owner.login}`, owner, {}), 403, last)
      const sent = yield* sql<{ readonly payload: string }>`
        SELECT payload FROM deliveries WHERE hook_id = ${hook.id} AND event = 'organization' ORDER BY id`
      assert.deepStrictEqual(
        sent.map(({ payload }) => {
          const { action, membership } = JSON.parse(payload)
          return [action, membership.user.login, membership.role]
        }),
        [["member_removed", ann.login, "member"]]
      )
    })
  )

  it.effect("become outside collaborators with the roles of their teams, until they are removed", () =>
    Effect.gen(function* () {
      const { ann, base, logins, owner, request, status, stranger } = yield* prepare("umbrella")
      for (const name of ["shared", "other"]) yield* request("POST", `${base}/repos`, owner, { name, private: true })
      yield* request("POST", `${base}/teams`, owner, { name: "crew" })
      yield* request("PUT", `${base}/teams/crew/repos/umbrella/shared`, owner, { permission: "maintain" })
      yield* request("PUT", `${base}/teams/crew/memberships/${ann.login}`, owner, {})
      const convert = `${base}/outside_collaborators/${ann.login}`
      assert.strictEqual(yield* status("DELETE", convert, owner), 422)
      assert.strictEqual(yield* status("PUT", convert, ann, {}), 403)
      assert.strictEqual(yield* status("PUT", convert, owner, {}), 204)
      assert.strictEqual(yield* status("PUT", convert, owner, {}), 403)
      assert.strictEqual((yield* request("GET", "/repos/umbrella/shared", ann)).json.permissions.maintain, true)
      assert.strictEqual(yield* status("GET", "/repos/umbrella/other", ann), 404)
      yield* request("PUT", `/repos/umbrella/shared/collaborators/${stranger.login}`, owner, {})
      assert.deepStrictEqual(yield* logins(`${base}/outside_collaborators`, owner), [ann.login])
      assert.strictEqual(yield* status("GET", `${base}/outside_collaborators`, ann), 403)
      for (const one of [ann, stranger])
        assert.strictEqual(yield* status("DELETE", `${base}/outside_collaborators/${one.login}`, owner), 204)
      assert.strictEqual(yield* status("GET", "/repos/umbrella/shared", ann), 404)
      assert.lengthOf((yield* request("GET", "/repos/umbrella/shared/invitations", owner)).json, 0)
    })
  )

  it.effect("have the base permission, and create repositories unless only owners may", () =>
    Effect.gen(function* () {
      const { ann, base, get, owner, request, status } = yield* prepare("stark")
      const path = "/repos/stark/closed"
      yield* request("POST", `${base}/repos`, owner, { name: "closed", private: true })
      const issue = { title: "assigned", assignees: [ann.login] }
      const { number } = (yield* request("POST", `${path}/issues`, owner, issue)).json
      assert.strictEqual(yield* status("GET", path, ann), 200)
      assert.strictEqual(yield* status("PATCH", base, ann, { name: "x" }), 403)
      const change = (body: object) => request("PATCH", base, owner, body)
      const changed = yield* change({
        name: "Stark",
        description: "Makes things",
        location: "Here",
        default_repository_permission: "none"
      })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.deepInclude(changed.json, {
        name: "Stark",
        description: "Makes things",
        location: "Here",
        default_repository_permission: "none",
        members_can_create_repositories: true
      })
      assert.isUndefined((yield* get(base, { token: ann.token })).json.default_repository_permission)
      assert.strictEqual(yield* status("GET", path, ann), 404)
      assert.lengthOf((yield* request("GET", `${path}/issues/${number}`, owner)).json.assignees, 0)
      yield* change({ default_repository_permission: "write", description: "" })
      assert.strictEqual((yield* request("GET", path, ann)).json.permissions.push, true)
      assert.isNull((yield* get(base, { token: null })).json.description)
      assert.strictEqual((yield* change({ description: "x".repeat(161) })).status, 422)
      yield* change({ members_can_create_repositories: false })
      assert.strictEqual(yield* status("POST", `${base}/repos`, ann, { name: "mine" }), 403)
      assert.strictEqual(yield* status("POST", `${base}/repos`, owner, { name: "mine" }), 201)
    })
  )

  it.effect("of a page need at most three statements, and all organizations are listed by id", () =>
    Effect.gen(function* () {
      const { ann, base, get, owner, person } = yield* prepare("wayne")
      yield* person("zoe", "member")
      const paths = ["members", "public_members", "invitations", "outside_collaborators"]
      for (const path of [
        ...paths.map((one) => `${base}/${one}`),
        "/user/memberships/orgs",
        `/users/${ann.login}/orgs`
      ]) {
        yield* get(`${path}?per_page=1`, { token: owner.token })
        const count = yield* Support.statements(get(`${path}?per_page=100`, { token: owner.token }))
        assert.isAtMost(count, 3, path)
      }
      const first = yield* get("/organizations?per_page=2", { token: null })
      assert.lengthOf(first.json, 2)
      const link = first.headers["link"] ?? ""
      assert.include(link, `since=${first.json[1].id}`)
      const rest = yield* get(`/organizations?since=${first.json[1].id}&per_page=1`, { token: null })
      assert.isAbove(rest.json[0].id, first.json[1].id)
    })
  )
})
