/**
 * The agent tool server: the forge as tools for agents, over stdio. Answers `initialize` before loading the tools and
 * opening the forge: this module imports only the code for that answer.
 */
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as McpServer from "effect/ai/McpServer"
import type { ConnectionError } from "@tongs/connection/base/ConnectionError"
import type { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as ClientDisconnect from "./transport/ClientDisconnect.ts"
import * as HiddenRegistrations from "./transport/HiddenRegistrations.ts"
import * as OpenRequests from "./transport/OpenRequests.ts"
import * as StartGate from "./transport/StartGate.ts"
import * as StdioMessages from "./transport/StdioMessages.ts"
import * as Description from "./Description.ts"

export type { Options } from "./Description.ts"

/** A layer that opens the forge. */
export type Connect = Layer.Layer<Connection | Forge | Scheduler, ConnectionError>

/**
 * Serves MCP on stdin and stdout until the client disconnects, then interrupts the tool calls in flight. If the forge
 * cannot be opened, every request is answered with the reason.
 *
 * **Gotchas**
 *
 * Logs go to stderr, because stdout belongs to the protocol.
 */
export const serveStdio = Effect.fnUntraced(
  function* (options: Description.Options, connect: Connect) {
    const disconnected = yield* Deferred.make<void>()
    const gate = StartGate.make()
    const requests = OpenRequests.make()
    const server = McpServer.layerStdio({
      ...Description.make(options),
      registrations: HiddenRegistrations.layer(kinds(options))
    }).pipe(
      Layer.provide(StdioMessages.layer(disconnected, gate, requests)),
      Layer.provide(Layer.succeed(Logger.LogToStderr, true))
    )
    const scope = yield* Effect.scope
    const serve = Effect.gen(function* () {
      const services = yield* Layer.build(server)
      const open = Effect.gen(function* () {
        const ToolServer = yield* Effect.promise(() => import("./ToolServer.ts"))
        const tools = ToolServer.layer(options).pipe(Layer.provide(connect))
        // Outlives the server, so that calls end before the forge.
        const forge = yield* Scope.fork(scope)
        yield* Layer.buildWithScope(tools, forge).pipe(
          Effect.onError((cause) => Scope.close(forge, Exit.failCause(cause)))
        )
        yield* Layer.buildWithScope(options.registrations ?? Layer.empty, scope)
      })
      yield* gate.run(
        open.pipe(
          Effect.provide(services),
          Effect.tapError(({ message }) => Effect.logWarning(message))
        )
      )
      return yield* Effect.never
    })
    // Interrupts the calls before the scope closes the forge in use. If no calls are in flight, the end of stdin
    // interrupts the server's own fiber: that is a normal end.
    const exit = yield* Effect.acquireUseRelease(
      Effect.forkChild(Effect.scoped(serve)),
      (fiber) =>
        Effect.raceFirst(
          Fiber.await(fiber),
          Effect.as(ClientDisconnect.clientDisconnected(requests.areAnswered, gate.isOpen), Exit.void)
        ),
      (fiber) => Effect.andThen(Deferred.done(disconnected, Exit.void), Fiber.interrupt(fiber))
    ).pipe(
      // An open stdin would keep the process alive.
      Effect.ensuring(Effect.sync(() => process.stdin.destroy()))
    )
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) return yield* Effect.failCause(exit.cause)
  },
  Effect.scoped,
  Effect.orDie
) // the protocol versions are constants

/** The kinds of registrations besides tools. */
const kinds = ({ toolsets }: Description.Options): HiddenRegistrations.Kinds => ({
  resources: toolsets === undefined,
  prompts: toolsets === undefined
})
