/** A proxy in front of a forge, which sees the requests of a program. */
import { createServer, request as forward } from "node:http"
import { onTestFinished } from "vitest"
import { listeningUrl } from "./LocalRegistry.test-support.ts"

/** A forwarded request with its response. */
export interface Exchange {
  readonly method: string
  /** Path with the query. */
  readonly path: string
  readonly status: number
}

interface Options {
  /** Called for each response. */
  readonly onResponse: (exchange: Exchange) => void
  /** Returns the path at the forge, by default the path of the request. */
  readonly pathAt?: (path: string) => string
}

/**
 * Starts a proxy that forwards all requests to the address that `target` returns. The proxy ends with the test.
 * Returns the URL without a slash at the end.
 */
export const startProxy = async (target: () => string, { onResponse, pathAt = (path) => path }: Options) => {
  const server = createServer((incoming, outgoing) => {
    const { headers, method = "", url: path = "" } = incoming
    const passed = forward(target() + pathAt(path), { method, headers }, (answer) => {
      onResponse({ method, path, status: answer.statusCode ?? 0 })
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on("error", () => outgoing.destroy())
    incoming.pipe(passed)
  })
  onTestFinished(() => server.close().closeAllConnections())
  return (await listeningUrl(server)).replace(/\/$/, "")
}
