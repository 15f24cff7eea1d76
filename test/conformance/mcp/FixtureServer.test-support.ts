/** The server of `tongs mcp --http` with the fixtures, behind a proxy that adds the bearer token. */
import { randomBytes } from "node:crypto"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Http from "@tongs/mcp/Http"
import { contentTools } from "./ContentTools.test-support.ts"
import { registerTools } from "./Fixture.test-support.ts"
import { inputTools } from "./InputTools.test-support.ts"
import { registerPrompts, registerResources } from "./ResourcesAndPrompts.test-support.ts"

const registrations = Layer.effectDiscard(
  Effect.all([registerTools([...contentTools, ...inputTools]), registerResources, registerPrompts])
)

const BASE_URL = "http://forge.invalid"

/** An empty forge, which the fixtures do not use. */
const forge = Layer.mergeAll(
  Layer.provide(
    Forge.layer({ baseUrl: BASE_URL }),
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) =>
        Effect.succeed(HttpClientResponse.fromWeb(request, Response.json({ message: "Not Found" }, { status: 404 })))
      )
    )
  ),
  Layer.succeed(Connection, {
    kind: "remote",
    label: "no forge",
    baseUrl: BASE_URL,
    repository: undefined,
    notices: [],
    changes: Stream.empty
  })
).pipe(Layer.provideMerge(Scheduler.layerMemory))

/** Forwards requests to `url` with the bearer token. Closes with the Effect scope. Returns the proxy's URL. */
const authorized = (url: URL, token: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: URL; readonly close: Effect.Effect<void> }>((resume) => {
      const server = createServer((incoming, response) => {
        const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
        const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
        // As if the client had sent the request directly to the server.
        for (const name of ["host", "origin"] as const)
          headers[name] = headers[name]?.replace(`:${port}`, `:${url.port}`)
        if (headers.origin === undefined) delete headers.origin
        const outgoing = request(
          { host: url.hostname, port: url.port, path: incoming.url, method: incoming.method, headers },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers)
            answer.pipe(response)
          }
        )
        outgoing.on("error", () => response.destroy())
        response.on("close", () => outgoing.destroy())
        incoming.pipe(outgoing)
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on a port
        const close = Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
        resume(Effect.succeed({ url: new URL(`http://127.0.0.1:${port}${url.pathname}`), close }))
      })
    }),
    ({ close }) => close
  ).pipe(Effect.map((proxy) => proxy.url))

/** Serves until the Effect scope closes. `open` needs no bearer token, `url` does. */
export const serve = Effect.gen(function* () {
  const token = randomBytes(32).toString("hex")
  const served = yield* Http.serveHttp({
    version: "1.0.0",
    allowWrites: false,
    confirm: "ask",
    dryRun: false,
    structured: false,
    deadline: 45,
    registrations,
    capabilities: { completions: true, logging: true },
    port: 0,
    token: Redacted.make(token)
  })
  const url = new URL(served.url)
  return { url, token, open: yield* authorized(url, token) }
}).pipe(Effect.provide(forge))
