/** Endpoints of the webhook of an app: the configuration and the deliveries. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { HookConfigChange } from "@tongs/core/contract/groups/Hooks"
import type { AppWithKey } from "../access/InstallationRows.ts"
import * as ApiError from "../api/ApiError.ts"
import * as RequestInput from "../api/RequestInput.ts"
import * as Paging from "../base/Paging.ts"
import * as AppHooks from "../features/apps/AppHooks.ts"
import * as AppEndpoint from "./AppEndpoint.ts"
import { jsonResponse, readResponse } from "./Responses.ts"

const decodeChange = Schema.decodeUnknownExit(HookConfigChange, { errors: "all" })
const isOutcome = Schema.is(Schema.Literals(["success", "failure"]))

export const make = Effect.fnUntraced(function* (endpoint: ReturnType<typeof AppEndpoint.make<AppWithKey>>) {
  const hooks = yield* AppHooks.make

  return [
    endpoint("GET", "/app/hook/config", ({ app, dialect, incoming }) =>
      Effect.map(hooks.config(app), (config) => readResponse(dialect, incoming, config))
    ),

    endpoint("PATCH", "/app/hook/config", ({ app, dialect, incoming }) =>
      Effect.gen(function* () {
        const exit = decodeChange(yield* RequestInput.readJson(incoming.request))
        if (Exit.isFailure(exit)) return yield* RequestInput.invalidInput(exit.cause, "hooks")
        return jsonResponse(dialect, incoming, 200, yield* hooks.configure(app, exit.value))
      })
    ),

    endpoint("GET", "/app/hook/deliveries", ({ app, dialect, incoming }) =>
      Effect.gen(function* () {
        const { query } = incoming
        const status = query.get("status") ?? undefined
        if (status !== undefined && !isOutcome(status)) {
          return yield* ApiError.invalid("Validation Failed: status must be success or failure", [
            { resource: "HookDelivery", field: "status", code: "invalid" }
          ])
        }
        const cursor = query.get("cursor") ?? undefined
        const { items, total } = yield* hooks.deliveries(app, { cursor, status }, Paging.request(query))
        return readResponse(dialect, incoming, items, total)
      })
    ),

    endpoint("GET", "/app/hook/deliveries/:delivery_id", ({ app, dialect, incoming, names: [id] }) =>
      Effect.map(hooks.delivery(app, Number(id)), (found) =>
        readResponse(dialect, incoming, AppEndpoint.rename(dialect, "delivery", found))
      )
    ),

    endpoint("POST", "/app/hook/deliveries/:delivery_id/attempts", ({ app, dialect, incoming, names: [id] }) =>
      Effect.map(hooks.redeliver(app, Number(id)), () => jsonResponse(dialect, incoming, 202, {}))
    )
  ]
})
