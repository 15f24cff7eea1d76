import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { CatFile } from "../process/CatFile.ts"
import type { Git } from "../process/Git.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import type { ObjectFormat } from "../values/GitObject.ts"
import type { RepositoryLocation } from "../values/RepositoryLocation.ts"
import * as LooseRefs from "./LooseRefs.ts"
import * as PackedRefs from "./PackedRefs.ts"
import * as HeadFiles from "./HeadFiles.ts"
import * as RefFiles from "./RefFiles.ts"
import * as RefListing from "./RefListing.ts"
import * as RefTargets from "./RefTargets.ts"
import { symbolicHead } from "./SymbolicRefs.ts"
import * as CacheDependencies from "../values/CacheDependencies.ts"
import * as EventLoopTick from "../../base/EventLoopTick.ts"

/** A reference with the id and type of the object. */
export type Ref = RefListing.Ref

/** The default branch. `ref` is `undefined` before the first commit. */
export interface Tip {
  readonly branch: string
  readonly ref: Ref | undefined
}

/**
 * The references of one repository.
 *
 * **Details**
 *
 * A snapshot is read from loose files and `packed-refs` by git's rules, and is valid while these files are unchanged:
 * `HEAD`, `packed-refs`, and every folder under `refs/` (git replaces reference files, which changes their folder), as
 * well as the reference files if there are few. A new snapshot reads only files that changed. As in git's index, a
 * snapshot is not reused if a file changed so recently that another change may not alter its time. A repository with a
 * pipe among these files is rejected, because git would block on it.
 */
export interface Refs {
  /** The references whose full names begin with `prefix`, sorted by name in byte order. */
  readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<Ref>, GitError>
  /**
   * The ids of all references by full name, read from files without git: also of objects that git cannot read, and
   * undefined for symbolic and broken references.
   */
  readonly ids: Effect.Effect<ReadonlyMap<string, string | undefined>, GitError>
  /**
   * The reference with this full name. Fails with `ObjectMissing` if git cannot read the object; lists omit the
   * reference.
   */
  readonly get: (name: string) => Effect.Effect<Ref | undefined, GitError>
  /** The branch that HEAD names, without `refs/heads/`. The branch may not exist yet. */
  readonly head: Effect.Effect<string, GitError>
  /** The default branch with the reference. */
  readonly tip: Effect.Effect<Tip, GitError>
  /** The default branch, if known without a wait. Adds the dependency on the branch to `sources`. */
  readonly knownTip: (sources: Set<CacheDependencies.CacheDependency> | undefined) => Tip | undefined
  /**
   * The id of the default branch, read from files without git, which may be of no readable commit. Undefined if the files
   * do not give the id alone.
   */
  readonly headOid: () => string | undefined
  /** Discards the snapshot, after a write of this process. */
  readonly invalidate: Effect.Effect<void>
  /** Number of calls of `invalidate`. */
  readonly writes: () => number
}

interface Snapshot extends CacheDependencies.CacheDependency {
  /** Sequence number of the read. */
  readonly number: number
  readonly refs: () => ReadonlyArray<Ref>
  readonly find: (name: string) => Ref | RefListing.UnreadableRef | undefined
  readonly head: string
}

/** The ids of the references in files. */
interface RefIds {
  readonly files: RefFiles.RefFiles
  readonly all: ReadonlyMap<string, string | undefined>
}

const noIds: RefIds = { files: RefFiles.empty, all: new Map() }

/** Packed references and their objects, read once. */
interface PackedListing {
  readonly packed: RefFiles.RefFiles["packed"]
  readonly oids: ReadonlyMap<string, string>
  readonly listing: RefListing.Listing
}

const noPacked: PackedListing = {
  packed: PackedRefs.empty,
  oids: new Map(),
  listing: RefListing.make([], () => undefined)
}

/** Reads the references of the repository at `location`, with git running in the isolated git directory. */
export const make = (
  git: Git["Service"],
  catFile: CatFile["Service"],
  location: RepositoryLocation,
  isolated: string,
  objectFormat: ObjectFormat
): Refs => {
  const { commonDir, gitDir } = location
  const digits = objectFormat === "sha256" ? 64 : 40
  const rebuildLock = Semaphore.makeUnsafe(1)
  let current: Snapshot | undefined
  let lastNumber = 0
  let writes = 0
  let headFiles: HeadFiles.HeadFiles | undefined
  let files = RefFiles.empty
  let packed = noPacked
  let ids = noIds
  /** Objects of the loose references of the last snapshot. */
  let targets: ReadonlyMap<string, RefTargets.RefTarget> = new Map()

  const readTargets = (oids: Iterable<string>, peeledOf: ReadonlyMap<string, string>) => {
    const missing = [...new Set(oids)].filter((oid) => targets.get(oid) === undefined)
    return missing.length === 0
      ? Effect.succeed(new Map<string, RefTargets.RefTarget>())
      : RefTargets.read(git, catFile, isolated, missing, peeledOf)
  }

  const readPacked = Effect.fnUntraced(function* (now: RefFiles.RefFiles["packed"]) {
    if (packed.packed === now) return packed
    const oids = RefListing.packedOids(now)
    const peeledOf = new Map(now.refs.flatMap(({ oid, peeled }) => (peeled === undefined ? [] : [[oid, peeled]])))
    const found = yield* readTargets(oids.values(), peeledOf)
    const listing = RefListing.make(oids, (oid) => found.get(oid) ?? targets.get(oid))
    const next = { packed: now, oids, listing }
    // A missing object may be added later.
    packed = listing.sorted.every(({ ref }) => "oid" in ref) ? next : noPacked
    return next
  })

  const rebuild = Effect.gen(function* () {
    // Concurrent callers of this turn of the event loop arrive first, and share the read.
    yield* Effect.yieldNow
    const number = ++lastNumber
    files = yield* RefFiles.read(location, digits, files)
    const unchanged = EventLoopTick.oncePerTick(files.isUnchanged)
    const { listing: packedListing, oids: packedOids } = yield* readPacked(files.packed)
    const looseOids = RefListing.looseOids(files.loose, (name) => packedOids.get(name))
    const found = yield* readTargets(
      [...looseOids.values()].filter((oid) => oid !== null),
      new Map()
    )
    const known = targets
    const loose = RefListing.make(looseOids, (oid) => found.get(oid) ?? known.get(oid))
    targets = new Map(loose.sorted.flatMap(({ ref }) => ("oid" in ref ? [[ref.oid, targetOf(ref)] as const] : [])))
    const hidden = new Set([...looseOids.keys()].map(LooseRefs.toText))
    const find = (name: string) => (hidden.has(name) ? loose.byName.get(name) : packedListing.byName.get(name))
    let merged: ReadonlyArray<Ref> | undefined
    const refs = () => (merged ??= RefListing.merge(loose.sorted, packedListing.sorted, looseOids))
    const isCurrent = () => current === next && unchanged()
    const next: Snapshot = { number, refs, find, head: headOf(refs, find), isCurrent }
    current = next
    return next
  })

  const readIds = Effect.gen(function* () {
    if (!files.isUnchanged()) files = yield* RefFiles.read(location, digits, files)
    if (ids.files !== files) {
      const all = new Map<string, string | undefined>()
      for (const { name, oid } of files.packed.refs) all.set(LooseRefs.toText(name), oid)
      for (const [name, ref] of files.loose.refs) all.set(LooseRefs.toText(name), directId(ref))
      ids = { files, all }
    }
    return ids.all
  })

  const headOf = (refs: Snapshot["refs"], find: Snapshot["find"]): string => {
    // For a detached HEAD: the branch of the main work tree, else a common name, else the first branch.
    const named = symbolicHead(gitDir) ?? symbolicHead(commonDir)
    if (named !== undefined) return named
    const common = ["main", "master"].find((name) => isReadable(find(HEADS + name)))
    return (
      common ??
      refs()
        .find(({ name }) => name.startsWith(HEADS))
        ?.name.slice(HEADS.length) ??
      "main"
    )
  }

  const snapshot = Effect.suspend(() => {
    if (current?.isCurrent() === true) return Effect.succeed(current)
    const numberBefore = lastNumber
    return rebuildLock.withPermit(
      // Concurrent callers share one read that started after their calls.
      Effect.suspend(() => (current !== undefined && current.number > numberBefore ? Effect.succeed(current) : rebuild))
    )
  }).pipe(Effect.tap(CacheDependencies.add))

  /** Returns the snapshot if current, and adds the dependency on the snapshot to `sources`. */
  const known = (sources: Set<CacheDependencies.CacheDependency> | undefined): Snapshot | undefined => {
    if (current?.isCurrent() !== true) return undefined
    sources?.add(current)
    return current
  }

  /** Applies `use` at once to a known snapshot in a computation that has not waited. */
  const withSnapshot = <A>(use: (snapshot: Snapshot) => Effect.Effect<A, GitError>) => {
    const sources = CacheDependencies.collected()
    const now = sources === undefined ? undefined : known(sources)
    return now === undefined ? Effect.flatMap(snapshot, use) : use(now)
  }

  return {
    list: (prefix) =>
      withSnapshot(({ refs }) =>
        Effect.succeed(prefix === "" ? refs() : refs().filter(({ name }) => name.startsWith(prefix)))
      ),
    ids: rebuildLock.withPermit(readIds),
    get: (name) =>
      withSnapshot(({ find }) => {
        const found = find(name)
        return found === undefined || isReadable(found)
          ? Effect.succeed(found)
          : Effect.fail(gitError({ _tag: "ObjectMissing", oid: found.unreadable }))
      }),
    head: Effect.map(snapshot, ({ head }) => head),
    tip: Effect.map(snapshot, tipOf),
    knownTip: (sources) => {
      const now = known(sources)
      return now === undefined ? undefined : tipOf(now)
    },
    headOid: () => {
      if (headFiles?.isUnchanged() !== true) headFiles = HeadFiles.read(location, digits)
      return headFiles?.oid
    },
    invalidate: Effect.sync(() => {
      current = undefined
      writes += 1
    }),
    writes: () => writes
  }
}

const directId = (ref: LooseRefs.LooseRef) => (ref._tag === "Direct" ? ref.oid : undefined)

const isReadable = (ref: Ref | RefListing.UnreadableRef | undefined): ref is Ref => ref !== undefined && "oid" in ref

const tipOf = ({ find, head }: Snapshot): Tip => {
  const ref = find(HEADS + head)
  return { branch: head, ref: isReadable(ref) ? ref : undefined }
}

const targetOf = ({ peeled, type }: Ref): RefTargets.RefTarget => (peeled === undefined ? { type } : { type, peeled })

const HEADS = "refs/heads/"
