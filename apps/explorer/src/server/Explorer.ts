/**
 * The explorer: a local server for the code-search page, with a read-only API over the forge. The forge's token never
 * leaves the server.
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
import * as CrossOriginGuard from "./CrossOriginGuard.ts"
import * as StaticFiles from "./StaticFiles.ts"
import * as Handlers from "./Handlers.ts"

export interface Options {
  /** 0 for any free port. */
  readonly port: number
  /** The address to listen on. Beyond loopback, the link and the cookie cross the network unencrypted. */
  readonly host: string
  /** The folder of the built page. */
  readonly page: string
  /** The secret in the explorer's link. It gives read access to everything that the forge's token can read. */
  readonly token: Redacted.Redacted
}

/** The explorer could not start. The message ends with a remedy. */
export class ExplorerError extends Schema.TaggedError<ExplorerError>()("ExplorerError", {
  reason: Schema.Literals(["PortInUse", "PortForbidden", "CannotListen", "PageMissing"]),
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/**
 * Serves until the scope closes. Returns the URL, and the link to open, which contains the secret. When the browser
 * disconnects, the request is interrupted, together with the resulting requests to the forge.
 */
export const serve = Effect.fn("Explorer.serve")(function* (options: Options) {
  yield* checkPage(options.page).pipe(Effect.provide(services))
  const page = yield* StaticFiles.make(options.page).pipe(
    Effect.provide(services),
    Effect.orDie // checked above
  )
  const server = yield* NodeHttpServer.make(() => Http.createServer(), {
    host: options.host,
    port: options.port,
    // Running searches do not delay the end: the page reports the lost connection and retries when the server is back.
    gracefulShutdownTimeout: Duration.zero
  }).pipe(Effect.mapError((error) => cannotListen(options, error.cause)))
  const port = server.address._tag === "UnixPathAddress" ? options.port : server.address.port
  const handlers = yield* Handlers.make(page).pipe(Effect.provide(services))
  const app = handlers.pipe(
    Access.make(options.token, port),
    CrossOriginGuard.make(options.host, port),
    // A server runs an application uninterruptibly. A request should end when the browser disconnects.
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
