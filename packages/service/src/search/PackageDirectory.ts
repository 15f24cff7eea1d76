/** The repositories that declare packages, by the names of the packages. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { defaultOptions, type Expression } from "@tongs/core/query/CodeQuery"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { type Candidate, CodeIndex, type SearchTarget } from "./CodeIndex.ts"
import { ContentSearchPool } from "./ContentSearchPool.ts"
import * as PackageDeclarations from "./PackageDeclarations.ts"
import type { Declaration, FindDeclarations } from "./PackageDeclarations.ts"
import * as Manifests from "./packages/Manifests.ts"

/** Maximum number of manifests of a repository, those of the outer folders first. */
const MAX_MANIFESTS = 500

/** Number of repositories whose manifests are listed at a time, and of tips that are read at a time. */
const SLICE = 64
const CONCURRENCY = 8

/** With more repositories than `FEW_REPOSITORIES`, a repository is not read again within `MAX_AGE` milliseconds. */
const FEW_REPOSITORIES = 50
const MAX_AGE = 30_000

/** Time for which a lookup waits for unread repositories. */
const maxWait = Duration.millis(700)

/**
 * Finds the repositories that declare a package.
 *
 * **Details**
 *
 * The manifests of a repository are read once per tip of its default branch, on the first lookup by a caller who may
 * read the repository. A lookup then takes the time of one access to a map, and of reading the tips of the repositories
 * found.
 */
export class PackageDirectory extends Context.Service<
  PackageDirectory,
  {
    /** Finds the repositories that declare a package, among those that the caller may read. */
    readonly find: FindDeclarations
    /** Like `find`, among repositories whose code index this process has. */
    readonly findHere: FindDeclarations
    /** Returns the packages of a repository. */
    packagesOf(served: ServedRepository): Effect.Effect<ReadonlyArray<Declaration>>
    /** Returns the paths of the files at the commit of a declaration that match a filter, without reading them. */
    paths(declaration: Declaration, expression: Expression): Effect.Effect<ReadonlyArray<string>>
  }
>()("@tongs/service/search/PackageDirectory") {
  static readonly layer = Layer.effect(
    PackageDirectory,
    Effect.suspend(() => make())
  )
}

interface ReadRepository {
  readonly commit: string | undefined
  readonly packages: ReadonlyArray<Manifests.DeclaredPackage>
  readonly checkedAt: number
}

const span = { start: 0, length: 0 }

const isManifestName: Expression = {
  _tag: "Or",
  any: Manifests.fileNames.map((value) => ({ _tag: "Filter", filter: { name: "filename", value }, span })),
  span
}

const depthOf = (path: string) => path.split("/").length

const make = Effect.fnUntraced(function* () {
  const index = yield* CodeIndex
  const contents = yield* ContentSearchPool
  const ownership = yield* RepositoryOwnership
  const scope = yield* Effect.scope
  /** Read repositories, and the folders of repositories that declare a package, by the folder and by the key. */
  const read = new Map<string, ReadRepository>()
  const byKey = new Map<string, Set<string>>()
  /** Repositories that the running fiber has still to read. */
  const waiting = new Map<string, ServedRepository>()
  let sliceEnd = yield* Deferred.make<void>()
  let isRunning = false

  const candidates = Effect.fnUntraced(function* (targets: ReadonlyArray<SearchTarget>, expression: Expression) {
    const found: Array<Candidate> = []
    const failed = new Set<string>()
    yield* Stream.runForEach(index.candidates({ ...defaultOptions, expression }, targets, "best"), (batch) =>
      Effect.sync(() => {
        found.push(...batch.candidates)
        for (const { target } of batch.failed ?? []) failed.add(targets[target]?.gitDir ?? "")
      })
    )
    return { found, failed }
  })

  const store = (gitDir: string, next: ReadRepository) => {
    for (const { key } of read.get(gitDir)?.packages ?? []) byKey.get(key)?.delete(gitDir)
    read.set(gitDir, next)
    for (const { key } of next.packages) {
      const known = byKey.get(key)
      if (known === undefined) byKey.set(key, new Set([gitDir]))
      else known.add(gitDir)
    }
  }

  /** Reads the manifests of repositories whose tip has changed. */
  const readSlice = Effect.fnUntraced(function* (slice: ReadonlyArray<ServedRepository>) {
    const checkedAt = yield* Clock.currentTimeMillis
    const targets: Array<SearchTarget> = []
    const check = Effect.fnUntraced(function* ({ fullName, git }: ServedRepository) {
      const known = read.get(git.gitDir)
      // The files of the reference need no process of git, which thousands of repositories would share.
      const commit = git.headOid() ?? (yield* git.resolve("HEAD"))
      if (known !== undefined && known.commit === commit) read.set(git.gitDir, { ...known, checkedAt })
      else if (commit === undefined) store(git.gitDir, { commit, packages: [], checkedAt })
      else targets.push({ gitDir: git.gitDir, fullName, commit })
    })
    // A repository that git cannot read keeps its packages, or remains unread.
    yield* Effect.forEach(slice, (one) => Effect.ignore(check(one)), { concurrency: CONCURRENCY, discard: true })
    if (targets.length === 0) return
    const { failed, found: listed } = yield* candidates(targets, isManifestName)
    const manifests = Map.groupBy(
      listed.filter(({ path }) => Manifests.isManifest(path)),
      ({ gitDir }) => gitDir
    )
    const readable = targets.filter(({ gitDir }) => !failed.has(gitDir))
    const files = readable.map(({ gitDir }) =>
      (manifests.get(gitDir) ?? [])
        .toSorted((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1))
        .slice(0, MAX_MANIFESTS)
        .map(({ index, oid, path }) => ({ gitDir, oid, path, index }))
    )
    const together = yield* contents.packages(files)
    for (const [at, { commit, gitDir }] of readable.entries()) {
      // If the slice takes too long, a repository that does so alone has no packages.
      const [found = []] = together?.slice(at, at + 1) ?? (yield* contents.packages(files.slice(at, at + 1))) ?? []
      // The first manifest of a package counts: that of the outermost folder.
      const distinct = new Map(found.toReversed().map((one) => [one.key, one]))
      store(gitDir, { commit, packages: [...distinct.values()], checkedAt })
    }
  })

  const run = Effect.gen(function* () {
    while (waiting.size > 0) {
      const slice = [...waiting.values().take(SLICE)]
      yield* readSlice(slice).pipe(
        Effect.catch(({ message }) => Effect.logWarning(`Packages are not read: ${message}`)),
        Effect.catchDefect((defect) => Effect.logError(`Packages are not read: ${String(defect)}`))
      )
      for (const { git } of slice) waiting.delete(git.gitDir)
      const ended = sliceEnd
      sliceEnd = yield* Deferred.make<void>()
      yield* Deferred.succeed(ended, undefined)
    }
    isRunning = false
  })

  /** Waits until repositories are read, if that does not take long. */
  const wait = (repositories: ReadonlyArray<ServedRepository>) =>
    Effect.timeoutOption(
      Effect.gen(function* () {
        while (repositories.some(({ git }) => waiting.has(git.gitDir))) yield* Deferred.await(sliceEnd)
      }),
      maxWait
    )

  /** Reads repositories in the background. Returns false if some of them were never read after a short wait. */
  const refresh = Effect.fnUntraced(function* (repositories: ReadonlyArray<ServedRepository>) {
    const now = yield* Clock.currentTimeMillis
    const oldest = repositories.length <= FEW_REPOSITORIES ? now : now - MAX_AGE
    const stale = repositories.filter(
      ({ git }) => (read.get(git.gitDir)?.checkedAt ?? Number.NEGATIVE_INFINITY) <= oldest
    )
    for (const one of stale) waiting.set(one.git.gitDir, one)
    if (waiting.size > 0 && !isRunning) {
      isRunning = true
      yield* Effect.forkIn(run, scope)
    }
    const isUnread = ({ git }: ServedRepository) => !read.has(git.gitDir)
    const awaited = repositories.length <= FEW_REPOSITORIES ? stale : stale.filter(isUnread)
    if (awaited.length === 0) return true
    return Option.isSome(yield* wait(awaited)) && !awaited.some(isUnread)
  })

  const declarationsOf = (served: ServedRepository, key?: string): ReadonlyArray<Declaration> => {
    const { commit, packages = [] } = read.get(served.git.gitDir) ?? {}
    if (commit === undefined) return []
    return packages.flatMap((declared) =>
      key === undefined || declared.key === key ? [{ served, commit, declared }] : []
    )
  }

  const findHere: FindDeclarations = Effect.fn("PackageDirectory.find")(function* (key, readable) {
    const isComplete = yield* refresh(readable)
    const gitDirs = byKey.get(key)
    if (gitDirs === undefined || gitDirs.size === 0) return { found: [], isIncomplete: !isComplete }
    const declaring = readable.filter(({ git }) => gitDirs.has(git.gitDir))
    // The tips can be newer than the last check.
    if (readable.length > FEW_REPOSITORIES) yield* refresh(declaring.slice(0, FEW_REPOSITORIES))
    const found = declaring.flatMap((served) => declarationsOf(served, key))
    return PackageDeclarations.limit(found, isComplete)
  })

  const find =
    ownership.runner === null || index.isShared
      ? findHere
      : yield* Effect.flatMap(
          Effect.promise(() => import("./cluster/ClusterPackages.ts")),
          (ClusterPackages) => ClusterPackages.make(findHere)
        )

  return PackageDirectory.of({
    find,
    findHere,
    packagesOf: Effect.fn("PackageDirectory.packagesOf")(function* (served) {
      yield* refresh([served])
      return declarationsOf(served)
    }),
    paths: Effect.fn("PackageDirectory.paths")(function* ({ commit, served: { fullName, git } }, expression) {
      const { found } = yield* candidates([{ gitDir: git.gitDir, fullName, commit }], expression).pipe(
        Effect.catch(({ message }) => Effect.as(Effect.logWarning(message), { found: [] }))
      )
      return found.map(({ path }) => path)
    })
  })
})
