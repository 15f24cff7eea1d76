/** Searches and snapshots of work trees, and the permission for them. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Git } from "../../git/process/Git.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as WorkTree from "../../git/worktree/WorkTree.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as Snapshots from "./Snapshots.ts"

/** Options of the work trees. */
export interface WorkTreeOptions {
  /** True if this process searches for its owner only: without other clients or a port. */
  readonly enabled: boolean
  /** Hash of the owner's own token, the only one that can search work trees. */
  readonly ownerTokenHash: string
}

/**
 * The work trees of the served repositories. They contain files that their owner did not publish, so they are read only
 * for the owner, in the owner's own process.
 */
export class WorkTrees extends Context.Service<
  WorkTrees,
  {
    /** Why the caller with a token of this hash may not read work trees, as a sentence. Undefined if it may. */
    readonly refusal: (tokenHash: string | undefined) => string | undefined
    /** The difference between a commit and the work tree. Undefined without a work tree, or if searches are off. */
    readonly changes: (
      served: ServedRepository,
      commit: string | undefined
    ) => Effect.Effect<WorkTree.WorkTreeDifference | undefined, GitError>
    /** Paths that ripgrep skips because of ignore rules. Empty without a work tree, or if searches are off. */
    readonly ignored: (served: ServedRepository) => Effect.Effect<ReadonlyArray<string>, GitError>
    /** The work tree as it is now, as a commit. Undefined without a work tree, or if searches are off. */
    readonly snapshot: (served: ServedRepository) => Effect.Effect<Snapshots.Snapshot | undefined, GitError>
    /**
     * The repository with the objects of its snapshots, if the caller may read them and `text`, for example the URL of a
     * request, has the id of one of them. Otherwise the repository itself.
     */
    readonly withSnapshots: (served: ServedRepository, tokenHash: string | undefined, text: string) => ServedRepository
  }
>()("@tongs/service/search/worktree/WorkTrees") {
  /** Requires `Git` and `GitRepositories`. */
  static readonly layer = (options: WorkTreeOptions) => Layer.effect(WorkTrees, make(options))
}

/** The note of a search that reads commits because it may not read work trees. */
export const REFUSAL_NOTE =
  "Only commits were searched: uncommitted files are searched only by the owner's own tongs commands, terminal and " +
  "agent over stdio."

const make = Effect.fnUntraced(function* ({ enabled, ownerTokenHash }: WorkTreeOptions) {
  const git = yield* Git
  const snapshots = yield* Snapshots.make(git, yield* GitRepositories)
  const isAllowed = (tokenHash: string | undefined) => enabled && tokenHash === ownerTokenHash
  return WorkTrees.of({
    refusal: (tokenHash) => (isAllowed(tokenHash) ? undefined : REFUSAL_NOTE),
    changes: (served, commit) => (enabled ? snapshots.changes(served, commit) : Effect.undefined),
    ignored: (served) => (enabled ? Effect.provideService(WorkTree.ignored(served.git), Git, git) : Effect.succeed([])),
    snapshot: (served) => (enabled ? snapshots.take(served) : Effect.undefined),
    withSnapshots: (served, tokenHash, text) =>
      isAllowed(tokenHash) ? (snapshots.viewWith(served, text) ?? served) : served
  })
})
