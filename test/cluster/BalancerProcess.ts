/**
 * A small HTTP load balancer: `node BalancerProcess.ts ADDRESS PORT TARGET…`. Each request goes to a random process that is
 * ready. A request goes to another process only if no connection was made. Prints its URL.
 */
import { createServer, type IncomingMessage, request as forward } from "node:http"

/** Limits in milliseconds: to connect to a process, between two checks, and of one check. */
const CONNECT_LIMIT = 1_000
const CHECK_INTERVAL = 500
const CHECK_LIMIT = 1_000

/** Failed checks in a row after which a process gets no requests. */
const MAX_FAILED_CHECKS = 2

interface Target {
  readonly url: URL
  failedChecks: number
}

const [, , address = "127.0.0.1", port = "0", ...urls] = process.argv
const targets = urls.map((url): Target => ({ url: new URL(url), failedChecks: 0 }))

/** Returns a random process other than those that refused a connection. Prefers the ready ones. */
const choose = (refused: ReadonlySet<Target>): Target | undefined => {
  const others = targets.filter((target) => !refused.has(target))
  const ready = others.filter(({ failedChecks }) => failedChecks < MAX_FAILED_CHECKS)
  const list = ready.length > 0 ? ready : others
  return list[Math.floor(Math.random() * list.length)]
}

const check = (target: Target) =>
  new Promise<boolean>((resolve) => {
    const sent = forward(
      new URL("/readyz", target.url),
      { agent: false, timeout: CHECK_LIMIT, headers: { "user-agent": "balancer" } },
      (answer) => {
        // A forge without the path is ready when it answers.
        resolve(answer.statusCode === 200 || answer.statusCode === 404)
        answer.resume()
      }
    )
    sent.on("timeout", () => sent.destroy())
    sent.on("error", () => resolve(false))
    sent.end()
  })

for (const target of targets) {
  const repeat = async () => {
    target.failedChecks = (await check(target)) ? 0 : target.failedChecks + 1
    setTimeout(() => void repeat(), CHECK_INTERVAL)
  }
  void repeat()
}

/** Connects to a process and sends the head of a request. Tries another process if no connection is made. */
const connect = (
  incoming: IncomingMessage,
  onConnected: (sent: ReturnType<typeof forward>) => void,
  onRefused: () => void,
  refused: ReadonlySet<Target> = new Set()
): void => {
  const target = choose(refused)
  if (target === undefined) return onRefused()
  const { headers, method, url: path } = incoming
  const { hostname, port } = target.url
  const sent = forward({ agent: false, hostname, port, method, path, headers })
  let isConnected = false
  const timer = setTimeout(() => sent.destroy(new Error("no connection in time")), CONNECT_LIMIT)
  sent.on("socket", (socket) =>
    socket.once("connect", () => {
      isConnected = true
      clearTimeout(timer)
      socket.setNoDelay(true)
      onConnected(sent)
    })
  )
  sent.on("error", () => {
    clearTimeout(timer)
    if (!isConnected) connect(incoming, onConnected, onRefused, new Set([...refused, target]))
  })
}

/** The header tells the balancer's errors from those of the forge. */
const failed = { "x-balancer": "failed", "retry-after": "1", "content-length": "0" }

// The forge refuses long headers itself.
const server = createServer({ maxHeaderSize: 1 << 20 }, (incoming, outgoing) => {
  connect(
    incoming,
    (sent) => {
      sent.on("response", (answer) => {
        // Each of both connections has its own headers of the connection.
        const { connection: _, "keep-alive": __, ...headers } = answer.headers
        outgoing.writeHead(answer.statusCode ?? 502, headers)
        answer.pipe(outgoing)
        answer.on("error", () => outgoing.destroy())
      })
      sent.on("error", () => {
        if (outgoing.headersSent) outgoing.destroy()
        else outgoing.writeHead(502, failed).end()
      })
      outgoing.on("close", () => {
        sent.destroy()
        // A forge can answer before it has received everything.
        if (!incoming.complete) incoming.destroy()
      })
      incoming.pipe(sent)
    },
    () => outgoing.writeHead(503, failed).end()
  )
})
// The clients decide how long they wait, and when they close a connection.
server.requestTimeout = 0
server.keepAliveTimeout = 0
server.listen(Number(port), address, () => {
  const bound = server.address()
  if (bound === null || typeof bound === "string") throw new Error("A TCP server without a port")
  process.stdout.write(`http://${address}:${bound.port}\n`)
})
// The process that started the balancer has ended.
process.stdin.on("end", () => process.exit()).resume()
