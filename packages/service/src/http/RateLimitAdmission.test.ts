import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { RateLimits } from "../access/RateLimits.ts"
import * as RateLimitAdmission from "./RateLimitAdmission.ts"
import type { KnownRequest } from "./RequestStages.ts"

it.effect("answers a request that cannot be counted, because the database fails", () =>
  Effect.gen(function* () {
    const failing = RateLimits.of({
      enforced: true,
      admit: () => Effect.die(new Error("no database")),
      status: () => Effect.undefined
    })
    const admit = RateLimitAdmission.make(failing, (request, answer) =>
      Effect.catchCause(answer, (cause) =>
        Effect.succeed({ request, response: HttpServerResponse.text(String(Cause.squash(cause)), { status: 503 }) })
      )
    )
    const fields: unknown = {
      request: HttpServerRequest.fromWeb(new Request("http://forge.localhost/user"))
    }
    const request = fields as KnownRequest // oxlint-disable-line typescript/no-unsafe-type-assertion -- the admission reads only this
    const count = { caller: { kind: "anonymous" }, resource: "core", endpoint: "GET /user", points: 1 } as const
    const { response } = yield* admit(request, count, () => Effect.die("answered"))
    assert.strictEqual(response.status, 503)
  })
)
