import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
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
 * One repository, read and written where it lies. Other git programs may work on it at the same time.
 *
 * Ids are whole and lower case. What is not there is `undefined`; errors are for what went wrong.
 */
export interface GitRepository extends Objects.Objects, ObjectWriter.ObjectWriter, RefWriter.RefWriter {
  /** Where it was opened: the top of the work tree, or the bare repository. */
  readonly path: string
  /** Where git commands run for it: the isolated git directory, which obeys none of the repository's settings. */
  readonly gitDir: string
  readonly bare: boolean
  readonly objectFormat: ObjectFormat
  /** Whether its configuration file is still the one that it was opened with. If not, opening it again may give another. */
  readonly isCurrent: () => boolean
  /** The default branch, without `refs/heads/`; it need not exist yet. */
  readonly head: Effect.Effect<string, GitError>
  /** The default branch with its reference. */
  readonly tip: Effect.Effect<Refs.Tip, GitError>
  /** The references whose full names start with `prefix`, by name in byte order. */
  readonly refs: (prefix?: string) => Effect.Effect<ReadonlyArray<Refs.Ref>, GitError>
  /** By full name. */
  readonly ref: (name: string) => Effect.Effect<Refs.Ref | undefined, GitError>
  /**
   * The commit that a person means: `HEAD`, a whole id, a full name, `heads/x`, `tags/x`, a branch, a tag, or at least
   * four digits of an id that no other commit shares, in this order. Git's revision syntax (`^`, `~`, `:`, `@{…}`) is
   * not understood.
   */
  readonly resolve: (revision: string) => Effect.Effect<string | undefined, GitError>
  /** Ids of commits, in the order of `git log`. */
  readonly log: (page: Log.LogPage) => Effect.Effect<ReadonlyArray<string>, GitError>
  /** How many commits `log` has in all. */
  readonly countLog: (filter: Log.LogFilter) => Effect.Effect<number, GitError>
  /** Whether `ancestor` is `descendant` or can be reached from it. */
  readonly isAncestor: (ancestor: string, descendant: string) => Effect.Effect<boolean, GitError>
  /** The best common ancestor of two commits, if they have one. */
  readonly mergeBase: (one: string, other: string) => Effect.Effect<string | undefined, GitError>
  /** The files of a tree, its subtrees' too; and how much of which language they are. */
  readonly files: (tree: string) => Effect.Effect<ReadonlyArray<TreeListing.ListedFile>, GitError>
  readonly languageStatistics: (tree: string) => Effect.Effect<LanguageStatistics, GitError>
  /** What commits did to files. */
  readonly changes: CommitChanges.CommitChanges
}

/** Bytes of memory for parsed commits and trees, over all repositories. */
const objectCacheBytes = 32 * 1024 * 1024

/** Commits of walks that are kept, over all repositories. */
const walkCacheCommits = 512 * 1024

/** Files of listed trees that are kept, over all repositories; and trees of which is known what languages they hold. */
const listingCacheFiles = 128 * 1024
const statisticsCacheTrees = 10_000

/** A folder that goes away with its scope. */
const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "tongs-git-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

/**
 * The repositories that are open. Opening one twice gives the same, so that all users of a repository share its caches
 * and take turns at writing; another, if what is at its path now has another format.
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
  /** On `Git` and `CatFile` of the caller's choice, with its isolated git directories in `folder`. */
  static readonly layerIn = (folder: string) => Layer.effect(GitRepositories, makeRepositories(folder))

  /** On `Git` and `CatFile` of the caller's choice, with its isolated git directories in a temporary folder. */
  static readonly layerTemporary = Layer.unwrap(Effect.map(temporaryFolder, GitRepositories.layerIn))

  static readonly layer = GitRepositories.layerTemporary.pipe(Layer.provide(CatFile.layer), Layer.provide(Git.layer))
}

const makeRepositories = Effect.fnUntraced(function* (isolatedDirs: string) {
  const git = yield* Git
  const catFile = yield* CatFile
  const opened = new Map<string, OpenRepository>()
  const byIsolated = new Map<string, GitRepository>()
  const caches: Caches = {
    objects: new LruCache(objectCacheBytes),
    walks: new LruCache(walkCacheCommits),
    listings: new LruCache(listingCacheFiles),
    statistics: new LruCache(statisticsCacheTrees)
  }
  return GitRepositories.of({
    open: Effect.fn("GitRepositories.open")(function* (path: string) {
      const isolated = byIsolated.get(path)
      if (isolated !== undefined) return isolated
      const location = locate(path)
      if (location === undefined) return yield* gitError({ _tag: "NotARepository", path })
      // Before the file is read, so that a later change shows as a difference.
      const version = RepositoryFormat.version(location)
      const before = opened.get(location.gitDir)
      if (before?.version === version) return before.repository
      yield* git.version
      const format = RepositoryFormat.read(location)
      if (format instanceof GitError) return yield* format
      const gitDir = yield* IsolatedGitDir.ensure(isolatedDirs, location, format)
      // Another fiber may have opened it meanwhile, and most changes of the file are not about the format.
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
  /** Of the configuration file, when its format was read. */
  version: string
}

interface Caches {
  readonly objects: Objects.ObjectCache
  readonly walks: Log.WalkCache
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
  // An added work tree has a folder of files, whatever the repository is to which it belongs.
  const bare = commonBare && location.gitDir === location.commonDir
  const objects = Objects.make(catFile, gitDir, objectFormat, caches.objects)
  const refs = Refs.make(git, catFile, location, gitDir)
  const log = Log.make(git, gitDir, caches.walks)
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
    // Git looks for names before digits: what it found must be the commit with these digits.
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
      // A partial clone does not know how large the files are that it does not have, and git then says nothing at all.
      ({ reason }) => reason._tag === "ObjectMissing",
      () => run()
    )
  })

  /** Makes something of the files of a tree once, and caches it. */
  const cached = <A>(cache: LruCache<A>, start: () => TreeListing.ListingBuilder<A>, weigh: (made: A) => number) => {
    const coalesce = SingleFlight.make<A, GitError>()
    const make = Effect.fnUntraced(function* (tree: string) {
      const known = cache.get(keyOf(tree))
      if (known !== undefined) return known
      const made = yield* build(tree, start)
      cache.set(keyOf(tree), made, weigh(made))
      return made
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
    // The files themselves are many, and rarely wanted.
    languageStatistics: cached(caches.statistics, languageStatistics, () => 1),
    changes: CommitChanges.make(git, gitDir)
  }
}
