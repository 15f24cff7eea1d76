/** Searches of work trees, and the permission for them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Git } from "../../git/process/Git.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as WorkTree from "../../git/worktree/WorkTree.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

/** Options of the work trees. */
export interface WorkTreeOptions {
  /** True if this process searches for its owner only: it has no other clients, and serves no port. */
  readonly enabled: boolean
  /** Hash of the owner's own token, the only one that can search work trees. */
  readonly ownerTokenHash: string
}

/**
 * The work trees of the served repositories. They contain files that their owner did not publish, so they are searched
 * only for the owner, in the owner's own process.
 */
export class WorkTrees extends Context.Service<
  WorkTrees,
  {
    /** Why the caller with a token of this hash may not search work trees, as a sentence. Undefined if it may. */
    readonly refusal: (tokenHash: string | undefined) => string | undefined
    /** The difference between a commit and the work tree. Undefined without a work tree, or if searches are off. */
    readonly changes: (
      served: ServedRepository,
      commit: string | undefined
    ) => Effect.Effect<WorkTree.WorkTreeDifference | undefined, GitError>
    /** Paths that ripgrep skips because of ignore rules. Empty without a work tree, or if searches are off. */
    readonly ignored: (served: ServedRepository) => Effect.Effect<ReadonlyArray<string>, GitError>
  }
>()("@tongs/service/search/worktree/WorkTrees") {
  /** Requires `Git`. */
  static readonly layer = (options: WorkTreeOptions) => Layer.effect(WorkTrees, make(options))
}

/** The note of a search that reads commits because it may not read work trees. */
export const refusalNote =
  "Only commits were searched: uncommitted files are searched only by the owner's own tongs commands, terminal and " +
  "agent over stdio."

const make = Effect.fnUntraced(function* ({ enabled, ownerTokenHash }: WorkTreeOptions) {
  const git = yield* Git
  return WorkTrees.of({
    refusal: (tokenHash) => (enabled && tokenHash === ownerTokenHash ? undefined : refusalNote),
    changes: (served, commit) =>
      enabled ? Effect.provideService(WorkTree.changes(served.git, commit), Git, git) : Effect.undefined,
    ignored: (served) => (enabled ? Effect.provideService(WorkTree.ignored(served.git), Git, git) : Effect.succeed([]))
  })
})
