/** Sends an HTTP POST, without following redirects or reusing connections, and reads a response of bounded size. */
import * as http from "node:http"
import * as https from "node:https"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AddressPolicy from "./AddressPolicy.ts"

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** True to verify the TLS certificate. */
  readonly verify: boolean
  /** True to connect to private addresses too. */
  readonly allowLocal: boolean
  /** False if the request must not be sent any more. Asked once the connection is open. */
  readonly isCurrent?: (() => boolean) | undefined
}

export interface PostResponse {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  /** The first `MAX_ANSWER` bytes of the response body, as text. */
  readonly body: string
}

/** The receiver sent no response. `detail` is the reason. */
export class NoResponse extends Schema.TaggedError<NoResponse>()("NoResponse", { detail: Schema.String }) {}

/** The connection was open only when `isCurrent` was false. Nothing was sent. */
export class Outdated extends Schema.TaggedError<Outdated>()("Outdated", {}) {}

/** Maximum bytes of a response body to read. */
export const MAX_ANSWER = 64 * 1024

const unanswered = (cause: unknown) =>
  new NoResponse({
    detail:
      cause instanceof AddressPolicy.ForbiddenAddress
        ? cause.message
        : `failed to connect to host: ${cause instanceof Error ? cause.message : String(cause)}`
  })

export const post = Effect.fn("Webhooks.post")((posting: PostRequest) =>
  Effect.callback<PostResponse, NoResponse | Outdated>((resume, signal) => {
    try {
      const url = new URL(posting.url)
      if (!posting.allowLocal) AddressPolicy.checkHostname(url.hostname)
      const isSecure = url.protocol === "https:"
      const send = isSecure ? https.request : http.request
      const request = send(url, {
        method: "POST",
        headers: { ...posting.headers, "Content-Length": String(Buffer.byteLength(posting.body)) },
        agent: false,
        rejectUnauthorized: posting.verify,
        signal,
        ...(posting.allowLocal ? {} : { lookup: AddressPolicy.lookupPublicAddress })
      })
      request.on("error", (error) => resume(Effect.fail(unanswered(error))))
      request.on("response", (response) => read(response, (answer) => resume(Effect.succeed(answer))))
      request.on("socket", (socket) =>
        socket.once(isSecure ? "secureConnect" : "connect", () => {
          if (posting.isCurrent?.() !== false) return request.end(posting.body)
          resume(Effect.fail(new Outdated()))
          request.destroy()
        })
      )
    } catch (error) {
      resume(Effect.fail(unanswered(error)))
    }
  })
)

/** Reads a response body up to the limit. If the connection breaks, returns the part read so far with the status. */
const read = (response: http.IncomingMessage, done: (answer: PostResponse) => void) => {
  const chunks: Array<Buffer> = []
  let length = 0
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MAX_ANSWER) response.destroy()
  })
  response.on("error", () => {})
  response.on("close", () => {
    done({
      code: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.join(", ") : (value ?? "")
        ])
      ),
      body: Buffer.concat(chunks).subarray(0, MAX_ANSWER).toString("utf8")
    })
  })
}
