/** Snapshots of the work trees of the served repositories. All snapshots end with the process. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type * as Differences from "../../git/history/Differences.ts"
import type { GitRepositories } from "../../git/GitRepositories.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import { Git } from "../../git/process/Git.ts"
import type { GitError } from "../../git/values/GitError.ts"
import * as WorkTree from "../../git/worktree/WorkTree.ts"
import * as WorkTreeCache from "../../git/worktree/WorkTreeCache.ts"
import * as WorkTreeLocation from "../../git/worktree/WorkTreeLocation.ts"
import * as WorkTreeSnapshot from "../../git/worktree/WorkTreeSnapshot.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

/** A work tree as a commit. */
export interface Snapshot extends WorkTreeSnapshot.WorkTreeSnapshot {
  /** The checked-out commit. Undefined before the first commit. */
  readonly head: string | undefined
  /** The checked-out branch. Undefined for a detached HEAD. */
  readonly branch: string | undefined
  /** The files that differ from `head`, as in a comparison of the two commits. */
  readonly files: ReadonlyArray<Differences.FileChange>
}

/** Bytes of the objects in a view before a new view is created. */
const MAX_VIEW_BYTES = 256 * 1024 * 1024

/** Number of views of a repository: the current view, and the previous view for lists that still read it. */
const MAX_VIEWS = 2

/** The objects of some snapshots of a repository. */
interface View {
  readonly repository: GitRepository
  readonly scope: Scope.Closeable
  readonly known: WorkTreeSnapshot.KnownFiles
  /** Bytes of the files, trees and commits written so far. */
  written: number
}

interface State {
  readonly lock: Semaphore.Semaphore
  readonly cache: WorkTreeCache.WorkTreeCache
  /** The newest first. */
  readonly views: Array<View>
  last: { readonly key: string; readonly snapshot: Snapshot } | undefined
}

/** Creates the snapshots. All snapshots are removed when the scope closes. */
export const make = Effect.fnUntraced(function* (git: Git["Service"], repositories: GitRepositories["Service"]) {
  const scope = yield* Effect.scope
  /** States by git directory. */
  const states = new Map<string, State>()

  const stateOf = ({ git: { gitDir } }: ServedRepository): State => {
    const known = states.get(gitDir)
    if (known !== undefined) return known
    const made = { lock: Semaphore.makeUnsafe(1), cache: WorkTreeCache.make(), views: [], last: undefined }
    states.set(gitDir, made)
    return made
  }

  const changes = (served: ServedRepository, commit: string | undefined) =>
    Effect.provideService(WorkTree.changes(served.git, commit, { cache: stateOf(served).cache }), Git, git)

  /** Returns the current view. Replaces a view that is too large. */
  const openView = Effect.fnUntraced(function* (served: ServedRepository, { views }: State) {
    const [current] = views
    if (current !== undefined && current.written < MAX_VIEW_BYTES) return current
    const own = yield* Scope.fork(scope)
    const repository = yield* Scope.provide(repositories.openView(served.git), own).pipe(
      Effect.onError(() => Scope.close(own, Exit.void))
    )
    const view: View = { repository, scope: own, known: new Map(), written: 0 }
    views.unshift(view)
    for (const old of views.splice(MAX_VIEWS)) yield* Scope.close(old.scope, Exit.void)
    return view
  })

  const takeNow = Effect.fnUntraced(function* (
    served: ServedRepository,
    state: State
  ): Effect.fn.Return<Snapshot | undefined, GitError> {
    const detached = WorkTreeLocation.detachedHead(served.git)
    const head = detached ?? (yield* served.git.resolve("HEAD"))
    const branch = detached === undefined ? yield* served.git.head : undefined
    // Taken before the files are read, so that a later change counts as recent.
    const now = yield* Clock.currentTimeMillis
    const difference = yield* changes(served, head)
    if (difference === undefined) return undefined
    if (head !== undefined && difference.entries.length === 0) {
      const { isComplete, notes } = difference
      return { commit: head, head, branch, files: [], isComplete, notes }
    }
    const fingerprint = WorkTreeSnapshot.fingerprint(difference, now)
    const key = `${head} ${branch} ${fingerprint}`
    if (fingerprint !== undefined && state.last?.key === key) return state.last.snapshot
    const view = yield* openView(served, state)
    const { written, ...snapshot } = yield* WorkTreeSnapshot.write(view.repository, head, difference, view.known, now)
    view.written += written
    const { files } = yield* view.repository.changes.list({ from: head, to: snapshot.commit })
    const made = { ...snapshot, head, branch, files }
    state.last = { key, snapshot: made }
    return made
  })

  return {
    changes,

    /** Takes a snapshot. Undefined without a work tree. */
    take: (served: ServedRepository) => {
      const state = stateOf(served)
      return state.lock.withPermit(takeNow(served, state))
    },

    /** The repository with the view that has one of the object ids in a text. Undefined if no view has such an id. */
    viewWith: (served: ServedRepository, text: string): ServedRepository | undefined => {
      const views = states.get(served.git.gitDir)?.views ?? []
      if (views.length === 0) return undefined
      const oids = text.match(/\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/g) ?? []
      const view = views.find(({ repository }) => oids.some((oid) => has(repository, oid)))
      return view === undefined ? undefined : { ...served, git: view.repository, original: served }
    }
  }
})

const has = ({ gitDir }: GitRepository, oid: string): boolean =>
  existsSync(join(gitDir, "objects", oid.slice(0, 2), oid.slice(2)))
