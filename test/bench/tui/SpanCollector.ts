/** Counts the requests of `tongs --otlp`. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Span = Schema.Struct({
  name: Schema.String,
  kind: Schema.Finite,
  startTimeUnixNano: Schema.String,
  endTimeUnixNano: Schema.String
})
const Traces = Schema.fromJsonString(
  Schema.Struct({
    resourceSpans: Schema.Array(
      Schema.Struct({ scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) })) })
    )
  })
)
const decodeTraces = Schema.decodeUnknownSync(Traces)

/**
 * The kind of spans in which a client waits for a server, and the name of spans for requests, for example `GET /user`.
 */
const CLIENT = 3
const route = /^[A-Z]+ \//

export interface Request {
  /** The method and route. */
  readonly name: string
  /** Unix times in milliseconds. */
  readonly start: number
  readonly end: number
}

export interface SpanCollector {
  readonly url: string
  readonly requests: () => ReadonlyArray<Request>
}

/** Starts a collector on a free port. The collector closes with the scope. */
export const make = Effect.map(
  Effect.acquireRelease(
    Effect.callback<SpanCollector & { readonly close: () => void }>((resume) => {
      const requests: Array<Request> = []
      const server = createServer((request, response) => {
        let body = ""
        request.setEncoding("utf8").on("data", (text: string) => (body += text))
        request.on("end", () => {
          if (request.url === "/v1/traces") requests.push(...read(body))
          response.end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, requests: () => requests, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ),
  ({ requests, url }): SpanCollector => ({ requests, url })
)

const read = (body: string): ReadonlyArray<Request> =>
  decodeTraces(body)
    .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .filter(({ kind, name }) => kind === CLIENT && route.test(name))
    .map(({ endTimeUnixNano, name, startTimeUnixNano }) => ({
      name,
      start: Number(startTimeUnixNano) / 1e6,
      end: Number(endTimeUnixNano) / 1e6
    }))
