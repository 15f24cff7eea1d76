/**
 * Answers load balancers and Prometheus: `/livez`, `/readyz` and `/metrics`. These requests pass no step of the API, so
 * that no rate limit, cache or fault of a test meets them, and are not counted.
 */
import { timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { generateToken } from "../access/TokenRows.ts"
import * as PrivateFile from "../storage/PrivateFile.ts"
import * as OpenMetrics from "./OpenMetrics.ts"
import type { FailingChecks } from "./Readiness.ts"

export const paths = ["/livez", "/metrics", "/readyz"] as const
type Path = (typeof paths)[number]

/** File of the data folder with the token for `/metrics`, which grants nothing else. */
const TOKEN_FILE = "metrics-token"

/**
 * Returns the effect that reads the token for `/metrics`, and creates a missing one. Only the first run reads the file,
 * because anyone may ask, and the file system can hang.
 */
export const token = (folder: string) => Effect.cached(PrivateFile.line(join(folder, TOKEN_FILE), generateToken))

export interface Options {
  /** Prints the metrics. */
  readonly metrics: Effect.Effect<string>
  /** The token for `/metrics`, read when it is needed. */
  readonly token: Effect.Effect<string>
  readonly failing: FailingChecks
  readonly isDraining: () => boolean
  /** Called for each request for `/readyz`. */
  readonly onReadinessCheck: () => void
}

interface Reply {
  readonly status: number
  readonly body: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

const json = (status: number, value: unknown): Reply => ({ status, body: `${JSON.stringify(value)}\n` })

/** Creates the function that answers one of the paths. Returns false for other requests. */
export const make =
  (options: Options, run: (effect: Effect.Effect<void>) => unknown) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const path = pathOf(request.url)
    if (path === undefined) return false
    const { method } = request
    if (method !== "GET" && method !== "HEAD") {
      send(response, { ...json(405, { message: "Use GET" }), headers: { allow: "GET, HEAD" } })
      return true
    }
    if (path === "/livez") send(response, json(200, { status: "ok" }))
    else {
      const reply = path === "/readyz" ? readiness(options) : metrics(options, request.headers.authorization)
      const failed = Effect.catchCause(reply, (cause) =>
        Effect.as(Effect.logError(`${path} failed`, cause), json(500, { message: "Server error" }))
      )
      run(Effect.map(failed, (reply) => send(response, reply)))
    }
    return true
  }

/** The first character decides for most requests. */
const pathOf = (url = ""): Path | undefined => {
  for (const path of paths)
    if (url.startsWith(path) && (url.length === path.length || url[path.length] === "?")) return path
  return undefined
}

const send = (response: ServerResponse, { body, headers, status, type = "application/json" }: Reply) => {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...headers
  })
  response.end(response.req.method === "HEAD" ? undefined : body)
}

const readiness = ({ failing, isDraining, onReadinessCheck }: Options): Effect.Effect<Reply> =>
  Effect.suspend(() => {
    onReadinessCheck()
    if (isDraining()) return Effect.succeed(json(503, { status: "draining", failing: [] }))
    return Effect.map(failing, (names) =>
      names.length === 0
        ? json(200, { status: "ok", failing: names })
        : json(503, { status: "unavailable", failing: names })
    )
  })

const metrics = ({ metrics, token }: Options, authorization = ""): Effect.Effect<Reply> =>
  Effect.flatMap(token, (expected) => {
    const [, given = ""] = /^Bearer +(.*)$/i.exec(authorization) ?? []
    if (!isEqual(given, expected)) {
      const message = `Send the token in the file ${TOKEN_FILE} of the data folder as a bearer token`
      return Effect.succeed({ ...json(401, { message }), headers: { "www-authenticate": 'Bearer realm="metrics"' } })
    }
    return Effect.map(metrics, (body): Reply => ({ status: 200, body, type: OpenMetrics.CONTENT_TYPE }))
  })

const isEqual = (one: string, other: string) => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
