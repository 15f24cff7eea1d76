/** The other processes of a cluster. A single process has none. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"

/** The process could not be reached, or has ended or stopped before its response was complete. */
export class PeerLost extends Schema.TaggedError<PeerLost>()("PeerLost", {
  peer: Schema.String,
  detail: Schema.String,
  /** False if the process certainly has not received the request. */
  mayHaveRun: Schema.Boolean
}) {
  override get message() {
    return `The process ${this.peer} of the cluster does not answer: ${this.detail}`
  }
}

/** The response of a process. The end of the stream ends the request. */
export interface PeerResponse {
  readonly status: number
  readonly body: Stream.Stream<Uint8Array, PeerLost>
}

export class Peers extends Context.Service<
  Peers,
  {
    /** The addresses of the other registered processes as `HOST:PORT`, sorted. A dead process stays until its locks expire. */
    readonly list: Effect.Effect<ReadonlyArray<string>>
    /**
     * Posts JSON to a path below `/cluster/` of a process, with the secret of the cluster. Does not limit the time of
     * the response: the caller does.
     */
    post(peer: string, path: string, json: string): Effect.Effect<PeerResponse, PeerLost>
  }
>()("@tongs/service/base/Peers") {
  static readonly layerNone = Layer.succeed(
    Peers,
    Peers.of({ list: Effect.succeed([]), post: (peer) => Effect.die(new Error(`No process ${peer}`)) })
  )
}
