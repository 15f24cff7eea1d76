/** From what a person asked for to a ready Forge: the embedded one over the repositories at hand, or a remote one. */
import * as Context from "effect/Context"
import type * as HttpClient from "effect/http/HttpClient"

/** Where the Forge of the context leads. */
export class Connection extends Context.Service<
  Connection,
  {
    readonly kind: "embedded" | "remote"
    /** For people: `embedded forge`, or the remote's host. */
    readonly label: string
    readonly baseUrl: string
    /** The repository of the working directory: the adopted one, or on a remote forge that of its git remote. */
    readonly repository: { readonly owner: string; readonly repo: string } | undefined
    /** Why `here` is undefined, as the end of a sentence. */
    readonly repositoryProblem?: string | undefined
    /** What the person should know: for example that this is the demonstration repository, and why. */
    readonly notices: ReadonlyArray<string>
    /** Speaks to what an embedded forge has beyond the contract (`core/explore`), by path, with its credentials. */
    readonly beyond: HttpClient.HttpClient | undefined
  }
>()("@tongs/connection/Connection") {}
