import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, sep } from "node:path"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { entries, realpath } from "./files/Files.ts"
import * as EventLoopTick from "../base/EventLoopTick.ts"
import { CatFile } from "./process/CatFile.ts"
import { Git } from "./process/Git.ts"
import { GitError, gitError } from "./values/GitError.ts"
import * as GitRepository from "./GitRepository.ts"
import * as IsolatedGitDir from "./IsolatedGitDir.ts"
import * as QuarantineDir from "./QuarantineDir.ts"
import * as RefTransactions from "./refs/RefTransactions.ts"
import * as RepositoryCaches from "./RepositoryCaches.ts"
import * as RepositoryFormat from "./values/RepositoryFormat.ts"
import { locate, type RepositoryLocation } from "./values/RepositoryLocation.ts"

/** Size of the caches of a view, as a share of the common caches. */
const VIEW_CACHE_SHARE = 1 / 8

/** A temporary folder that is removed when the scope closes. */
const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "tongs-git-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/**
 * Opens repositories. Opening a repository again gives the same instance, so that all callers share the caches and the
 * write lock, unless the repository's format has changed in the meantime.
 */
export class GitRepositories extends Context.Service<
  GitRepositories,
  {
    /**
     * Opens the repository with its root or `gitDir` at `path`. Fails with `NotARepository`, also for a subfolder, and
     * with `Unreadable` for a format that git or this forge does not support.
     */
    open(path: string): Effect.Effect<GitRepository.GitRepository, GitError>
    /**
     * Closes a deleted repository: completes `closed`, ends long-lived processes and removes isolated git directories.
     * Does not change the repository.
     */
    close(repository: GitRepository.GitRepository): Effect.Effect<void>
    /** Ends the long-lived processes of a repository, because git reads the list of alternates only at the start. */
    refresh(repository: GitRepository.GitRepository): Effect.Effect<void>
    /** Opens a repository that is not served yet, until the scope closes. */
    openTemporarily(path: string): Effect.Effect<GitRepository.GitRepository, GitError, Scope.Scope>
    /**
     * Opens a view of a repository that also has the objects in the folder `quarantine` of a push, and the objects
     * written into the view's `gitDir`, which the repository never gets. References are read only. The view is removed
     * when the scope closes.
     */
    openView(
      repository: GitRepository.GitRepository,
      quarantine?: string
    ): Effect.Effect<GitRepository.GitRepository, GitError, Scope.Scope>
  }
>()("@tongs/service/git/GitRepositories") {
  /** Creates isolated git directories in `folder`. Requires `Git` and `CatFile`. */
  static readonly layerIn = (folder: string) => Layer.effect(GitRepositories, makeRepositories(folder))

  /** Creates isolated git directories in a temporary folder. Requires `Git` and `CatFile`. */
  static readonly layerTemporary = Layer.unwrap(Effect.map(temporaryFolder, GitRepositories.layerIn))

  static readonly layer = GitRepositories.layerTemporary.pipe(Layer.provide(CatFile.layer), Layer.provide(Git.layer))
}

const makeRepositories = Effect.fnUntraced(function* (isolatedDirs: string) {
  const git = yield* Git
  const catFile = yield* CatFile
  // The first repository waits for the version, so the read starts early.
  yield* Effect.forkScoped(Effect.ignore(git.version), { startImmediately: true })
  const programs: GitRepository.Programs = { git, catFile, transactions: yield* RefTransactions.make(git) }
  const opened = new Map<string, OpenRepository>()
  const byIsolated = new Map<string, GitRepository.GitRepository>()
  const caches = yield* RepositoryCaches.make(1)
  const own = join(realpath(dirname(isolatedDirs)) ?? dirname(isolatedDirs), "repositories") + sep

  /** Folder for the references of pull requests. Undefined for a repository of the forge. */
  const pullsOf = ({ commonDir, name }: RepositoryLocation) => {
    if (commonDir.startsWith(own)) return undefined
    const digest = createHash("sha256").update(commonDir).digest("hex").slice(0, 32)
    return join(isolatedDirs, "pulls", `${name.replace(/[^\w.-]+/g, "-").slice(0, 60)}-${digest}`)
  }

  const open = Effect.fn("GitRepositories.open")(function* (path: string) {
    const isolated = byIsolated.get(path)
    if (isolated !== undefined) return isolated
    const location = locate(path)
    if (location === undefined) return yield* gitError({ _tag: "NotARepository", path })
    // Taken before the file is read, to detect a change during the read.
    const version = RepositoryFormat.version(location)
    const before = opened.get(location.gitDir)
    if (before?.version === version) return before.repository
    yield* git.version
    const format = RepositoryFormat.read(location)
    if (format instanceof GitError) return yield* format
    const gitDir = yield* IsolatedGitDir.ensure(isolatedDirs, location, format)
    // Another fiber may have opened the repository, and most configuration changes do not affect the format.
    const known = opened.get(location.gitDir)
    if (known?.repository.gitDir === gitDir && known.format.bare === format.bare) {
      known.version = version
      return known.repository
    }
    const versionNow = EventLoopTick.oncePerTick(() => RepositoryFormat.version(location))
    const isCurrent = () => now.version === versionNow()
    const used = new Set([gitDir])
    const pulls = pullsOf(location)
    const transferDir = (branch: string, pullRefs?: string) =>
      Effect.tap(IsolatedGitDir.ensure(isolatedDirs, location, format, branch, pullRefs), (dir) =>
        Effect.sync(() => used.add(dir))
      )
    const uploadDir = (branch: string) =>
      transferDir(branch, pulls !== undefined && entries(pulls).length > 0 ? pulls : undefined)
    const end = before?.end ?? Deferred.makeUnsafe<void>()
    const closed = Deferred.await(end)
    const dirs = { gitDir, transferDir: (branch: string) => transferDir(branch), uploadDir, pulls, isCurrent, closed }
    const repository = GitRepository.make(programs, caches, location, format, dirs)
    const now = { format, version, repository, end, dirs: used }
    opened.set(location.gitDir, now)
    byIsolated.set(gitDir, now.repository)
    return now.repository
  })

  const close = Effect.fn("GitRepositories.close")(function* ({ gitDir, path }: GitRepository.GitRepository) {
    const [key = "", known] = [...opened].find(([, { repository }]) => repository.path === path) ?? []
    opened.delete(key)
    byIsolated.delete(gitDir)
    if (known !== undefined) yield* Deferred.succeed(known.end, undefined)
    yield* catFile.release(gitDir)
    programs.transactions.release(gitDir)
    const used = new Set([...opened.values()].flatMap(({ dirs }) => [...dirs]))
    const location = locate(path)
    const pulls = location === undefined ? undefined : pullsOf(location)
    if (pulls !== undefined) yield* Effect.promise(() => rm(pulls, { recursive: true, force: true }))
    yield* IsolatedGitDir.removeAll(isolatedDirs, gitDir, used)
  })

  return GitRepositories.of({
    open,
    close,
    refresh: ({ gitDir }) =>
      Effect.andThen(
        catFile.release(gitDir),
        Effect.sync(() => programs.transactions.release(gitDir))
      ),
    openTemporarily: (path) =>
      Effect.acquireRelease(open(path), ({ gitDir, path }) =>
        Effect.gen(function* () {
          const location = locate(path)
          if (location !== undefined) opened.delete(location.gitDir)
          byIsolated.delete(gitDir)
          yield* catFile.release(gitDir)
          yield* Effect.promise(() => rm(gitDir, { recursive: true, force: true }))
        })
      ),
    openView: Effect.fn("GitRepositories.openView")(function* (
      repository: GitRepository.GitRepository,
      quarantine?: string
    ) {
      const location = locate(repository.path)
      const known = location === undefined ? undefined : opened.get(location.gitDir)
      if (location === undefined || known === undefined) {
        return yield* gitError({ _tag: "NotARepository", path: repository.path })
      }
      const gitDir = yield* QuarantineDir.make(isolatedDirs, location, known.format, quarantine)
      // Runs before the directory is removed, because finalizers run in reverse order.
      yield* Effect.addFinalizer(() => catFile.release(gitDir))
      const ownCaches = yield* RepositoryCaches.make(VIEW_CACHE_SHARE)
      const { closed, isCurrent } = repository
      // Nothing is transferred from a view.
      const transferDir = () => Effect.succeed(gitDir)
      const dirs = { gitDir, transferDir, uploadDir: transferDir, pulls: pullsOf(location), isCurrent, closed }
      return GitRepository.make(programs, ownCaches, location, known.format, dirs)
    })
  })
})

interface OpenRepository {
  readonly repository: GitRepository.GitRepository
  readonly format: RepositoryFormat.RepositoryFormat
  /** Completed when the repository is deleted. */
  readonly end: Deferred.Deferred<void>
  /** The isolated git directories of the repository. */
  readonly dirs: ReadonlySet<string>
  /** Version of the configuration file from which the format was read. */
  version: string
}
