/** A connection between a forge and PostgreSQL that counts round trips: bytes that the forge sends after an answer. */
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { BenchmarkError } from "../BenchmarkEnvironment.ts"

export interface TripCounter {
  /** URL of the database through this connection. */
  readonly url: string
  /** Number of round trips since the start, without those of a session that listens for notifications. */
  readonly trips: () => number
}

/** Starts the counter for a database. */
export const make = (url: string): Effect.Effect<TripCounter, BenchmarkError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const target = new URL(url)
        const sockets = new Set<Socket>()
        let trips = 0
        const server = createServer((client) => {
          const upstream = connect(Number(target.port), target.hostname)
          let isAnswered = true
          let isListening = false
          client.on("data", (bytes) => {
            if (bytes.includes("LISTEN")) isListening = true
            if (isAnswered && !isListening) trips += 1
            isAnswered = false
            upstream.write(bytes)
          })
          upstream.on("data", (bytes) => {
            isAnswered = true
            client.write(bytes)
          })
          for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
            sockets.add(socket)
            socket.setNoDelay(true)
            socket.on("error", () => other.destroy()).on("close", () => other.destroy())
          }
        })
        await new Promise<void>((resolve) => {
          server.listen(0, "127.0.0.1", resolve)
        })
        const address = server.address()
        if (address === null || typeof address === "string") throw new Error("a TCP server without a port")
        const own = new URL(url)
        own.host = `127.0.0.1:${address.port}`
        const close = () => {
          server.close()
          for (const socket of sockets) socket.destroy()
        }
        return { counter: { url: own.href, trips: () => trips }, close }
      },
      catch: (cause) => new BenchmarkError({ detail: `the counter of round trips: ${String(cause)}` })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ counter }) => counter))
