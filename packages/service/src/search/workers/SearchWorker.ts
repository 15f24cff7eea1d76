/** A thread of the code index, as the rest of the program sees it. */
import * as Effect from "effect/Effect"
import { IndexError } from "../CodeIndex.ts"
import * as WorkerHost from "./WorkerHost.ts"
import type { WorkerResponse } from "./WorkerMessages.ts"
import type { Method, Workers } from "./WorkerMethods.ts"

interface Call {
  readonly done: (output: unknown) => void
  readonly failed: (detail: string) => void
  readonly event: (event: unknown) => void
}

export interface WorkerOptions {
  /** Of the index. */
  readonly filename?: string
  /** Milliseconds. */
  readonly graceMillis?: number
}

export class SearchWorker<Role extends keyof Workers> {
  readonly #host: WorkerHost.WorkerHost
  readonly #calls = new Map<number, Call>()
  #last = 0
  #ended: string | undefined
  readonly #graceMillis: number | undefined

  /**
   * One with `graceMillis` is a process apart, and ends when it has not stopped after so many milliseconds what nobody
   * waits for any more.
   */
  constructor(role: Role, { filename, graceMillis }: WorkerOptions = {}) {
    this.#graceMillis = graceMillis
    const start = graceMillis === undefined ? WorkerHost.startThread : WorkerHost.startProcess
    this.#host = start(
      { role, filename },
      { received: (message) => this.#receive(message), ended: (detail) => this.#end(detail) }
    )
    this.#host.unref()
  }

  /** Calls that are under way. */
  get load(): number {
    return this.#calls.size
  }

  get isAlive(): boolean {
    return this.#ended === undefined
  }

  call<Name extends keyof Workers[Role] & string, M extends Workers[Role][Name] & Method<unknown, unknown, unknown>>(
    method: Name,
    input: M["input"],
    event: (event: M["event"]) => void = () => {}
  ): Effect.Effect<M["output"], IndexError> {
    return Effect.callback<M["output"], IndexError>((resume) => {
      if (this.#ended !== undefined) return resume(Effect.fail(new IndexError({ detail: this.#ended })))
      const id = ++this.#last
      if (this.#calls.size === 0) this.#host.ref()
      this.#calls.set(id, {
        done: (output) => resume(Effect.succeed(output)),
        failed: (detail) => resume(Effect.fail(new IndexError({ detail }))),
        event
      })
      this.#host.send({ _tag: "Call", id, method, input })
      return Effect.sync(() => {
        this.#host.send({ _tag: "Cancel", id })
        this.#calls.set(id, abandoned)
        if (this.#graceMillis === undefined) return
        // A timer, not a fiber: whoever waited has been interrupted.
        setTimeout(() => this.#calls.has(id) && this.#kill(), this.#graceMillis).unref()
      })
    })
  }

  /** Lets it stop what it does, and give back what it holds. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    if (!this.isAlive) return Effect.void
    this.#end("the thread was ended")
    return Effect.promise(() => WorkerHost.end(this.#host))
  })

  /** Ends it at once, whatever it does. */
  #kill(): void {
    this.#end("the thread was ended")
    this.#host.kill()
  }

  #receive(message: WorkerResponse): void {
    const call = this.#calls.get(message.id)
    if (message._tag === "Event") return call?.event(message.event)
    this.#forget(message.id)
    if (message._tag === "Done") call?.done(message.output)
    else call?.failed(message.detail)
  }

  #forget(id: number): void {
    this.#calls.delete(id)
    // An idle thread does not keep the program running.
    if (this.#calls.size === 0) this.#host.unref()
  }

  #end(detail: string): void {
    this.#ended ??= detail
    for (const call of this.#calls.values()) call.failed(this.#ended)
    this.#calls.clear()
  }
}

const abandoned: Call = { done: () => {}, failed: () => {}, event: () => {} }
