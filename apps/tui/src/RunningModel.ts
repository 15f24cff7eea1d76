/** A model that runs on a forge, with the session to restore and save. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as AtomRegistry from "effect/reactivity/AtomRegistry"
import * as Browser from "@tongs/connection/base/Browser"
import { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Model from "./model/Model.ts"
import * as SessionFile from "./SessionFile.ts"

/** The services that the terminal UI uses. */
export type Services = Forge | Connection | Scheduler

/** A saved session, and a function to save it. */
interface SavedSession {
  readonly saved: unknown
  readonly save: (session: unknown) => void
}

/** Returns the session of a forge and repository. Without a folder, nothing is restored or saved. */
export const sessionOf = (stateFolder: string | undefined, services: Context.Context<Services>): SavedSession => {
  const { label, repository } = Context.get(services, Connection)
  if (stateFolder === undefined) return { saved: undefined, save: () => {} }
  const name = [label, ...(repository === undefined ? [] : [`${repository.owner}/${repository.repo}`])].join(" ")
  return {
    saved: SessionFile.read(stateFolder, name),
    save: (session) => SessionFile.write(stateFolder, name, session)
  }
}

export interface Settings extends Pick<Model.Options, "isReadOnly" | "keys" | "profiles" | "switchProfile"> {
  readonly session?: SavedSession
}

/** Creates a model until the Effect scope closes, which saves the session. */
export const make = Effect.fnUntraced(function* (settings: Settings, options: Partial<Model.Options> = {}) {
  const services = yield* Effect.context<Services>()
  const registry = yield* Effect.acquireRelease(
    Effect.sync(() => AtomRegistry.make()),
    (registry) => Effect.sync(() => registry.dispose())
  )
  const exited = yield* Deferred.make<Model.ExitReason>()
  const { session, ...others } = settings
  const model = yield* Effect.acquireRelease(
    Effect.sync(() =>
      Model.make({
        ...others,
        registry,
        services,
        session: session?.saved,
        onExit: (reason) => Deferred.doneUnsafe(exited, Effect.succeed(reason)),
        copy: () => {},
        browse: Browser.open,
        ...options
      })
    ),
    (model) =>
      Effect.sync(() => {
        session?.save(model.session())
        model.dispose()
      })
  )
  return { model, registry, exited }
})
