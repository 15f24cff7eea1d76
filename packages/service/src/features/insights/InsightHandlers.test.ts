import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as PathText from "@tongs/core/text/PathText"
import { EmbeddedForge, IN_PROCESS_URL } from "../../main/EmbeddedForge.ts"
import * as Support from "../../main/Forge.test-support.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import * as RateLimitPolicy from "../../access/RateLimitPolicy.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { RequestRows } from "./RequestRows.ts"
import { TokenRows } from "../../access/TokenRows.ts"
import { requireRow } from "../../storage/RowDecoder.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"

const { TestForge } = Support

const rows = {
  users: [{ login: "olga" }, { login: "mia" }],
  organizations: [
    { login: "acme", members: [{ login: "olga", role: "owner" }, { login: "mia" }] },
    { login: "other", members: [{ login: "olga", role: "owner" }] }
  ],
  repositories: [{ full_name: "acme/open" }, { full_name: "mia/own" }],
  installations: [
    { id: 70, account: "acme", app_slug: "robot", permissions: { contents: "read", api_insights: "read" } }
  ],
  tokens: [
    { token: "olga", user: "olga", scopes: ["repo", "admin:org"] },
    { token: "narrow", user: "olga", scopes: ["repo"] },
    { token: "mia", user: "mia", scopes: ["repo", "admin:org"] },
    { token: "fine", user: "mia", kind: "fine_grained", permissions: { contents: "read" } },
    { token: "oauth", user: "mia", kind: "oauth", scopes: ["repo"] },
    { token: "app", user: "mia", kind: "app_user", installation: 70 },
    { token: "robot", kind: "installation", installation: 70 }
  ]
}

const start = Date.parse("1970-01-01T00:20:00Z")

/** Sends requests at the start and ten minutes later. */
const setUp = Effect.gen(function* () {
  const { ask, get, repos } = yield* TestForge
  const file = join(repos, "fixtures.json")
  writeFileSync(file, JSON.stringify(rows))
  yield* Fixtures.load(file)
  yield* TestClock.setTime(start)
  for (const token of ["mia", "mia", "fine", "oauth", "app", "robot"]) {
    assert.strictEqual((yield* get("/repos/acme/open", { token })).status, 200)
  }
  yield* TestClock.setTime(start + 600_000 + 5000)
  yield* get("/repos/acme/open/branches", { token: "mia" })
  yield* ask("HEAD", "/orgs/acme/events", { token: "mia" })
  yield* get("/repos/acme/absent", { token: "mia" })
  // Not counted: the repository belongs to a user.
  yield* get("/repos/mia/own", { token: "mia" })
  yield* get("/user", { token: "mia" })
  yield* get("/repos/acme/open", { token: null })
  yield* get("/nothing/here", { token: "mia" })
  yield* TestClock.setTime(start + 1_200_000)
})

const at = (path: string, query: Readonly<Record<string, string>> = {}, token = "olga") =>
  Effect.flatMap(TestForge, ({ get }) =>
    get(
      `/orgs/acme/insights/api/${path}?${String(new URLSearchParams({ min_timestamp: "1970-01-01T00:00:00Z", ...query }))}`,
      {
        token
      }
    )
  )

const tokenId = (token: string) =>
  Effect.flatMap(TokenRows, (tokens) => Effect.map(requireRow(tokens.find(Redacted.make(token))), ({ id }) => id))

const forge = Support.layer((repos) => void Support.repository(repos, "hello"))

layer(forge)("the requests of an organization", (it) => {
  it.effect("are counted in total, by user and by actor", () =>
    Effect.gen(function* () {
      yield* setUp
      const summary = { total_request_count: 9, rate_limited_request_count: 0 }
      const all = yield* at("summary-stats")
      assert.deepStrictEqual([all.status, all.json], [200, summary])
      // Includes the previous request for statistics.
      assert.strictEqual((yield* at("summary-stats")).json.total_request_count, 10)
      const { get } = yield* TestForge
      const { id } = (yield* get("/users/mia")).json
      assert.strictEqual((yield* at(`summary-stats/users/${id}`)).json.total_request_count, 8)
      assert.strictEqual((yield* at("summary-stats/users/999999")).json.total_request_count, 0)
      assert.strictEqual((yield* at("summary-stats/users/mia")).status, 404)
      const byActor = Effect.fnUntraced(function* (type: string, id: number) {
        return (yield* at(`summary-stats/${type}/${id}`)).json.total_request_count
      })
      assert.strictEqual(yield* byActor("classic_pat", yield* tokenId("mia")), 5)
      assert.strictEqual(yield* byActor("fine_grained_pat", yield* tokenId("fine")), 1)
      assert.strictEqual(yield* byActor("oauth_app", yield* tokenId("oauth")), 1)
      assert.strictEqual(yield* byActor("app_user_to_server", yield* tokenId("app")), 1)
      assert.strictEqual(yield* byActor("installation", 70), 1)
      assert.strictEqual(yield* byActor("classic_pat", yield* tokenId("fine")), 0)
      assert.strictEqual((yield* at("summary-stats/teapot/1")).status, 404)
      assert.strictEqual((yield* at("summary-stats/installation/x")).status, 404)
    })
  )
})

layer(forge)("an actor's requests", (it) => {
  it.effect("are listed by route, with filter, order and pages", () =>
    Effect.gen(function* () {
      yield* setUp
      const path = `route-stats/classic_pat/${yield* tokenId("mia")}`
      const all = yield* at(path)
      assert.deepStrictEqual(all.json, [
        {
          http_method: "GET",
          api_route: "/repos/{owner}/{repo}",
          total_request_count: 3,
          rate_limited_request_count: 0,
          last_request_timestamp: "1970-01-01T00:30:05Z",
          last_rate_limited_timestamp: null
        },
        {
          http_method: "HEAD",
          api_route: "/orgs/{org}/events",
          total_request_count: 1,
          rate_limited_request_count: 0,
          last_request_timestamp: "1970-01-01T00:30:05Z",
          last_rate_limited_timestamp: null
        },
        {
          http_method: "GET",
          api_route: "/repos/{owner}/{repo}/branches",
          total_request_count: 1,
          rate_limited_request_count: 0,
          last_request_timestamp: "1970-01-01T00:30:05Z",
          last_rate_limited_timestamp: null
        }
      ])
      const routes = Effect.fnUntraced(function* (query: Readonly<Record<string, string>>) {
        const answer = yield* at(path, query)
        return answer.json.map((row: { readonly api_route: string }) => PathText.nameOf(row.api_route))
      })
      assert.deepStrictEqual(yield* routes({ api_route_substring: "BRANCH" }), ["branches"])
      assert.deepStrictEqual(yield* routes({ api_route_substring: "%" }), [])
      assert.deepStrictEqual(yield* routes({ sort: "api_route", direction: "asc" }), ["events", "{repo}", "branches"])
      assert.deepStrictEqual(yield* routes({ sort: "http_method,api_route" }), ["events", "branches", "{repo}"])
      assert.deepStrictEqual(yield* routes({ direction: "asc", sort: "total_request_count" }), [
        "events",
        "branches",
        "{repo}"
      ])
      assert.deepStrictEqual(yield* routes({ max_timestamp: "1970-01-01T00:29:00Z" }), ["{repo}"])
      assert.deepStrictEqual(yield* routes({ min_timestamp: "1970-01-01T00:30:00Z", sort: "api_route" }), [
        "branches",
        "{repo}",
        "events"
      ])
      const page = yield* at(path, { per_page: "2" })
      assert.strictEqual(page.json.length, 2)
      assert.include(page.headers.link ?? "", 'rel="next"')
      const { get } = yield* TestForge
      const repeated = yield* get(
        `/orgs/acme/insights/api/${path}?min_timestamp=1970-01-01T00:00:00Z&sort=http_method&sort=api_route`,
        {
          token: "olga"
        }
      )
      assert.strictEqual(repeated.json[0].http_method, "HEAD")
      assert.strictEqual(repeated.json[1].api_route, "/repos/{owner}/{repo}/branches")
    })
  )
})

layer(forge)("subjects", (it) => {
  it.effect("are users, and apps that act for themselves", () =>
    Effect.gen(function* () {
      yield* setUp
      const all = yield* at("subject-stats")
      const short = all.json.map((row: Record<string, unknown>) => [
        row.subject_type,
        row.subject_name,
        row.total_request_count
      ])
      assert.deepStrictEqual(short, [
        ["user", "mia", 8],
        ["installation", "robot", 1]
      ])
      assert.strictEqual(all.json[1].subject_id, 70)
      const some = yield* at("subject-stats", { subject_name_substring: "ROB", sort: "subject_name", direction: "asc" })
      assert.strictEqual(some.json.length, 1)
    })
  )
})

layer(forge)("requests over time", (it) => {
  it.effect("are grouped by interval, without empty ones", () =>
    Effect.gen(function* () {
      yield* setUp
      const times = Effect.fnUntraced(function* (increment: string) {
        const { json } = yield* at("time-stats", {
          timestamp_increment: increment,
          max_timestamp: "1970-01-01T00:39:00Z"
        })
        return json.map((row: Record<string, unknown>) => [row.timestamp, row.total_request_count])
      })
      const fine = [
        ["1970-01-01T00:20:00Z", 6],
        ["1970-01-01T00:30:00Z", 3]
      ]
      assert.deepStrictEqual(yield* times("5m"), fine)
      assert.deepStrictEqual(yield* times("10m"), fine)
      assert.deepStrictEqual(yield* times("1h"), [["1970-01-01T00:00:00Z", 9]])
      assert.deepStrictEqual(yield* times("1d"), [["1970-01-01T00:00:00Z", 9]])
    })
  )
})

layer(forge)("invalid requests", (it) => {
  it.effect("are rejected with the invalid field", () =>
    Effect.gen(function* () {
      yield* setUp
      const { get } = yield* TestForge
      const none = yield* get("/orgs/acme/insights/api/summary-stats", { token: "olga" })
      assert.deepStrictEqual(
        [none.status, none.json.errors[0].field, none.json.errors[0].code],
        [422, "min_timestamp", "missing_field"]
      )
      const field = Effect.fnUntraced(function* (path: string, query: Readonly<Record<string, string>>) {
        const answer = yield* at(path, query)
        assert.strictEqual(answer.status, 422, path)
        return answer.json.errors[0].field
      })
      assert.strictEqual(yield* field("summary-stats", { min_timestamp: "yesterday" }), "min_timestamp")
      assert.strictEqual(yield* field("summary-stats", { min_timestamp: "2026-99-99T00:00:00Z" }), "min_timestamp")
      assert.strictEqual(yield* field("summary-stats", { max_timestamp: "1969-01-01T00:00:00Z" }), "min_timestamp")
      assert.strictEqual(yield* field("subject-stats", { sort: "password" }), "sort")
      assert.strictEqual(yield* field("subject-stats", { sort: "total_request_count;--" }), "sort")
      assert.strictEqual(yield* field("subject-stats", { direction: "up" }), "direction")
      for (const increment of ["", "5", "0m", "5s", "-1h", "1.5h", "99999m"]) {
        assert.strictEqual(
          yield* field("time-stats", { timestamp_increment: increment }),
          "timestamp_increment",
          increment
        )
      }
    })
  )

  it.effect("are rejected without permission", () =>
    Effect.gen(function* () {
      yield* setUp
      const status = (token: string) => Effect.map(at("summary-stats", {}, token), (answer) => answer.status)
      assert.strictEqual(yield* status("mia"), 403)
      assert.strictEqual(yield* status("fine"), 403)
      assert.strictEqual(yield* status("robot"), 200)
      const narrow = yield* at("summary-stats", {}, "narrow")
      assert.deepStrictEqual([narrow.status, narrow.headers["x-accepted-oauth-scopes"]], [403, "read:org"])
      const { get } = yield* TestForge
      const path = "/insights/api/summary-stats?min_timestamp=1970-01-01T00:00:00Z"
      assert.strictEqual((yield* get(`/orgs/acme${path}`, { token: null })).status, 401)
      assert.strictEqual((yield* get(`/orgs/missing${path}`, { token: "olga" })).status, 404)
      assert.strictEqual((yield* get(`/orgs/other${path}`, { token: "olga" })).json.total_request_count, 0)
    })
  )
})

layer(
  Support.layer((repos) => void Support.repository(repos, "hello"), {
    limits: { ...RateLimitPolicy.specNumbers, user: 8 }
  })
)("requests rejected by a rate limit", (it) => {
  it.effect("are counted separately", () =>
    Effect.gen(function* () {
      yield* setUp
      const { get } = yield* TestForge
      // The limit of eight is used up: six requests without the robot's, then three, of which the last was rejected.
      yield* TestClock.setTime(start + 1_500_000)
      assert.strictEqual((yield* get("/repos/acme/open", { token: "mia" })).status, 403)
      assert.strictEqual((yield* get("/repos/mia/own", { token: "mia" })).status, 403)
      const { json } = yield* at("route-stats/classic_pat/" + String(yield* tokenId("mia")), {
        api_route_substring: "{repo}"
      })
      assert.deepStrictEqual(json[0], {
        http_method: "GET",
        api_route: "/repos/{owner}/{repo}",
        total_request_count: 4,
        rate_limited_request_count: 1,
        last_request_timestamp: "1970-01-01T00:45:00Z",
        last_rate_limited_timestamp: "1970-01-01T00:45:00Z"
      })
    })
  )
})

layer(forge)("request counts", (it) => {
  it.effect("are written after a second, and added to those of other processes", () =>
    Effect.gen(function* () {
      yield* setUp
      const { repos } = yield* TestForge
      const seen = Effect.gen(function* () {
        const organization = yield* requireRow((yield* OrganizationRows).byLogin("acme"))
        const requests = yield* RequestRows
        const selection = { organizationId: organization.id, from: 0, to: start / 1000 + 3600 }
        const before = (yield* requests.summary(selection)).total_request_count
        const tally = {
          owner: "acme",
          minute: start / 1000,
          actorType: "classic_pat",
          actorId: 1,
          method: "GET",
          route: "/orgs/{org}/events",
          userId: 1,
          subjectType: "user",
          subjectId: 1,
          subjectName: "somebody",
          total: 2,
          limited: 0,
          lastRequest: start / 1000,
          lastLimited: undefined
        }
        yield* requests.add([tally, { ...tally, owner: "mia" }])
        yield* requests.add([tally])
        return [before, (yield* requests.summary(selection)).total_request_count]
      }).pipe(Effect.provide(Layer.fresh(TestDatabase.storageLayer(join(repos, "../data")))), Effect.orDie)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* seen, [9, 13])
      assert.strictEqual((yield* at("summary-stats")).json.total_request_count, 13)
      yield* (yield* RequestRows).forget(start / 1000 + 60)
      assert.strictEqual((yield* at("summary-stats")).json.total_request_count, 3 + 1)
    })
  )

  it.effect("are written when the process ends earlier", () =>
    Effect.gen(function* () {
      yield* setUp
      const { repos } = yield* TestForge
      const before = (yield* at("summary-stats")).json.total_request_count
      const options = { data: join(repos, "../data"), cwd: repos, repos: [repos], dialect: "service" } as const // the dialect stays a literal
      const status = yield* Effect.gen(function* () {
        const { client } = yield* EmbeddedForge
        const headers = { authorization: "Bearer mia", "user-agent": "test" }
        return (yield* client.get(`${IN_PROCESS_URL}/orgs/acme/events`, { headers })).status
      }).pipe(Effect.provide(Layer.fresh(TestDatabase.forgeLayer(options))), Effect.orDie)
      assert.strictEqual(status, 200)
      assert.strictEqual((yield* at("summary-stats")).json.total_request_count, before + 2)
    })
  )
})
