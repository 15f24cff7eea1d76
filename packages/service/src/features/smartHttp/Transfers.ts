/** Limits concurrent transfers, and turns the output of git into responses. */
import { ServerResponse } from "node:http"
import { availableParallelism } from "node:os"
import type { Readable } from "node:stream"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Caller } from "../../access/Caller.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as KeyedSemaphore from "../../base/KeyedSemaphore.ts"
import type { GitError } from "../../git/values/GitError.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as SentChunks from "./SentChunks.ts"

export interface TransferLimits {
  readonly total: number
  /** Maximum per token, or per address for requests without a token. */
  readonly perClient: number
  /** Maximum milliseconds that a transfer waits for another transfer to end. */
  readonly waitMillis: number
}

const defaultTotal = Math.max(16, 4 * availableParallelism())

const defaults: TransferLimits = { total: defaultTotal, perClient: defaultTotal / 2, waitMillis: 20_000 }

export interface TransferRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly caller: Caller
  readonly address: string
  /** The repository, if present. The transfer ends when the repository is deleted. */
  readonly repository?: { readonly git: Pick<GitRepository, "closed"> }
}

/** Errors of a transfer before the start of the response. */
export type TransferError = ApiError.ApiError | GitError

/** Output of git for the body of a response. Holds the processes in a scope. */
export type StreamOutput = Effect.Effect<Stream.Stream<Uint8Array, GitError>, TransferError, Scope.Scope>

/** Output as a stream of Effect, or as a Node stream. */
export type Output =
  | StreamOutput
  | Effect.Effect<Stream.Stream<Uint8Array, GitError> | Readable, TransferError, Scope.Scope>

export class Transfers extends Context.Service<
  Transfers,
  {
    /**
     * Returns a response with the output as body. The scope closes when the body is sent or the client disconnects.
     * Fails with 503 if too many transfers run.
     */
    respond(
      transfer: TransferRequest,
      contentType: string,
      output: Output
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, TransferError>
  }
>()("@tongs/service/features/smartHttp/Transfers") {
  static readonly layerWith = (limits: Partial<TransferLimits>) =>
    Layer.sync(Transfers, () => make({ ...defaults, ...limits }))

  static readonly layer = Transfers.layerWith({})
}

/** Responses of git may never be cached, as from `git http-backend`. */
const noCache = { expires: "Fri, 01 Jan 1980 00:00:00 GMT", pragma: "no-cache", "cache-control": "no-store" }

const make = (limits: TransferLimits) => {
  const total = Semaphore.makeUnsafe(limits.total)
  const clients = KeyedSemaphore.make(limits.perClient)

  const enter = (client: string) =>
    Effect.andThen(clients.take(client), KeyedSemaphore.takePermit(total)).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(limits.waitMillis),
        orElse: () =>
          Effect.fail(ApiError.unavailable("Too many clones, fetches and pushes are running. Try again later"))
      })
    )

  return Transfers.of({
    respond: ({ address, caller, repository, request }, contentType, output) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const scope = yield* Scope.make()
          const close = Scope.close(scope, Exit.void)
          const client = caller.kind === "anonymous" ? address : String(caller.tokenId)
          const opened = Effect.andThen(enter(client), output)
          const closed = repository?.git.closed
          const deleted = Effect.fail(ApiError.notFound("The repository was deleted."))
          const opening = closed === undefined ? opened : Effect.raceFirst(opened, Effect.andThen(closed, deleted))
          const stream = yield* restore(opening).pipe(
            Effect.provideService(Scope.Scope, scope),
            Effect.onError(() => close)
          )
          // The server does not run the body of a response whose client has disconnected.
          const connection = NodeHttpServerRequest.toServerResponse(request)
          if (closed !== undefined) {
            const end = Effect.sync(() => connection instanceof ServerResponse && connection.destroy())
            // A detached fiber, because closing the scope interrupts the fiber that waits.
            yield* Effect.forkIn(Effect.andThen(closed, Effect.forkDetach(Effect.andThen(close, end))), scope)
          }
          if (connection instanceof ServerResponse) {
            if (connection.destroyed) yield* close
            else connection.once("close", () => Effect.runFork(close))
          }
          const options = { contentType, headers: noCache }
          if (Stream.isStream(stream)) return HttpServerResponse.stream(Stream.ensuring(stream, close), options)
          stream.once("close", () => Effect.runFork(close))
          if (connection instanceof ServerResponse) SentChunks.free(stream, connection)
          return HttpServerResponse.raw(stream, options)
        })
      )
  })
}
