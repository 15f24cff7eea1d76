/** The explorer's server on a free port, and a client for it. */
import * as Fs from "node:fs"
import * as Http from "node:http"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as ServerSecret from "@tongs/connection/base/ServerSecret"
import * as Explorer from "./Explorer.ts"
import type * as Stub from "./FakeForge.test-support.ts"

export const pageFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-explorer-"))
    Fs.writeFileSync(Path.join(folder, "index.html"), "<!doctype html><title>page</title>")
    return folder
  }),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true }))
)

export const token = Redacted.make(ServerSecret.generate())

/** Starts the server and exchanges the link for a cookie, which `get` sends. Returns the URL. */
export const serve = Effect.fnUntraced(function* (page: string) {
  const { link, url } = yield* Explorer.serve({ port: 0, host: "127.0.0.1", page, token })
  const { headers } = yield* send(link)
  cookies.set(new URL(url).host, headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "")
  return url
})

export const start = Effect.flatMap(pageFolder, serve)

/** The client's cookies by host and port. */
const cookies = new Map<string, string>()

interface Got {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
}

/** Sends a request with the cookie. `headers` can set Host and Origin, like a hostile client; `fetch` cannot. */
export const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  send(url, { ...access(url), ...headers }, method)

/** The header with the cookie. */
export const access = (url: string) => ({ cookie: cookies.get(new URL(url).host) ?? "" })

/** Sends a request without the cookie. */
export const send = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  Effect.callback<Got>((resume) => {
    const request = Http.request(url, { method, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text }))
      )
    })
    request.on("error", (error) => resume(Effect.die(error)))
    request.end()
    return Effect.sync(() => request.destroy())
  })

export const json = (url: string) =>
  Effect.map(get(url), ({ status, text }): [number, unknown] => [status, JSON.parse(text)])

export const reply = (body: unknown) => Effect.succeed<Stub.Reply>({ body })
