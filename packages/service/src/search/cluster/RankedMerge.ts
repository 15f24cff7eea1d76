/** Merges the verified files of several processes into the batches that one process would give. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { CandidateOrder } from "../CodeIndex.ts"
import { FIRST_VERIFIED, MAX_VERIFIED } from "../LocalSearch.ts"
import type { SearchBatch, VerifiedFile } from "../SearchBatch.ts"

/** The next files of one process, in the order of the search. */
export interface SourceBatch {
  readonly verified: ReadonlyArray<VerifiedFile>
  /** Estimated number of files that this process has still to verify. */
  readonly remaining: number
  readonly isIncomplete: boolean
  readonly notes: ReadonlyArray<string>
}

export interface MergeOptions {
  readonly order: CandidateOrder
  /** Index of the repository of a file among those of the search. Decides between files with the same key. */
  readonly placeOf: (file: VerifiedFile) => number
}

/** Number of files in the second batch: the rest of the first candidates of one process. */
const SECOND_BATCH = 64 - FIRST_VERIFIED

/** Milliseconds after which a batch no longer waits for a slow process, whose files then come in later batches. */
const MAX_WAIT_MILLIS = 500

/** A process, with its last batch. */
interface State {
  files: ReadonlyArray<VerifiedFile>
  /** Index of the next file. */
  at: number
  remaining: number
  isDone: boolean
  /** Lets the process continue after all files of the batch are taken. */
  resume: () => void
}

export const merge = (
  sources: ReadonlyArray<Stream.Stream<SourceBatch>>,
  options: MergeOptions
): Stream.Stream<SearchBatch> =>
  Stream.callback<SearchBatch>((queue) => run(sources, options, queue), { bufferSize: 1 })

const run = Effect.fnUntraced(function* (
  sources: ReadonlyArray<Stream.Stream<SourceBatch>>,
  { order, placeOf }: MergeOptions,
  queue: Queue.Queue<SearchBatch, Cause.Done>
) {
  const states = sources.map((): State => ({ files: [], at: 0, remaining: 0, isDone: false, resume: () => {} }))
  /** Remarks to send. */
  let isIncomplete = false
  let notes: Array<string> = []
  const changes = yield* Queue.sliding<void>(1)
  const changed = Effect.asVoid(Queue.offer(changes, undefined))

  const read = (source: Stream.Stream<SourceBatch>, state: State) =>
    Stream.runForEach(source, (batch) =>
      Effect.gen(function* () {
        isIncomplete ||= batch.isIncomplete
        notes.push(...batch.notes)
        state.files = batch.verified
        state.at = 0
        state.remaining = batch.remaining
        yield* changed
        yield* Effect.callback<void>((resume) => {
          // The files can be taken already.
          if (!hasFiles(state)) return resume(Effect.void)
          state.resume = () => resume(Effect.void)
        })
      })
    ).pipe(
      Effect.ensuring(
        Effect.suspend(() => {
          state.isDone = true
          state.remaining = 0
          return changed
        })
      )
    )

  const send = (files: ReadonlyArray<VerifiedFile>, isEarly: boolean) =>
    Effect.suspend(() => {
      const hits = files.flatMap(({ hit }) => hit ?? [])
      const batch = {
        hits: order === "best" ? hits.sort((a, b) => b.rank - a.rank) : hits,
        examined: files.length,
        remaining: states.reduce((sum, { at, files, remaining }) => sum + files.length - at + remaining, 0),
        isIncomplete,
        isEarly,
        notes
      }
      isIncomplete = false
      notes = []
      return Queue.offer(queue, batch)
    })

  for (const [at, state] of states.entries()) yield* Effect.forkScoped(read(sources[at] ?? Stream.empty, state))
  let size = FIRST_VERIFIED
  let files: Array<VerifiedFile> = []
  let waitsSince: number | undefined
  for (;;) {
    if (isIncomplete || notes.length > 0) yield* send([], false)
    const head = best(states, placeOf)
    const isSilent = states.some((state) => !state.isDone && !hasFiles(state))
    if (isSilent) {
      waitsSince ??= performance.now()
      const left = MAX_WAIT_MILLIS - (performance.now() - waitsSince)
      const isEmpty = head === undefined && files.length === 0
      if (isEmpty || left > 0) {
        yield* isEmpty ? Queue.take(changes) : Effect.timeoutOption(Queue.take(changes), left)
        continue
      }
    }
    if (head === undefined && files.length === 0) return yield* Queue.end(queue)
    if (head !== undefined) files.push(...take(head))
    if (head === undefined || files.length === size) {
      yield* send(files, isSilent)
      size = size === FIRST_VERIFIED ? SECOND_BATCH : MAX_VERIFIED
      files = []
      waitsSince = undefined
    }
  }
})

const hasFiles = ({ at, files }: State): boolean => at < files.length

/** Takes the next file. */
const take = (state: State): ReadonlyArray<VerifiedFile> => {
  const taken = state.files.slice(state.at, ++state.at)
  if (!hasFiles(state)) state.resume()
  return taken
}

/** Returns the process with the best next file. */
const best = (states: ReadonlyArray<State>, placeOf: MergeOptions["placeOf"]): State | undefined => {
  let found: State | undefined
  let bestFile: VerifiedFile | undefined
  for (const state of states) {
    const file = state.files[state.at]
    if (file === undefined) continue
    const isBetter =
      bestFile === undefined ||
      file.key > bestFile.key ||
      (file.key === bestFile.key && placeOf(file) < placeOf(bestFile))
    if (!isBetter) continue
    found = state
    bestFile = file
  }
  return found
}
