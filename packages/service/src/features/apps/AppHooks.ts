/** The webhook of an app, which gets the events of the app's installations. */
import * as Effect from "effect/Effect"
import type { HookConfig } from "@tongs/core/contract/groups/Hooks"
import type { AppRow } from "../../access/InstallationRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { PageRequest } from "../../base/Paging.ts"
import * as HookInput from "../hooks/HookInput.ts"
import * as HookOperations from "../hooks/HookOperations.ts"
import { HookRows } from "../../webhooks/HookRows.ts"
import { SecretSealer } from "../../webhooks/SecretSealer.ts"

/** The configuration that an app without a webhook reports. */
const none: HookConfig = { content_type: "form", insecure_ssl: "0" }

type App = Pick<AppRow, "id">

const viewerOf = ({ id }: App): HookOperations.HookViewer => ({ owner: { kind: "app", id }, caller: undefined })

export const make = Effect.gen(function* () {
  const rows = yield* HookRows
  const sealer = yield* SecretSealer
  const hooks = yield* HookOperations.make

  const find = (app: App) => Effect.map(rows.list(viewerOf(app).owner), ([hook]) => hook)
  const existing = Effect.fnUntraced(function* (app: App) {
    return (yield* find(app)) ?? (yield* ApiError.notFound())
  })

  /** Creates the webhook of an app. Fails with 422 if the configuration is invalid. */
  const create = Effect.fnUntraced(function* (app: App, config: HookInput.Config, isActive: boolean) {
    const { secrets, ...wanted } = yield* HookInput.create({ config })
    const settings = { ...wanted, events: [], active: isActive ? 1 : 0, sealed: sealer.seal(secrets) }
    return yield* rows.add({ ...settings, owner: viewerOf(app).owner, creatorId: null, byApp: false })
  })

  return {
    find,
    create,

    config: (app: App) => Effect.map(find(app), (hook) => (hook === undefined ? none : hooks.config(hook))),

    /** Changes the configuration. Creates the webhook if the app has none. */
    configure: Effect.fnUntraced(function* (app: App, change: HookInput.Config) {
      const hook = yield* find(app)
      return hooks.config(
        hook === undefined
          ? yield* create(app, change, true)
          : yield* hooks.updateConfig(viewerOf(app), hook.id, change)
      )
    }),

    deliveries: Effect.fnUntraced(function* (
      app: App,
      { cursor, status }: { readonly cursor: string | undefined; readonly status: "success" | "failure" | undefined },
      page: PageRequest
    ) {
      const hook = yield* find(app)
      return hook === undefined
        ? { items: [], total: {} }
        : yield* hooks.deliveries(viewerOf(app), { hook_id: hook.id, cursor, status }, page)
    }),

    delivery: Effect.fnUntraced(function* (app: App, id: number) {
      return yield* hooks.delivery(viewerOf(app), (yield* existing(app)).id, id)
    }),

    redeliver: Effect.fnUntraced(function* (app: App, id: number) {
      yield* hooks.redeliver(viewerOf(app), (yield* existing(app)).id, id)
    })
  }
})
