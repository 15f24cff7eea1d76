/**
 * Which repositories this process owns. The owner alone changes the references of a repository, completes its
 * interrupted changes, and has it in its code index. A single process owns all; in a cluster, `cluster/` decides.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

/**
 * The process lost a repository while it worked on a request, which failed before it changed a reference. The same
 * request succeeds at the new owner. A defect, which is answered with 503 and `retry-after`.
 */
export class NotOwner extends Schema.TaggedError<NotOwner>()("NotOwner", { repositoryId: Schema.Int }) {
  override get message() {
    return `Another process of the forge has taken over the repository ${this.repositoryId}`
  }
}

export class RepositoryOwnership extends Context.Service<
  RepositoryOwnership,
  {
    /** Address of this process in its cluster. Null for a single process, which owns all repositories. */
    readonly runner: string | null
    /** True if this process owns the repository now, so that its code index has the repository. */
    owns(repositoryId: number): boolean
    /** Changes when `owns` gives other answers for the same repositories. */
    readonly version: () => number
    /**
     * In the caller's transaction: dies with `NotOwner` unless this process owns the repository, and lets no other
     * process become the owner before the transaction ends.
     */
    hold(repositoryId: number): Effect.Effect<void>
    /**
     * Dies with `NotOwner` if this process may have lost the repository since `hold`, for example because it was stopped
     * for longer than its locks last. Asks nothing: it must run immediately before a reference moves.
     */
    confirm(repositoryId: number): Effect.Effect<void>
  }
>()("@tongs/service/repositories/RepositoryOwnership") {
  /** This process owns all repositories. */
  static readonly layerAlone = Layer.succeed(
    RepositoryOwnership,
    RepositoryOwnership.of({
      runner: null,
      owns: () => true,
      version: () => 0,
      hold: () => Effect.void,
      confirm: () => Effect.void
    })
  )
}
