import * as Context from "effect/Context"

/** The forge that commands use: the embedded one, or a remote one. `ConnectionLayer` makes it. */
export class Connection extends Context.Service<
  Connection,
  {
    readonly kind: "embedded" | "remote"
    /** Names the forge in messages: `embedded forge`, or the remote's host. */
    readonly label: string
    readonly baseUrl: string
    /** The repository of the working directory: on a remote forge, the one that its git remote names. */
    readonly repository: { readonly owner: string; readonly repo: string } | undefined
    /** The reason for an undefined `repository`, as a clause. */
    readonly repositoryProblem?: string | undefined
    /** Sentences to show to the user, for example that this is a demonstration. */
    readonly notices: ReadonlyArray<string>
  }
>()("@tongs/connection/Connection") {}
