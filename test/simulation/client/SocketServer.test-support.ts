import * as Net from "node:net"
import * as Effect from "effect/Effect"

/** Listens on a free port until the scope closes, then calls `hangUp` to end open connections. Returns the URL. */
export const listen = Effect.fnUntraced(function* (server: Net.Server, hangUp: () => void) {
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        hangUp()
      })
  )
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
})

export interface RawRequest {
  readonly socket: Net.Socket
  readonly method: string
  readonly path: string
  /** The request line and the headers. */
  readonly head: string
  readonly body: string
}

/** Parses one request. Returns undefined while the request is incomplete. */
const parse = (text: string) => {
  const end = text.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const head = text.slice(0, end)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  if (text.length < end + 4 + length) return undefined
  const [, method = "", path = ""] = /^(\w+) (\S+)/.exec(head) ?? []
  return { method, path, head, body: text.slice(end + 4, end + 4 + length), rest: text.slice(end + 4 + length) }
}

/** Serves requests on plain sockets, for responses that `node:http` would not send. Returns the URL. */
export const serveRaw = (respond: (request: RawRequest) => void) => {
  const sockets = new Set<Net.Socket>()
  const server = Net.createServer((socket) => {
    sockets.add(socket)
    let text = ""
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
    socket.setEncoding("latin1").on("data", (piece: string) => {
      text += piece
      for (let next = parse(text); next !== undefined; next = parse(text)) {
        text = next.rest
        respond({ socket, ...next })
      }
    })
  })
  return listen(server, () => {
    for (const socket of sockets) socket.destroy()
  })
}
