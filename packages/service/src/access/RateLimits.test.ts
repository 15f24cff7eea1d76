import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { TestClock } from "effect/testing"
import * as Support from "../main/Forge.test-support.ts"
import { Owner } from "../main/Owner.ts"
import { App } from "../http/App.ts"
import * as RateLimitPolicy from "./RateLimitPolicy.ts"
import { RateLimits } from "./RateLimits.ts"
import * as SlidingWindowCounter from "./SlidingWindowCounter.ts"

const { TestForge } = Support

const small: RateLimitPolicy.RateLimitNumbers = {
  ...RateLimitPolicy.specNumbers,
  window: 3000,
  user: 5,
  anonymous: 2,
  searchWindow: 1000,
  searchAuthenticated: 2,
  pointsPerMinute: 20,
  contentPerMinute: 2
}

const forge = (limits: RateLimitPolicy.RateLimitNumbers) =>
  Support.layer((repos) => void Support.repository(repos, "hello"), { limits })

const resource = (answer: Support.Answer) => ({
  status: answer.status,
  remaining: answer.headers["x-ratelimit-remaining"],
  used: answer.headers["x-ratelimit-used"]
})

layer(forge(small))("the primary limit", (it) => {
  it.effect("counts down, rejects requests at zero, and resets", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { base, get } = yield* TestForge
      const first = yield* get(`${base}/hello`)
      assert.deepStrictEqual(resource(first), { status: 200, remaining: "4", used: "1" })
      assert.strictEqual(first.headers["x-ratelimit-limit"], "5")
      assert.strictEqual(first.headers["x-ratelimit-resource"], "core")
      assert.strictEqual(first.headers["x-ratelimit-reset"], "1003")
      yield* Effect.forEach([1, 2, 3, 4], () => get(`${base}/hello`), { discard: true })
      const refused = yield* get(`${base}/hello`)
      assert.deepStrictEqual(resource(refused), { status: 403, remaining: "0", used: "5" })
      assert.include(refused.json.message, "API rate limit exceeded")
      assert.isUndefined(refused.headers["retry-after"])
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual((yield* get(`${base}/hello`)).headers["x-ratelimit-remaining"], "4")
    })
  )
})

layer(forge(small))("requests without cost to the primary limit", (it) => {
  it.effect("include 304 responses and requests for the rate limit", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { base, get } = yield* TestForge
      const { etag = "" } = (yield* get(`${base}/hello`)).headers
      const same = yield* get(`${base}/hello`, { headers: { "if-none-match": etag } })
      assert.deepStrictEqual(resource(same), { status: 304, remaining: "4", used: "1" })
      const status = yield* get("/rate_limit")
      assert.isUndefined(status.headers["x-ratelimit-limit"])
      assert.deepStrictEqual(status.json.resources.core, { limit: 5, used: 1, remaining: 4, reset: 1003 })
      assert.deepStrictEqual(status.json.rate, status.json.resources.core)
      const { code_search, core, graphql, integration_manifest, search } = status.json.resources
      const windows = [core, search, code_search, graphql, integration_manifest]
      assert.deepStrictEqual(
        windows.map(({ limit, used }) => [limit, used]),
        [
          [5, 1],
          [2, 0],
          [2, 0],
          [5, 0],
          [5, 0]
        ]
      )
    })
  )
})

layer(forge(small))("code search", (it) => {
  it.effect("has its own window, as have anonymous callers", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { base, get } = yield* TestForge
      const search = () => get("/search/code?q=one")
      yield* search()
      assert.strictEqual((yield* search()).headers["x-ratelimit-resource"], "code_search")
      assert.strictEqual((yield* search()).status, 403)
      assert.strictEqual((yield* get(`${base}/hello`)).headers["x-ratelimit-used"], "1")
      const anonymous = () => get(`${base}/hello`, { token: null })
      yield* anonymous()
      yield* anonymous()
      assert.strictEqual((yield* anonymous()).status, 403)
    })
  )
})

layer(forge({ ...small, user: 100 }))("points of GraphQL", (it) => {
  it.effect("are those of the query, in the headers, in the query and in the REST API", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { ask, get } = yield* TestForge
      const query = (first: number, dryRun = false) =>
        ask("POST", "/graphql", {
          body: {
            query: `query($first: Int) {
              rateLimit(dryRun: ${dryRun}) { limit cost remaining used nodeCount }
              viewer { repositories(first: 100) { nodes { issues(first: $first) { nodes { labels(first: 1) { totalCount } } } } } }
            }`,
            variables: { first }
          }
        })
      const { headers, json } = yield* query(20)
      // 1 + 100 + 2000 reads of connections.
      assert.deepStrictEqual(json.data.rateLimit, { limit: 100, cost: 21, remaining: 79, used: 21, nodeCount: 4100 })
      assert.strictEqual(headers["x-ratelimit-used"], "21")
      assert.strictEqual((yield* get("/rate_limit")).json.resources.graphql.used, 21)
      const dry = yield* query(30, true)
      assert.deepStrictEqual(dry.json.data, {
        rateLimit: { limit: 100, cost: 31, remaining: 78, used: 22, nodeCount: 6100 }
      })
      const refused = yield* query(99)
      assert.deepStrictEqual(
        [refused.status, refused.headers["x-ratelimit-used"], refused.json],
        [200, "23", { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1." }] }]
      )
      yield* query(76)
      const last = yield* query(1)
      assert.deepStrictEqual([last.headers["x-ratelimit-remaining"], last.json.errors[0].type], ["0", "RATE_LIMITED"])
    })
  )
})

layer(forge({ ...small, user: 100, graphqlPointsPerMinute: 6 }))("mutations", (it) => {
  it.effect("count five points in a minute", () =>
    Effect.gen(function* () {
      const { ask, base, get } = yield* TestForge
      const { json } = yield* get(`${base}/hello`)
      const send = (query: string) => Effect.map(ask("POST", "/graphql", { body: { query } }), ({ status }) => status)
      const mutation = `mutation { updateRepository(input: { repositoryId: "${json.node_id}", description: "Hello" }) {
        clientMutationId } }`
      const statuses = yield* Effect.forEach([mutation, "{ viewer { login } }", "{ viewer { login } }"], send)
      assert.deepStrictEqual(statuses, [200, 200, 429])
    })
  )
})

layer(forge({ ...small, graphqlPointsPerMinute: 3 }))("GraphQL", (it) => {
  it.effect("has its own window, and its own points", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { ask, base, get } = yield* TestForge
      const query = ask("POST", "/graphql", { body: { query: "{viewer{login}}" } })
      const { headers, status } = yield* query
      assert.deepStrictEqual(
        [status, headers["x-ratelimit-resource"], headers["x-ratelimit-used"]],
        [200, "graphql", "1"]
      )
      assert.strictEqual((yield* get(`${base}/hello`)).headers["x-ratelimit-used"], "1")
      yield* query
      yield* query
      const refused = yield* query
      assert.deepStrictEqual([refused.status, refused.headers["retry-after"] !== undefined], [429, true])
      yield* TestClock.adjust("62 seconds")
      assert.strictEqual((yield* query).headers["x-ratelimit-used"], "1")
      const { graphql } = (yield* get("/rate_limit")).json.resources
      assert.deepStrictEqual([graphql.used, graphql.remaining], [1, 4])
    })
  )
})

it.effect("the CPU time of GraphQL has a limit of its own, and counts towards that of all requests", () =>
  Effect.gen(function* () {
    const numbers = { ...RateLimitPolicy.specNumbers, graphqlCpuPerMinute: 100, cpuPerMinute: 150 }
    const limits = RateLimits.make(numbers)
    const caller = { kind: "anonymous" } as const // a literal kind
    const run = Effect.fnUntraced(function* (resource: "core" | "graphql") {
      const counted = { caller, address: "::1", resource, endpoint: resource, method: "GET", points: 1 }
      const { exceeded, settle } = yield* limits.admit(counted)
      if (exceeded !== undefined) return "refused"
      yield* TestClock.adjust("60 millis")
      yield* settle(false)
      return "admitted"
    })
    const requests = ["graphql", "graphql", "graphql", "core", "core"] as const // resources
    assert.deepStrictEqual(yield* Effect.forEach(requests, run), [
      "admitted",
      "admitted",
      "refused",
      "admitted",
      "refused"
    ])
  })
)

layer(forge({ ...small, user: 1000 }))("secondary limits", (it) => {
  it.effect("have a retry-after for points per endpoint and for content creation", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000_000)
      const { ask, base, get } = yield* TestForge
      yield* Effect.forEach(Array.from({ length: 20 }), () => get(`${base}/hello`), { discard: true })
      const refused = yield* get(`${base}/hello`)
      assert.strictEqual(refused.status, 429)
      assert.include(refused.json.message, "secondary rate limit")
      assert.isAtLeast(Number(refused.headers["retry-after"]), 60)
      assert.strictEqual((yield* get(`${base}/hello/branches`)).status, 200)

      const create = (name: string) =>
        Effect.map(ask("POST", "/user/repos", { body: { name } }), ({ status }) => status)
      assert.deepStrictEqual([yield* create("one"), yield* create("two"), yield* create("three")], [201, 201, 429])
      yield* TestClock.adjust("62 seconds")
      assert.strictEqual(yield* create("three"), 201)
      assert.strictEqual((yield* get(`${base}/hello`)).status, 200)
    })
  )
})

layer(forge({ ...RateLimitPolicy.specNumbers, pointsPerMinute: 10_000, contentPerMinute: 2, contentPerHour: 2 }))(
  "deletes and GraphQL queries",
  (it) => {
    it.effect("do not count as content creation", () =>
      Effect.gen(function* () {
        const { ask, base } = yield* TestForge
        const query = Effect.map(
          ask("POST", "/graphql", { body: { query: "{viewer{login}}" } }),
          ({ status }) => status
        )
        assert.deepStrictEqual(yield* Effect.all([query, query, query, query]), [200, 200, 200, 200])
        const remove = (name: string) => ask("DELETE", `${base}/hello/git/refs/heads/${name}`)
        const statuses = yield* Effect.forEach(["a", "b", "c", "d"], (name) =>
          Effect.map(remove(name), ({ status }) => status)
        )
        assert.deepStrictEqual(statuses, [422, 422, 422, 422])
      })
    )
  }
)

layer(forge({ ...RateLimitPolicy.specNumbers, pointsPerMinute: 10_000, concurrent: 1 }))(
  "requests at one time",
  (it) => {
    it.effect("stay within the limit, and an aborted request frees its place", () =>
      Effect.gen(function* () {
        const { base, get } = yield* TestForge
        const app = yield* App
        const authorization = `Bearer ${Redacted.value((yield* Owner).token)}`
        const request = new Request("http://forge.localhost/user/repos", {
          method: "POST",
          headers: { authorization, "user-agent": "test", "content-type": "application/json" },
          // Never sends a byte.
          body: new ReadableStream(),
          duplex: "half"
        })
        const answer = app.handle(HttpServerRequest.fromWeb(request))
        const waiting = yield* Effect.forkChild(answer, { startImmediately: true })
        const status = Effect.map(get(`${base}/hello`), (answer) => answer.status)
        assert.strictEqual(yield* status, 429)
        yield* Fiber.interrupt(waiting)
        assert.strictEqual(yield* status, 200)
      })
    )
  }
)

layer(forge({ ...small, concurrent: 1 }), { excludeTestServices: true })("an extension", (it) => {
  it.effect("has no primary window, and counts as running until it is sent", () =>
    Effect.gen(function* () {
      const { get } = yield* TestForge
      const app = yield* App
      const index = Effect.map(get("/tongs/index"), ({ headers, status }) => [status, headers["x-ratelimit-used"]])
      const authorization = `Bearer ${Redacted.value((yield* Owner).token)}`
      const request = new Request("http://forge.localhost/tongs/search?q=one", {
        headers: { authorization, "user-agent": "test" }
      })
      const found = yield* app.handle(HttpServerRequest.fromWeb(request))
      assert.strictEqual(found.status, 200)
      assert.deepStrictEqual(yield* index, [429, undefined])
      assert.include(yield* Effect.promise(() => HttpServerResponse.toWeb(found).text()), "_tag")
      for (let points = 0; points < 20; points++) assert.deepStrictEqual(yield* index, [200, undefined])
      assert.deepStrictEqual(yield* index, [429, undefined])
      assert.strictEqual((yield* get("/user")).headers["x-ratelimit-used"], "1")
    })
  )
})

describe("SlidingWindowCounter", () => {
  it.effect("computes the wait until the count is low enough", () =>
    Effect.sync(() => {
      const count = SlidingWindowCounter.make(60_000)
      count.add(0, 5)
      count.add(30_000, 5)
      assert.strictEqual(count.wait(30_000, 10), 0)
      assert.strictEqual(count.wait(30_000, 5), 31_000)
      assert.strictEqual(count.wait(61_000, 5), 0)
      assert.isAbove(count.wait(61_000, 4), 29_000)
    })
  )
})
