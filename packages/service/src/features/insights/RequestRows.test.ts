import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { UserRows } from "../../accounts/UserRows.ts"
import { folder } from "../../git/Fixture.test-support.ts"
import { StoreRevision } from "../../storage/StoreRevision.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"
import { type RequestCount, RequestRows } from "./RequestRows.ts"

const count = (given: Partial<RequestCount>): RequestCount => ({
  owner: "team",
  minute: 600,
  actorType: "user",
  actorId: 1,
  method: "GET",
  route: "/repos/{owner}/{repo}",
  userId: 1,
  subjectType: "user",
  subjectId: 1,
  subjectName: "Ada",
  total: 1,
  limited: 0,
  lastRequest: 610,
  lastLimited: undefined,
  ...given
})

describe.skipIf(!TestDatabase.isPostgres)("request counts of several processes", () => {
  it.effect("are those of all processes, and end the validity of no response", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const storage = yield* Layer.build(TestDatabase.storageLayer(data))
      const { id: organizationId } = yield* Context.get(storage, UserRows).ensure({
        login: "team",
        type: "Organization"
      })
      const process = Effect.map(
        Effect.provide(Layer.build(Layer.fresh(RequestRows.layer(data, true))), storage),
        Context.get(RequestRows)
      )
      const [one, other] = [yield* process, yield* process]
      const revision = Context.get(storage, StoreRevision)
      const before = revision.current()
      yield* Effect.all(
        [one, other, one, other].map((rows, index) =>
          rows.add([
            count({ total: 2, lastRequest: 610 + index }),
            count({ method: "PUT", route: "/Issues", limited: 1, lastLimited: 630 + index }),
            count({ minute: 660, lastRequest: 670 })
          ])
        ),
        { concurrency: "unbounded", discard: true }
      )
      assert.strictEqual(revision.current(), before)
      const filter = { organizationId, from: 0, to: 1000 }
      assert.deepStrictEqual(yield* other.summary(filter), {
        total_request_count: 16,
        rate_limited_request_count: 4
      })
      const listing = { substring: "", sort: ["last_rate_limited_timestamp"], direction: "desc", offset: 0 } as const
      const routes = yield* one.routes(filter, { ...listing, perPage: 1 })
      assert.deepStrictEqual(routes, {
        total: 2,
        items: [
          {
            http_method: "PUT",
            api_route: "/Issues",
            total_request_count: 4,
            rate_limited_request_count: 4,
            last_request_timestamp: 610,
            last_rate_limited_timestamp: 633
          }
        ]
      })
      assert.strictEqual((yield* one.routes(filter, { ...listing, substring: "ISSUES", perPage: 9 })).total, 1)
      assert.strictEqual((yield* one.subjects(filter, { ...listing, substring: "ad", perPage: 9 })).total, 1)
      assert.deepStrictEqual(
        (yield* one.times(filter, 60)).map(({ timestamp, total_request_count }) => [timestamp, total_request_count]),
        [
          [600, 12],
          [660, 4]
        ]
      )
      yield* other.forget(660)
      assert.strictEqual((yield* one.summary(filter)).total_request_count, 4)
    })
  )
})
