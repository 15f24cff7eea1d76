import * as Effect from "effect/Effect"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import { Forge } from "@tongs/core/client/Forge"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as InteractiveRequest from "../session/InteractiveRequest.ts"
import * as Progress from "../session/Progress.ts"
import * as Session from "../session/Session.ts"

/**
 * Requests the login of the current credential. For an app installation, which has no login, lists the installation's
 * repositories.
 */
export const describe = Effect.fnUntraced(function* (settings: ConnectionSettings) {
  const connect = yield* Session.Connector
  const options = yield* InteractiveRequest.interactive
  const { credential } = settings
  const account = Effect.flatMap(Forge, (forge) =>
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
  return yield* Effect.provide(Progress.showWaiting(account), connect(settings))
})
