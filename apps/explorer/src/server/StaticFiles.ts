/**
 * The files of the built page, with caching headers, compressed if the build did so. Every other path is a view, which
 * gets the built page.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Responses from "./Responses.ts"

/** Reads the files of `folder` once. Returns a function from a path to a response. */
export const make = Effect.fn("StaticFiles.make")(function* (folder: string) {
  const system = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* system.readDirectory(folder, { recursive: true })
  const files = new Map<string, Uint8Array>()
  for (const name of names) {
    const { type } = yield* system.stat(path.join(folder, name))
    if (type === "File") files.set(name.replaceAll("\\", "/"), yield* system.readFile(path.join(folder, name)))
  }

  const file = (name: string, accepts: string) => {
    const whole = files.get(name)
    if (whole === undefined) return undefined
    const small = /\bbr\b/.test(accepts) ? files.get(`${name}.br`) : undefined
    return HttpServerResponse.uint8Array(small ?? whole, {
      contentType: types.get(path.extname(name)) ?? "application/octet-stream",
      headers: {
        // The build puts a hash of the content into the name.
        "cache-control": name.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache",
        vary: "accept-encoding",
        ...(small === undefined ? {} : { "content-encoding": "br" })
      }
    })
  }

  return (
    { headers }: HttpServerRequest.HttpServerRequest,
    pathname: string
  ): HttpServerResponse.HttpServerResponse => {
    const name = pathname.slice(1)
    const accepts = headers["accept-encoding"] ?? ""
    const missing = Responses.refused(404, "NotFound", `Unknown path ${pathname}.`)
    return file(name, accepts) ?? (name.startsWith(ASSETS) ? undefined : file("index.html", accepts)) ?? missing
  }
})

const ASSETS = "assets/"

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".woff2", "font/woff2"]
])
