import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { RateLimited } from "../../contract/Failure.ts"
import type { ScheduledRequest } from "../../limits/ScheduledRequest.ts"
import { Scheduler } from "../../limits/Scheduler.ts"
import * as Admission from "./Admission.ts"
import { CallContext } from "../CallContext.ts"
import * as Stub from "../TransportStub.test-support.ts"

const get = HttpClientRequest.get("https://forge.test/a")

it.effect("describes the request to the scheduler, and sends when it is admitted", () =>
  Effect.gen(function* () {
    const scheduled: Array<ScheduledRequest> = []
    const scheduler = Scheduler.of({
      run: (demand, send) => {
        scheduled.push(demand)
        return send
      },
      status: Effect.succeed([]),
      statusOf: () => Effect.die("unexpected"),
      changes: Stream.empty,
      reset: () => Effect.void
    })
    const { client, sent } = Stub.make(() => Stub.json({}))
    const call = {
      endpoint: "GET /a",
      resource: "code_search",
      points: 3,
      priority: "background",
      deadline: 17
    } as const
    yield* Admission.make(scheduler, "one")(client).execute(get).pipe(Effect.provideService(CallContext, call))
    assert.deepInclude(scheduled[0], { ...call, scope: "one", method: "GET" })
    assert.strictEqual(sent.length, 1)
  })
)

it.effect("sends nothing if the budget is exhausted until after the deadline", () =>
  Effect.gen(function* () {
    const rejected = new RateLimited({ request: "GET /a", detail: "", limit: "primary", resource: "core", until: 1 })
    const scheduler = Scheduler.of({
      run: () => Effect.fail(rejected),
      status: Effect.succeed([]),
      statusOf: () => Effect.die("unexpected"),
      changes: Stream.empty,
      reset: () => Effect.void
    })
    const { client, sent } = Stub.make(() => Stub.json({}))
    const error = yield* Effect.flip(Admission.make(scheduler, "one")(client).execute(get))
    assert.strictEqual(error, rejected)
    assert.strictEqual(sent.length, 0)
  })
)
