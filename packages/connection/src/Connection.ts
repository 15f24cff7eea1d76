/** From what a person asked for to a ready Forge: the embedded one over the repositories at hand, or a remote one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpClient from "effect/http/HttpClient"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import type { ConnectionError } from "./ConnectionError.ts"
import type { Settings } from "./Settings.ts"

/** Where the Forge of the context leads. */
export class Connection extends Context.Service<
  Connection,
  {
    readonly kind: "embedded" | "remote"
    /** For people: `embedded forge`, or the remote's host. */
    readonly label: string
    readonly baseUrl: string
    /** The repository of the working directory: the adopted one, or on a remote forge that of its git remote. */
    readonly here: { readonly owner: string; readonly repo: string } | undefined
    /** Why `here` is undefined, as the end of a sentence. */
    readonly hereProblem?: string | undefined
    /** What the person should know: for example that this is the demonstration repository, and why. */
    readonly notices: ReadonlyArray<string>
    /** Speaks to what an embedded forge has beyond the contract (`core/explore`), by path, with its credentials. */
    readonly beyond: HttpClient.HttpClient | undefined
  }
>()("@tongs/connection/Connection") {
  /** Loads what the settings call for, and nothing of the other kind. */
  static readonly layer = (settings: Settings): Layer.Layer<Connection | Forge | Scheduler, ConnectionError> => {
    const { url } = settings
    return Layer.unwrap(
      url === undefined
        ? Effect.map(
            Effect.promise(() => import("./Embedded.ts")),
            ({ layer }) => layer(settings)
          )
        : Effect.map(
            Effect.promise(() => import("./Remote.ts")),
            ({ layer }) => layer({ ...settings, url })
          )
    )
  }
}
