/** A TCP proxy that delays all bytes, as a network between two machines does. */
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

/** Waits until a time. Timers would take 10 ms on a virtual machine with a coarse clock. */
const until = (due: number) =>
  new Promise<void>((resolve) => {
    const wait = () => {
      if (performance.now() >= due) resolve()
      else setImmediate(wait)
    }
    wait()
  })

/** Writes what a socket receives to another one, each part after the delay, in the order of the parts. */
const pass = (from: Socket, to: Socket, milliseconds: number) => {
  let last = Promise.resolve()
  const after = (work: () => void) => {
    const due = performance.now() + milliseconds
    last = last.then(() => until(due)).then(work)
  }
  from.setNoDelay(true)
  from.on("data", (bytes) => after(() => void to.write(bytes)))
  from.on("error", () => to.destroy()).on("close", () => after(() => void to.destroy()))
}

/** Starts a proxy to the server of a URL until the scope closes. Returns the URL through the proxy. */
export const make = (url: string, milliseconds: number) =>
  Effect.acquireRelease(
    BenchmarkEnvironment.tryPromise(async () => {
      const target = new URL(url)
      const sockets = new Set<Socket>()
      const server = createServer((client) => {
        const upstream = connect(Number(target.port), target.hostname)
        for (const socket of [client, upstream]) sockets.add(socket.on("close", () => sockets.delete(socket)))
        pass(client, upstream, milliseconds)
        pass(upstream, client, milliseconds)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      if (address === null || typeof address === "string") throw new Error("A TCP server without a port")
      const through = new URL(url)
      through.host = `127.0.0.1:${address.port}`
      const close = () => {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
      return { url: through.href, close }
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url }) => url))
