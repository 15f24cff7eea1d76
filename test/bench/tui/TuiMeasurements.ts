/** The measurements of a terminal UI. Each starts the program in a repository, and finds rows by commit subjects. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { contents } from "../../acceptance/LargeRepository.test-support.ts"
import * as ProcessMemory from "../service/ProcessMemory.ts"
import * as PtyProgram from "./PtyProgram.ts"
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
  /** Milliseconds from the first press until the screen contains the oldest commit; undefined after the limit. */
  readonly time: number | undefined
  /** Requests from the first press; undefined for programs without. */
  readonly requests: ReadonlyArray<SpanCollector.Request> | undefined
}

/** A key is pressed again after this silence (milliseconds). */
const PRESS_AGAIN = 250

/** Presses the key for the end of the list until the oldest commit is visible. */
export const end = (program: TuiProgram, repository: string, limit: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const collector = program.name === "tongs" ? yield* SpanCollector.make : undefined
      const flags = collector === undefined ? [] : ["--otlp", collector.url]
      const opened = yield* openList(program, repository, small, flags)
      const since = opened.age()
      const startedAt = Date.now()
      const endTime = yield* Effect.forkChild(Effect.option(opened.waitFor(contents.subjects.root, limit)))
      let presses = 0
      while (endTime.pollUnsafe() === undefined && opened.age() - since < limit) {
        presses += 1
        yield* opened.press(program.end, PRESS_AGAIN, limit)
      }
      const time = yield* Fiber.join(endTime)
      // The end flushes the spans.
      yield* opened.end
      return {
        presses,
        time: time._tag === "Some" ? time.value - since : undefined,
        requests: collector?.requests().filter(({ start }) => start >= startedAt)
      } satisfies End
    })
  )

export interface Memory {
  readonly megabytes: number | undefined
  readonly pages: number
}

/** Resident memory of all processes after paging from the newest to the oldest commit. */
export const memory = (program: TuiProgram, repository: string, limit: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { age, pid, press, screen } = yield* openList(program, repository, large)
      const since = age()
      let pages = 0
      while (!screen().includes(contents.subjects.root) && age() - since < limit) {
        pages += 1
        yield* press(program.pageDown, QUIET)
      }
      const used = yield* ProcessMemory.of(pid)
      const isComplete = screen().includes(contents.subjects.root)
      return {
        pages,
        megabytes: used === undefined || !isComplete ? undefined : used.resident + used.childrenResident
      } satisfies Memory
    })
  )

/** Bytes written in some seconds without a key, by several programs at the same time. */
export const idle = (programs: ReadonlyArray<TuiProgram>, repository: string, seconds: number) =>
  Effect.forEach(
    programs,
    (program) =>
      Effect.scoped(
        Effect.gen(function* () {
          const { written } = yield* openList(program, repository, small)
          yield* Effect.sleep("5 seconds")
          const before = written()
          yield* Effect.sleep(`${seconds} seconds`)
          return written() - before
        })
      ),
    { concurrency: "unbounded" }
  )
