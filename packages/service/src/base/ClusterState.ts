/** What a process of a cluster tells about itself to health checks, metrics and the shutdown. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export interface ClusterMember {
  /** True while the process is a member of the cluster, from the first lock on a shard until the hand-over. */
  readonly hasJoined: () => boolean
  /** Number of shards that this process owns. */
  readonly shards: () => number
  /** Number of other processes in the cluster. */
  readonly peers: () => number
  /**
   * Hands the shards over to other processes. Runs first when the process ends, for at most 15 seconds, while the server
   * still accepts and answers requests.
   */
  readonly handOver: Effect.Effect<void>
}

/** The membership of this process. Undefined for a single process. */
export const ClusterState = Context.Reference<ClusterMember | undefined>("@tongs/service/base/ClusterState", {
  defaultValue: () => undefined
})
