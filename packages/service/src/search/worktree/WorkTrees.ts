/** Searches and snapshots of work trees, and the necessary permission. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Git } from "../../git/process/Git.ts"
import { GitRepositories } from "../../git/GitRepositories.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as WorkTree from "../../git/worktree/WorkTree.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as Snapshots from "./Snapshots.ts"

export interface WorkTreeOptions {
  /** True if this process searches only for the owner of the forge: without other clients or a port. */
  readonly enabled: boolean
  /** Hash of the owner's token, the only token that can search work trees. */
  readonly ownerTokenHash: string
}

/**
 * The work trees of the served repositories. Work trees contain unpublished files, and are therefore read only for the
 * owner, in the owner's process.
 */
export class WorkTrees extends Context.Service<
  WorkTrees,
  {
    /**
     * The reason why a caller with this token hash may not read work trees, as a sentence. Undefined for an authorized
     * caller.
     */
    readonly refusal: (tokenHash: string | undefined) => string | undefined
    /** The difference between a commit and the work tree. Undefined without a work tree, or if searches are off. */
    readonly changes: (
      served: ServedRepository,
      commit: string | undefined
    ) => Effect.Effect<WorkTree.WorkTreeDifference | undefined, GitError>
    /** Paths that ripgrep skips because of ignore rules. Empty without a work tree, or if searches are off. */
    readonly ignored: (served: ServedRepository) => Effect.Effect<ReadonlyArray<string>, GitError>
    /** The current work tree as a commit. Undefined without a work tree, or if searches are off. */
    readonly snapshot: (served: ServedRepository) => Effect.Effect<Snapshots.Snapshot | undefined, GitError>
    /**
     * The repository with the objects of its snapshots, if the caller may read snapshots and `text`, for example the
     * URL of a request, contains the id of such an object. Otherwise the unchanged repository.
     */
    readonly withSnapshots: (served: ServedRepository, tokenHash: string | undefined, text: string) => ServedRepository
    /** The same for a signed URL: the caller who got the URL was allowed to read the commit. */
    readonly withSignedSnapshot: (served: ServedRepository, commit: string) => ServedRepository
  }
>()("@tongs/service/search/worktree/WorkTrees") {
  /** Requires `Git` and `GitRepositories`. */
  static readonly layer = (options: WorkTreeOptions) => Layer.effect(WorkTrees, make(options))
}

/** The note of a search that reads only commits, without permission to read work trees. */
export const REFUSAL_NOTE =
  "Only commits were searched: uncommitted files are searched only by the owner's own tongs commands, terminal, " +
  "local page and agent over stdio."

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
      isAllowed(tokenHash) ? (snapshots.viewWith(served, text) ?? served) : served,
    withSignedSnapshot: (served, commit) => snapshots.viewWith(served, commit) ?? served
  })
})
