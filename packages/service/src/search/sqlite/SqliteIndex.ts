import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import { CodeIndex, type IndexChange, type IndexedTree, IndexError, type LanguageSize } from "../CodeIndex.ts"
import * as IndexDatabase from "./IndexDatabase.ts"
import { notIndexed, type Reservation, ShardCatalog } from "./ShardCatalog.ts"
import * as ShardReaders from "./ShardReaders.ts"
import * as ShardWriters from "./ShardWriters.ts"

/** Time after which the shards are listed again, because other processes can add some. */
const LISTING_AGE = "1 second"

/** Code index in SQLite files of the data folder, with several threads for writing and for reading. */
export const layer = (data: string) =>
  Layer.effect(
    CodeIndex,
    Effect.suspend(() => make(data))
  )

const attempt = <A>(run: () => A) =>
  Effect.try({
    try: run,
    catch: (error) => new IndexError({ detail: error instanceof Error ? error.message : String(error) })
  })

const make = Effect.fnUntraced(function* (data: string) {
  const scope = yield* Effect.scope
  const readers = yield* ShardReaders.make(data)
  const writers = yield* ShardWriters.make(data)
  const catalog = new ShardCatalog()
  /** Updates in progress. */
  const reserved = new Set<Reservation>()
  const placing = yield* Semaphore.make(1)
  let turn = 0

  /** Reads the states of shards that have changed. */
  const refresh = (shards: Iterable<number>) =>
    Effect.map(
      readers.states(shards, (shard) => catalog.version(shard)),
      (states) => {
        for (const state of states) catalog.set(state)
      }
    )

  /** Reads the states of all shards. */
  const list = Effect.gen(function* () {
    const shards = yield* attempt(() => IndexDatabase.shardsIn(data))
    for (const shard of catalog.shards) if (!shards.includes(shard)) catalog.remove(shard)
    yield* refresh(shards)
  })
  const listed = yield* Effect.cachedWithTTL(list, LISTING_AGE)
  // After a failure, the next call tries again.
  const opened = yield* Effect.cachedWithTTL(
    Effect.andThen(
      attempt(() => IndexDatabase.removeUnused(data)),
      list
    ),
    (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
  )

  /** Returns the shard for an update, with a place for a new repository. The reservation ends with the scope. */
  const reserve = Effect.fnUntraced(function* (change: IndexChange) {
    const { gitDir } = change.repository
    const hold = (shard: number, bytes: number) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const made = { shard, bytes }
          reserved.add(made)
          return made
        }),
        (made) => Effect.sync(() => reserved.delete(made))
      )
    yield* opened
    const known = catalog.shardFor(gitDir)
    if (known !== undefined) return yield* hold(known, 0)
    const { borrows, bytes } = yield* writers.measure(change)
    return yield* placing.withPermit(
      Effect.gen(function* () {
        // Another process can have placed the repository.
        yield* listed
        const placed = catalog.shardFor(gitDir)
        if (placed !== undefined) return yield* hold(placed, 0)
        // A fork goes to the shard that has most of its contents already.
        const others = borrows ? catalog.repositories.filter((other) => other !== gitDir) : []
        const sharing = borrows ? yield* writers.findSharing(gitDir, others) : undefined
        const [shared] = sharing === undefined ? [] : catalog.shardsOf(sharing)
        if (shared !== undefined && catalog.hasPlace(shared)) return yield* hold(shared, 0)
        return yield* hold(catalog.place(bytes, reserved, ShardWriters.WRITERS), bytes)
      })
    )
  })

  const forget = Effect.fnUntraced(function* (gitDir: string, shards: ReadonlyArray<number>) {
    for (const shard of shards) yield* writers.forget(shard, gitDir)
    if (shards.length > 0) yield* refresh(shards)
  })

  return CodeIndex.of({
    isShared: false,

    apply: (change, onProgress) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { shard } = yield* reserve(change)
          // A failed update can have deleted a damaged shard.
          yield* Effect.onError(writers.apply(shard, change, onProgress), () => Effect.ignore(refresh([shard])))
          const { gitDir } = change.repository
          catalog.add(gitDir, shard)
          yield* forget(
            gitDir,
            catalog.shardsOf(gitDir).filter((other) => other !== shard)
          )
        })
      ),

    refine: Effect.fnUntraced(function* (millis) {
      yield* opened
      // Takes turns, because another process can write a shard.
      const shards = [...catalog.imprecise().keys()]
      const shard = shards[turn++ % shards.length]
      if (shard === undefined) return 0
      yield* writers.refine(shard, millis)
      yield* refresh([shard])
      return catalog
        .imprecise()
        .values()
        .reduce((sum, count) => sum + count, 0)
    }),

    forget: Effect.fnUntraced(function* (gitDir) {
      yield* opened
      yield* listed
      yield* forget(gitDir, catalog.shardsOf(gitDir))
    }),

    candidates: (query, targets, order) =>
      Stream.unwrap(Effect.as(opened, readers.candidates(query, targets, order, catalog))),

    states: Effect.fnUntraced(function* (repositories) {
      yield* opened
      const shards = new Set(repositories.flatMap(({ gitDir }) => catalog.shardsOf(gitDir)))
      if (shards.size > 0) yield* refresh(shards)
      const states = repositories.map(({ gitDir }) => catalog.state(gitDir))
      // Another process can have indexed the repositories. The next call sees them.
      if (states.includes(undefined)) yield* Effect.forkIn(Effect.ignore(listed), scope)
      return states.map((state) => state ?? notIndexed)
    }),

    languages: Effect.fnUntraced(function* (trees) {
      yield* opened
      const found = new Map<IndexedTree, ReadonlyArray<LanguageSize> | undefined>()
      const byShard = Map.groupBy(trees, ({ gitDir }) => catalog.shardsOf(gitDir)[0] ?? 0)
      byShard.delete(0)
      yield* Effect.forEach(
        byShard,
        ([shard, some]) =>
          readers.languages(shard, some).pipe(
            Effect.map((languages) => {
              for (const [at, tree] of some.entries()) found.set(tree, languages[at])
            }),
            Effect.catch(({ message }) => Effect.logWarning(`languages in shard ${shard} of the index: ${message}`))
          ),
        { concurrency: "unbounded", discard: true }
      )
      return trees.map((tree) => found.get(tree))
    }),

    leftOut: Effect.fnUntraced(function* (repository, limit) {
      yield* opened
      const [shard] = catalog.shardsOf(repository.gitDir)
      return shard === undefined ? [] : yield* readers.leftOut(shard, repository, limit)
    })
  })
})
