/** The measurements of a terminal UI. Each starts the program in a repository, and finds rows by commit subjects. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { contents } from "../../acceptance/LargeRepository.test-support.ts"
import * as ProcessMemory from "../service/ProcessMemory.ts"
import * as PtyProgram from "./PtyProgram.ts"
import * as DefinitionRepository from "./DefinitionRepository.ts"
import type { TuiProgram } from "./TuiPrograms.ts"
import * as SpanCollector from "./SpanCollector.ts"

export interface WindowSize {
  readonly columns: number
  readonly rows: number
}

export const small: WindowSize = { columns: 80, rows: 24 }
export const large: WindowSize = { columns: 160, rows: 48 }

/** Output is complete after this silence (milliseconds). */
export const QUIET = 40

/** Time limit of the first frame (milliseconds). */
const START_LIMIT = 30_000

const open = (program: TuiProgram, cwd: string, { columns, rows }: WindowSize, flags: ReadonlyArray<string> = []) =>
  PtyProgram.start({ ...program, args: [...program.args, ...flags], cwd, columns, rows })

/** Starts a program, waits for the newest commit and the following silence, and focuses the list of commits. */
const openList = Effect.fnUntraced(function* (...args: Parameters<typeof open>) {
  const [{ focus }] = args
  const opened = yield* open(...args)
  yield* opened.waitFor(contents.subjects.tip, START_LIMIT)
  yield* opened.press(focus, 500)
  return opened
})

/** The time to the first frame that contains the newest commit (milliseconds). */
export const firstFrame = (program: TuiProgram, repository: string) =>
  Effect.scoped(
    Effect.flatMap(open(program, repository, small), ({ waitFor }) => waitFor(contents.subjects.tip, START_LIMIT))
  )

/** Starts a program until idle, so that later starts find caches and indexes. */
export const warmUp = (program: TuiProgram, repository: string) =>
  Effect.scoped(Effect.andThen(openList(program, repository, small), Effect.sleep("5 seconds")))

export interface Keys {
  /** The times from each key to the first byte, and to the last one before a silence (milliseconds). */
  readonly first: ReadonlyArray<number>
  readonly last: ReadonlyArray<number>
  /** Bytes per key. */
  readonly bytes: number
}

/** Presses a key that scrolls the list by one row, `count` times. */
export const scrollKeys = (program: TuiProgram, repository: string, size: WindowSize, count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { press } = yield* openList(program, repository, size)
      // From the last row of the window, each key scrolls.
      yield* press(program.down.repeat(size.rows), 500)
      const outputs: Array<PtyProgram.Output> = []
      for (let key = 0; key < count; key++) outputs.push(yield* press(program.down, QUIET))
      return {
        first: outputs.flatMap(({ first }) => first ?? []),
        last: outputs.flatMap(({ last }) => last ?? []),
        bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0) / count
      } satisfies Keys
    })
  )

export interface End {
  readonly presses: number
  /** Milliseconds from the first press until the screen contains the oldest commit. */
  readonly time: number
  /** Requests from the first press; undefined for programs without. */
  readonly requests: ReadonlyArray<SpanCollector.Request> | undefined
}

/** A key is pressed again after this silence (milliseconds). */
const PRESS_AGAIN = 250

/** Presses the key for the end of the list until the oldest commit is visible. Fails after `limit` milliseconds. */
export const end = (program: TuiProgram, repository: string, limit: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const collector = program.name === "tongs" ? yield* SpanCollector.make : undefined
      const flags = collector === undefined ? [] : ["--otlp", collector.url]
      const opened = yield* openList(program, repository, small, flags)
      const since = opened.age()
      const startedAt = Date.now()
      const { presses, time } = yield* pressEnd(program, opened, limit)
      // The end flushes the spans.
      yield* opened.end
      return {
        presses,
        time: time - since,
        requests: collector?.requests().filter(({ start }) => start >= startedAt)
      } satisfies End
    })
  )

const pressEnd = Effect.fnUntraced(function* (program: TuiProgram, opened: PtyProgram.PtyProgram, limit: number) {
  const since = opened.age()
  const arrival = yield* Effect.forkChild(opened.waitFor(contents.subjects.root, limit))
  let presses = 0
  while (arrival.pollUnsafe() === undefined && opened.age() - since < limit) {
    presses += 1
    yield* opened.press(program.end, PRESS_AGAIN, limit)
  }
  return { presses, time: yield* Fiber.join(arrival) }
})

/** The sum of the resident memory of a program and all its child processes (megabytes). */
const residentMemory = (pid: number) =>
  Effect.map(ProcessMemory.of(pid), (used) => (used === undefined ? Number.NaN : used.resident + used.childrenResident))

/** The resident memory at rest, at the oldest commit of a list that was not paged through (megabytes). */
export const memoryAtEnd = (program: TuiProgram, repository: string, limit: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const opened = yield* openList(program, repository, large)
      yield* pressEnd(program, opened, limit)
      yield* Effect.sleep("3 seconds")
      return yield* residentMemory(opened.pid)
    })
  )

export interface Paging {
  readonly megabytes: number
  readonly pages: number
}

/** The resident memory after paging from the newest to the oldest commit. Fails after `limit` milliseconds. */
export const paging = (program: TuiProgram, repository: string, limit: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { age, pid, press, screen, waitFor } = yield* openList(program, repository, large)
      const since = age()
      let pages = 0
      while (!screen().includes(contents.subjects.root) && age() - since < limit) {
        pages += 1
        yield* press(program.pageDown, QUIET)
      }
      yield* waitFor(contents.subjects.root, QUIET)
      return { pages, megabytes: yield* residentMemory(pid) } satisfies Paging
    })
  )

/** Time limit of a definition, and of opening a file (milliseconds). */
const DEFINITION_LIMIT = 30_000

/** The times from the keys for the definition of an imported name until the screen shows the definition. */
export const definitions = (program: TuiProgram, repository: string, count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const opened = yield* open(program, repository, small)
      yield* opened.waitFor(DefinitionRepository.SUBJECT, START_LIMIT)
      yield* opened.press(`@:${DefinitionRepository.IMPORTS}`, 300)
      const [first] = DefinitionRepository.names
      // The names of a line are known when the grammar has loaded.
      yield* opened.press("\r", 2_000)
      yield* opened.waitFor(first?.use ?? "", DEFINITION_LIMIT)
      const times: Array<number> = []
      for (const { definition, use } of DefinitionRepository.names.slice(0, count + WARM_UP)) {
        const since = opened.age()
        const shown = yield* Effect.forkChild(opened.waitFor(definition, DEFINITION_LIMIT), { startImmediately: true })
        yield* opened.press("gd", QUIET)
        times.push((yield* Fiber.join(shown)) - since)
        yield* opened.press("\u001b", 100)
        yield* opened.waitFor(use, DEFINITION_LIMIT)
        yield* opened.press(program.down, 100)
      }
      return times.slice(WARM_UP)
    })
  )

/** The first definitions load the index and the grammar. */
const WARM_UP = 3

/** Bytes written in some seconds without a key. */
export const idle = (program: TuiProgram, repository: string, seconds: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { written } = yield* openList(program, repository, small)
      yield* Effect.sleep("5 seconds")
      const before = written()
      yield* Effect.sleep(`${seconds} seconds`)
      return written() - before
    })
  )
