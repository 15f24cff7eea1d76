// Receives the deliveries of a webhook, and verifies their signatures.
import { createServer } from "node:http"
import { webhooks } from "@tongs/client"

const { SECRET: secret = "" } = process.env

// oxlint-disable-next-line typescript/no-misused-promises -- the callback catches every error
const server = createServer(async (request, response) => {
  try {
    let payload = ""
    for await (const part of request.setEncoding("utf8")) payload += part
    const delivery = await webhooks.parse({ secret, headers: request.headers, payload })
    if (delivery.name === "push") console.log("push", delivery.payload.ref, delivery.payload.repository.full_name)
    response.writeHead(204).end()
  } catch {
    console.log("refused")
    response.writeHead(400).end()
  }
})
server.listen(Number(process.env["PORT"]), "127.0.0.1")
