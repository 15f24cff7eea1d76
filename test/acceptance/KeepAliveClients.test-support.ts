/** HTTP clients that send one request after another over open connections, and never send a request again. */
import { Agent, request as send } from "node:http"

/** A request without a complete response. */
export interface FailedRequest {
  readonly method: string
  readonly code: string
  /** True if the request went over a connection that had carried a response before. */
  readonly isReused: boolean
}

export interface ClientRun {
  readonly statuses: ReadonlyMap<number, number>
  readonly failed: ReadonlyArray<FailedRequest>
}

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export interface Clients {
  /** Ends the clients after their current request. */
  readonly stop: () => Promise<ClientRun>
  /** Number of responses so far. */
  readonly answered: () => number
}

/** Starts clients, which stop by themselves when no connection can be opened. `next` creates the calls. */
export const start = (url: string, token: string, count: number, next: (index: number) => Call): Clients => {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const statuses = new Map<number, number>()
  const failed: Array<FailedRequest> = []
  let index = 0
  let answered = 0
  const state = { isStopped: false }
  const one = ({ body, method, path }: Call) =>
    new Promise<void>((resolve) => {
      const text = body === undefined ? "" : JSON.stringify(body)
      const fail = (error: NodeJS.ErrnoException) => {
        failed.push({ method, code: error.code ?? error.message, isReused: request.reusedSocket })
        resolve()
      }
      const request = send(`${url}${path}`, {
        agent,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          "user-agent": "test",
          "content-type": "application/json",
          "content-length": Buffer.byteLength(text)
        }
      })
      request.once("error", fail)
      request.once("response", (response) => {
        response.once("error", fail)
        response.once("end", () => {
          const { statusCode = 0 } = response
          statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
          answered += 1
          resolve()
        })
        response.resume()
      })
      request.end(text)
    })
  const client = async () => {
    while (!state.isStopped) {
      await one(next(index++))
      if (failed.some(({ code }) => code === "ECONNREFUSED")) return
    }
  }
  const running = Promise.all(Array.from({ length: count }, client))
  return {
    answered: () => answered,
    stop: async () => {
      state.isStopped = true
      await running
      agent.destroy()
      return { statuses, failed }
    }
  }
}
