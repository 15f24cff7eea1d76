/** Runs and measures the calls of a client in a worker. */
import * as Schema from "effect/Schema"
import * as LatencySample from "../LatencySample.ts"
import { respond } from "../ForkedWorker.ts"

export const ClientRequest = Schema.Struct({
  request: Schema.Literals(["get", "page"]),
  /** Concurrent calls. */
  parallel: Schema.Int,
  milliseconds: Schema.Finite
})
export type ClientRequest = typeof ClientRequest.Type

export interface ClientCalls {
  /** Gets the reference of a branch. */
  readonly get: (branch: string) => Promise<unknown>
  /** Lists the first 30 commits of a branch. */
  readonly page: (branch: string) => Promise<unknown>
}

const decode = Schema.decodeUnknownPromise(ClientRequest)

/** Concurrent calls use different branches, because a client can coalesce identical requests. */
const branches = Array.from({ length: 1000 }, (_, index) => `branch-${index}`)

const check = (request: ClientRequest["request"], value: unknown) => {
  const isRight =
    request === "page"
      ? Array.isArray(value) && value.length === 30
      : typeof value === "object" && value !== null && "object" in value
  if (!isRight) throw new Error(`${request} gave ${JSON.stringify(value).slice(0, 200)}`)
}

export const serveClient = (client: ClientCalls): void =>
  respond(async (question) => {
    const { milliseconds, parallel, request } = await decode(question)
    const durations: Array<number> = []
    let next = 0
    const call = async () => {
      const asked = performance.now()
      const branch = branches[next++ % branches.length] ?? "main"
      check(request, await client[request](branch))
      durations.push(performance.now() - asked)
    }
    const started = performance.now()
    while (performance.now() - started < milliseconds) await Promise.all(Array.from({ length: parallel }, call))
    return LatencySample.make(durations, performance.now() - started)
  })
