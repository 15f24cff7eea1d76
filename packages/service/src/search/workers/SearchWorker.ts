import * as Effect from "effect/Effect"
import type { LazyArg } from "effect/Function"
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
  /** Data folder, for workers that read or write indexes. */
  readonly data?: string
  /** Milliseconds after which a worker with a cancelled call is killed. If set, the worker runs as a process. */
  readonly graceMillis?: number
}

/**
 * Client of a search worker, which is a thread, or a child process if `graceMillis` is given. Only a process can be
 * killed while running a regular expression.
 */
export class SearchWorker<Role extends keyof Workers> {
  readonly #host: WorkerHost.WorkerHost
  readonly #calls = new Map<number, Call>()
  #last = 0
  #ended: string | undefined
  readonly #graceMillis: number | undefined

  constructor(role: Role, { data, graceMillis }: WorkerOptions = {}) {
    this.#graceMillis = graceMillis
    const start = graceMillis === undefined ? WorkerHost.startThread : WorkerHost.startProcess
    this.#host = start(
      { role, data },
      { received: (message) => this.#receive(message), ended: (detail) => this.#end(detail) }
    )
    this.#host.unref()
  }

  /** Number of pending calls, including cancelled ones that the worker has not answered. */
  get load(): number {
    return this.#calls.size
  }

  /** False once the worker has ended; further calls then fail. */
  get isAlive(): boolean {
    return this.#ended === undefined
  }

  /**
   * Calls a method of the worker. Interruption cancels the call without waiting for the worker. Fails with an
   * `IndexError` if the method fails or the worker has ended.
   */
  call<Name extends keyof Workers[Role] & string, M extends Workers[Role][Name] & Method<unknown, unknown, unknown>>(
    method: Name,
    input: M["input"],
    event: (event: M["event"]) => void = () => {}
  ): Effect.Effect<M["output"], IndexError> {
    return this.callWith(method, () => input, event)
  }

  /** Like `call`, with an input that is created when the message is sent, because it depends on earlier messages. */
  callWith<
    Name extends keyof Workers[Role] & string,
    M extends Workers[Role][Name] & Method<unknown, unknown, unknown>
  >(
    method: Name,
    input: LazyArg<M["input"]>,
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
      this.#host.send({ _tag: "Call", id, method, input: input() })
      return Effect.sync(() => {
        this.#host.send({ _tag: "Cancel", id })
        this.#calls.set(id, abandoned)
        if (this.#graceMillis === undefined) return
        // A timer instead of a fiber, because the calling fiber is interrupted.
        setTimeout(() => this.#calls.has(id) && this.#kill(), this.#graceMillis).unref()
      })
    })
  }

  /**
   * Fails pending calls and stops the worker. Waits until the worker has released all resources, or is killed after 1
   * second.
   */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    if (!this.isAlive) return Effect.void
    this.#end("the search worker was stopped")
    return Effect.promise(() => WorkerHost.end(this.#host))
  })

  #kill(): void {
    this.#end("the search worker was stopped")
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
    // An idle worker does not keep the program running.
    if (this.#calls.size === 0) this.#host.unref()
  }

  #end(detail: string): void {
    this.#ended ??= detail
    for (const call of this.#calls.values()) call.failed(this.#ended)
    this.#calls.clear()
  }
}

const abandoned: Call = { done: () => {}, failed: () => {}, event: () => {} }
