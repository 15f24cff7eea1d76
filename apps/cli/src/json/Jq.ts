/** `--jq EXPRESSION`: jq in a thread, with limits of time and memory. Loaded only on use. */
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { UsageError } from "../base/UsageError.ts"
import type { JqProblem, JqResponse, JqStart } from "./JqThread.ts"

/** The error of an expression that failed for a value, or exceeded a limit. */
export class JqFailed extends Schema.TaggedError<JqFailed>()("JqFailed", { detail: Schema.String }) {
  override get message() {
    return `--jq: ${this.detail}`
  }
}

/** Limits for the evaluation of an expression for one value. */
interface Limits {
  readonly seconds: number
  /** Maximum memory in MB. */
  readonly memory: number
  /** Maximum size of the output in MB. */
  readonly output: number
}

const usualLimits: Limits = { seconds: 30, memory: 512, output: 128 }

const MEGABYTE = 1024 * 1024

/** The file of the thread: next to this file in the source, in the parent folder in the bundle. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./JqThread.ts" : "../jq-thread.js", import.meta.url)

/** The output of an expression for one value. */
export interface JqOutput {
  /** The results, one a line; indented objects and arrays have several lines. */
  readonly lines: ReadonlyArray<string>
  /** Text that the expression printed to stderr. */
  readonly notes: string
  /** The error that ended the expression after these results. */
  readonly failure: JqFailed | undefined
}

/**
 * Compiles an expression, and returns a function that runs it on JSON. As in gh, strings are printed
 * without quotes, and null as an empty line. Fails with `UsageError` for an invalid expression. The scope ends the
 * thread.
 */
export const make = Effect.fnUntraced(function* (expression: string, isIndented: boolean, limits = usualLimits) {
  const workerData: JqStart = {
    expression,
    isIndented,
    maxMemory: limits.memory * MEGABYTE,
    maxOutput: limits.output * MEGABYTE
  }
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(entry, { workerData })),
    (worker) => Effect.promise(() => worker.terminate())
  )
  const receive = (send: () => void) =>
    Effect.callback<JqResponse, JqFailed>((resume) => {
      const received = (response: JqResponse) => done(Effect.succeed(response))
      const failed = ({ message }: Error) => done(Effect.fail(new JqFailed({ detail: message })))
      const ended = () => done(Effect.fail(new JqFailed({ detail: "The thread of jq has ended." })))
      const done = (result: Effect.Effect<JqResponse, JqFailed>) => {
        worker.off("message", received).off("error", failed).off("exit", ended)
        resume(result)
      }
      worker.on("message", received).on("error", failed).on("exit", ended)
      send()
    }).pipe(
      Effect.timeoutOrElse({
        duration: `${limits.seconds} seconds`,
        orElse: () =>
          Effect.fail(new JqFailed({ detail: `The expression did not finish within ${limits.seconds} seconds.` }))
      })
    )
  const { problem } = yield* receive(() => {})
  if (problem !== undefined) {
    return yield* new UsageError({ detail: `Invalid --jq expression: ${detailOf(problem, limits)}.`, hint: "" })
  }
  return Effect.fnUntraced(function* (json: string) {
    const { notes, problem, text } = yield* receive(() => worker.postMessage(json)) // oxlint-disable-line unicorn/require-post-message-target-origin -- it is a thread, not a window
    const failure = problem === undefined ? undefined : new JqFailed({ detail: detailOf(problem, limits) })
    const output: JqOutput = { lines: linesOf(text), notes, failure }
    return output
  })
})

const detailOf = (problem: JqProblem, { memory, output }: Limits): string => {
  switch (problem._tag) {
    case "Memory":
      return `The expression needs more than ${memory} MB of memory.`
    case "Output":
      return `The expression prints more than ${output} MB.`
    case "Exit":
      return problem.detail
        .split("\n", 1)
        .join()
        .replace(/^jq: error(?: \(at [^)]*\))?: /, "")
        .replace(" (Unix shell quoting issues?)", "")
        .replace(/ at <top-level>(, line \d+).*$/, "$1")
        .replace(/, line 1$/, "")
  }
}

/**
 * Returns the lines to print. The lines inside an object or array are indented, so that only results begin with a
 * quote.
 */
const linesOf = (text: string): ReadonlyArray<string> =>
  text === ""
    ? []
    : text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => (line.startsWith('"') ? String(JSON.parse(line)) : line === "null" ? "" : line))
