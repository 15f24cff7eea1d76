/** Who a credential is, as its forge says. */
import * as Effect from "effect/Effect"
import type { Settings } from "@tongs/connection/Settings"
import { Forge } from "@tongs/core/client/Forge"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Patience from "../Patience.ts"
import * as Progress from "../Progress.ts"
import * as Session from "../Session.ts"

/** A login; an installation has none, and is told by what it may see. */
export const ask = Effect.fnUntraced(function* (settings: Settings) {
  const connect = yield* Session.Connector
  const options = yield* Patience.interactive
  const { credential } = settings
  const who = Effect.flatMap(Forge, (forge) =>
    credential?._tag === "App"
      ? Effect.map(
          forge.installations.listReposAccessibleToInstallation({}, { ...options, perPage: 1 }).first,
          ({ items, totalCount }) => {
            const { id, installation } = credential.app
            const count = NumberFormat.quantity(totalCount ?? items.length, "repository", "repositories")
            return `installation ${installation} of app ${id}, on ${count}`
          }
        )
      : Effect.map(forge.users.getAuthenticated({}, options), ({ login }) => login)
  )
  return yield* Effect.provide(Progress.awaited(who), connect(settings))
})
