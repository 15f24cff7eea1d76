/** A thread of the code index, as the rest of the program sees it. */
import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import * as Effect from "effect/Effect"
import { IndexError } from "../CodeIndex.ts"
import type { FromThread, ToThread } from "./Messages.ts"
import type { Method, Threads } from "./Methods.ts"

interface Call {
  readonly done: (output: unknown) => void
  readonly failed: (detail: string) => void
  readonly event: (event: unknown) => void
}

export class Thread<Role extends keyof Threads> {
  readonly #worker: Worker
  readonly #calls = new Map<number, Call>()
  #last = 0
  #ended: string | undefined
  readonly #patience: number | undefined

  /** One with `patience` ends when it has not stopped after so many milliseconds what nobody waits for any more. */
  constructor(role: Role, { filename, patience }: { readonly filename?: string; readonly patience?: number } = {}) {
    this.#patience = patience
    const [entry, execArgv] = entryPoint
    this.#worker = new Worker(entry, { workerData: { role, filename }, execArgv: [...execArgv], stdout: false })
    this.#worker.unref()
    this.#worker.on("message", (message: FromThread) => this.#receive(message))
    this.#worker.on("error", (error) => this.#end(error instanceof Error ? error.message : String(error)))
    this.#worker.on("exit", () => this.#end("the thread has ended"))
  }

  /** Calls that are under way. */
  get load(): number {
    return this.#calls.size
  }

  get isAlive(): boolean {
    return this.#ended === undefined
  }

  call<Name extends keyof Threads[Role] & string, M extends Threads[Role][Name] & Method<unknown, unknown, unknown>>(
    method: Name,
    input: M["input"],
    event: (event: M["event"]) => void = () => {}
  ): Effect.Effect<M["output"], IndexError> {
    return Effect.callback<M["output"], IndexError>((resume) => {
      if (this.#ended !== undefined) return resume(Effect.fail(new IndexError({ detail: this.#ended })))
      const id = ++this.#last
      if (this.#calls.size === 0) this.#worker.ref()
      this.#calls.set(id, {
        done: (output) => resume(Effect.succeed(output)),
        failed: (detail) => resume(Effect.fail(new IndexError({ detail }))),
        event
      })
      this.#send({ _tag: "Call", id, method, input })
      return Effect.sync(() => {
        this.#send({ _tag: "Cancel", id })
        this.#calls.set(id, abandoned)
        if (this.#patience === undefined) return
        const isOver = () => (this.#calls.has(id) ? Effect.runFork(this.kill) : undefined)
        setTimeout(isOver, this.#patience).unref()
      })
    })
  }

  /** Ends it at once, whatever it does. */
  readonly kill: Effect.Effect<void> = Effect.suspend(() => {
    this.#end("the thread was ended")
    return Effect.promise(() => this.#worker.terminate())
  })

  #send(message: ToThread): void {
    this.#worker.postMessage(message) // oxlint-disable-line unicorn/require-post-message-target-origin -- it is a thread, not a window
  }

  #receive(message: FromThread): void {
    const call = this.#calls.get(message.id)
    if (message._tag === "Event") return call?.event(message.event)
    this.#forget(message.id)
    if (message._tag === "Done") call?.done(message.output)
    else call?.failed(message.detail)
  }

  #forget(id: number): void {
    this.#calls.delete(id)
    // An idle thread does not keep the program running.
    if (this.#calls.size === 0) this.#worker.unref()
  }

  #end(detail: string): void {
    this.#ended ??= detail
    for (const call of this.#calls.values()) call.failed(this.#ended)
    this.#calls.clear()
  }
}

const abandoned: Call = { done: () => {}, failed: () => {}, event: () => {} }

/** As source, as built, or beside the bundle, whose chunks are one folder below. */
const entryPoint = ((): readonly [URL, ReadonlyArray<string>] => {
  const here = (path: string) => new URL(path, import.meta.url)
  if (import.meta.url.endsWith(".ts")) return [here("./main.ts"), ["--conditions=@tongs/source"]]
  const beside = here("./main.js")
  return [existsSync(beside) ? beside : here("../search-thread.js"), []]
})()
