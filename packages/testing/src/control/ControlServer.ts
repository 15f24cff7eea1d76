/**
 * Serves the operations of a forge for tests below `/_test`, for programs in other languages. Every program of this
 * machine can use these operations, but no web page can: the forge requires its own host, against DNS rebinding, and
 * rejects foreign origins.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import { FixtureError } from "@tongs/service/api/FixtureSection"
import type { Intercept } from "@tongs/service/main/Serve"
import type { TestForge } from "../TestForge.ts"
import * as ControlOperations from "./ControlOperations.ts"

const PREFIX = "/_test"

/** Maximum bytes of a request body. */
const MAX_BODY = 64 * 1024 * 1024

interface Answer {
  readonly status: number
  /** No body if undefined. */
  readonly body?: unknown
}

/** Creates the function that answers requests below `/_test`, and passes all further requests to `others`. */
export const make = (forge: TestForge, others: Intercept): Intercept => {
  const operations = ControlOperations.make(forge)
  const descriptions = Object.fromEntries(
    [...operations].map(([name, { input }]) => [name.replace(" ", ` ${PREFIX}/`), input])
  )

  const answer = async (request: IncomingMessage, { pathname, searchParams }: URL): Promise<Answer> => {
    const { method = "" } = request
    const name = pathname.slice(PREFIX.length + 1)
    if (name === "" && method === "GET") return { status: 200, body: descriptions }
    const operation = operations.get(`${method} ${name}`)
    if (operation === undefined) {
      const others = ["GET", "POST"].filter((other) => operations.has(`${other} ${name}`))
      if (others.length > 0) return problem(405, `${pathname} takes no ${method}: use ${others.join(" or ")}`)
      return problem(404, `No operation ${pathname}: GET ${PREFIX} lists all`)
    }
    try {
      const text = method === "GET" ? "" : await bodyOf(request)
      if (text === undefined) return problem(413, `The body is too large: at most ${MAX_BODY} bytes`)
      const result = await operation.run(method === "GET" ? Object.fromEntries(searchParams) : parse(text))
      return result === undefined ? { status: 204 } : { status: 200, body: result }
    } catch (error) {
      return problem(isRejected(error) ? 422 : 500, error instanceof Error ? error.message : String(error))
    }
  }

  return (request, response, next) => {
    const address = URL.parse(request.url ?? "", "http://forge")
    const isControl = address?.pathname === PREFIX || address?.pathname.startsWith(`${PREFIX}/`) === true
    if (address === null || !isControl) return others(request, response, next)
    const refused = refusal(request)
    if (refused !== undefined) return send(response, problem(403, refused))
    // The forge delivers webhooks to this path.
    if (request.method === "POST" && address.pathname === `${PREFIX}/webhooks`) return others(request, response, next)
    void answer(request, address).then((result) => send(response, result))
  }
}

/** True for errors of the input. */
const isRejected = (error: unknown): boolean => error instanceof TypeError || error instanceof FixtureError

interface Head {
  readonly headers: IncomingMessage["headers"]
  readonly socket: { readonly localPort?: number | undefined; readonly remoteAddress?: string | undefined }
}

/** Returns why a request is refused. */
export const refusal = ({ headers, socket: { localPort = 0, remoteAddress = "" } }: Head): string | undefined => {
  const { host = "", origin } = headers
  if (!/^(?:127\.|::1$|::ffff:127\.)/.test(remoteAddress)) return "Only programs of this machine can use /_test"
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${localPort}`)
  if (!hosts.includes(host.toLowerCase())) return `Foreign host ${JSON.stringify(host)}: use one of ${hosts.join(", ")}`
  const site = headers["sec-fetch-site"]
  const isForeign =
    (origin !== undefined && origin !== `http://${host}`) || site === "cross-site" || site === "same-site"
  return isForeign ? "Web pages cannot use /_test" : undefined
}

/** Reads the body as text, without a byte order mark. Undefined if the body is too large. */
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length <= MAX_BODY) chunks.push(bytes)
  }
  return length <= MAX_BODY ? new TextDecoder().decode(Buffer.concat(chunks)) : undefined
}

const parse = (text: string): unknown => {
  if (text.trim() === "") return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`Invalid JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

const problem = (status: number, message: string): Answer => ({ status, body: { message } })

const send = (response: ServerResponse, { body, status }: Answer): void => {
  if (body === undefined) {
    response.writeHead(status).end()
    return
  }
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" }
  response.writeHead(status, headers).end(JSON.stringify(body))
}
