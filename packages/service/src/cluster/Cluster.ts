/**
 * Makes this process one of several that are one forge. Effect Cluster decides which process owns which repository, by
 * locks of shards in PostgreSQL; this module gives it the repositories as entities, and the answers of the internal
 * server. `layer` provides the ports before the forge starts, `join` takes part once the forge can answer.
 */
import { randomUUID } from "node:crypto"
import { join as joinPath } from "node:path"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
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
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as ShardId from "effect/cluster/ShardId"
import * as Sharding from "effect/cluster/Sharding"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as SqlClient from "effect/sql/SqlClient"
import * as Rpc from "effect/rpc/Rpc"
import { ClusterState } from "../base/ClusterState.ts"
import { Peers } from "../base/Peers.ts"
import { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import { RefChanges } from "../events/RefChanges.ts"
import { App } from "../http/App.ts"
import * as Compression from "../http/Compression.ts"
import { RequestForwarding } from "../http/RequestForwarding.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import * as PeerSearch from "../search/peers/PeerSearch.ts"
import * as PrivateFile from "../storage/PrivateFile.ts"
import { StoreRevision } from "../storage/StoreRevision.ts"
import type * as Postgres from "../storage/postgres/Postgres.ts"
import {
  CALL_PATH,
  CLIENT_HEADER,
  type ClusterOptions,
  ID_HEADER,
  idleLimit,
  leaveLimit,
  membersInterval,
  OWNER_PATH,
  PING_PATH,
  questionLimit,
  REVISION_HEADER,
  RPC_PATH,
  runnerName,
  SEARCH_PATH
} from "./ClusterSettings.ts"
import { CannotJoin, ClusterMembership } from "./ClusterMembership.ts"
import * as CallResult from "./CallResult.ts"
import * as EffectCluster from "./EffectCluster.ts"
import * as Forwarder from "./Forwarder.ts"
import { InternalClient } from "./InternalClient.ts"
import * as InternalServer from "./InternalServer.ts"
import { ClusterMembers } from "./ClusterMembers.ts"
import { OwnedRepositories } from "./OwnedRepositories.ts"
import * as Ownership from "./Ownership.ts"
import { ShardLeases } from "./ShardLeases.ts"

/** A repository, whose owner tells its name in the cluster. The start of the entity takes the repository over. */
const Repository = Entity.make("Repository", [Rpc.make("Owner", { success: Schema.String })])

export interface Options {
  /** The data folder, which all processes share. */
  readonly data: string
  readonly cluster: ClusterOptions
  readonly database: Postgres.Options
}

/** The part of this process in the cluster, once it has joined. */
interface Membership {
  readonly shardOf: (repositoryId: number) => string
  /** Lets the owner of a repository take it over. Returns the name of the owner. */
  readonly findOwner: (repositoryId: number) => Effect.Effect<string, Forwarder.OwnerUnknown>
  /** Hands all repositories over to other processes. Requests that still arrive are forwarded to them. */
  readonly leave: Effect.Effect<void>
  isLeaving: boolean
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
  const members = new ClusterMembers({ runner, client, sql: yield* SqlClient.SqlClient })
  let membership: Membership | undefined

  const ownership = yield* Ownership.make({
    runner,
    leases,
    shardOf: (repositoryId) => membership?.shardOf(repositoryId)
  })

  const findOwner = (repositoryId: number) =>
    membership === undefined || membership.isLeaving
      ? members.findOwner(repositoryId)
      : membership.findOwner(repositoryId)

  const join = Effect.fnUntraced(function* () {
    const app = yield* App
    const autoMerges = yield* AutoMergeQueue
    const answerSearch = yield* PeerSearch.make
    const compression = Compression.make()
    const calls = Deferred.makeUnsafe<Effect.Success<typeof HttpRunner.toHttpEffect>>()
    // A process that has not joined yet is asked as well, and waits.
    yield* InternalServer.serve({
      address,
      secret,
      owned,
      answer: (request) =>
        Effect.flatMap(
          app.answerForwarded(asReceived(request), idOf(request), request.headers[REVISION_HEADER]),
          (response) => compression.response(request, response)
        ),
      paths: {
        [RPC_PATH]: Effect.flatten(Deferred.await(calls)),
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

    const scope = yield* Scope.make()
    const storage = yield* Effect.mapError(
      Layer.buildWithScope(EffectCluster.storageLayer({ address, database, leases }), scope),
      ({ message }) => new CannotJoin({ runner, detail: `The database does not answer: ${message}` })
    )
    yield* members.admit(Context.get(storage, RunnerStorage.RunnerStorage))
    const context = yield* Layer.buildWithScope(
      Layer.provide(EffectCluster.shardingLayer(secret), Layer.succeedContext(storage)),
      scope
    )
    yield* Deferred.succeed(calls, yield* Effect.provideContext(HttpRunner.toHttpEffect, context))

    let version = leases.version
    const watch = Effect.gen(function* () {
      yield* members.refresh
      // The automatic merges of the repositories that this process owns now.
      if (leases.version !== version) yield* autoMerges.offer({ _tag: "All" })
      version = leases.version
    })
    yield* Effect.forkScoped(Effect.repeat(watch, Schedule.spaced(membersInterval)))

    membership = yield* Effect.provideContext(takePart(scope), context)
    yield* Effect.addFinalizer(() => membership?.leave ?? Effect.void)
  })

  /** Offers to own repositories until the scope closes. */
  const takePart = Effect.fnUntraced(function* (scope: Scope.Closeable) {
    const sharding = yield* Sharding.Sharding
    const askOwner = yield* Repository.client
    const changes = yield* RefChanges
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
    yield* Layer.buildWithScope(Repository.toLayer(entity, { concurrency: "unbounded", maxIdleTime: idleLimit }), scope)
    const close = yield* Effect.cached(Effect.timeoutOption(Scope.close(scope, Exit.void), leaveLimit))
    const joined: Membership = {
      shardOf: (repositoryId) => ShardId.toString(sharding.getShardId(EntityId.make(String(repositoryId)), GROUP)),
      findOwner: (repositoryId) =>
        askOwner(String(repositoryId))
          .Owner()
          .pipe(
            Effect.timeout(questionLimit),
            Effect.catchCause(() => Effect.fail(new Forwarder.OwnerUnknown({ repositoryId })))
          ),
      leave: Effect.suspend(() => {
        joined.isLeaving = true
        return Effect.asVoid(close)
      }),
      isLeaving: false
    }
    return joined
  })

  return Context.make(RepositoryOwnership, ownership).pipe(
    Context.add(
      RequestForwarding,
      Forwarder.make({ client, findOwner, owned, revision: yield* StoreRevision, runner })
    ),
    Context.add(
      Peers,
      Peers.of({
        list: Effect.sync(() => members.others()),
        post: (peer, path, json) => client.post(peer, path, json)
      })
    ),
    Context.add(ClusterMembership, ClusterMembership.of({ join: join() })),
    Context.add(ClusterState, {
      hasJoined: () => membership !== undefined && !membership.isLeaving && leases.size > 0,
      shards: () => leases.size,
      peers: () => members.others().length,
      handOver: Effect.suspend(() => membership?.leave ?? Effect.void)
    })
  )
})

/** The request as the process received it that a client reached. */
const asReceived = (request: HttpServerRequest.HttpServerRequest) =>
  request.modify({ remoteAddress: Option.fromUndefinedOr(request.headers[CLIENT_HEADER]) })

const idOf = ({ headers }: HttpServerRequest.HttpServerRequest) => headers[ID_HEADER] ?? randomUUID()

/** The group of all shards. */
const GROUP = "default"

/** Answers the question of another process for the owner of a repository. */
const answerOwner = (findOwner: Membership["findOwner"]) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
    findOwner(Number(url.slice(OWNER_PATH.length))).pipe(
      Effect.map((owner) => HttpServerResponse.text(owner)),
      Effect.catch(() => Effect.succeed(HttpServerResponse.empty({ status: 503 })))
    )
  )
