/** Measures a forge for tests in a separate process. */
import * as Schema from "effect/Schema"

/** Number of repositories of the measurements with many. */
export const REPOSITORIES = 100

/** A running forge. */
export interface MeasuredForge {
  readonly url: string
  readonly token: string
  readonly reset: () => Promise<void> | void
  readonly close: () => Promise<void>
  /** Copies the state. Returns a function that restores the copy. */
  readonly snapshot?: () => Promise<() => Promise<void>>
}

const Milliseconds = Schema.Finite

/** The measured times in milliseconds. A program omits the times of missing features. */
export const Measurement = Schema.Struct({
  import: Milliseconds,
  firstStart: Milliseconds,
  /** Resident memory after the first start, in MB. */
  memory: Schema.Finite,
  nextStart: Milliseconds,
  close: Milliseconds,
  reset: Milliseconds,
  snapshot: Schema.optionalKey(Milliseconds),
  restore: Schema.optionalKey(Milliseconds),
  resetMany: Milliseconds
})

/** Number of measurements of which one figure is the median. */
const REPEATS = 7

const timed = async <A>(work: () => Promise<A> | A) => {
  const start = performance.now()
  const result = await work()
  return { result, time: performance.now() - start }
}

const median = (times: ReadonlyArray<number>) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

/** Creates a repository with a commit over HTTP. */
const create = async ({ token, url }: MeasuredForge, name: string) => {
  const response = await fetch(`${url}/user/repos`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name, auto_init: true })
  })
  if (response.status !== 201) throw new Error(`POST /user/repos: ${response.status} ${await response.text()}`)
}

/** Runs all measurements and prints the results as JSON. */
export const print = async (load: () => Promise<() => Promise<MeasuredForge>>): Promise<void> => {
  const { result: start, time: importTime } = await timed(load)
  const { result: first, time: firstStart } = await timed(start)
  const memory = process.memoryUsage().rss / 1e6
  await first.close()

  const starts: Array<number> = []
  const closes: Array<number> = []
  for (let at = 0; at < REPEATS; at++) {
    const { result, time } = await timed(start)
    starts.push(time)
    closes.push((await timed(result.close)).time)
  }

  const forge = await start()
  const resets: Array<number> = []
  for (let at = 0; at < REPEATS; at++) resets.push((await timed(forge.reset)).time)
  for (let at = 0; at < REPOSITORIES; at++) await create(forge, `many-${at}`)
  const snapshots: Array<number> = []
  const restores: Array<number> = []
  for (let at = 0; forge.snapshot !== undefined && at < REPEATS; at++) {
    const { result: restore, time } = await timed(forge.snapshot)
    snapshots.push(time)
    await create(forge, "one-more")
    restores.push((await timed(restore)).time)
  }
  const { time: resetMany } = await timed(forge.reset)
  await forge.close()

  const measured: typeof Measurement.Type = {
    import: importTime,
    firstStart,
    memory,
    nextStart: median(starts),
    close: median(closes),
    reset: median(resets),
    resetMany,
    ...(snapshots.length === 0 ? {} : { snapshot: median(snapshots), restore: median(restores) })
  }
  console.log(JSON.stringify(measured))
}
