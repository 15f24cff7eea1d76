/** The place of this process in its cluster. A single process has none. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import type { RefChanges } from "../events/RefChanges.ts"
import type { App } from "../http/App.ts"
import type * as PeerSearch from "../search/peers/PeerSearch.ts"

/** The process cannot take part in the cluster. */
export class CannotJoin extends Schema.TaggedError<CannotJoin>()("CannotJoin", {
  /** Name of the process in the cluster. */
  runner: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `Cannot join the cluster as ${this.runner}: ${this.detail}`
  }
}

export class ClusterMembership extends Context.Service<
  ClusterMembership,
  {
    /** Takes part in the cluster until the scope ends or `ClusterState` hands over. A single process does nothing. */
    readonly join: Effect.Effect<
      void,
      CannotJoin,
      Scope.Scope | App | AutoMergeQueue | RefChanges | Effect.Services<typeof PeerSearch.make>
    >
  }
>()("@tongs/service/cluster/ClusterMembership") {
  static readonly layerNone = Layer.succeed(ClusterMembership, ClusterMembership.of({ join: Effect.void }))
}
