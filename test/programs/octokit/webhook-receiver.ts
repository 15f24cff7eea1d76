// Receives the deliveries of a webhook, and verifies their signatures.
import { createServer } from "node:http"
import { Webhooks } from "@octokit/webhooks"

const { SECRET: secret = "" } = process.env
const webhooks = new Webhooks({ secret })
webhooks.on("push", ({ payload }) => console.log("push", payload.ref, payload.repository.full_name))

const headerOf = (value: string | ReadonlyArray<string> | undefined) => String(value ?? "")

// oxlint-disable-next-line typescript/no-misused-promises -- the callback catches every error
const server = createServer(async (request, response) => {
  try {
    let payload = ""
    for await (const part of request.setEncoding("utf8")) payload += part
    await webhooks.verifyAndReceive({
      id: headerOf(request.headers["x-github-delivery"]),
      name: headerOf(request.headers["x-github-event"]),
      signature: headerOf(request.headers["x-hub-signature-256"]),
      payload
    })
    response.writeHead(204).end()
  } catch {
    console.log("refused")
    response.writeHead(400).end()
  }
})
server.listen(Number(process.env["PORT"]), "127.0.0.1")
