/** The other processes of a cluster. A single process has none. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

export class Peers extends Context.Service<
  Peers,
  {
    /** The addresses of the other registered processes as `HOST:PORT`, sorted. A dead process stays until its locks expire. */
    readonly list: Effect.Effect<ReadonlyArray<string>>
    /**
     * Sends a request, whose URL is a path below `/cluster/`, to a process, with the secret of the cluster. Limits no
     * time: the caller does.
     */
    send(
      peer: string,
      request: HttpClientRequest.HttpClientRequest
    ): Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>
  }
>()("@tongs/service/base/Peers") {
  static readonly layerNone = Layer.succeed(
    Peers,
    Peers.of({ list: Effect.succeed([]), send: (peer) => Effect.die(new Error(`No process ${peer}`)) })
  )
}
