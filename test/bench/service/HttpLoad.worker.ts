/**
 * Sends requests over keep-alive connections, on each the next one after a complete response. Uses plain sockets,
 * because the client of `node:http` would be slower than the measured server.
 */
import { connect, type Socket } from "node:net"
import * as Schema from "effect/Schema"
import * as LatencySample from "../LatencySample.ts"
import { respond } from "../ForkedWorker.ts"

const Load = Schema.Struct({
  url: Schema.String,
  path: Schema.String,
  tokens: Schema.Array(Schema.String),
  connections: Schema.Int,
  milliseconds: Schema.Finite
})
const decode = Schema.decodeUnknownPromise(Load)

const headEnd = Buffer.from("\r\n\r\n")
const chunkedEnd = Buffer.from("0\r\n\r\n")

/** Reads responses from a socket and calls `whole` after each. */
const readAnswers = (socket: Socket, whole: () => void): void => {
  let head: Buffer = Buffer.alloc(0)
  /** Missing bytes of the body, or `chunked`. */
  let left: number | "chunked" | undefined
  let tail: Buffer = Buffer.alloc(0)
  const finish = () => {
    head = Buffer.alloc(0)
    tail = head
    left = undefined
    whole()
  }
  const body = (bytes: Buffer) => {
    if (left === "chunked") {
      tail = bytes.length >= chunkedEnd.length ? bytes : Buffer.concat([tail, bytes])
      if (tail.subarray(-chunkedEnd.length).equals(chunkedEnd)) finish()
    } else if (left !== undefined) {
      left -= bytes.length
      if (left === 0) finish()
    }
  }
  socket.on("data", (bytes) => {
    if (left !== undefined) return body(bytes)
    head = head.length === 0 ? bytes : Buffer.concat([head, bytes])
    const end = head.indexOf(headEnd)
    if (end < 0) return
    const text = head.toString("latin1", 0, end)
    if (!text.startsWith("HTTP/1.1 200 ")) {
      socket.destroy(new Error(`unexpected response: ${text.split("\r\n", 1)[0]}`))
      return
    }
    const length = /^content-length: *(\d+)/im.exec(text)?.[1]
    left = length === undefined ? "chunked" : Number(length)
    body(head.subarray(end + headEnd.length))
  })
}

/** The next number for a path, unique in this process. */
let count = 0

respond(async (question) => {
  const { connections, milliseconds, path, tokens, url } = await decode(question)
  const { host, hostname, port } = new URL(url)
  const requestOf = (token: string | undefined, number: number) =>
    Buffer.from(
      `GET ${path.replace("{n}", String(number))} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\nuser-agent: bench\r\naccept: */*\r\n\r\n`
    )
  const requests = tokens.map((token) => requestOf(token, 0))
  const next = path.includes("{n}")
    ? () => requestOf(tokens[sent % tokens.length], count++)
    : () => requests[sent % requests.length]
  const durations: Array<number> = []
  let sent = 0
  const started = performance.now()
  const talk = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let asked = 0
      const ask = () => {
        const request = next()
        sent++
        asked = performance.now()
        if (request === undefined || asked - started > milliseconds) socket.end()
        else socket.write(request)
      }
      socket.on("connect", ask).on("error", reject)
      socket.on("close", () => resolve())
      readAnswers(socket, () => {
        durations.push(performance.now() - asked)
        ask()
      })
    })
  await Promise.all(Array.from({ length: connections }, talk))
  return LatencySample.make(durations, performance.now() - started)
})
