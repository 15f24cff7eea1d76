/** The place of this process in its cluster. A single process has none. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import type { RefChanges } from "../events/RefChanges.ts"
import type { App } from "../http/App.ts"

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

/** The shards that a process holds, the repositories that it has taken over, and the processes of the cluster. */
export interface ClusterCounts {
  readonly shards: number
  readonly repositories: number
  readonly processes: number
}

export class ClusterMembership extends Context.Service<
  ClusterMembership,
  {
    /** Undefined for a single process. */
    readonly counts: () => ClusterCounts | undefined
    /**
     * Takes part in the cluster until the scope ends. `leave` hands all repositories over to other processes; requests
     * that still arrive are forwarded to them.
     */
    readonly join: Effect.Effect<
      { readonly leave: Effect.Effect<void> },
      CannotJoin,
      Scope.Scope | App | AutoMergeQueue | RefChanges
    >
  }
>()("@tongs/service/cluster/ClusterMembership") {
  static readonly layerNone = Layer.succeed(
    ClusterMembership,
    ClusterMembership.of({ counts: () => undefined, join: Effect.succeed({ leave: Effect.void }) })
  )
}
