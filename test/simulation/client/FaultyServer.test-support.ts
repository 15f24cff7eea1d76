/**
 * A forge on a socket with faults by reference name: `heads/reset-7` is reset, `heads/once-reset-7` only for the first
 * request. Implements just enough HTTP, and counts requests.
 */
import type * as Net from "node:net"
import * as Effect from "effect/Effect"
import { serveRaw } from "./SocketServer.test-support.ts"

interface FaultyRequest {
  readonly socket: Net.Socket
  readonly status: 200 | 201
  /** The correct response body. */
  readonly body: string
}

const head = (status: string, headers: Readonly<Record<string, string | number>>) =>
  [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n")

const json = { "content-type": "application/json; charset=utf-8" }

const answer = (status: number | string, body: string, length = Buffer.byteLength(body)) =>
  head(String(status), { ...json, "content-length": length }) + body

const half = (body: string) => body.slice(0, body.length / 2)

/** Sends single bytes without end. */
const drip = ({ body, socket, status }: FaultyRequest) => {
  socket.write(head(String(status), { ...json, "content-length": 1e6 }))
  const timer = setInterval(() => socket.write(body[0] ?? ""), 20)
  socket.once("close", () => clearInterval(timer))
}

/** Faults by name. */
export const faults = {
  reset: ({ socket }) => socket.resetAndDestroy(),
  close: ({ socket }) => socket.end(),
  silence: () => {},
  drip,
  slowHead: ({ socket }) => {
    const timer = setInterval(() => socket.write("H"), 20)
    socket.once("close", () => clearInterval(timer))
  },
  halfHead: ({ socket }) => socket.write("HTTP/1.1 200 OK\r\ncontent-le", () => socket.resetAndDestroy()),
  halfReset: ({ body, socket, status }) =>
    socket.write(answer(status, half(body), body.length), () => socket.resetAndDestroy()),
  halfClose: ({ body, socket, status }) => socket.end(answer(status, half(body), body.length)),
  longer: ({ body, socket, status }) => socket.write(answer(status, body, body.length + 10)),
  shorter: ({ body, socket, status }) => socket.write(answer(status, body, 10)),
  negative: ({ body, socket, status }) => socket.write(answer(status, body, -1)),
  twoLengths: ({ body, socket, status }) =>
    socket.write(head(String(status), { ...json, "content-length": 5, "Content-Length": 50 }) + body),
  twoAnswers: ({ body, socket, status }) => socket.write(answer(status, body) + answer(status, '{"ref":"another"}')),
  badChunk: ({ body, socket, status }) =>
    socket.write(head(String(status), { ...json, "transfer-encoding": "chunked" }) + `zz\r\n${body}\r\n0\r\n\r\n`),
  halfChunk: ({ body, socket, status }) =>
    socket.end(
      head(String(status), { ...json, "transfer-encoding": "chunked" }) + `${body.length.toString(16)}\r\n${half(body)}`
    ),
  garbage: ({ socket }) => socket.end(Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 89) % 256))),
  badStatus: ({ body, socket }) => socket.write(answer("9999999999 What", body)),
  hugeHead: ({ body, socket, status }) =>
    socket.write(
      head(String(status), { ...json, "x-long": "x".repeat(100_000), "content-length": body.length }) + body
    ),
  page: ({ socket, status }) => socket.write(answer(status, "<html><body>A proxy says hello</body></html>")),
  otherShape: ({ socket, status }) => socket.write(answer(status, '{"ref":7,"object":[]}')),
  empty: ({ socket, status }) => socket.write(answer(status, "")),
  early: ({ body, socket, status }) => socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${answer(status, body)}`),
  failed: ({ socket }) => socket.write(answer(500, '{"message":"Server Error"}')),
  gateway: ({ socket }) => socket.write(answer(502, "<html>Bad Gateway</html>")),
  unavailable: ({ socket }) => socket.end(answer(503, "")),
  halfFailed: ({ socket }) => socket.end(answer(504, "<html>", 1_000))
} as const satisfies Record<string, (request: FaultyRequest) => void>

export type Fault = keyof typeof faults

export const isFault = (name: string): name is Fault => name in faults

const sha = "a".repeat(40)

/** A reference resource. */
const gitRef = (ref: string) =>
  JSON.stringify({
    ref,
    node_id: "n",
    url: "http://forge.test/r",
    object: { type: "commit", sha, url: "http://forge.test/c" }
  })

export const make = Effect.gen(function* () {
  /** The number of requests by method and reference. */
  const arrivals = new Map<string, number>()

  const baseUrl = yield* serveRaw(({ body, method, path, socket }) => {
    const ref = /heads(?:\/|%2F)([\w-]+)/.exec(method === "POST" ? body : path)?.[1]
    // `GET /rate_limit` is 404: no limits, so no call waits for a budget.
    if (ref === undefined) return socket.write(answer(404, '{"message":"Not Found"}'))
    const key = `${method} ${ref}`
    const count = (arrivals.get(key) ?? 0) + 1
    arrivals.set(key, count)
    const [first = "", second = ""] = ref.split("-")
    const fault = first === "once" ? (count === 1 ? second : "") : first
    const request: FaultyRequest = { socket, status: method === "POST" ? 201 : 200, body: gitRef(`refs/heads/${ref}`) }
    if (isFault(fault)) return faults[fault](request)
    socket.write(answer(request.status, request.body))
  })
  return { baseUrl, arrivals }
})
