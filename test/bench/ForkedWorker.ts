/** Runs scripts in child processes, so that the load and the measured program share no event loop and no heap. */
import { type ChildProcess, fork } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export class WorkerFailed extends Schema.TaggedError<WorkerFailed>()("WorkerFailed", {
  script: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `${this.script}: ${this.detail}`
  }
}

export interface ForkedWorker {
  readonly pid: number
  /** Sends one request at a time. */
  readonly request: <A>(
    question: unknown,
    answer: Schema.Codec<A, unknown>
  ) => Effect.Effect<A, WorkerFailed | Schema.SchemaError>
}

const Reply = Schema.Union([Schema.Struct({ answer: Schema.Unknown }), Schema.Struct({ failure: Schema.String })])
const decodeReply = Schema.decodeUnknownEffect(Reply)

/** Starts a script that calls `respond`. The script ends with the scope. */
export const make = Effect.fnUntraced(function* (script: string) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(script, { stdio: ["ignore", "ignore", "inherit", "ipc"] })),
    (child) => Effect.sync(() => child.kill())
  )
  const ask: ForkedWorker["request"] = Effect.fnUntraced(function* (question, answer) {
    const reply = yield* Effect.flatMap(exchange(child, script, question), decodeReply)
    if ("failure" in reply) return yield* new WorkerFailed({ script, detail: reply.failure })
    return yield* Schema.decodeUnknownEffect(answer)(reply.answer)
  })
  return { pid: child.pid ?? 0, request: ask } satisfies ForkedWorker
})

const exchange = (child: ChildProcess, script: string, question: unknown) =>
  Effect.callback<unknown, WorkerFailed>((resume) => {
    const stop = () => child.off("message", onMessage).off("exit", onExit)
    const settle = (result: Effect.Effect<unknown, WorkerFailed>) => {
      stop()
      resume(result)
    }
    const fail = (detail: string) => settle(Effect.fail(new WorkerFailed({ script, detail })))
    const onMessage = (reply: unknown) => settle(Effect.succeed(reply))
    const onExit = (code: number | null) => fail(`it ended with ${code ?? "a signal"}`)
    child.on("message", onMessage).on("exit", onExit)
    child.send({ question }, (error) => error !== null && fail(error.message))
    return Effect.sync(stop)
  })

/** For the script: answers requests until the parent disconnects. */
export const respond = (respond: (question: unknown) => Promise<unknown>): void => {
  process.on("message", (message: { readonly question: unknown }) => {
    respond(message.question).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) =>
        process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    )
  })
  process.on("disconnect", () => process.exit())
}
