import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"

const { TestForge } = Support

const each = <A>(count: number, item: (index: number) => A) => Array.from({ length: count }, (_, index) => item(index))

const rows = {
  users: [
    { login: "root", site_admin: true },
    { login: "ann", name: "Ann", email: "ann@a.example", emails: [{ email: "ann@work.example" }], bio: "Keeps bees" },
    { login: "ben", email: "ben@b.example", email_private: true },
    { login: "eve", emails: [{ email: "eve@e.example", verified: false }] },
    { login: "zed", suspended: true },
    ...each(110, (index) => ({ login: `fan-${index}` }))
  ],
  organizations: [
    { login: "acme", members: [{ login: "ann", role: "owner" }] },
    {
      login: "duo",
      members: [
        { login: "ann", role: "owner" },
        { login: "ben", role: "owner" }
      ]
    }
  ],
  repositories: [
    { full_name: "ann/hello", auto_init: true },
    { full_name: "duo/secret", private: true, auto_init: true }
  ],
  tokens: ["root", "ann", "ben", "eve", "zed", "fan-0", "fan-1"].map((login) => ({
    token: login,
    user: login,
    scopes: ["repo", "user", "admin:gpg_key", "admin:ssh_signing_key", "admin:org", "site_admin"]
  })),
  blocks: [{ user: "ben", blocked: "eve" }],
  followers: each(109, (index) => ({ user: "ann", follower: `fan-${index + 1}` }))
}

const setUp = Effect.gen(function* () {
  yield* Fixtures.add(rows, (yield* TestForge).repos)
})

const forge = Layer.provideMerge(
  Layer.effectDiscard(Effect.orDie(setUp)),
  Support.layer((repos) => void Support.repository(repos, "hello"))
)

const messageOf = ({ json, status }: Support.Answer) => [status, json.message]
const loginsOf = ({ json }: Support.Answer) => json.map(({ login }: { login: string }) => login)
const addressesOf = ({ json }: Support.Answer) => json.map(({ email }: { email: string }) => email)

layer(forge)("a profile", (it) => {
  it.effect("is changed by its user, and an empty text removes a value", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const changed = yield* ask("PATCH", "/user", {
        token: "ann",
        body: { bio: "🐝".repeat(160), location: "Ürümqi", blog: "", hireable: true, twitter_username: "ann" }
      })
      assert.strictEqual(changed.status, 200)
      assert.deepInclude(changed.json, { location: "Ürümqi", blog: "", hireable: true, name: "Ann", company: null })
      assert.deepInclude((yield* get("/users/ann")).json, { bio: "🐝".repeat(160), twitter_username: "ann" })
      const cleared = yield* ask("PATCH", "/user", { token: "ann", body: { location: "", twitter_username: null } })
      assert.deepInclude(cleared.json, { location: null, twitter_username: null, hireable: true })
      assert.deepStrictEqual(
        messageOf(yield* ask("PATCH", "/user", { token: "ann", body: { bio: "x".repeat(161) } })),
        [422, "bio is longer than 160 characters"]
      )
    })
  )

  it.effect("shows only a verified address", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const set = (token: string, email: string) => ask("PATCH", "/user", { token, body: { email } })
      assert.strictEqual((yield* set("ann", "ANN@work.example")).json.email, "ann@work.example")
      assert.strictEqual((yield* get("/users/ann")).json.email, "ann@work.example")
      for (const email of ["eve@e.example", "ann@work.example"])
        assert.strictEqual(
          (yield* set("eve", email)).json.message,
          `${email} is not one of your verified email addresses`
        )
      assert.strictEqual((yield* get("/users/ann", { token: null })).json.email, null)
      assert.strictEqual((yield* set("ann", "")).json.email, null)
    })
  )

  it.effect("is found by the id, also without a token", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const { json } = yield* get("/users/ben")
      const found = yield* get(`/user/${json.id}`, { token: null })
      assert.deepStrictEqual([found.status, found.json.login], [200, "ben"])
      assert.strictEqual((yield* get("/user/999999")).status, 404)
    })
  )

  it.effect("lists all accounts by id", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const first = yield* get("/users?per_page=100", { token: null })
      assert.lengthOf(first.json, 100)
      const [, since] = /since=(\d+)/.exec(first.headers["link"] ?? "") ?? []
      assert.strictEqual(since, String(first.json.at(-1).id))
      const rest = yield* get(`/users?per_page=100&since=${since}`, { token: null })
      assert.include([...loginsOf(first), ...loginsOf(rest)], "acme")
      assert.isUndefined(rest.headers["link"])
    })
  )
})

layer(forge)("followers", (it) => {
  it.effect("are counted and listed in pages of at most three statements", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      assert.deepInclude((yield* get("/users/ann")).json, { followers: 109, following: 0 })
      const path = "/users/ann/followers?per_page=100"
      assert.isAtMost(yield* Support.statements(get(path, { token: null })), 3)
      assert.lengthOf((yield* get(path, { token: null })).json, 100)
      assert.lengthOf((yield* get("/user/followers?per_page=100&page=2", { token: "ann" })).json, 9)
    })
  )

  it.effect("follow and stop following", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const status = (...[method, path, token]: readonly ["GET" | "PUT" | "DELETE", string, string]) =>
        Effect.map(ask(method, path, { token }), (answer) => answer.status)
      assert.strictEqual(yield* status("PUT", "/user/following/BEN", "fan-0"), 204)
      assert.strictEqual(yield* status("PUT", "/user/following/ben", "fan-0"), 204)
      assert.strictEqual(yield* status("GET", "/user/following/ben", "fan-0"), 204)
      assert.strictEqual(yield* status("GET", "/users/fan-0/following/ben", "ann"), 204)
      assert.strictEqual(yield* status("GET", "/users/ben/following/fan-0", "ann"), 404)
      assert.deepStrictEqual(loginsOf(yield* get("/user/following", { token: "fan-0" })), ["ben"])
      assert.deepStrictEqual(loginsOf(yield* get("/users/fan-0/following")), ["ben"])
      assert.strictEqual(yield* status("DELETE", "/user/following/ben", "fan-0"), 204)
      assert.strictEqual(yield* status("GET", "/user/following/ben", "fan-0"), 404)
      assert.strictEqual(yield* status("PUT", "/user/following/nobody", "fan-0"), 404)
      assert.deepStrictEqual(messageOf(yield* ask("PUT", "/user/following/eve", { token: "eve" })), [
        422,
        "You cannot follow yourself"
      ])
      assert.strictEqual(yield* status("PUT", "/user/following/acme", "eve"), 422)
    })
  )

  it.effect("who are blocked cannot follow, and no longer follow", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      assert.deepStrictEqual(messageOf(yield* ask("PUT", "/user/following/ben", { token: "eve" })), [
        403,
        "User is blocked"
      ])
      yield* ask("PUT", "/user/following/ben", { token: "fan-1" })
      yield* ask("PUT", "/user/starred/ann/hello", { token: "fan-1" })
      yield* ask("PUT", "/user/blocks/fan-1", { token: "ben" })
      assert.deepStrictEqual(loginsOf(yield* get("/users/ben/followers")), [])
      assert.strictEqual((yield* ask("PUT", "/user/following/fan-1", { token: "ben" })).status, 422)
      const stars = Effect.map(get("/repos/ann/hello"), ({ json }) => json.stargazers_count)
      assert.strictEqual(yield* stars, 1)
      yield* ask("PUT", "/user/blocks/fan-1", { token: "ann" })
      assert.strictEqual(yield* stars, 0)
    })
  )
})

layer(forge)("email addresses", (it) => {
  it.effect("are added unverified, listed and removed", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const add = (token: string, body: unknown) => ask("POST", "/user/emails", { token, body })
      const added = yield* add("ann", { emails: ["new@a.example"] })
      assert.strictEqual(added.status, 201)
      assert.deepStrictEqual(added.json, [
        { email: "new@a.example", primary: false, verified: false, visibility: null }
      ])
      assert.strictEqual((yield* add("ann", ["other@a.example"])).status, 201)
      assert.deepStrictEqual((yield* get("/user/emails", { token: "ann" })).json[0], {
        email: "ann@a.example",
        primary: true,
        verified: true,
        visibility: "public"
      })
      assert.lengthOf((yield* get("/user/emails", { token: "ann" })).json, 4)
      const wrong = [
        "no-address",
        "a b@c.example",
        "a@b@c.example",
        "<a@b.example>",
        "a@\u0000.example",
        "\ud800@a.example",
        ""
      ]
      for (const email of wrong) assert.strictEqual((yield* add("ann", { emails: [email] })).status, 422, email)
      assert.strictEqual((yield* add("ann", { emails: [] })).status, 422)
      const taken = yield* add("eve", { emails: ["Ann@A.example"] })
      assert.deepStrictEqual([taken.status, taken.json.errors[0].code], [422, "already_exists"])
      // An address that nobody has verified can be claimed by others.
      assert.strictEqual((yield* add("eve", { emails: ["new@a.example"] })).status, 201)
      const remove = (emails: ReadonlyArray<string>) =>
        ask("DELETE", "/user/emails", { token: "ann", body: { emails } })
      assert.strictEqual((yield* remove(["NEW@a.example", "other@a.example"])).status, 204)
      assert.strictEqual((yield* remove(["new@a.example"])).status, 404)
      assert.strictEqual((yield* remove(["ann@a.example"])).status, 422)
      assert.deepStrictEqual(addressesOf(yield* get("/user/emails", { token: "ann" })), [
        "ann@a.example",
        "ann@work.example"
      ])
    })
  )

  it.effect("attribute commits only when verified, and the no-reply address of a hidden one does", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const shown = yield* ask("PATCH", "/user/email/visibility", { token: "ann", body: { visibility: "private" } })
      assert.deepStrictEqual(shown.json, [
        { email: "ann@a.example", primary: true, verified: true, visibility: "private" }
      ])
      assert.strictEqual((yield* get("/users/ann")).json.email, null)
      assert.deepStrictEqual((yield* get("/user/public_emails", { token: "ann" })).json, [])
      const commit = (path: string, author?: object) =>
        ask("PUT", `/repos/ann/hello/contents/${path}`, {
          token: "ann",
          body: { message: path, content: "eA==", ...(author === undefined ? {} : { author }) }
        })
      const { id } = (yield* get("/users/ann")).json
      const hidden = yield* commit("hidden.txt")
      assert.strictEqual(hidden.json.commit.author.email, `${id}+ann@users.noreply.localhost`)
      const authorOf = Effect.fnUntraced(function* (sha: string) {
        return (yield* get(`/repos/ann/hello/commits/${sha}`)).json.author?.login
      })
      assert.strictEqual(yield* authorOf(hidden.json.commit.sha), "ann")
      const claims = [
        ["ann@work.example", "ann"],
        ["eve@e.example", undefined],
        [`${id}+eve@users.noreply.localhost`, undefined],
        [`${id + 1}+ann@users.noreply.localhost`, undefined]
      ] as const // pairs
      for (const [index, [email, login]] of claims.entries()) {
        const { json } = yield* commit(`claim-${index}`, { name: "x", email })
        assert.strictEqual(yield* authorOf(json.commit.sha), login, email)
      }
      yield* ask("PATCH", "/user/email/visibility", { token: "ann", body: { visibility: "public" } })
      assert.deepStrictEqual(addressesOf(yield* get("/user/public_emails", { token: "ann" })), ["ann@a.example"])
      assert.strictEqual((yield* commit("shown.txt")).json.commit.author.email, "ann@a.example")
      assert.strictEqual(
        (yield* ask("PATCH", "/user/email/visibility", { token: "eve", body: { visibility: "public" } })).status,
        422
      )
    })
  )
})

layer(forge)("an administrator of the site", (it) => {
  it.effect("suspends users, whose tokens are refused in the next request, also by git", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      assert.deepStrictEqual(messageOf(yield* get("/user", { token: "zed" })), [
        403,
        "Sorry. Your account was suspended"
      ])
      assert.strictEqual((yield* get("/user", { token: "ben" })).status, 200)
      assert.strictEqual((yield* get("/repos/duo/secret", { token: "ben" })).status, 200)
      assert.strictEqual((yield* ask("PUT", "/users/ben/suspended", { token: "ann" })).status, 404)
      assert.strictEqual((yield* ask("PUT", "/users/ben/suspended", { token: null })).status, 401)
      assert.strictEqual((yield* ask("PUT", "/users/root/suspended", { token: "root" })).status, 422)
      assert.strictEqual((yield* ask("PUT", "/users/acme/suspended", { token: "root" })).status, 422)
      assert.strictEqual((yield* ask("PUT", "/users/ben/suspended", { token: "root" })).status, 204)
      for (const path of ["/user", "/repos/duo/secret", "/repos/ann/hello"])
        assert.strictEqual((yield* get(path, { token: "ben" })).status, 403, path)
      const { json } = yield* get("/users/ben")
      assert.isString(json.suspended_at)
      const git = yield* ask("GET", "/duo/secret.git/info/refs?service=git-upload-pack", { token: "ben" })
      assert.strictEqual(git.status, 403)
      assert.strictEqual((yield* ask("DELETE", "/users/ben/suspended", { token: "root" })).status, 204)
      assert.strictEqual((yield* get("/repos/duo/secret", { token: "ben" })).status, 200)
      assert.notProperty((yield* get("/users/ben")).json, "suspended_at")
    })
  )

  it.effect("deletes users without repositories, whose texts stay", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const remove = (login: string, token = "root") => ask("DELETE", `/admin/users/${login}`, { token })
      const issue = yield* ask("POST", "/repos/ann/hello/issues", { token: "eve", body: { title: "Mine" } })
      assert.strictEqual((yield* remove("eve", "ann")).status, 404)
      assert.deepStrictEqual(messageOf(yield* remove("ann")), [
        422,
        "ann owns ann/hello. Delete or transfer the repositories first"
      ])
      assert.strictEqual((yield* remove("root")).status, 422)
      assert.strictEqual((yield* remove("eve")).status, 204)
      assert.strictEqual((yield* get("/users/eve")).status, 404)
      assert.strictEqual((yield* get("/user", { token: "eve" })).status, 401)
      assert.deepInclude((yield* get(`/repos/ann/hello/issues/${issue.json.number}`)).json, {
        title: "Mine",
        user: null
      })
      yield* ask("DELETE", "/orgs/duo/members/ann", { token: "ben" })
      assert.deepStrictEqual(messageOf(yield* remove("ben")), [422, "duo needs another owner first"])
    })
  )
})

layer(forge)("an organization", (it) => {
  it.effect("blocks users who are not members", () =>
    Effect.gen(function* () {
      const { ask, get } = yield* TestForge
      const status = (...[method, path, token]: readonly ["GET" | "PUT" | "DELETE", string, string]) =>
        Effect.map(ask(method, path, { token }), (answer) => answer.status)
      assert.strictEqual(yield* status("PUT", "/orgs/duo/blocks/eve", "eve"), 403)
      assert.strictEqual(yield* status("PUT", "/orgs/duo/blocks/eve", "ann"), 204)
      assert.strictEqual(yield* status("GET", "/orgs/duo/blocks/eve", "ann"), 204)
      assert.deepStrictEqual(loginsOf(yield* get("/orgs/duo/blocks", { token: "ann" })), ["eve"])
      assert.deepStrictEqual(messageOf(yield* ask("PUT", "/orgs/duo/blocks/ben", { token: "ann" })), [
        422,
        "ben is a member of duo. Remove the member first"
      ])
      assert.strictEqual(yield* status("DELETE", "/orgs/duo/blocks/eve", "ann"), 204)
      assert.strictEqual(yield* status("GET", "/orgs/duo/blocks/eve", "ann"), 404)
    })
  )
})
