import { createServer, IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, it } from "@effect/vitest"
import { RequestCounters } from "../http/RequestMetrics.ts"
import * as Serve from "./Serve.ts"

it("counts a request whose client leaves before the response as an error of the client", () => {
  const server = createServer()
  const counters = new RequestCounters()
  const draining = { add: () => {}, isDraining: () => false }
  Serve.observeRequests(server, counters, new WeakMap(), draining, () => false)
  for (const hasHeaders of [false, true]) {
    const request = new IncomingMessage(new Socket())
    const response = new ServerResponse(request)
    server.emit("request", request, response)
    if (hasHeaders) response.writeHead(200)
    response.emit("close")
  }
  const requests = counters.families().find(({ name }) => name === "tongs_http_requests")
  assert.deepStrictEqual(
    requests?.samples.map(({ labels, value }) => [labels?.["status"], value]),
    [
      ["2xx", 1],
      ["4xx", 1]
    ]
  )
  assert.strictEqual(counters.inProgress, 0)
})
