import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import { CatFile } from "./CatFile.ts"
import * as CommitChanges from "./CommitChanges.ts"
import * as RepositoryFormat from "./RepositoryFormat.ts"
import { Git } from "./Git.ts"
import { GitError, gitError } from "./GitError.ts"
import type { ObjectFormat } from "./GitObject.ts"
import * as IsolatedGitDir from "./IsolatedGitDir.ts"
import { type LanguageStatistics, languageStatistics } from "./Languages.ts"
import * as TreeListing from "./TreeListing.ts"
import { locate, type RepositoryLocation } from "./RepositoryLocation.ts"
import * as Log from "./Log.ts"
import { LruCache } from "../base/LruCache.ts"
import * as Objects from "./Objects.ts"
import * as ObjectWriter from "./ObjectWriter.ts"
import { invalidOid, isOid } from "./Oid.ts"
import * as RefName from "./RefName.ts"
import * as Refs from "./Refs.ts"
import * as RefWriter from "./RefWriter.ts"
import * as SingleFlight from "../base/SingleFlight.ts"

/**
 * One repository, read and written in place. Other git programs may use it at the same time.
 *
 * Object ids are unabbreviated and lower case. A missing object or reference gives `undefined`.
 */
export interface GitRepository extends Objects.Objects, ObjectWriter.ObjectWriter, RefWriter.RefWriter {
  /** The top of the work tree, or the bare repository. */
  readonly path: string
  /** The isolated git directory for git commands, which ignores the repository's configuration. */
  readonly gitDir: string
  readonly bare: boolean
  readonly objectFormat: ObjectFormat
  /** False if the configuration file changed since the repository was opened. Reopening may then give another format. */
  readonly isCurrent: () => boolean
  /** The default branch without `refs/heads/`. It may not exist yet. */
  readonly head: Effect.Effect<string, GitError>
  /** The default branch with its reference. */
  readonly tip: Effect.Effect<Refs.Tip, GitError>
  /** The references with full names that start with `prefix`, sorted by name in byte order. */
  readonly refs: (prefix?: string) => Effect.Effect<ReadonlyArray<Refs.Ref>, GitError>
  /** The reference with this full name. */
  readonly ref: (name: string) => Effect.Effect<Refs.Ref | undefined, GitError>
  /**
   * Resolves a revision to a commit id: `HEAD`, a full id, a full reference name, `heads/x`, `tags/x`, a branch, a tag,
   * or an unambiguous abbreviation of at least four digits, in this order. Git's revision syntax (`^`, `~`, `:`, `@{…}`)
   * is not supported.
   */
  readonly resolve: (revision: string) => Effect.Effect<string | undefined, GitError>
  /** Ids of commits in the order of `git log`. */
  readonly log: (page: Log.LogPage) => Effect.Effect<ReadonlyArray<string>, GitError>
  /** Total number of commits that match the filter. */
  readonly countLog: (filter: Log.LogFilter) => Effect.Effect<number, GitError>
  /** The same without a wait: `undefined` while a long history is counted in the background. */
  readonly promptCountLog: (filter: Log.LogFilter) => Effect.Effect<number | undefined, GitError>
  /** True if `ancestor` is `descendant` or reachable from it. Fails with `ObjectMissing` for an unknown commit. */
  readonly isAncestor: (ancestor: string, descendant: string) => Effect.Effect<boolean, GitError>
  /** The best common ancestor of two commits; `undefined` for unrelated histories. */
  readonly mergeBase: (one: string, other: string) => Effect.Effect<string | undefined, GitError>
  /** All files of a tree and its subtrees. */
  readonly files: (tree: string) => Effect.Effect<ReadonlyArray<TreeListing.ListedFile>, GitError>
  /** Number, bytes and languages of the files of a tree. */
  readonly languageStatistics: (tree: string) => Effect.Effect<LanguageStatistics, GitError>
  readonly changes: CommitChanges.CommitChanges
}

/** Bytes of memory for parsed commits and trees, over all repositories. */
const objectCacheBytes = 32 * 1024 * 1024

/** Maximum commits in cached walks, over all repositories. */
const walkCacheCommits = 512 * 1024

/** Maximum counts of commits in memory, over all repositories. */
const cachedCounts = 10_000

/** Maximum files in cached listings, and trees with cached language statistics, over all repositories. */
const listingCacheFiles = 128 * 1024
const statisticsCacheTrees = 10_000

/** A temporary folder that is removed when its scope closes. */
const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "tongs-git-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/**
 * Opens repositories. Opening one twice gives the same instance, so that all callers share its caches and its write lock,
 * unless its format has changed in the meantime.
 */
export class GitRepositories extends Context.Service<
  GitRepositories,
  {
    /**
     * Opens the repository rooted at `path`, or the one whose `gitDir` this is. Fails with `NotARepository`, also for
     * its subfolders, and with `Unreadable` for a format that git or this forge does not support.
     */
    open(path: string): Effect.Effect<GitRepository, GitError>
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
  // Early, because the first repository waits for it.
  yield* Effect.forkScoped(Effect.ignore(git.version), { startImmediately: true })
  const opened = new Map<string, OpenRepository>()
  const byIsolated = new Map<string, GitRepository>()
  const caches: Caches = {
    objects: new LruCache(objectCacheBytes),
    log: {
      walks: new LruCache(walkCacheCommits),
      counts: new LruCache(cachedCounts),
      counting: yield* FiberMap.make<string, number, GitError>()
    },
    listings: new LruCache(listingCacheFiles),
    statistics: new LruCache(statisticsCacheTrees)
  }
  return GitRepositories.of({
    open: Effect.fn("GitRepositories.open")(function* (path: string) {
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
      const isCurrent = () => now.version === RepositoryFormat.version(location)
      const now = { format, version, repository: make(git, catFile, caches, location, format, gitDir, isCurrent) }
      opened.set(location.gitDir, now)
      byIsolated.set(gitDir, now.repository)
      return now.repository
    })
  })
})

interface OpenRepository {
  readonly repository: GitRepository
  readonly format: RepositoryFormat.RepositoryFormat
  /** Version of the configuration file from which the format was read. */
  version: string
}

interface Caches {
  readonly objects: Objects.ObjectCache
  readonly log: Log.LogCaches
  readonly listings: LruCache<ReadonlyArray<TreeListing.ListedFile>>
  readonly statistics: LruCache<LanguageStatistics>
}

const make = (
  git: Git["Service"],
  catFile: CatFile["Service"],
  caches: Caches,
  location: RepositoryLocation,
  { bare: commonBare, objectFormat }: RepositoryFormat.RepositoryFormat,
  gitDir: string,
  isCurrent: () => boolean
): GitRepository => {
  // A linked work tree is not bare, even if its repository is.
  const bare = commonBare && location.gitDir === location.commonDir
  const objects = Objects.make(catFile, gitDir, objectFormat, caches.objects)
  const refs = Refs.make(git, catFile, location, gitDir)
  const log = Log.make(git, gitDir, caches.log)
  const keyOf = (tree: string) => `${gitDir}\0${tree}`

  const commitOf = (ref: Refs.Ref | undefined) => {
    if (ref === undefined) return Effect.undefined
    return ref.type === "commit" ? Effect.succeed(ref.oid) : peel(ref.peeled ?? ref.oid)
  }

  const peel = (name: string) =>
    Effect.map(catFile.info(gitDir, `${name}^{commit}`), (info) => (info?.type === "commit" ? info.oid : undefined))

  const resolve = Effect.fnUntraced(function* (revision: string) {
    if (isOid(revision)) return yield* peel(revision)
    const name = revision === "HEAD" ? RefName.branch(yield* refs.head) : revision
    for (const candidate of [name, `refs/${name}`, RefName.branch(name), RefName.tag(name)]) {
      const found = candidate.startsWith("refs/") ? yield* refs.get(candidate) : undefined
      const commit = yield* commitOf(found)
      if (commit !== undefined) return commit
    }
    const digits = revision.toLowerCase()
    if (!/^[0-9a-f]{4,64}$/.test(digits)) return undefined
    // Git tries names before abbreviated ids, so check that the result has these digits.
    const commit = yield* peel(digits)
    return commit?.startsWith(digits) ? commit : undefined
  })

  const build = Effect.fnUntraced(function* <A>(tree: string, start: () => TreeListing.ListingBuilder<A>) {
    const known = caches.listings.get(keyOf(tree))
    if (known !== undefined) {
      const builder = start()
      builder.add(known)
      return builder.build()
    }
    if ((yield* objects.info(tree))?.type !== "tree") return yield* gitError({ _tag: "ObjectMissing", oid: tree })
    const run = (...options: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        const builder = start()
        const read = TreeListing.reader(builder.add)
        const onOutput = (chunk: Buffer) => {
          read(chunk)
          return true
        }
        const args = ["ls-tree", "-r", ...options, "-z", "--full-tree", tree]
        return Effect.map(git.run(args, { gitDir, onOutput }), builder.build)
      })
    return yield* Effect.catchIf(
      run("-l"),
      // In a partial clone git cannot list the sizes of missing files and fails.
      ({ reason }) => reason._tag === "ObjectMissing",
      () => run()
    )
  })

  /** Caches a value that is computed from the files of a tree. */
  const cached = <A>(cache: LruCache<A>, start: () => TreeListing.ListingBuilder<A>, weigh: (value: A) => number) => {
    const coalesce = SingleFlight.make<A, GitError>()
    const make = Effect.fnUntraced(function* (tree: string) {
      const known = cache.get(keyOf(tree))
      if (known !== undefined) return known
      const value = yield* build(tree, start)
      cache.set(keyOf(tree), value, weigh(value))
      return value
    })
    return (tree: string) =>
      Effect.suspend(() => {
        const known = cache.get(keyOf(tree))
        return known === undefined ? coalesce(tree, make(tree)) : Effect.succeed(known)
      })
  }

  return {
    ...objects,
    ...ObjectWriter.make(git, gitDir, objectFormat, objects),
    ...RefWriter.make(git, location, gitDir, { bare, commonBare }, refs),
    path: location.path,
    gitDir,
    bare,
    objectFormat,
    isCurrent,
    head: refs.head,
    tip: refs.tip,
    refs: (prefix = "") =>
      Effect.map(refs.all, (all) => (prefix === "" ? all : all.filter(({ name }) => name.startsWith(prefix)))),
    ref: refs.get,
    resolve,
    log: log.page,
    countLog: log.count,
    promptCountLog: log.promptCount,
    isAncestor: Effect.fn("GitRepository.isAncestor")(function* (ancestor: string, descendant: string) {
      for (const oid of [ancestor, descendant]) {
        if ((yield* objects.commit(oid)) === undefined) return yield* gitError({ _tag: "ObjectMissing", oid })
      }
      if (ancestor === descendant) return true
      const { exitCode } = yield* git.run(["merge-base", "--is-ancestor", ancestor, descendant], {
        gitDir,
        acceptedExitCodes: [1]
      })
      return exitCode === 0
    }),
    mergeBase: Effect.fn("GitRepository.mergeBase")(function* (one: string, other: string) {
      for (const oid of [one, other]) if (!isOid(oid)) return yield* invalidOid(oid)
      const { stdout } = yield* git.run(["merge-base", one, other], { gitDir, acceptedExitCodes: [1] })
      return stdout.toString("latin1").trim() || undefined
    }),
    files: cached(caches.listings, TreeListing.collect, (listing) => listing.length),
    // Does not cache the listing, which is large and rarely needed.
    languageStatistics: cached(caches.statistics, languageStatistics, () => 1),
    changes: CommitChanges.make(git, gitDir)
  }
}
