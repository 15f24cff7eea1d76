import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import * as Support from "../../main/Forge.test-support.ts"
import { slugOf } from "./TeamSlug.ts"

const { TestForge } = Support

const forge = Support.layer((repos) => Support.repository(repos, "hello"))

/** An organization with an owner, the members ann and bea, and a stranger. */
const prepare = Effect.fnUntraced(function* (org: string) {
  const { ask, get, token, user } = yield* TestForge
  const organizations = yield* OrganizationRows
  const sql = yield* SqlClient.SqlClient
  const organizationId = yield* user({ login: org, type: "Organization" })
  const person = Effect.fnUntraced(function* (name: string, role?: "owner" | "member") {
    const login = `${name}-${org}`
    const userId = yield* user({ login })
    if (role !== undefined) yield* organizations.setRole(organizationId, userId, role)
    return { login, userId, token: yield* token({ userId, kind: "classic", scopes: ["repo", "admin:org"] }) }
  })
  const owner = yield* person("owner", "owner")
  const ann = yield* person("ann", "member")
  const bea = yield* person("bea", "member")
  const stranger = yield* person("stranger")
  const base = `/orgs/${org}/teams`
  const as = (one: { readonly token: string }) => ({ token: one.token })
  const create = (name: string, more: object = {}, one = owner) =>
    ask("POST", base, { ...as(one), body: { name, privacy: "closed", ...more } })
  const repository = (name: string, more: object = {}) =>
    ask("POST", `/orgs/${org}/repos`, { ...as(owner), body: { name, private: true, ...more } })
  const names = (path: string, one = owner) =>
    Effect.map(get(path, as(one)), ({ json }) =>
      json.map((item: { slug?: string; login?: string; name: string }) => item.slug ?? item.login ?? item.name)
    )
  const join = (slug: string, one: { readonly login: string }, role = "member", by = owner) =>
    ask("PUT", `${base}/${slug}/memberships/${one.login}`, { ...as(by), body: { role } })
  return { ann, as, ask, base, bea, create, get, join, names, organizationId, owner, repository, sql, stranger }
})

layer(forge)("teams", (it) => {
  it.effect("have slugs from their names, which are unique in the organization", () =>
    Effect.gen(function* () {
      const { as, ask, base, create, owner } = yield* prepare("acme")
      const made = yield* create("My TEam Näme", { description: "Ours" })
      assert.strictEqual(made.status, 201, made.text)
      assert.deepInclude(made.json, { slug: "my-team-name", privacy: "closed", members_count: 1, repos_count: 0 })
      const again = yield* create("my team: name!")
      assert.strictEqual(again.status, 422)
      assert.strictEqual(again.json.errors[0].message, "Name must be unique for this org")
      assert.strictEqual((yield* create("??")).status, 422)
      assert.strictEqual((yield* create("x".repeat(101))).status, 422)
      yield* create("Other")
      const rename = (name: string) => ask("PATCH", `${base}/other`, { ...as(owner), body: { name } })
      assert.strictEqual((yield* rename("My Team Name")).status, 422)
      assert.strictEqual((yield* rename("OTHER")).json.slug, "other")
      const renamed = yield* rename("Another")
      assert.deepStrictEqual([renamed.status, renamed.json.slug], [200, "another"])
      assert.strictEqual((yield* rename("x")).status, 404)
      assert.deepStrictEqual(["  A -- b_c ", "日本", "Zoë & co."].map(slugOf), ["a-b_c", "", "zoe-co"])
    })
  )

  it.effect("are seen by members of the organization, secret ones by their members and owners", () =>
    Effect.gen(function* () {
      const { ann, as, base, bea, create, get, join, names, owner, stranger } = yield* prepare("globex")
      yield* create("open")
      yield* create("hidden", { privacy: "secret" })
      yield* join("hidden", ann)
      assert.deepStrictEqual(yield* names(base), ["hidden", "open"])
      assert.deepStrictEqual(yield* names(base, ann), ["hidden", "open"])
      assert.deepStrictEqual(yield* names(base, bea), ["open"])
      assert.strictEqual((yield* get(base, as(stranger))).status, 403)
      for (const path of ["", "/members", "/teams", "/repos", `/memberships/${ann.login}`]) {
        const statuses = yield* Effect.forEach([owner, ann, bea, stranger], (one) =>
          Effect.map(get(`${base}/hidden${path}`, as(one)), ({ status }) => status)
        )
        assert.deepStrictEqual(statuses, [200, 200, 404, 404], path)
        assert.strictEqual((yield* get(`${base}/open${path.replace(ann.login, owner.login)}`, as(bea))).status, 200)
        assert.strictEqual((yield* get(`${base}/open${path}`, as(stranger))).status, 404)
      }
      assert.strictEqual((yield* get(`${base}/open`, { token: null })).status, 401)
    })
  )

  it.effect("have the older paths with their ids, for those who see them", () =>
    Effect.gen(function* () {
      const { ann, as, ask, bea, create, get, owner, repository, stranger } = yield* prepare("byid")
      const { id, organization } = (yield* create("Crew", { privacy: "secret" })).json
      const path = `/teams/${id}`
      const longPath = `/organizations/${organization.id}/team/${id}`
      const found = yield* get(path, as(owner))
      assert.deepStrictEqual(found.json, (yield* get("/orgs/byid/teams/crew", as(owner))).json)
      assert.deepStrictEqual((yield* get(longPath, as(owner))).json, found.json)
      assert.strictEqual((yield* get(`/organizations/${organization.id + 1}/team/${id}`, as(owner))).status, 404)
      const membership = { ...as(owner), body: { role: "member" } }
      assert.strictEqual((yield* ask("PUT", `${path}/memberships/${ann.login}`, membership)).status, 200)
      assert.lengthOf((yield* get(`${path}/members`, as(ann))).json, 2)
      yield* repository("boats")
      const change = { ...as(owner), body: { permission: "push" } }
      assert.strictEqual((yield* ask("PUT", `${path}/repos/byid/boats`, change)).status, 204)
      assert.strictEqual((yield* ask("PUT", `${path}/repos/byid/boats`, { ...change, ...as(ann) })).status, 403)
      assert.deepInclude((yield* get(`${path}/repos`, as(ann))).json[0], { full_name: "byid/boats" })
      assert.strictEqual((yield* get(`${path}/repos/byid/boats`, as(ann))).status, 204)
      assert.deepStrictEqual((yield* get(`${path}/teams`, as(ann))).json, [])
      for (const caller of [bea, stranger]) {
        for (const one of [
          path,
          longPath,
          `${path}/members`,
          `${path}/repos/byid/boats`,
          "/teams/999999",
          "/teams/0/repos"
        ])
          assert.strictEqual((yield* get(one, as(caller))).status, 404, one)
        assert.strictEqual((yield* ask("DELETE", path, as(caller))).status, 404)
      }
      assert.strictEqual((yield* ask("DELETE", path, as(ann))).status, 403)
      assert.match((yield* get(`${path}/members/ann`, as(ann))).json.message, /^This forge does not implement/)
      assert.strictEqual((yield* ask("DELETE", `${path}/repos/byid/boats`, as(owner))).status, 204)
      assert.strictEqual((yield* ask("DELETE", path, as(owner))).status, 204)
      assert.strictEqual((yield* get(path, as(owner))).status, 404)
    })
  )

  it.effect("are nested without cycles, and secret ones are not nested", () =>
    Effect.gen(function* () {
      const { ann, as, ask, base, create, names, owner } = yield* prepare("initech")
      const a = (yield* create("a")).json
      const b = (yield* create("b", { parent_team_id: a.id })).json
      const c = (yield* create("c", { parent_team_slug: "b" })).json
      assert.deepStrictEqual([b.parent.slug, c.parent.id], ["a", b.id])
      const change = (slug: string, body: object, one = owner) => ask("PATCH", `${base}/${slug}`, { ...as(one), body })
      assert.strictEqual((yield* change("a", { parent_team_id: c.id })).status, 422)
      assert.strictEqual((yield* change("a", { parent_team_id: a.id })).status, 422)
      assert.strictEqual((yield* change("a", { privacy: "secret" })).status, 422)
      assert.strictEqual((yield* change("b", { privacy: "secret" })).status, 422)
      assert.strictEqual((yield* create("d", { privacy: "secret", parent_team_id: a.id })).status, 422)
      const secret = (yield* create("secret", { privacy: "secret" })).json
      assert.strictEqual((yield* change("c", { parent_team_id: secret.id })).status, 422)
      assert.strictEqual((yield* change("c", { parent_team_id: 999_999 })).status, 422)
      assert.deepStrictEqual(yield* names(`${base}/a/teams`), ["b"])
      assert.isNull((yield* change("c", { parent_team_id: null })).json.parent)
      // Maintainers nest a team only in a team that they maintain, because its roles follow.
      yield* create("mine", {}, ann)
      assert.strictEqual((yield* change("mine", { parent_team_id: a.id }, ann)).status, 403)
      assert.strictEqual((yield* create("d", { parent_team_id: a.id }, ann)).status, 403)
      assert.strictEqual((yield* change("mine", { parent_team_id: a.id })).status, 200)
      assert.strictEqual((yield* ask("DELETE", `${base}/a`, as(owner))).status, 204)
      assert.deepStrictEqual(yield* names(base), ["c", "secret"])
    })
  )

  it.effect("are at most 20 levels deep", () =>
    Effect.gen(function* () {
      const { as, ask, base, create, owner } = yield* prepare("deep")
      let parent_team_id: number | null = null
      for (let level = 1; level <= 20; level++) {
        const made: Support.Answer = yield* create(`level ${level}`, { parent_team_id })
        assert.strictEqual(made.status, 201)
        parent_team_id = made.json.id
      }
      assert.strictEqual((yield* create("too deep", { parent_team_id })).status, 422)
      yield* create("top")
      const below = { ...as(owner), body: { parent_team_slug: "top" } }
      assert.strictEqual((yield* ask("PATCH", `${base}/level-1`, below)).status, 422)
      assert.strictEqual((yield* ask("PATCH", `${base}/level-2`, below)).status, 200)
    })
  )

  it.effect("are changed by their maintainers, and left by their members", () =>
    Effect.gen(function* () {
      const { ann, as, ask, base, bea, create, get, join, names, owner, stranger } = yield* prepare("umbrella")
      yield* create("crew", {}, ann)
      assert.deepInclude((yield* get(`${base}/crew/memberships/${ann.login}`, as(ann))).json, {
        role: "maintainer",
        state: "active"
      })
      const change = (one: typeof ann) => ask("PATCH", `${base}/crew`, { ...as(one), body: { description: "x" } })
      assert.strictEqual((yield* change(bea)).status, 403)
      assert.strictEqual((yield* change(stranger)).status, 403)
      assert.strictEqual((yield* join("crew", bea, "member", bea)).status, 403)
      assert.strictEqual((yield* join("crew", bea, "member", ann)).status, 200)
      assert.strictEqual((yield* change(bea)).status, 403)
      assert.strictEqual((yield* join("crew", owner)).json.role, "maintainer")
      assert.deepStrictEqual(yield* names(`${base}/crew/members?role=maintainer`), [owner.login, ann.login])
      assert.deepStrictEqual(yield* names(`${base}/crew/members?role=member`), [bea.login])
      const leave = (one: typeof ann, by: typeof ann) =>
        Effect.map(ask("DELETE", `${base}/crew/memberships/${one.login}`, as(by)), ({ status }) => status)
      assert.strictEqual(yield* leave(ann, bea), 403)
      assert.strictEqual(yield* leave(bea, bea), 204)
      assert.strictEqual(yield* leave(bea, ann), 404)
      assert.strictEqual((yield* get(`${base}/crew/memberships/${bea.login}`, as(ann))).status, 404)
      assert.deepStrictEqual(yield* names("/user/teams", ann), ["crew"])
      assert.strictEqual((yield* ask("DELETE", `${base}/crew`, as(bea))).status, 403)
      yield* create("part", { parent_team_slug: "crew" }, ann)
      assert.strictEqual((yield* ask("DELETE", `${base}/crew`, as(ann))).status, 403)
      yield* ask("DELETE", `${base}/part`, as(ann))
      assert.strictEqual((yield* ask("DELETE", `${base}/crew`, as(ann))).status, 204)
    })
  )

  it.effect("give the members of child teams access to repositories, until they lose it", () =>
    Effect.gen(function* () {
      const { ann, as, ask, base, bea, create, get, join, names, organizationId, owner, repository, sql, stranger } =
        yield* prepare("hooli")
      yield* sql`INSERT INTO organizations (user_id, base_permission) VALUES (${organizationId}, 'none')`
      const made = yield* repository("closed")
      assert.strictEqual(made.status, 201, made.text)
      const path = "/repos/hooli/closed"
      yield* create("top")
      yield* create("sub", { parent_team_slug: "top" })
      yield* join("sub", ann)
      const sees = (one: typeof ann) => Effect.map(get(path, as(one)), ({ status }) => status)
      assert.strictEqual(yield* sees(ann), 404)
      const share = (permission: string, one = owner) =>
        ask("PUT", `${base}/top/repos/hooli/closed`, { ...as(one), body: { permission } })
      assert.strictEqual((yield* share("push", ann)).status, 404)
      assert.strictEqual((yield* share("fly")).status, 422)
      assert.strictEqual((yield* share("push")).status, 204)
      assert.strictEqual(yield* sees(ann), 200)
      assert.strictEqual(yield* sees(bea), 404)
      assert.strictEqual((yield* share("admin", ann)).status, 403)
      assert.deepStrictEqual(yield* names(`${base}/sub/repos`, ann), ["closed"])
      assert.deepStrictEqual(yield* names(`${base}/sub/repos`, bea), [])
      assert.strictEqual((yield* get(`${base}/sub`, as(bea))).json.repos_count, 0)
      assert.strictEqual((yield* get(`${base}/sub/repos/hooli/closed`, as(ann))).status, 204)
      assert.strictEqual((yield* get(`${base}/sub/repos/hooli/closed`, as(bea))).status, 404)
      const headers = { accept: "application/vnd.service.repository+json" }
      const checked = yield* get(`${base}/sub/repos/hooli/closed`, { ...as(ann), headers })
      assert.strictEqual(checked.status, 200)
      assert.deepInclude(checked.json.permissions, { push: true, maintain: false, pull: true })
      const [listed] = (yield* get(`${path}/teams`, as(ann))).json
      assert.deepInclude(listed, { slug: "top", permission: "push", access_source: "direct" })
      assert.deepStrictEqual(listed.permissions, {
        admin: false,
        maintain: false,
        push: true,
        triage: true,
        pull: true
      })
      assert.strictEqual((yield* get(`${path}/teams`, as(stranger))).status, 404)
      const body = { title: "assigned", assignees: [ann.login] }
      const { number } = (yield* ask("POST", `${path}/issues`, { ...as(owner), body })).json
      const assignees = Effect.map(get(`${path}/issues/${number}`, as(owner)), ({ json }) =>
        json.assignees.map((one: { login: string }) => one.login)
      )
      assert.deepStrictEqual(yield* assignees, [ann.login])
      const etag = (yield* get(path, as(ann))).headers["etag"] ?? ""
      // The team moves out of the parent.
      yield* ask("PATCH", `${base}/sub`, { ...as(owner), body: { parent_team_id: null } })
      assert.strictEqual((yield* get(path, { ...as(ann), headers: { "if-none-match": etag } })).status, 404)
      assert.deepStrictEqual(yield* assignees, [])
      const remove = ask("DELETE", `${base}/top/repos/hooli/closed`, as(owner))
      assert.strictEqual((yield* remove).status, 204)
      assert.strictEqual((yield* remove).status, 404)
    })
  )

  it.effect("announce their changes to the webhooks of the organization", () =>
    Effect.gen(function* () {
      const { ann, as, ask, base, create, join, owner, repository, sql } = yield* prepare("vandelay")
      const config = { url: "https://hooks.example.com/", content_type: "json" }
      const hooked = yield* ask("POST", "/orgs/vandelay/hooks", {
        token: (yield* prepareHook(owner.userId)).token,
        body: { name: "web", config, events: ["team", "membership"] }
      })
      assert.strictEqual(hooked.status, 201, hooked.text)
      yield* repository("closed")
      yield* create("crew")
      yield* join("crew", ann)
      yield* join("crew", ann, "maintainer")
      yield* ask("PUT", `${base}/crew/repos/vandelay/closed`, { ...as(owner), body: { permission: "pull" } })
      yield* ask("PUT", `${base}/crew/repos/vandelay/closed`, { ...as(owner), body: { permission: "admin" } })
      yield* ask("PATCH", `${base}/crew`, { ...as(owner), body: { name: "Staff" } })
      yield* ask("DELETE", `${base}/staff/repos/vandelay/closed`, as(owner))
      yield* ask("DELETE", `${base}/staff/memberships/${ann.login}`, as(owner))
      yield* ask("DELETE", `${base}/staff`, as(owner))
      const sent = yield* sql<{ readonly event: string; readonly payload: string }>`
        SELECT event, payload FROM deliveries WHERE hook_id = ${hooked.json.id} AND event <> 'ping' ORDER BY id`
      assert.deepStrictEqual(
        sent.map(({ event, payload }) => {
          const { action, changes, member, organization, repository, sender } = JSON.parse(payload)
          assert.deepStrictEqual([organization.login, sender.login], ["vandelay", owner.login])
          return [event, action, member?.login ?? repository?.name, changes && Object.keys(changes)]
        }),
        [
          ["team", "created", undefined, undefined],
          ["membership", "added", owner.login, undefined],
          ["membership", "added", ann.login, undefined],
          ["team", "added_to_repository", "closed", undefined],
          ["team", "edited", "closed", ["repository"]],
          ["team", "edited", undefined, ["name"]],
          ["team", "removed_from_repository", "closed", undefined],
          ["membership", "removed", ann.login, undefined],
          ["team", "deleted", undefined, undefined]
        ]
      )
    })
  )

  it.effect("of a page need at most three statements", () =>
    Effect.gen(function* () {
      const { ann, as, base, create, get, repository } = yield* prepare("stark")
      yield* repository("closed")
      yield* create("crew", { maintainers: [ann.login], repo_names: ["stark/closed"] })
      for (const path of [base, `${base}/crew/members`, `${base}/crew/repos`, `${base}/crew/teams`, "/user/teams"]) {
        yield* get(path, as(ann))
        const count = yield* Support.statements(get(`${path}?per_page=100`, as(ann)))
        assert.isAtMost(count, 3, path)
      }
    })
  )
})

/** A token that may manage webhooks. */
const prepareHook = Effect.fnUntraced(function* (userId: number) {
  const { token } = yield* TestForge
  return { token: yield* token({ userId, kind: "classic", scopes: ["admin:org_hook"] }) }
})
