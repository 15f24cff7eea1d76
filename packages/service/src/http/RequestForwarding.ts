/**
 * Lets the owner of a repository answer. A single process owns all repositories and answers itself; in a cluster,
 * `cluster/` sends the request to the process that owns the repository.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ApiError } from "../api/ApiError.ts"
import type { IncomingRequest } from "./IncomingRequest.ts"

export class RequestForwarding extends Context.Service<
  RequestForwarding,
  {
    /** True if this process owns all repositories. */
    readonly isAlone: boolean
    /**
     * Runs `local` if this process owns the repository, otherwise sends the request to the owner, whose response
     * `forwarded` converts. Fails with 503 if no process owns the repository within some seconds.
     */
    answer<A, E>(
      request: IncomingRequest,
      repositoryId: number,
      local: () => Effect.Effect<A, E>,
      forwarded: (response: HttpServerResponse.HttpServerResponse) => A
    ): Effect.Effect<A, E | ApiError>
    /**
     * Runs `local` if this process owns the repository. Otherwise the owner runs the operation `method` `path` with
     * `body`, for the caller of `request`, and gives its success value or its error.
     */
    call<E>(
      request: IncomingRequest,
      repositoryId: number,
      operation: { readonly method: string; readonly path: string; readonly body: unknown },
      local: () => Effect.Effect<unknown, E>
    ): Effect.Effect<unknown, E | ApiError>
  }
>()("@tongs/service/http/RequestForwarding") {
  static readonly layerNone = Layer.succeed(
    RequestForwarding,
    RequestForwarding.of({
      isAlone: true,
      answer: (_request, _repositoryId, local) => local(),
      call: (_request, _repositoryId, _operation, local) => local()
    })
  )
}
