/** Merges the candidates of several readers into batches, the best candidates first. */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Candidate, CandidateBatch, IndexError } from "../CodeIndex.ts"
import type { ReaderBatch } from "../workers/WorkerMethods.ts"

/** Number of candidates in the first and the largest batch. The first batch is small so that results appear early. */
const FIRST_BATCH = 64
const MAX_BATCH = 512

/** Time after which a batch no longer waits for a slow reader, whose candidates then come in later batches. */
const patience = Duration.millis(500)

/** Candidates of one reader, in order. */
export interface CandidateSource {
  readonly begin: Effect.Effect<ReaderBatch, IndexError>
  readonly next: Effect.Effect<ReaderBatch, IndexError>
  /** Targets that fail if the source fails. */
  readonly targets: ReadonlyArray<number>
}

type Failures = NonNullable<CandidateBatch["failed"]>

/** A source with the batch loaded last. */
interface Reading {
  readonly source: CandidateSource
  batch: ReaderBatch
  /** Index of the next candidate in the batch. */
  at: number
  /** Completes when the next batch is loaded. Undefined if no batch is being loaded. */
  loading: Deferred.Deferred<void> | undefined
  /** Failures to report with the next batch. */
  failed: Failures
}

/**
 * Streams the candidates of sources. The targets of a failed source fail in the next batch. The stream fails only if all
 * sources fail at the beginning.
 */
export const merge = (sources: ReadonlyArray<CandidateSource>): Stream.Stream<CandidateBatch, IndexError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const readings = sources.map((source): Reading => ({
        source,
        batch: nothing,
        at: 0,
        loading: undefined,
        failed: []
      }))
      const errors: Array<IndexError> = []
      const scope = yield* Effect.scope
      for (const reading of readings) {
        yield* load(
          scope,
          reading,
          Effect.tapError(reading.source.begin, (error) => Effect.sync(() => errors.push(error)))
        )
      }
      yield* settle(readings)
      const [error] = errors
      if (error !== undefined && errors.length === sources.length) return Stream.fail(error)
      return Stream.paginate(FIRST_BATCH, (size) =>
        Effect.gen(function* () {
          if (size > FIRST_BATCH) yield* settle(readings)
          const batch = take(readings, size)
          for (const reading of readings) {
            // The reader loads the next batch while the caller verifies this one.
            if (isUsedUp(reading) && reading.batch.left > 0) yield* load(scope, reading, reading.source.next)
          }
          const isLast = readings.every((reading) => reading.loading === undefined && isUsedUp(reading))
          return [[batch], isLast ? Option.none() : Option.some(Math.min(size * 2, MAX_BATCH))] as const
        })
      )
    })
  )

const nothing: ReaderBatch = { candidates: [], keys: [], left: 0 }

const hasCandidates = ({ at, batch }: Reading): boolean => at < batch.candidates.length

const isUsedUp = (reading: Reading): boolean => reading.loading === undefined && !hasCandidates(reading)

/** Starts to load the next batch of a source. */
const load = (scope: Scope.Scope, reading: Reading, next: CandidateSource["next"]): Effect.Effect<void> =>
  Effect.suspend(() => {
    const loading = Deferred.makeUnsafe<void>()
    reading.loading = loading
    return next.pipe(
      Effect.catch(({ detail }) =>
        Effect.succeed<ReaderBatch>({
          ...nothing,
          failed: reading.source.targets.map((target) => ({ target, detail }))
        })
      ),
      Effect.tap((batch) =>
        Effect.sync(() => {
          reading.batch = batch
          reading.at = 0
          reading.failed = batch.failed ?? []
          reading.loading = undefined
        })
      ),
      Effect.andThen(Deferred.succeed(loading, undefined)),
      Effect.forkIn(scope, { startImmediately: true }),
      Effect.asVoid
    )
  })

/** Waits until all sources have candidates or end. With candidates of some sources, waits only for a bounded time. */
const settle = (readings: ReadonlyArray<Reading>): Effect.Effect<void> =>
  Effect.suspend(() => {
    const waits = readings.flatMap(({ loading }) => (loading === undefined ? [] : [Deferred.await(loading)]))
    if (waits.length === 0) return Effect.void
    const all = Effect.all(waits, { concurrency: "unbounded", discard: true })
    const any = Effect.suspend(() =>
      readings.some(hasCandidates) ? Effect.void : Effect.andThen(Effect.raceAll(waits), settle(readings))
    )
    return Effect.flatMap(Effect.timeoutOption(all, patience), (done) => (Option.isSome(done) ? Effect.void : any))
  })

/** Takes up to `size` candidates in order, but no candidate that could belong after one that is not loaded. */
const take = (readings: ReadonlyArray<Reading>, size: number): CandidateBatch => {
  const candidates: Array<Candidate> = []
  const keys: Array<number> = []
  for (let reading = best(readings); reading !== undefined; reading = best(readings)) {
    keys.push(...reading.batch.keys.slice(reading.at, reading.at + 1))
    candidates.push(...reading.batch.candidates.slice(reading.at, ++reading.at))
    const isLoaded = hasCandidates(reading) || reading.batch.left === 0
    if (!isLoaded || candidates.length >= size) break
  }
  const failed: Failures = readings.flatMap((reading) => reading.failed)
  let left = 0
  for (const reading of readings) {
    reading.failed = []
    left += reading.batch.candidates.length - reading.at + reading.batch.left
  }
  return { candidates, keys, left, ...(failed.length === 0 ? {} : { failed }) }
}

/** Returns the reading with the best next candidate: of equal ones, that of the first target. */
const best = (readings: ReadonlyArray<Reading>): Reading | undefined => {
  let found: Reading | undefined
  let bestKey = 0
  let bestPlace = 0
  for (const reading of readings) {
    const candidate = reading.batch.candidates[reading.at]
    if (candidate === undefined) continue
    const key = reading.batch.keys[reading.at] ?? 0
    const [place] = candidate.targets
    if (found !== undefined && (key < bestKey || (key === bestKey && place >= bestPlace))) continue
    found = reading
    bestKey = key
    bestPlace = place
  }
  return found
}
