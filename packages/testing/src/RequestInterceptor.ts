/** Receives each request before the forge: logs the request, and applies the faults that match. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { Intercept } from "@tongs/service/main/Serve"
import type { Fault, Faults } from "./Faults.ts"
import type { ReceivedRequest, RequestLog } from "./RequestLog.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { WebhookInbox } from "./WebhookInbox.ts"

interface Options {
  readonly time: VirtualClock
  readonly faults: Faults
  readonly requests: RequestLog
  readonly inbox: WebhookInbox
}

/** Maximum bytes of a request body in the log. */
const MAX_BODY = 1_000_000

/** Maximum time that `end` waits for the forge, in milliseconds. */
const MAX_WAIT = 5000

/** Creates the function that receives each request first. */
export const make = ({ faults, inbox, requests, time }: Options) => {
  /** Incomplete responses, and whether the forge has received the request. */
  const open = new Map<ServerResponse, boolean>()

  const intercept: Intercept = (request, response, next) => {
    const { method = "", url = "" } = request
    const [path = ""] = url.split("?", 1)
    const body = recordBody(request)
    if (inbox.receives(path)) return inbox.receive(request, response, body)
    if (time.isAdvanced()) response.setHeader("date", new Date(time.now()).toUTCString())
    const found = faults.take(method, path)
    requests.add(logEntry(request, response, body, found))
    open.set(response, false)
    response.once("close", () => open.delete(response))
    const delays = found.filter((fault) => fault._tag === "Delay")
    const fault = found.find((one) => one._tag !== "Delay")
    const proceed = () =>
      meet(fault, response, () => {
        open.set(response, true)
        next()
      })
    if (delays.length === 0) return proceed()
    const delayed = Effect.forEach(delays, ({ milliseconds }) => time.sleep(milliseconds), { discard: true })
    const fiber = Effect.runFork(Effect.andThen(delayed, Effect.sync(proceed)))
    response.once("close", () => Effect.runFork(Fiber.interrupt(fiber)))
  }

  return {
    intercept,
    /**
     * Waits for the requests that the forge handles, and breaks the connections of all requests that the forge has not
     * received or does not complete, so that none changes the state afterwards.
     */
    end: async (): Promise<void> => {
      for (const [response, isHandled] of open) if (!isHandled) response.destroy()
      const deadline = performance.now() + MAX_WAIT
      while (open.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1))
      for (const response of open.keys()) response.destroy()
    }
  }
}

const meet = (
  fault: Exclude<Fault, { _tag: "Delay" }> | undefined,
  response: ServerResponse,
  next: () => void
): void => {
  if (fault === undefined) return next()
  if (fault._tag === "Hang") return
  if (fault._tag === "Respond") {
    response.writeHead(fault.status, fault.headers).end(fault.body)
    return
  }
  cutBody(response)
  next()
}

/** Breaks the connection in the middle of the body. */
const cutBody = (response: ServerResponse): void => {
  const write = response.write.bind(response)
  const sendHalf = (chunk: unknown): void => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk instanceof Uint8Array ? chunk : Buffer.alloc(0)
    write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
  }
  response.write = (chunk: unknown) => {
    sendHalf(chunk)
    return false
  }
  response.end = (chunk?: unknown) => {
    sendHalf(chunk)
    return response
  }
}

/** Records the body while the forge reads the request. */
const recordBody = (request: IncomingMessage): (() => Buffer) => {
  const chunks: Array<Buffer> = []
  let length = 0
  const emit = request.emit.bind(request)
  // A listener of `data` would start to read before the forge does.
  request.emit = (event: string, ...args: ReadonlyArray<unknown>) => {
    const [chunk] = args
    if (event === "data" && Buffer.isBuffer(chunk) && length < MAX_BODY) {
      chunks.push(chunk)
      length += chunk.length
    }
    return emit(event, ...args)
  }
  return () => Buffer.concat(chunks).subarray(0, MAX_BODY)
}

/** Describes a request. Status and duration follow when the response ends. */
const logEntry = (
  request: IncomingMessage,
  response: ServerResponse,
  body: () => Buffer,
  faults: ReadonlyArray<Fault>
): ReceivedRequest => {
  const { headers, method = "", url = "" } = request
  const [path = "", query] = url.split("?", 2)
  const start = performance.now()
  let duration: number | undefined
  // A transfer of git alone adds ten listeners, Node's limit for warnings.
  response.setMaxListeners(20)
  response.once("close", () => (duration = performance.now() - start))
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    get body() {
      return body().toString()
    },
    json: () => JSON.parse(body().toString()) as unknown,
    get status() {
      return response.writableFinished ? response.statusCode : undefined
    },
    get duration() {
      return duration
    },
    fault: faults.length === 0 ? undefined : faults.map(describeFault).join(", ")
  }
}

const describeFault = (fault: Fault): string => {
  switch (fault._tag) {
    case "Respond":
      return `fault: status ${fault.status}`
    case "Delay":
      return "fault: slow"
    case "Cut":
      return "fault: cut off"
    case "Hang":
      return "fault: no response"
  }
}
