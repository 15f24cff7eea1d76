import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as SqlClient from "effect/sql/SqlClient"
import { folder } from "../git/Fixture.test-support.ts"
import { App } from "../http/App.ts"
import { Owner } from "../main/Owner.ts"
import * as RateLimitCounterRows from "../storage/postgres/RateLimitCounterRows.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"
import type { Authenticated } from "./Caller.ts"
import * as LeasedCounters from "./LeasedCounters.ts"
import { type RateLimitNumbers, specNumbers } from "./RateLimitPolicy.ts"
import { type CountedRequest, type RateLimitDecision, RateLimits } from "./RateLimits.ts"
import * as SharedRateLimits from "./SharedRateLimits.ts"

const MANY = 1_000_000

/** Only the primary limit can be exceeded. */
const primaryOnly: RateLimitNumbers = {
  ...specNumbers,
  app: 1000,
  anonymous: 60,
  concurrent: MANY,
  pointsPerMinute: MANY,
  // The tests move the time by minutes.
  cpuPerMinute: MANY * MANY,
  graphqlPointsPerMinute: MANY,
  graphqlCpuPerMinute: MANY * MANY,
  contentPerMinute: MANY,
  contentPerHour: MANY
}

const request: CountedRequest = {
  caller: { kind: "anonymous" },
  address: "192.0.2.1",
  resource: "core",
  endpoint: "GET /user",
  method: "GET",
  points: undefined
}

/** A process of the cluster on the database of a data folder. `later` moves its time, `work` only the monotonic one. */
const start = Effect.fnUntraced(function* (data: string, numbers: RateLimitNumbers, maxBudgets?: number) {
  const context = yield* Layer.build(Layer.fresh(TestDatabase.storageLayer(data)))
  const rows = yield* Effect.provide(RateLimitCounterRows.make, context)
  let moved = 0
  let worked = 0
  let stopped: number | undefined
  let exchanges = 0
  let failing = false
  const exchange: RateLimitCounterRows.RateLimitCounterRows["exchange"] = (requests) =>
    Effect.suspend(() => {
      exchanges += 1
      const leases = rows.exchange(requests)
      return failing ? Effect.andThen(leases, Effect.die(new Error("connection lost"))) : leases
    })
  const counters = yield* LeasedCounters.make({ exchange }, () => (stopped ?? performance.now()) + moved, maxBudgets)
  const limits = SharedRateLimits.fromCounters(numbers, counters, () => performance.now() + worked)
  return {
    rows,
    counters,
    revision: Context.get(context, StoreRevision),
    sql: Context.get(context, SqlClient.SqlClient),
    exchanges: () => exchanges,
    later: (millis: number) => {
      moved += millis
    },
    work: (millis: number) => {
      worked += millis
    },
    stopTime: () => {
      stopped = performance.now()
    },
    fail: (value: boolean) => {
      failing = value
    },
    admit: (counted: Partial<CountedRequest> = {}) => limits.admit({ ...request, ...counted }),
    status: (caller = request.caller) => limits.status(caller, request.address)
  }
})

type Process = Effect.Success<ReturnType<typeof start>>

/** Starts a forge of the cluster. Returns a function that sends requests of the owner. */
const startForge = Effect.fnUntraced(function* (data: string, cwd: string, numbers: RateLimitNumbers) {
  const storage = Layer.fresh(TestDatabase.storageLayer(data))
  const shared = yield* Layer.build(Layer.fresh(SharedRateLimits.layer(numbers)).pipe(Layer.provide(storage)))
  const limits = Context.get(shared, RateLimits)
  const options = { data, cwd, repos: [], owner: "keeper", dialect: "service", limits } as const
  const context = yield* Layer.build(Layer.fresh(TestDatabase.forgeLayer(options)))
  const app = Context.get(context, App)
  const token = Redacted.value(Context.get(context, Owner).token)
  return Effect.fnUntraced(function* (method: string, path: string, given?: object) {
    const headers = { "user-agent": "test", authorization: `Bearer ${token}`, "content-type": "application/json" }
    const body = given === undefined ? null : JSON.stringify(given)
    const request = new Request(`http://forge.localhost${path}`, { method, headers, body })
    const response = yield* app.handle(HttpServerRequest.fromWeb(request))
    const text = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
    return { status: response.status, headers: response.headers, body: JSON.parse(text) }
  })
})

/** Moves the windows in the database into the past, as if time went by. */
const pass = (data: string, millis: number) =>
  TestDatabase.run(data, `UPDATE rate_limit_counters SET resets_at = resets_at - ${millis}`)

const isAdmitted = ({ exceeded }: RateLimitDecision) => exceeded === undefined

const random = <A>(list: ReadonlyArray<A>): A => {
  const one = list[Math.floor(Math.random() * list.length)]
  if (one === undefined) throw new Error("Expected a list with elements")
  return one
}

/** Sends a request to a random process, and returns whether it was admitted. Ends it at once. */
const send = (processes: ReadonlyArray<Process>, counted: Partial<CountedRequest> = {}) =>
  Effect.gen(function* () {
    const decision = yield* random(processes).admit(counted)
    if (isAdmitted(decision)) yield* decision.settle(false)
    return decision
  })

/** Number of admitted requests of `count` concurrent ones. */
const admitted = (processes: ReadonlyArray<Process>, count: number, counted: Partial<CountedRequest> = {}) =>
  Effect.map(
    Effect.all(
      Array.from({ length: count }, () => send(processes, counted)),
      { concurrency: 50 }
    ),
    (decisions) => decisions.filter(isAdmitted).length
  )

/** Time after which all processes have given back unused leases, and know it. */
const giveBack = (processes: ReadonlyArray<Process>) =>
  Effect.gen(function* () {
    for (const { later } of processes) later(6000)
    for (const { counters } of processes) yield* counters.sweep
  })

const appFields: unknown = {
  kind: "anonymous",
  app: {
    id: 1,
    owner_id: 1,
    owner_login: "mia",
    slug: "app",
    name: "app",
    client_id: "Iv1.1",
    plan: null
  }
}
const app = appFields as CountedRequest["caller"] // oxlint-disable-line typescript/no-unsafe-type-assertion -- the limits read only these

const raisedFields: unknown = {
  kind: "app_user",
  user: { id: 7 },
  tokenId: 1,
  installation: { id: 1, raisesUser: true }
}
const raised = raisedFields as Authenticated // oxlint-disable-line typescript/no-unsafe-type-assertion -- the limits read only these

/** The user of `raised`, by a token whose app does not raise the limit. */
const normal: Authenticated = { ...raised, installation: undefined }

describe.skipIf(!TestDatabase.isPostgres)("rate limits of a cluster", () => {
  it.live("admit at most the limit over all processes, and nearly as many if two of five die", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const processes = yield* Effect.forEach([1, 2, 3, 4, 5], () => start(data, primaryOnly))
      for (const window of [1, 2, 3]) {
        const first = yield* admitted(processes, 400, { caller: app })
        assert.strictEqual(first, 400, `window ${window}`)
        const alive = processes.slice(0, 3)
        const second = yield* admitted(alive, 900, { caller: app })
        yield* giveBack(alive)
        const total = first + second + (yield* admitted(alive, 300, { caller: app }))
        assert.isAtMost(total, 1000)
        assert.isAtLeast(total, 800)
        yield* pass(data, primaryOnly.window)
        for (const { later } of processes) later(primaryOnly.window)
      }
      assert.isBelow(
        processes.reduce((sum, { exchanges }) => sum + exchanges(), 0),
        1500
      )
    })
  )

  it.live("use the whole window if requests go to random processes", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const processes = yield* Effect.forEach([1, 2, 3, 4], () => start(data, primaryOnly))
      for (const counted of [{ caller: app }, {}, { resource: "search" as const }]) {
        const limit = counted.caller === app ? 1000 : counted.resource === "search" ? 10 : 60
        let total = yield* admitted(processes, limit, counted)
        for (let round = 0; round < 5; round++) {
          yield* giveBack(processes)
          total += yield* admitted(processes, 100, counted)
        }
        assert.strictEqual(total, limit)
      }
    })
  )

  it.live("admit nothing from a lease of an ended window", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [stopped, other] = [yield* start(data, primaryOnly), yield* start(data, primaryOnly)]
      yield* send([stopped], { caller: app })
      assert.strictEqual(stopped.exchanges(), 1)
      yield* send([stopped], { caller: app })
      assert.strictEqual(stopped.exchanges(), 1)
      yield* pass(data, primaryOnly.window)
      for (const { later } of [stopped, other]) later(primaryOnly.window)
      assert.strictEqual(yield* admitted([other], 1100, { caller: app }), 1000)
      // The process still has units, but of the previous window.
      const refused = yield* send([stopped], { caller: app })
      assert.strictEqual(refused.exceeded?.status, 403)
      assert.deepInclude(refused.headers(), {
        "x-ratelimit-limit": "1000",
        "x-ratelimit-used": "1000",
        "x-ratelimit-remaining": "0"
      })
    })
  )

  it.live("begin a new window after the clock of the database went back", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const process = yield* start(data, primaryOnly)
      assert.strictEqual(yield* admitted([process], 70), 60)
      yield* pass(data, -86_400_000)
      process.later(1000)
      assert.strictEqual(yield* admitted([process], 70), 60)
    })
  )

  it.live("ask the database at most once in a second after a refusal", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const only = yield* start(data, primaryOnly)
      only.stopTime()
      yield* admitted([only], 70)
      const before = only.exchanges()
      assert.strictEqual(yield* admitted([only], 200), 0)
      assert.strictEqual(only.exchanges(), before)
      only.later(1000)
      assert.strictEqual(yield* admitted([only], 1), 0)
      assert.strictEqual(only.exchanges(), before + 1)
    })
  )

  it.live("report the requests of all processes, never above the limit", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const processes = yield* Effect.forEach([1, 2, 3], () => start(data, primaryOnly))
      let count = 0
      for (let index = 0; index < 80; index++) {
        const decision = yield* send(processes)
        if (isAdmitted(decision)) count += 1
        const headers = decision.headers()
        const [used, remaining] = [Number(headers["x-ratelimit-used"]), Number(headers["x-ratelimit-remaining"])]
        assert.strictEqual(used + remaining, 60)
        assert.isAtMost(used, 60)
        if (!isAdmitted(decision)) assert.strictEqual(remaining, 0)
        const status = yield* random(processes).status()
        // Processes hold a few units in addition.
        assert.isAtLeast(status?.resources.core.used ?? 0, count)
        assert.isAtMost(status?.resources.core.used ?? 0, Math.min(60, count + 9))
      }
      yield* giveBack(processes)
      assert.strictEqual((yield* random(processes).status())?.resources.core.used, count)
      const resets = yield* Effect.forEach(processes, ({ status }) => status())
      assert.lengthOf(new Set(resets.map((status) => status?.resources.core.reset)), 1)
    })
  )

  it.live("count a free request not, and the cost of a query at all processes", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [one, two] = [yield* start(data, primaryOnly), yield* start(data, primaryOnly)]
      const graphql = { caller: app, resource: "graphql", points: 1 } as const
      const query = yield* one.admit(graphql)
      assert.isUndefined(yield* query.charge(700, 1))
      const costly = yield* two.admit(graphql)
      assert.strictEqual((yield* costly.charge(400, 1))?.status, 403)
      assert.isUndefined(yield* costly.charge(200, 1))
      const free = yield* two.admit(graphql)
      yield* free.settle(true)
      yield* giveBack([one, two])
      const used = (yield* two.admit(graphql)).headers()["x-ratelimit-used"]
      // With at most the spare units of the other process.
      assert.isAtLeast(Number(used), 901)
      assert.isAtMost(Number(used), 902)
    })
  )

  it.live("count requests with the raised limit of an enterprise in the normal window too", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const numbers = { ...primaryOnly, user: 20, enterprise: 60 }
      const processes = yield* Effect.forEach([1, 2], () => start(data, numbers))
      assert.strictEqual(yield* admitted(processes, 30, { caller: raised }), 30)
      yield* giveBack(processes)
      assert.strictEqual((yield* send(processes, { caller: raised })).headers()["x-ratelimit-limit"], "60")
      const refused = yield* send(processes, { caller: normal })
      assert.strictEqual(refused.exceeded?.status, 403)
      assert.deepInclude(refused.headers(), { "x-ratelimit-limit": "20", "x-ratelimit-used": "20" })
      let total = 31
      for (let round = 0; round < 3; round++) {
        total += yield* admitted(processes, 40, { caller: raised })
        yield* giveBack(processes)
      }
      assert.strictEqual(total, 60)
    })
  )

  it.live("admit at most the number of concurrent requests, and forget those of a dead process", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const numbers = { ...primaryOnly, concurrent: 10, anonymous: MANY }
      const processes = yield* Effect.forEach([1, 2, 3], () => start(data, numbers))
      let running = 0
      let most = 0
      let count = 0
      const worker = Effect.gen(function* () {
        for (let index = 0; index < 40; index++) {
          const decision = yield* random(processes).admit()
          if (!isAdmitted(decision)) {
            for (const { later } of processes) later(50)
            continue
          }
          count += 1
          most = Math.max(most, ++running)
          yield* Effect.sleep(Math.random() * 5)
          running -= 1
          yield* decision.settle(false)
          if (index % 10 === 0) yield* giveBack(processes)
        }
      })
      yield* Effect.all(
        Array.from({ length: 25 }, () => worker),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(most, 10)
      assert.isAbove(most, 5)
      assert.isAbove(count, 100)
      yield* giveBack(processes)

      const [dead, alive] = processes
      assert.isDefined(dead)
      assert.isDefined(alive)
      for (let index = 0; index < 10; index++) assert.isTrue(isAdmitted(yield* dead.admit()))
      const tryAll = Effect.gen(function* () {
        alive.later(1000)
        return yield* Effect.forEach(Array.from({ length: 11 }), () => alive.admit())
      })
      assert.deepStrictEqual((yield* tryAll).filter(isAdmitted), [])
      // The dead process renews its requests until it dies.
      for (let window = 0; window < 3; window++) {
        yield* pass(data, 10_000)
        for (const { later } of processes) later(10_000)
        yield* dead.counters.sweep
        assert.deepStrictEqual((yield* tryAll).filter(isAdmitted), [])
      }
      yield* pass(data, 20_000)
      alive.later(20_000)
      assert.lengthOf((yield* tryAll).filter(isAdmitted), 10)
    })
  )

  it.live("limit the content, the points of a route, tokens and the time of requests", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const numbers = {
        ...primaryOnly,
        anonymous: MANY,
        contentPerMinute: 20,
        cpuPerMinute: MANY,
        pointsPerMinute: 45,
        tokensPerHour: 5
      }
      const processes = yield* Effect.forEach([1, 2, 3], () => start(data, numbers))
      const most = Effect.fnUntraced(function* (counted: Partial<CountedRequest>) {
        let total = 0
        for (let round = 0; round < 4; round++) {
          total += yield* admitted(processes, 60, { address: JSON.stringify(counted), ...counted })
          yield* giveBack(processes)
        }
        return total
      })
      assert.strictEqual(yield* most({ method: "POST", points: 0 }), 20)
      assert.strictEqual(yield* most({ method: "PUT" }), 9)
      assert.strictEqual(yield* most({ method: "GET" }), 45)
      assert.strictEqual(yield* most({ method: "POST", points: 0, givesToken: true }), 5)
      const refused = yield* send(processes, { method: "POST", points: 0, address: '{"method":"POST","points":0}' })
      assert.strictEqual(refused.exceeded?.status, 429)
      assert.isAtMost(refused.exceeded?.retryAfter ?? 0, 60)

      const [one, two] = processes
      assert.isDefined(one)
      assert.isDefined(two)
      const long = { address: "long" }
      const decision = yield* one.admit(long)
      one.work(numbers.cpuPerMinute - 1000)
      yield* decision.settle(false)
      assert.isTrue(isAdmitted(yield* send([two], long)))
      const longer = yield* one.admit(long)
      assert.isTrue(isAdmitted(longer))
      one.work(3000)
      yield* longer.settle(false)
      yield* giveBack([two])
      yield* one.counters.sweep
      assert.strictEqual((yield* send([two], long)).exceeded?.status, 429)
    })
  )

  it.live("count no time of a request for a clock that is moved forward", () =>
    Effect.gen(function* () {
      const process = yield* start(yield* folder, { ...primaryOnly, anonymous: MANY, cpuPerMinute: 5000 })
      yield* send([process])
      const running = yield* Effect.forEach([1, 2, 3, 4], () => process.admit())
      process.later(59_000)
      for (const decision of running) yield* decision.settle(false)
      yield* process.counters.sweep
      assert.isTrue(isAdmitted(yield* process.admit()))
    })
  )

  it.live("do not ask the database for each request beyond the normal limit", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const numbers = { ...primaryOnly, user: 20, enterprise: 6000 }
      const [only, other] = [yield* start(data, numbers), yield* start(data, numbers)]
      only.stopTime()
      for (let count = 0; count < 400; count++) yield* send([only], { caller: raised })
      assert.isBelow(only.exchanges(), 60)
      yield* giveBack([only])
      const status = yield* other.status(raised)
      assert.deepInclude(status?.resources.core, { limit: 6000, used: 400 })
      assert.strictEqual((yield* send([other], { caller: normal })).exceeded?.status, 403)
    })
  )

  it.live("give back the leases of rarely used credentials and at the end, and survive a lost answer", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const process = yield* start(data, primaryOnly, 10)
      for (let index = 0; index < 50; index++) yield* send([process], { address: `192.0.2.${index}` })
      yield* process.counters.close
      const rows = yield* process.sql<{ readonly used: number }>`
        SELECT used FROM rate_limit_counters WHERE counter = 'window core'`
      assert.deepStrictEqual(
        rows.map(({ used }) => used),
        Array.from({ length: 50 }, () => 1)
      )

      process.fail(true)
      const lost = yield* Effect.exit(send([process], { address: "lost" }))
      assert.isTrue(Exit.isFailure(lost))
      process.fail(false)
      const total = yield* admitted([process], 70, { address: "lost" })
      assert.isAtMost(total, 59)
      assert.isAtLeast(total, 56)
    })
  )

  it.live("hold over the requests to two forges", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const data = join(root, "data")
      const numbers = { ...specNumbers, user: 40 }
      const forges = yield* Effect.forEach([1, 2], () => startForge(data, root, numbers))
      const statuses = new Map<number, number>()
      for (let index = 0; index < 60; index++) {
        const { headers, status } = yield* random(forges)("GET", "/user")
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        assert.strictEqual(Number(headers["x-ratelimit-used"]) + Number(headers["x-ratelimit-remaining"]), 40)
        assert.strictEqual(headers["x-ratelimit-resource"], "core")
      }
      // The units of the last leases can be at the other forge.
      assert.isAtMost(statuses.get(200) ?? 0, 40)
      assert.isAtLeast(statuses.get(200) ?? 0, 36)
      assert.strictEqual((statuses.get(200) ?? 0) + (statuses.get(403) ?? 0), 60)
      for (const forge of forges) {
        const { body } = yield* forge("GET", "/rate_limit")
        assert.deepInclude(body.resources.core, { limit: 40, used: 40, remaining: 0 })
        assert.deepInclude(body.resources.graphql, { limit: 40, used: 0 })
      }
      const query = { query: "{ viewer { login } rateLimit { limit used } }" }
      yield* random(forges)("POST", "/graphql", query)
      const { body } = yield* random(forges)("POST", "/graphql", query)
      assert.isAtLeast(body.data.rateLimit.used, 2)
      assert.isAtMost(body.data.rateLimit.used, 6)
    })
  )

  it.live("change no revision, and forget ended windows", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const [one, two] = [yield* start(data, primaryOnly), yield* start(data, primaryOnly)]
      yield* one.revision.refresh() ?? Effect.void
      const before = one.revision.current()
      yield* admitted([one, two], 50)
      yield* one.rows.forget
      yield* one.revision.refresh() ?? Effect.void
      assert.strictEqual(one.revision.current(), before)
      const count = Effect.map(
        one.sql<{ readonly count: number }>`SELECT count(*) AS count FROM rate_limit_counters`,
        ([row]) => row?.count
      )
      assert.isAbove((yield* count) ?? 0, 0)
      yield* pass(data, primaryOnly.window + 61_000)
      yield* one.rows.forget
      assert.strictEqual(yield* count, 0)
    })
  )
})
