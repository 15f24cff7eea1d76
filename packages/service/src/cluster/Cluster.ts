/**
 * Makes this process one of several that are one forge. Effect Cluster decides which process owns which repository, by
 * locks of shards in PostgreSQL; this module gives it the repositories as entities, and the answers of the internal
 * server. `layer` provides the ports before the forge starts, `join` takes part once the forge can answer.
 */
import { randomUUID } from "node:crypto"
import { join as joinPath } from "node:path"
import { text } from "node:stream/consumers"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Entity from "effect/cluster/Entity"
import * as EntityId from "effect/cluster/EntityId"
import * as HttpRunner from "effect/cluster/HttpRunner"
import * as MessageStorage from "effect/cluster/MessageStorage"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as ShardId from "effect/cluster/ShardId"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as SqlClient from "effect/sql/SqlClient"
import * as NetAddress from "effect/net/NetAddress"
import * as Rpc from "effect/rpc/Rpc"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import { ClusterState } from "../base/ClusterState.ts"
import { Peers } from "../base/Peers.ts"
import { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import { RefChanges } from "../events/RefChanges.ts"
import { App } from "../http/App.ts"
import { RequestForwarding } from "../http/RequestForwarding.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import * as PeerSearch from "../search/peers/PeerSearch.ts"
import * as PrivateFile from "../storage/PrivateFile.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import * as WriteLock from "../storage/postgres/WriteLock.ts"
import type * as Postgres from "../storage/postgres/Postgres.ts"
import {
  addressOf,
  CALL_PATH,
  CLIENT_HEADER,
  type ClusterAddress,
  type ClusterOptions,
  ID_HEADER,
  idleLimit,
  interval,
  lockExpiration,
  lockRefresh,
  membersInterval,
  OWNER_PATH,
  PING_PATH,
  pingInterval,
  REVISION_HEADER,
  RPC_PATH,
  runnerName,
  SEARCH_PATH,
  SECRET_HEADER,
  SHARDS
} from "./ClusterSettings.ts"
import { CannotJoin, ClusterMembership } from "./ClusterMembership.ts"
import * as CallResult from "./CallResult.ts"
import * as Forwarder from "./Forwarder.ts"
import { InternalClient } from "./InternalClient.ts"
import * as InternalServer from "./InternalServer.ts"
import { OwnedRepositories } from "./OwnedRepositories.ts"
import * as Ownership from "./Ownership.ts"
import { ShardLeases } from "./ShardLeases.ts"

/** A repository, whose owner tells its name in the cluster. The start of the entity takes the repository over. */
const Repository = Entity.make("Repository", [Rpc.make("Owner", { success: Schema.String })])

/** Maximum time of one question for an owner, which includes taking the repository over. */
const questionLimit = Duration.seconds(12)

/** Maximum time of the question to one other process. */
const peerLimit = Duration.seconds(5)

/** Maximum time to hand all shards over to other processes. */
const leaveLimit = Duration.seconds(15)

export interface Options {
  /** The data folder, which all processes share. */
  readonly data: string
  readonly cluster: ClusterOptions
  readonly database: Postgres.Options
}

/** What a process knows once it takes part. */
interface Membership {
  readonly findOwner: (repositoryId: number) => Effect.Effect<string, Forwarder.OwnerUnknown>
  readonly shardOf: (repositoryId: number) => string
}

/** Layer of the ports of a forge of several processes. */
export const layer = (options: Options) => Layer.effectContext(make(options))

const make = Effect.fnUntraced(function* ({ cluster: { address }, data, database }: Options) {
  const runner = runnerName(address)
  const key = yield* PrivateFile.key(joinPath(data, "cluster.key"))
  const secret = key.toString("hex")
  const leases = new ShardLeases()
  const owned = new OwnedRepositories((repositoryId) => ownership.owns(repositoryId))
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new InternalClient(secret)),
    (client) => Effect.sync(() => client.close())
  )
  let membership: Membership | undefined
  /** Hands all repositories over to other processes. Requests that still arrive are forwarded to them. */
  let leave = Effect.void
  let isLeaving = false
  /** The names of the processes that refresh their place in the cluster, with this one. */
  let members: ReadonlySet<string> = new Set()
  const others = () => [...members].filter((one) => one !== runner).toSorted()

  const findOwner = (repositoryId: number) =>
    membership === undefined || isLeaving ? askPeer(repositoryId) : membership.findOwner(repositoryId)

  /** Asks another process for the owner, before this process takes part and after it has left. */
  const askPeer = (repositoryId: number) =>
    Effect.gen(function* () {
      for (const peer of others()) {
        const asked = client.send(peer, { method: "GET", path: `${OWNER_PATH}${repositoryId}`, headers: {} })
        const answer = Effect.flatMap(asked, (message) =>
          Effect.map(
            Effect.tryPromise(() => text(message)),
            (owner) => (message.statusCode === 200 ? owner : undefined)
          )
        )
        const owner = yield* Effect.orElseSucceed(Effect.timeout(answer, peerLimit), () => undefined)
        if (owner !== undefined) return owner
      }
      return yield* new Forwarder.OwnerUnknown({ repositoryId })
    }).pipe(
      Effect.timeout(questionLimit),
      Effect.mapError(() => new Forwarder.OwnerUnknown({ repositoryId }))
    )

  const sql = yield* SqlClient.SqlClient
  /** The processes with a row, also those that do not refresh it. */
  const runners = sql<{ readonly address: string; readonly isMember: number }>`
    SELECT address, healthy AND last_heartbeat > CAST(now() AS timestamp) - CAST(${interval(lockExpiration)} AS interval)
      AS "isMember"
    FROM cluster_runners`

  const ownership = yield* Ownership.make({
    runner,
    leases,
    shardOf: (repositoryId) => membership?.shardOf(repositoryId)
  })

  const unreachable = (error: { readonly message: string }) =>
    new CannotJoin({ runner, detail: `The database does not answer: ${error.message}` })

  /**
   * Waits until the locks of an earlier process with this name have expired, and fails if the name is of a running
   * process, or if another process has another data folder. Until then, this process forwards its requests.
   */
  const admission = Effect.fnUntraced(function* (storage: RunnerStorage.RunnerStorage["Service"]) {
    const registered = Effect.map(Effect.mapError(storage.getRunners, unreachable), (runners) =>
      runners.map(([{ address }]) => runnerName(address))
    )
    members = new Set(yield* registered)
    for (const peer of others()) {
      const answer = yield* Effect.option(client.send(peer, { method: "GET", path: PING_PATH, headers: {} }))
      if (Option.isSome(answer) && answer.value.statusCode === 401) {
        return yield* new CannotJoin({
          runner,
          detail:
            `The process ${peer} has another key in its data folder. ` +
            "All processes need the same data folder, on a shared file system: check --data"
        })
      }
    }
    const isFree = Effect.map(registered, (names) => !names.includes(runner))
    const waited = yield* isFree.pipe(
      Effect.repeat({ until: (free) => free, schedule: Schedule.spaced(membersInterval) }),
      Effect.timeoutOption(Duration.sum(lockExpiration, Duration.seconds(5)))
    )
    if (Option.isNone(waited)) {
      return yield* new CannotJoin({
        runner,
        detail: "A running process has the same address. Give each process another one with --cluster HOST:PORT"
      })
    }
  })

  const join = Effect.fnUntraced(function* () {
    const app = yield* App
    const changes = yield* RefChanges
    const autoMerges = yield* AutoMergeQueue
    const answerSearch = yield* PeerSearch.make
    const rpc = Deferred.makeUnsafe<Effect.Success<typeof HttpRunner.toHttpEffect>>()
    yield* InternalServer.serve({
      address,
      secret,
      owned,
      answer: (request) => app.answerForwarded(asReceived(request), idOf(request), request.headers[REVISION_HEADER]),
      paths: {
        [RPC_PATH]: Effect.flatten(Deferred.await(rpc)),
        [SEARCH_PATH]: Effect.flatMap(HttpServerRequest.HttpServerRequest, answerSearch),
        [OWNER_PATH]: answerOwner(findOwner),
        [PING_PATH]: Effect.succeed(HttpServerResponse.empty()),
        [CALL_PATH]: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Effect.map(app.answerCall(asReceived(request), idOf(request)), (result) =>
            HttpServerResponse.text(CallResult.encode(result))
          )
        )
      }
    })

    const scope = yield* Effect.scope
    const membershipScope = yield* Scope.make()
    const stored = yield* Effect.mapError(
      Layer.buildWithScope(storageLayer({ address, database, leases }), membershipScope),
      unreachable
    )
    yield* admission(Context.get(stored, RunnerStorage.RunnerStorage))
    const context = yield* Layer.buildWithScope(
      Layer.provide(shardingLayer(secret), Layer.succeedContext(stored)),
      membershipScope
    )
    yield* Deferred.succeed(
      rpc,
      yield* HttpRunner.toHttpEffect.pipe(Effect.provideContext(context), Effect.provideService(Scope.Scope, scope))
    )
    const sharding = Context.get(context, Sharding.Sharding)
    const askOwner = yield* Effect.provideContext(Repository.client, context)

    const watch = Effect.gen(function* () {
      let version = leases.version
      let lost: ReadonlySet<string> = new Set()
      while (true) {
        const rows = yield* Effect.option(runners)
        if (Option.isSome(rows)) {
          members = new Set(rows.value.flatMap(({ address, isMember }) => (isMember === 1 ? [address] : [])))
          // The row of a process that has left is gone.
          const gone = rows.value.flatMap(({ address, isMember }) => (isMember === 1 ? [] : [address]))
          // After a pause of the database all rows are old, also that of this process.
          if (members.has(runner)) {
            for (const one of gone) {
              client.lose(one)
              if (!lost.has(one)) yield* Effect.ignore(WriteLock.endSessions(sql, one))
            }
            lost = new Set(gone)
          }
        }
        // The automatic merges of the repositories that this process owns now.
        if (leases.version !== version) yield* autoMerges.offer({ _tag: "All" })
        version = leases.version
        yield* Effect.sleep(membersInterval)
      }
    })
    yield* Effect.forkScoped(watch)

    membership = {
      shardOf: (repositoryId) => ShardId.toString(sharding.getShardId(EntityId.make(String(repositoryId)), GROUP)),
      findOwner: (repositoryId) =>
        askOwner(String(repositoryId))
          .Owner()
          .pipe(
            Effect.timeout(questionLimit),
            Effect.catchCause(() => Effect.fail(new Forwarder.OwnerUnknown({ repositoryId })))
          )
    }
    const entity = Effect.gen(function* () {
      const { entityId } = yield* Entity.CurrentAddress
      const repositoryId = Number(entityId)
      yield* changes.takeOver(repositoryId)
      yield* Effect.acquireRelease(
        Effect.sync(() => owned.add(repositoryId)),
        () => owned.giveUp(repositoryId)
      )
      return Repository.of({ Owner: () => Effect.succeed(runner) })
    })
    yield* Layer.buildWithScope(
      Repository.toLayer(entity, { concurrency: "unbounded", maxIdleTime: idleLimit }),
      membershipScope
    ).pipe(Effect.provideContext(context))

    leave = yield* Effect.cached(
      Effect.gen(function* () {
        isLeaving = true
        yield* Effect.timeoutOption(Scope.close(membershipScope, Exit.void), leaveLimit)
      })
    )
    yield* Effect.addFinalizer(() => leave)
  })

  return Context.make(RepositoryOwnership, ownership).pipe(
    Context.add(
      RequestForwarding,
      Forwarder.make({ client, findOwner, owned, revision: yield* StoreRevision, runner })
    ),
    Context.add(
      Peers,
      Peers.of({
        list: Effect.sync(others),
        send: (peer, request) =>
          Effect.provide(
            HttpClient.execute(withSecret(HttpClientRequest.prependUrl(request, urlOf(peer)), secret)),
            FetchHttpClient.layer
          )
      })
    ),
    Context.add(ClusterMembership, ClusterMembership.of({ join: join() })),
    Context.add(ClusterState, {
      hasJoined: () => membership !== undefined && !isLeaving && leases.size > 0,
      shards: () => leases.size,
      peers: () => others().length,
      handOver: Effect.suspend(() => leave)
    })
  )
})

/** The request as the process received it that a client reached. */
const asReceived = (request: HttpServerRequest.HttpServerRequest) =>
  request.modify({ remoteAddress: Option.fromUndefinedOr(request.headers[CLIENT_HEADER]) })

const idOf = ({ headers }: HttpServerRequest.HttpServerRequest) => headers[ID_HEADER] ?? randomUUID()

/** The group of all shards. */
const GROUP = "default"

const urlOf = (runner: string) => {
  const { host, port } = addressOf(runner)
  return `http://${NetAddress.formatUrlHostString(host)}:${port}`
}

const withSecret = (request: HttpClientRequest.HttpClientRequest, secret: string) =>
  HttpClientRequest.setHeader(request, SECRET_HEADER, secret)

/** Answers the question of another process for the owner of a repository. */
const answerOwner = (findOwner: Membership["findOwner"]) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    findOwner(Number(url.slice(OWNER_PATH.length))).pipe(
      Effect.map((owner) => HttpServerResponse.text(owner)),
      Effect.catch(() => Effect.succeed(HttpServerResponse.empty({ status: 503 })))
    )
  )

/** The locks in PostgreSQL, with a few connections of their own, so that they are refreshed under any load. */
const storageLayer = ({
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

/** Effect Cluster, whose processes talk to each other through the internal servers. */
const shardingLayer = (secret: string) => {
  const withKey = Layer.effect(
    HttpClient.HttpClient,
    Effect.map(
      HttpClient.HttpClient,
      HttpClient.mapRequest((request) => withSecret(request, secret))
    )
  )
  const protocol = HttpRunner.layerClientProtocolHttp({ path: RPC_PATH }).pipe(
    Layer.provide(Layer.provide(withKey, FetchHttpClient.layer))
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
