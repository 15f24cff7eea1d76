import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { LateReason } from "./base/LateRequests.ts"

/** A change of the forge's data: of one repository's references, or of any data if `repository` is undefined. */
export interface Change {
  readonly repository?: { readonly owner: string; readonly repo: string }
}

/** The forge that a program uses, embedded or remote. Created by `ConnectionLayer`. */
export class Connection extends Context.Service<
  Connection,
  {
    readonly kind: "embedded" | "remote"
    /** The name of the forge in messages: `embedded forge`, or the host of a remote forge. */
    readonly label: string
    readonly baseUrl: string
    /** The repository of the working directory; on a remote forge, the repository that a git remote names. */
    readonly repository: { readonly owner: string; readonly repo: string } | undefined
    /** True if the working directory is outside `repository`, which is then the only one of the embedded forge. */
    readonly isOutsideRepository?: boolean
    /** The reason why `repository` is undefined, as a clause for messages. */
    readonly repositoryProblem?: string | undefined
    /** True if code searches can read work trees: on the embedded forge, in a process without other clients. */
    readonly searchesWorkTrees?: boolean
    /** The work trees of the embedded forge's adopted repositories, by full name. */
    readonly workTrees?: ReadonlyMap<string, string>
    /** Returns the reason why an answer of a remote forge is late, if any. */
    readonly lateReason?: Effect.Effect<LateReason | undefined>
    /** Sentences to show to the user, for example that the data is a demonstration. */
    readonly notices: ReadonlyArray<string>
    /**
     * Emits when other programs change the data of the embedded forge. Watches files only while the stream has a
     * reader. Empty for a remote forge.
     */
    readonly changes: Stream.Stream<Change>
  }
>()("@tongs/connection/Connection") {}
