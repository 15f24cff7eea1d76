/** A malicious server: each path is an attack on the client. */
import type * as Net from "node:net"
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import type * as Failure from "@tongs/core/contract/Failure"
import { sample } from "../../LongTests.test-support.ts"
import { serveRaw } from "./SocketServer.test-support.ts"

export interface Attack {
  /** Starts the response, until the connection closes. */
  readonly answer: (connection: Connection) => void
  /** The client's call, by default `request`; `file` is a typed method that returns a whole file. */
  readonly call?: "paginate" | "download" | "file"
  readonly failure: Failure.Failure["_tag"]
  /** True if only a timeout ends the call. */
  readonly needsTimeout?: boolean
}

export interface Connection {
  readonly socket: Net.Socket
  readonly baseUrl: string
  readonly headers: string
  readonly path: string
}

const head = (status: number, ...headers: ReadonlyArray<string>) =>
  [`HTTP/1.1 ${status} X`, "content-type: application/json", ...headers, "", ""].join("\r\n")

/** Sends a chunk repeatedly while the client reads. */
const forever = ({ socket }: Connection, piece: Buffer | string) => {
  const send = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on("drain", send)
  send()
}

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])

const CHUNKED = "transfer-encoding: chunked"
const spaces = chunk(Buffer.alloc(64 * 1024, " "))
/** 64 MB compressed to 64 kB. Concatenated copies decompress as one stream. */
const bomb = chunk(gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")))

const endless =
  (status: number, ...headers: ReadonlyArray<string>) =>
  (connection: Connection) => {
    connection.socket.write(head(status, CHUNKED, ...headers))
    forever(connection, spaces)
  }

const refusal = (...headers: ReadonlyArray<string>) => ({
  answer: ({ socket }: Connection) => {
    const body = JSON.stringify({ message: "API rate limit exceeded" })
    socket.write(head(403, `content-length: ${body.length}`, ...headers) + body)
  },
  failure: "RateLimited" as const // a literal tag
})

const attacks: Readonly<Record<string, Attack>> = {
  echo: {
    answer: ({ headers, socket }) => {
      const token = /authorization: Bearer (\S+)/i.exec(headers)?.[1] ?? ""
      const message = `\u001b]0;owned\u0007${token} ${Buffer.from(`x:${token}`).toString("base64")}`
      const body = JSON.stringify({ message, errors: [{ message, value: { message } }] })
      socket.write(head(422, `content-length: ${Buffer.byteLength(body)}`) + body)
    },
    failure: "ValidationFailed"
  },
  endlessBody: { answer: endless(200), failure: "UnexpectedResponse" },
  endlessLength: {
    answer: (connection) => {
      connection.socket.write(head(200, "content-length: 99999999999999"))
      forever(connection, Buffer.alloc(64 * 1024, " "))
    },
    failure: "UnexpectedResponse"
  },
  gzipBomb: {
    answer: (connection) => {
      connection.socket.write(head(200, CHUNKED, "content-encoding: gzip"))
      forever(connection, bomb)
    },
    failure: "UnexpectedResponse"
  },
  nestedJson: {
    answer: ({ socket }) => {
      socket.write(head(200, "content-length: 100000000"))
      socket.write(Buffer.alloc(100_000_000, "["))
    },
    failure: "UnexpectedResponse"
  },
  manyObjects: {
    answer: ({ socket }) => {
      const body = `[${"{},".repeat(20_000_000)}{}]`
      socket.write(head(200, `content-length: ${body.length}`) + body)
    },
    failure: "UnexpectedResponse"
  },
  endlessFailure: { answer: endless(404), failure: "NotFound" },
  endlessServerError: { answer: endless(500), failure: "ServiceFailed" },
  endlessRedirect: { answer: endless(301, "location: /endlessFailure"), failure: "NotFound" },
  endlessUnauthorized: { answer: endless(401), failure: "BadCredentials" },
  endlessHeaders: {
    answer: (connection) => {
      connection.socket.write("HTTP/1.1 200 X\r\n")
      forever(connection, `x-flood: ${"x".repeat(1000)}\r\n`.repeat(10))
    },
    failure: "Unreachable"
  },
  endlessHints: {
    answer: (connection) => forever(connection, "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(100)),
    failure: "Unreachable",
    needsTimeout: true
  },
  endlessTrailers: {
    answer: (connection) => {
      connection.socket.write(`${head(200, CHUNKED)}2\r\n{}\r\n0\r\n`)
      forever(connection, `x-flood: ${"x".repeat(1000)}\r\n`.repeat(10))
    },
    failure: "Unreachable"
  },
  endlessChunkExtension: {
    answer: (connection) => {
      connection.socket.write(`${head(200, CHUNKED)}2;`)
      forever(connection, "x".repeat(64 * 1024))
    },
    failure: "Unreachable",
    needsTimeout: true
  },
  silence: { answer: () => {}, failure: "Unreachable", needsTimeout: true },
  drip: {
    answer: ({ socket }) => {
      socket.write(head(200, "content-length: 1000000"))
      const timer = setInterval(() => socket.write(" "), 50)
      socket.on("close", () => clearInterval(timer))
    },
    failure: "Unreachable",
    needsTimeout: true
  },
  silentDownload: {
    answer: ({ socket }) => void socket.write(head(302, "content-length: 0", "location: /silence")),
    call: "download",
    failure: "Unreachable",
    needsTimeout: true
  },
  endlessFile: {
    answer: ({ socket }) => void socket.write(head(302, "content-length: 0", "location: /endlessBody")),
    call: "file",
    failure: "UnexpectedResponse"
  },
  emptyPages: {
    answer: ({ baseUrl, path, socket }) => {
      const page = Number(/page=(\d+)/.exec(path)?.[1] ?? 1)
      socket.write(head(200, "content-length: 2", `link: <${baseUrl}/emptyPages?page=${page + 1}>; rel="next"`) + "[]")
    },
    call: "paginate",
    failure: "UntrustedLink"
  },
  foreignPages: {
    answer: ({ socket }) =>
      void socket.write(head(200, "content-length: 2", 'link: <http://127.0.0.1:9/steal>; rel="next"') + "[]"),
    call: "paginate",
    failure: "UntrustedLink"
  },
  farReset: refusal(
    "x-ratelimit-limit: 5000",
    "x-ratelimit-remaining: 0",
    "x-ratelimit-reset: 9999999999",
    "x-ratelimit-resource: core"
  ),
  farRetry: refusal("retry-after: 1000000000"),
  noWait: refusal("retry-after: 0")
}

/** The attacks of a run, by name: all in `npm run test:long`, otherwise every third. */
export const attacksToTry: ReadonlyArray<readonly [name: string, attack: Attack]> = sample(Object.entries(attacks))

/** Starts the server and counts requests per attack. */
export const make = Effect.gen(function* () {
  const counts = new Map<string, number>()
  const baseUrl: string = yield* serveRaw(({ head, path, socket }) => {
    const [, name = ""] = /^\/(?:repos\/)?(\w+)/.exec(path) ?? []
    counts.set(name, (counts.get(name) ?? 0) + 1)
    attacks[name]?.answer({ socket, baseUrl, headers: head, path })
  })
  return { baseUrl, counts }
})
