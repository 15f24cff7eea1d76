/** Reuse of connections to a remote forge. */
import * as Http from "node:http"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Forge } from "@tongs/core/client/Forge"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as HttpTransport from "../../../packages/connection/src/base/HttpTransport.ts"
import { listen } from "./SocketServer.test-support.ts"

/** Calls a server with the transport of `tongs`. Returns the number of connections. */
const connections = Effect.fnUntraced(
  function* (
    respond: Http.RequestListener,
    call: (forge: Forge["Service"], index: number) => Effect.Effect<unknown, unknown>,
    count: number
  ) {
    let seen = 0
    const server = Http.createServer(respond).on("connection", () => seen++)
    const baseUrl = yield* listen(server, () => server.closeAllConnections())
    const forge = yield* Forge.make({ baseUrl })
    for (let index = 0; index < count; index++) yield* Effect.ignore(call(forge, index))
    return seen
  },
  Effect.provide(Layer.merge(Scheduler.layerMemory, HttpTransport.layer))
)

it.live("sequential requests share one connection, also after errors and redirects", () =>
  Effect.gen(function* () {
    const respond: Http.RequestListener = ({ url = "" }, response) => {
      const status = url === "/1" ? 404 : url === "/2" ? 302 : url === "/3" ? 304 : 200
      response.writeHead(status, { "content-type": "application/json", location: "/9" }).end(status === 304 ? "" : "{}")
    }
    const seen = yield* connections(respond, (forge, index) => forge.request(`GET /${index % 5}`), 20)
    assert.isAtMost(seen, 2)
  })
)

it.live("each request opens a connection if the server closes it", () =>
  Effect.gen(function* () {
    const respond: Http.RequestListener = (_, response) => void response.setHeader("connection", "close").end("{}")
    const writes = yield* connections(respond, (forge) => forge.request("POST /x"), 5)
    assert.strictEqual(writes, 5)
  })
)
