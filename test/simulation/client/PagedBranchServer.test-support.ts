/** A forge on a socket with a paged list of branches. Records requests. */
import * as Http from "node:http"
import * as Effect from "effect/Effect"
import { listen } from "./SocketServer.test-support.ts"

const sha = "a".repeat(40)

export const make = Effect.fnUntraced(function* (pages: number) {
  const requests: Array<string> = []
  const tokens = new Set<string | undefined>()
  const server = Http.createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`)
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    tokens.add(request.headers.authorization)
    const page = Number(url.searchParams.get("page") ?? 1)
    const size = Number(url.searchParams.get("per_page") ?? 30)
    const at = (number: number) => {
      url.searchParams.set("page", String(number))
      return url.href
    }
    const link = page < pages ? `<${at(page + 1)}>; rel="next", <${at(pages)}>; rel="last"` : undefined
    const items = Array.from({ length: size }, (_, index) => ({
      name: `b${(page - 1) * size + index}`,
      commit: { sha, url: "http://forge.test/c" },
      protected: false
    }))
    response.writeHead(200, { "content-type": "application/json", ...(link === undefined ? {} : { link }) })
    response.end(JSON.stringify(items))
  })
  const baseUrl = yield* listen(server, () => server.closeAllConnections())
  return { baseUrl, requests, tokens }
})
