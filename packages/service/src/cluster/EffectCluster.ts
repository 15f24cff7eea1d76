/** The parts of Effect Cluster that a forge uses: locks of shards in PostgreSQL, and calls between the processes. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as HttpRunner from "effect/cluster/HttpRunner"
import * as MessageStorage from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Runners from "effect/cluster/Runners"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import type * as Postgres from "../storage/postgres/Postgres.ts"
import {
  type ClusterAddress,
  leaveLimit,
  lockExpiration,
  lockRefresh,
  membersInterval,
  pingInterval,
  RPC_PATH,
  SECRET_HEADER,
  SHARDS
} from "./ClusterSettings.ts"
import type { ShardLeases } from "./ShardLeases.ts"

/** The locks in PostgreSQL, with a few connections of their own, so that they are refreshed under any load. */
export const storageLayer = ({
  address: { host, port },
  database,
  leases
}: {
  readonly address: ClusterAddress
  readonly database: Postgres.Options
  readonly leases: ShardLeases
}) => {
  const config = ShardingConfig.layer({
    runnerAddress: Option.some(RunnerAddress.make(host, port)),
    shardsPerGroup: SHARDS,
    shardLockExpiration: lockExpiration,
    shardLockRefreshInterval: lockRefresh,
    // Locks are rows, which `Ownership` locks in the transaction of a change.
    shardLockDisableAdvisory: true,
    refreshAssignmentsInterval: membersInterval,
    entityMessagePollInterval: Duration.seconds(1),
    entityTerminationTimeout: leaveLimit,
    runnerHealthCheckInterval: pingInterval,
    maxResidentEntities: "unbounded",
    simulateRemoteSerialization: false
  })
  const storage = Layer.effect(
    RunnerStorage.RunnerStorage,
    Effect.map(SqlRunnerStorage.make({}), (storage) => leases.observe(storage))
  ).pipe(Layer.provide(PgClient.layer(sessionOf(database))))
  return Layer.provideMerge(storage, config)
}

/**
 * Effect Cluster, whose processes talk to each other through the internal servers. Not with `fetch`, which refuses a list
 * of ports, 4190 among them (https://fetch.spec.whatwg.org/#port-blocking).
 */
export const shardingLayer = (secret: string) => {
  const withSecret = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, HttpClient.mapRequest(HttpClientRequest.setHeader(SECRET_HEADER, secret)))
  )
  const protocol = HttpRunner.layerClientProtocolHttp({ path: RPC_PATH }).pipe(
    Layer.provide(Layer.provide(withSecret, NodeHttpClient.layerNodeHttpOptions({ keepAlive: true })))
  )
  return HttpRunner.layerClient.pipe(
    Layer.provide(RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc))),
    Layer.provideMerge(MessageStorage.layerNoop),
    Layer.provide(protocol),
    Layer.provideMerge(RpcSerialization.layerNdjson)
  )
}

/** The connections of Effect Cluster. A question that takes longer than a lock lasts is of no use. */
const sessionOf = ({ password, url }: Postgres.Options) => ({
  url,
  ...(password === undefined ? {} : { password }),
  applicationName: "tongs cluster",
  connectTimeout: Duration.seconds(3),
  keepAlive: Duration.seconds(5),
  maxConnections: 3,
  startupParameters: { statement_timeout: "5000", lock_timeout: "3000", idle_in_transaction_session_timeout: "5000" }
})
