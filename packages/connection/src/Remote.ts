/** The connection to a forge elsewhere. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import { Connection } from "./Connection.ts"
import { ConnectionError } from "./ConnectionError.ts"
import type { Settings } from "./Settings.ts"

/** Where the `github` dialect is spoken when nothing else is said (spec part 4, "Dialects"). */
const github = "https://api.github.com"

export const layer = (settings: Settings): Layer.Layer<Connection | Forge | Scheduler, ConnectionError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const baseUrl = settings.url ?? github
      if (!URL.canParse(baseUrl)) {
        return yield* new ConnectionError({
          reason: "BadSettings",
          detail: `${JSON.stringify(baseUrl)} is not a URL`,
          hint: "Give the forge's API as https://forge.example/api/v3"
        })
      }
      const { dialect, token } = settings
      const forge = yield* Forge.make({ baseUrl, token, dialect, userAgent: "tongs" })
      const connection = Connection.of({
        kind: "remote",
        label: new URL(baseUrl).host,
        baseUrl,
        here: undefined,
        notices: []
      })
      return Context.make(Forge, forge).pipe(Context.add(Connection, connection))
    })
  ).pipe(Layer.provideMerge(Scheduler.layerMemory), Layer.provide(NodeHttpClient.layerUndici))
