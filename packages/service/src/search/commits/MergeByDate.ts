/** Merges the commits of several repositories by date, newest first, with few git processes at a time. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
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
  /**
   * Orders items of the same date. By default, those of the source that was opened first come first, without a wait for
   * the others.
   */
  readonly compare?: (a: A, b: A) => number
  /** Maximum number of sources being read that have no item yet. */
  readonly concurrency: number
  /** Maximum number of open sources, including sources whose next item waits for newer items. */
  readonly maxOpen: number
  /** Maximum milliseconds that an item waits for sources that may have newer items. */
  readonly maxWaitMillis: number
}

/** Maximum number of waiting items per source. The source pauses until an item is taken. */
const MAX_WAITING = 16

/** An open source. */
interface State<A> {
  /** Date of the newest possible next item. */
  bound: number
  readonly waiting: Array<{ readonly item: A; readonly since: number }>
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
  { compare, concurrency, date, maxOpen, maxWaitMillis }: MergeOptions<A>,
  queue: Queue.Queue<A, Cause.Done>
) {
  /** Sources in the order in which they are opened, and the number of opened ones. */
  const sorted = sources.toSorted((a, b) => b.newest - a.newest)
  let opened = 0
  /** The open sources, and the ended ones with waiting items. Few of thousands. */
  const open = new Set<State<A>>()
  const changes = yield* Queue.sliding<void>(1)
  const changed = Effect.asVoid(Queue.offer(changes, undefined))

  const read = ({ items }: Source<A>, state: State<A>) =>
    Stream.runForEach(items, (item) =>
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
    for (const one of open) if (one.isDone && one.waiting.length === 0) open.delete(one)
    const head = newestOf(open, date, compare)
    const headDate = head === undefined ? Number.NEGATIVE_INFINITY : dateOf(head, date)
    const reading = [...open].filter((one) => !one.isDone)
    const silent = reading.filter((one) => one.waiting.length === 0)
    let free = Math.min(concurrency - silent.length, maxOpen - reading.length)
    for (let source = sorted[opened]; source !== undefined && source.newest > headDate && free > 0; free--) {
      const state: State<A> = { bound: source.newest, waiting: [], isDone: false, resume: () => {} }
      open.add(state)
      silent.push(state)
      yield* Effect.forkScoped(read(source, state))
      source = sorted[++opened]
    }
    const hasRivals =
      silent.some(({ bound }) => bound > headDate || (compare !== undefined && bound === headDate)) ||
      (sorted[opened]?.newest ?? Number.NEGATIVE_INFINITY) > headDate
    if (head === undefined) {
      if (!hasRivals) return yield* Queue.end(queue)
      yield* Queue.take(changes)
      continue
    }
    const waited = performance.now() - (head.waiting[0]?.since ?? 0)
    if (hasRivals && waited < maxWaitMillis) {
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

const newestOf = <A>(
  states: Iterable<State<A>>,
  date: (item: A) => number,
  compare: (a: A, b: A) => number = () => 0
): State<A> | undefined => {
  let newest: State<A> | undefined
  for (const one of states) {
    const item = one.waiting[0]?.item
    if (item === undefined) continue
    const best = newest?.waiting[0]?.item
    const later = best === undefined ? 1 : date(item) - date(best)
    if (best === undefined || later > 0 || (later === 0 && compare(item, best) < 0)) newest = one
  }
  return newest
}
