/** Merges the commits of several repositories by date, newest first, with few git processes at a time. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

/** A history to merge. */
export interface Source<A> {
  /** Date of the newest commit, in seconds. */
  readonly newest: number
  readonly items: Stream.Stream<A>
}

export interface MergeOptions<A> {
  /** Date of an item in seconds. */
  readonly date: (item: A) => number
  /** Maximum number of sources being read that have no item yet. */
  readonly concurrency: number
  /** Maximum number of open sources, including sources whose next item waits for newer items. */
  readonly maxOpen: number
  /** Maximum milliseconds that an item waits for sources that may have newer items. */
  readonly maxWaitMillis: number
}

/** Maximum number of waiting items per source. The source pauses until an item is taken. */
const MAX_WAITING = 16

interface State<A> {
  readonly source: Source<A>
  /** Date of the newest possible next item. */
  bound: number
  readonly waiting: Array<{ readonly item: A; readonly since: number }>
  fiber: Fiber.Fiber<void> | undefined
  isDone: boolean
  resume: () => void
}

/**
 * Emits the newest item of all sources first. An item waits at most `maxWaitMillis`, so that a rare commit appears
 * early, although another repository may have a newer commit.
 */
export const merge = <A>(sources: ReadonlyArray<Source<A>>, options: MergeOptions<A>): Stream.Stream<A> =>
  Stream.callback<A>((queue) => run(sources, options, queue), { bufferSize: 1 })

const run = Effect.fnUntraced(function* <A>(
  sources: ReadonlyArray<Source<A>>,
  { concurrency, date, maxOpen, maxWaitMillis }: MergeOptions<A>,
  queue: Queue.Queue<A, Cause.Done>
) {
  const states = sources
    .map((source): State<A> => ({
      source,
      bound: source.newest,
      waiting: [],
      fiber: undefined,
      isDone: false,
      resume: () => {}
    }))
    .sort((a, b) => b.bound - a.bound)
  const changes = yield* Queue.sliding<void>(1)
  const changed = Effect.asVoid(Queue.offer(changes, undefined))

  const read = (state: State<A>) =>
    Stream.runForEach(state.source.items, (item) =>
      Effect.gen(function* () {
        state.waiting.push({ item, since: performance.now() })
        yield* changed
        if (state.waiting.length < MAX_WAITING) return
        yield* Effect.callback<void>((resume) => {
          state.resume = () => resume(Effect.void)
        })
      })
    ).pipe(
      Effect.ensuring(
        Effect.suspend(() => {
          state.isDone = true
          return changed
        })
      )
    )

  for (;;) {
    const head = newestOf(states, date)
    const headDate = head === undefined ? Number.NEGATIVE_INFINITY : dateOf(head, date)
    const rivals = states.filter((one) => !one.isDone && one.waiting.length === 0 && one.bound > headDate)
    const reading = states.filter((one) => one.fiber !== undefined && !one.isDone)
    const busy = reading.filter((one) => one.waiting.length === 0).length
    const free = Math.min(concurrency - busy, maxOpen - reading.length)
    for (const one of rivals.filter(({ fiber }) => fiber === undefined).slice(0, Math.max(0, free)))
      one.fiber = yield* Effect.forkScoped(read(one))
    if (head === undefined) {
      if (rivals.length === 0) return yield* Queue.end(queue)
      yield* Queue.take(changes)
      continue
    }
    const waited = performance.now() - (head.waiting[0]?.since ?? 0)
    if (rivals.length > 0 && waited < maxWaitMillis) {
      yield* Effect.timeoutOption(Queue.take(changes), maxWaitMillis - waited)
      continue
    }
    const taken = head.waiting.shift()
    if (taken === undefined) continue
    head.bound = Math.min(head.bound, headDate)
    head.resume()
    yield* Queue.offer(queue, taken.item)
  }
})

const dateOf = <A>({ waiting: [first] }: State<A>, date: (item: A) => number): number =>
  first === undefined ? Number.NEGATIVE_INFINITY : date(first.item)

const newestOf = <A>(states: ReadonlyArray<State<A>>, date: (item: A) => number): State<A> | undefined =>
  states
    .filter(({ waiting }) => waiting.length > 0)
    .reduce<State<A> | undefined>(
      (best, one) => (best === undefined || dateOf(one, date) > dateOf(best, date) ? one : best),
      undefined
    )
