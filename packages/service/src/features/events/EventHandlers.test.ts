import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Events } from "../../events/Events.ts"
import * as SqlClient from "effect/sql/SqlClient"
import * as Forge from "../../main/Forge.test-support.ts"
import { git } from "../../git/Fixture.test-support.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import { requireRow } from "../../storage/RowDecoder.ts"

const { TestForge } = Forge

const types = (answer: Forge.Answer): ReadonlyArray<string> => answer.json.map(({ type }: { type: string }) => type)

/** Creates a user with a public and a private repository, each with a branch. */
const setUp = Effect.fnUntraced(function* (login: string) {
  const { ask, token, user } = yield* TestForge
  const own = yield* token({ userId: yield* user({ login }), kind: "classic", scopes: ["repo"] })
  for (const name of ["open", "closed"]) {
    yield* ask("POST", "/user/repos", { token: own, body: { name, private: name === "closed", auto_init: true } })
  }
  return own
})

layer(Forge.layer((repos) => git(Forge.repository(repos, "hello"), ["checkout", "--quiet", "--detach"])))(
  "events",
  (it) => {
    it.effect("remain when the account of their actor is deleted, and show the user ghost", () =>
      Effect.gen(function* () {
        const { ask, get, token, user } = yield* TestForge
        yield* setUp("house")
        const id = yield* user({ login: "leaver", siteAdmin: true })
        const leaver = yield* token({ userId: id, kind: "classic", scopes: ["repo"] })
        const { sha } = (yield* get("/repos/house/open/git/ref/heads/main")).json.object
        const body = { ref: "refs/heads/left", sha }
        assert.strictEqual((yield* ask("POST", "/repos/house/open/git/refs", { token: leaver, body })).status, 201)
        const [before] = (yield* get("/repos/house/open/events")).json
        assert.strictEqual(before.actor.login, "leaver")
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM users WHERE id = ${id}`
        const [after] = (yield* get("/repos/house/open/events")).json
        const { actor, ...event } = after
        assert.include(actor, { id: 10137, login: "ghost", display_login: "ghost" })
        assert.deepStrictEqual({ ...event, actor: before.actor }, before)
      })
    )

    it.effect("of private issues need a token that can read the issues", () =>
      Effect.gen(function* () {
        const { ask, get, token, user } = yield* TestForge
        const own = yield* setUp("careful")
        for (const name of ["open", "closed"])
          yield* ask("POST", `/repos/careful/${name}/issues`, { token: own, body: { title: "An issue" } })
        const userId = yield* user({ login: "careful" })
        for (const [permissions, isShown] of [
          [{ issues: "read" }, true],
          [{ contents: "read" }, false]
        ] as const) {
          const limited = yield* token({ userId, kind: "fine_grained", permissions })
          const of = (path: string) => Effect.map(get(path, { token: limited }), types)
          assert.include(yield* of("/repos/careful/open/events"), "IssuesEvent")
          const closed = yield* of("/repos/careful/closed/events")
          assert.include(closed, "CreateEvent")
          assert.strictEqual(closed.includes("IssuesEvent"), isShown)
          const all = (yield* of("/users/careful/events")).filter((type) => type === "IssuesEvent")
          assert.lengthOf(all, isShown ? 2 : 1)
        }
      })
    )

    it.effect("have the documented payloads for references", () =>
      Effect.gen(function* () {
        const { ask, base, get, owner } = yield* TestForge
        const before: string = (yield* get(`${base}/hello/git/ref/heads/main`)).json.object.sha
        const tree: string = (yield* get(`${base}/hello/git/commits/${before}`)).json.tree.sha
        const head: string = (yield* ask("POST", `${base}/hello/git/commits`, {
          body: { message: "m", tree, parents: [before] }
        })).json.sha
        yield* ask("POST", `${base}/hello/git/refs`, { body: { ref: "refs/heads/a", sha: before } })
        yield* ask("PATCH", `${base}/hello/git/refs/heads/a`, { body: { sha: head } })
        yield* ask("POST", `${base}/hello/git/refs`, { body: { ref: "refs/tags/v1", sha: head } })
        yield* ask("POST", `${base}/hello/git/refs`, { body: { ref: "refs/notes/n", sha: head } })
        yield* ask("DELETE", `${base}/hello/git/refs/heads/a`)
        const { json } = yield* get(`${base}/hello/events`)
        const [deleted, tagged, pushed, created] = json
        assert.lengthOf(json, 4)
        assert.deepStrictEqual(deleted.payload, {
          ref: "a",
          ref_type: "branch",
          full_ref: "refs/heads/a",
          pusher_type: "user"
        })
        assert.include(tagged.payload, { ref: "v1", ref_type: "tag", full_ref: "refs/tags/v1" })
        const repository: number = (yield* get(`${base}/hello`)).json.id
        assert.deepStrictEqual(pushed.payload, {
          push_id: Number(pushed.id),
          ref: "refs/heads/a",
          head,
          before,
          repository_id: repository
        })
        assert.deepStrictEqual(created.payload, {
          ref: "a",
          ref_type: "branch",
          full_ref: "refs/heads/a",
          master_branch: "main",
          description: null,
          pusher_type: "user"
        })
        assert.match(created.id, /^\d+$/)
        assert.include(created, { type: "CreateEvent", public: true })
        assert.include(created.actor, { login: owner, display_login: owner, avatar_service_id: "" })
        assert.deepStrictEqual(created.repo, {
          id: repository,
          name: `${owner}/hello`,
          url: `http://forge.localhost${base}/hello`
        })
        assert.notProperty(created, "org")
        // A rejected request records no event.
        yield* ask("POST", `${base}/hello/git/refs`, { body: { ref: "refs/tags/v1", sha: head } })
        assert.lengthOf((yield* get(`${base}/hello/events`)).json, 4)
      })
    )

    it.effect("are visible with access to the repository", () =>
      Effect.gen(function* () {
        const { ask, get, token, user } = yield* TestForge
        const own = yield* setUp("anna")
        const other = yield* token({ userId: yield* user({ login: "ben" }), kind: "classic", scopes: ["repo"] })
        for (const [caller, count] of [
          [own, 4],
          [other, 2],
          [null, 2]
        ] as const) {
          assert.lengthOf((yield* get("/users/anna/events", { token: caller })).json, count)
          assert.lengthOf((yield* get("/users/anna/received_events", { token: caller })).json, count)
          assert.lengthOf((yield* get("/users/anna/events/public", { token: caller })).json, 2)
        }
        assert.strictEqual((yield* get("/repos/anna/closed/events", { token: other })).status, 404)
        assert.deepStrictEqual(types(yield* get("/repos/anna/closed/events", { token: own })), [
          "CreateEvent",
          "CreateEvent"
        ])
        const all = (yield* get("/events?per_page=100", { token: own })).json
        assert.isFalse(all.some(({ repo }: { repo: { name: string } }) => repo.name === "anna/closed"))

        // Events from before a repository became public stay private.
        const before = (yield* get("/users/anna/events/public")).json.length
        yield* ask("PATCH", "/repos/anna/closed", { token: own, body: { private: false } })
        assert.deepStrictEqual(types(yield* get("/repos/anna/closed/events", { token: other })), ["PublicEvent"])
        assert.deepStrictEqual(types(yield* get("/repos/anna/closed/events", { token: own })), [
          "PublicEvent",
          "CreateEvent",
          "CreateEvent"
        ])
        assert.lengthOf((yield* get("/users/anna/events/public")).json, before + 1)
        yield* ask("PATCH", "/repos/anna/closed", { token: own, body: { private: true } })
        assert.lengthOf((yield* get("/users/anna/events/public")).json, before)
      })
    )

    it.effect("have 15 per page in the public list, and 30 in other lists", () =>
      Effect.gen(function* () {
        const { get } = yield* TestForge
        const own = yield* setUp("cleo")
        const repository = yield* requireRow((yield* RepositoryRegistry).find("cleo", "open"))
        const events = yield* Events
        const actor = repository.row.owner
        for (let index = 0; index < 40; index++) {
          yield* events.record({
            type: "WatchEvent",
            actor,
            repository,
            payload: { action: "started", index },
            urls: { api: "", html: "" }
          })
        }
        const all = yield* get("/events", { token: null })
        assert.lengthOf(all.json, 15)
        assert.strictEqual(all.headers["x-poll-interval"], "60")
        const same = yield* get("/events", { token: null, headers: { "if-none-match": all.headers.etag ?? "" } })
        assert.deepStrictEqual([same.status, same.headers["x-poll-interval"]], [304, "60"])
        assert.match(all.headers.link ?? "", /[?&]page=2>; rel="next", .*rel="last"$/)
        const first = yield* get("/repos/cleo/open/events", { token: own })
        assert.lengthOf(first.json, 30)
        assert.strictEqual(first.json[0].payload.index, 39)
        const second = yield* get("/repos/cleo/open/events?page=2", { token: own })
        assert.lengthOf(second.json, 12)
        assert.lengthOf((yield* get("/events?per_page=3")).json, 3)
      })
    )

    it.effect("include the organization, and are not found for missing accounts", () =>
      Effect.gen(function* () {
        const { ask, get, token, user } = yield* TestForge
        const { id } = yield* (yield* UserRows).ensure({ login: "acme", type: "Organization" })
        const userId = yield* user({ login: "dora" })
        yield* (yield* OrganizationRows).setRole(id, userId, "owner")
        const own = yield* token({ userId, kind: "classic", scopes: ["repo"] })
        yield* ask("POST", "/orgs/acme/repos", { token: own, body: { name: "open" } })
        yield* ask("POST", "/orgs/acme/repos", { token: own, body: { name: "closed", private: true } })
        const { json } = yield* get("/orgs/acme/events", { token: own })
        assert.lengthOf(json, 1)
        assert.include(json[0].org, { id, login: "acme", url: "http://forge.localhost/orgs/acme" })
        assert.deepStrictEqual(json[0].payload, {
          ref: null,
          ref_type: "repository",
          full_ref: "",
          master_branch: "main",
          description: null,
          pusher_type: "user"
        })
        assert.strictEqual((yield* get("/orgs/nobody/events")).status, 404)
        for (const path of ["events", "events/public", "received_events"]) {
          assert.strictEqual((yield* get(`/users/nobody/${path}`)).status, 404)
        }
      })
    )
  }
)
