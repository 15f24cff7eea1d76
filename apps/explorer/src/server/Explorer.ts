/**
 * The code-search explorer: a small local server that gives a browser the page, and the page a reading view of the
 * forge. The forge's token stays here.
 */
import * as Http from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Access from "./Access.ts"
import * as Guard from "./Guard.ts"
import * as StaticFiles from "./StaticFiles.ts"
import * as Handlers from "./Handlers.ts"

export interface Options {
  /** 0 for any that is free. */
  readonly port: number
  /** The address to listen on. Beyond loopback, the link and the cookie cross the network unencrypted. */
  readonly host: string
  /** The folder of the built page. */
  readonly page: string
  /** The secret of the link. It gives read access with the forge's token. */
  readonly token: Redacted.Redacted
}

/** Why the explorer did not start, and what to do about it. */
export class ExplorerError extends Schema.TaggedError<ExplorerError>()("ExplorerError", {
  reason: Schema.Literals(["PortInUse", "PortForbidden", "CannotListen", "PageMissing"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/**
 * Serves until its scope closes. Gives its URL, and the link to open, which has the secret in it. A request is interrupted, up to the forge, when the browser
 * goes away.
 */
export const serve = Effect.fn("Explorer.serve")(function* (options: Options) {
  yield* checkPage(options.page).pipe(Effect.provide(services))
  const page = yield* StaticFiles.make(options.page).pipe(
    Effect.provide(services),
    Effect.orDie // the page was there a moment ago
  )
  const server = yield* NodeHttpServer.make(() => Http.createServer(), {
    host: options.host,
    port: options.port,
    // Whoever ends the explorer waits for no search: the page says that it is gone, and asks again when it is back.
    gracefulShutdownTimeout: Duration.zero
  }).pipe(Effect.mapError((error) => cannotListen(options, error.cause)))
  const port = server.address._tag === "UnixPathAddress" ? options.port : server.address.port
  const handlers = yield* Handlers.make(page).pipe(Effect.provide(services))
  const app = handlers.pipe(
    Access.make(options.token, port),
    Guard.make(options.host, port),
    // A server runs what it is given uninterruptibly; a request whose browser went away is to end.
    Effect.interruptible
  )
  yield* server.serve(app).pipe(Effect.provide(services))
  const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}/`
  return { url, link: Access.link(url, options.token) }
})

const services = NodeHttpServer.layerHttpServices

const checkPage = (folder: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if (yield* Effect.orElseSucceed(files.exists(path.join(folder, "index.html")), () => false)) return
    return yield* new ExplorerError({
      reason: "PageMissing",
      detail: `The explorer's page is not in ${folder}. Build it with \`pnpm build\`.`
    })
  })

const cannotListen = ({ host, port }: Options, cause: unknown): ExplorerError => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return new ExplorerError({
        reason: "PortInUse",
        detail: `Port ${port} is in use. Choose another with --port, or 0 for any that is free.`
      })
    case "EACCES":
      return new ExplorerError({
        reason: "PortForbidden",
        detail: `This account may not listen on port ${port}. Choose one above 1023 with --port.`
      })
    default:
      return new ExplorerError({
        reason: "CannotListen",
        detail: `Cannot listen on ${host}:${port}: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  }
}
