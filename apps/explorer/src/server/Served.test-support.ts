/** The explorer's server on a free port, and what a client may say to it. */
import * as Fs from "node:fs"
import * as Http from "node:http"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Effect from "effect/Effect"
import * as Explorer from "./Explorer.ts"
import type * as Stub from "./Forge.test-support.ts"

export const pageFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-explorer-"))
    Fs.writeFileSync(Path.join(folder, "index.html"), "<!doctype html><title>page</title>")
    return folder
  }),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true }))
)

export const start = Effect.gen(function* () {
  const page = yield* pageFolder
  const { url } = yield* Explorer.serve({ port: 0, host: "127.0.0.1", page })
  return url
})

interface Got {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
}

/** `fetch` sets Host and Origin itself: this says what a hostile client says. */
export const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
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
