/** `git http-backend` as CGI program behind a minimal Node server: the least that git over HTTP costs. */
import { spawn } from "node:child_process"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as Schema from "effect/Schema"
import { respond } from "../ForkedWorker.ts"

const decode = Schema.decodeUnknownPromise(Schema.Struct({ root: Schema.String }))

const endOfHeaders = Buffer.from("\r\n\r\n")

const serve = (root: string) => (request: IncomingMessage, response: ServerResponse) => {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost")
  const { headers } = request
  const child = spawn("git", ["http-backend"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(headers["git-protocol"] ?? ""),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "uploadpack.allowFilter",
      GIT_CONFIG_VALUE_0: "true",
      REQUEST_METHOD: request.method ?? "GET",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: headers["content-encoding"] ?? "",
      ...(headers["content-length"] === undefined ? {} : { CONTENT_LENGTH: headers["content-length"] })
    }
  })
  child.stdin.on("error", () => {})
  request.pipe(child.stdin)
  let head = Buffer.alloc(0)
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf(endOfHeaders)
    if (end === -1) return
    child.stdout.off("data", readHead)
    let status = 200
    for (const line of head.toString("latin1", 0, end).split("\r\n")) {
      const colon = line.indexOf(":")
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()]
      if (name.toLowerCase() === "status") status = Number.parseInt(value)
      else response.setHeader(name, value)
    }
    response.writeHead(status).write(head.subarray(end + endOfHeaders.length))
    child.stdout.pipe(response)
  }
  child.stdout.on("data", readHead)
}

respond(async (question) => {
  const { root } = await decode(question)
  const server = createServer(serve(root))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : address}` }
})
