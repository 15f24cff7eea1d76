/** Runs the forge as a library: database, repositories and API in this process. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { Peers } from "../base/Peers.ts"
import { ClusterMembership } from "../cluster/ClusterMembership.ts"
import { type ClusterOptions, idleInTransaction, runnerName } from "../cluster/ClusterSettings.ts"
import { RequestForwarding } from "../http/RequestForwarding.ts"
import { RepositoryOwnership } from "../repositories/RepositoryOwnership.ts"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { AppKeys } from "../features/apps/AppKeys.ts"
import { AppEndpoints } from "../http/AppEndpoints.ts"
import { Archives } from "../features/artifacts/Archives.ts"
import { LogDownloads } from "../features/runs/LogDownloads.ts"
import { ArtifactDownloads } from "../features/artifacts/ArtifactDownloads.ts"
import { AssetDownloads } from "../features/releases/AssetDownloads.ts"
import { AssetFiles } from "../releases/AssetFiles.ts"
import { Downloads } from "../features/Downloads.ts"
import { SourceArchives } from "../features/sourceArchives/SourceArchives.ts"
import { SignedUrls } from "../api/SignedUrls.ts"
import { Uploads } from "../features/artifacts/Uploads.ts"
import { GraphQl } from "../features/graphql/GraphQl.ts"
import * as AutoMerger from "../features/pulls/AutoMerger.ts"
import { PushQueue } from "../features/smartHttp/PushQueue.ts"
import { PushReview } from "../features/smartHttp/PushReview.ts"
import { PushToCreate } from "../features/smartHttp/PushToCreate.ts"
import { ReceivePack } from "../features/smartHttp/ReceivePack.ts"
import { SmartHttp } from "../features/smartHttp/SmartHttp.ts"
import { Transfers } from "../features/smartHttp/Transfers.ts"
import { UploadPack } from "../features/smartHttp/UploadPack.ts"
import * as Adoption from "../git/Adoption.ts"
import * as CatFile from "../git/process/CatFile.ts"
import * as Demonstration from "../repositories/Demonstration.ts"
import { Git } from "../git/process/Git.ts"
import type { GitError } from "../git/values/GitError.ts"
import { GitRepositories } from "../git/GitRepositories.ts"
import { locateEnclosing } from "../git/values/RepositoryLocation.ts"
import { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import { Events } from "../events/Events.ts"
import { PushPayload } from "../events/PushPayload.ts"
import { RefChanges } from "../events/RefChanges.ts"
import { Notifications } from "../notifications/Notifications.ts"
import { SubscriptionRows } from "../notifications/SubscriptionRows.ts"
import { AuthorAssociations } from "../issues/AuthorAssociation.ts"
import { Checks } from "../checks/Checks.ts"
import * as PushedSuites from "../checks/PushedSuites.ts"
import { CrossReferences } from "../issues/CrossReferences.ts"
import { IssueConversations } from "../issues/IssueConversations.ts"
import { IssueImport } from "../issues/IssueImport.ts"
import { IssueRelations } from "../issues/IssueRelations.ts"
import { Issues } from "../issues/Issues.ts"
import { Forks } from "../repositories/Forks.ts"
import { type ServedRepository, RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { IssueSearch } from "../issues/IssueSearch.ts"
import { App } from "../http/App.ts"
import { Callers } from "../access/Caller.ts"
import { CallerRepositories } from "../access/CallerRepositories.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import { RequestRecorder } from "../features/insights/RequestRecorder.ts"
import * as RateLimitPolicy from "../access/RateLimitPolicy.ts"
import { RateLimits } from "../access/RateLimits.ts"
import { Roles } from "../access/Roles.ts"
import { hashOf } from "../access/TokenRows.ts"
import { Owner } from "./Owner.ts"
import { Enforcement } from "../rules/Enforcement.ts"
import { CodeSearch } from "../search/CodeSearch.ts"
import { Indexer } from "../search/Indexer.ts"
import { HistoryIndex } from "../search/history/HistoryIndex.ts"
import { PackageDirectory } from "../search/PackageDirectory.ts"
import * as SqliteIndex from "../search/sqlite/SqliteIndex.ts"
import { ContentSearchPool } from "../search/ContentSearchPool.ts"
import { WorkTrees } from "../search/worktree/WorkTrees.ts"
import * as Storage from "./Storage.ts"
import { MarkdownBodies } from "../issues/MarkdownBodies.ts"
import { PullRequests } from "../issues/PullRequests.ts"
import { GateReviews } from "../runs/GateReviews.ts"
import { JobLogs } from "../runs/JobLogs.ts"
import { Runs } from "../runs/Runs.ts"
import { WorkflowDefinitions } from "../runs/WorkflowDefinitions.ts"
import { CodeOwnerRequests } from "../reviews/CodeOwnerRequests.ts"
import { ReviewRequests } from "../reviews/ReviewRequests.ts"
import { Reviews } from "../reviews/Reviews.ts"
import { ThreadTracer } from "../reviews/ThreadTracer.ts"
import { Mergeability } from "../pulls/Mergeability.ts"
import * as PullRequestMoves from "../pulls/PullRequestMoves.ts"
import { CommitSigning } from "../verification/CommitSigning.ts"
import { Verifier } from "../verification/Verifier.ts"
import { Outbox } from "../webhooks/Outbox.ts"
import { SecretSealer } from "../webhooks/SecretSealer.ts"
import type { DeliveryOptions } from "../webhooks/DeliverySender.ts"
import * as DeliveryWorker from "../webhooks/DeliveryWorker.ts"

export interface Options {
  /** Path of the data folder. */
  readonly data: string
  /** The PostgreSQL database with the rows of the forge, by default SQLite in the data folder. */
  readonly database?: Storage.DatabaseOptions | undefined
  /** Makes this process one of several that are one forge, with the same `database` and `data`. */
  readonly cluster?: ClusterOptions | undefined
  /** Working directory, the base of relative paths. If `repos` is empty, the forge serves the enclosing repository. */
  readonly cwd: string
  /** Paths of repositories to serve, or of folders that contain repositories. */
  readonly repos: ReadonlyArray<string>
  readonly dialect: Dialect
  /** Rate limits: `off` (the default), `spec` for the numbers of the specification, custom numbers, or own counters. */
  readonly limits?: "off" | "spec" | RateLimitPolicy.RateLimitNumbers | RateLimits["Service"] | undefined
  /** Allows webhook deliveries to loopback and private networks. */
  readonly allowLocalWebhooks?: boolean | undefined
  /** Sends the deliveries of webhooks, by default over HTTP. */
  readonly post?: DeliveryOptions["post"]
  /** If true, the first push to a missing repository creates a private repository. Off by default. */
  readonly pushToCreate?: boolean | undefined
  /** If true, the forge signs the commits that it creates for callers, for example merges. Off by default. */
  readonly signCommits?: boolean | undefined
  /** Maximum size of an asset of a release in bytes, by default 2 GiB. */
  readonly maxAssetBytes?: number | undefined
  /** Time limit of a code search in milliseconds, by default four seconds. */
  readonly searchDeadline?: number | undefined
  /** Patterns of the branches to index besides the default branches, for example `release-*`. None by default. */
  readonly branches?: ReadonlyArray<string> | undefined
  /** URLs of zoekt servers, which replace the built-in code index. */
  readonly codeIndex?: ReadonlyArray<string> | undefined
  /** Path of a fixture file with initial data. */
  readonly fixtures?: string | undefined
  /** Login of the forge owner's account, by default the user name on this machine. */
  readonly owner?: string | undefined
  /**
   * Searches the work trees of the repositories for the owner's token. Off by default: only for a process without other
   * clients than the owner.
   */
  readonly searchesWorkTrees?: boolean | undefined
  /** If false, the forge serves only repositories in the data folder, not in `repos` or `cwd`. True by default. */
  readonly adopts?: boolean | undefined
}

/** A missing folder in `repos`. */
export class NoSuchFolder extends Schema.TaggedError<NoSuchFolder>()("NoSuchFolder", { path: Schema.String }) {
  override get message() {
    return `No folder at ${this.path}`
  }
}

export { IN_PROCESS_URL } from "../api/PublicUrl.ts"

/** The forge in this process. */
export class EmbeddedForge extends Context.Service<
  EmbeddedForge,
  {
    /** Repositories that this process serves from the folders in `repos`, or from the working directory. */
    readonly adopted: ReadonlyArray<ServedRepository>
    /** Messages for the user: folders without repositories, unserved repositories, the demonstration repository. */
    readonly notices: ReadonlyArray<string>
    /** Sends requests to the forge without a socket. */
    readonly client: HttpClient.HttpClient
  }
>()("@tongs/service/main/EmbeddedForge") {
  static readonly layer = (given: Options) => {
    const options = { ...given, data: resolve(given.cwd, given.data) }
    return Layer.effect(EmbeddedForge, make(options)).pipe(
      Layer.provideMerge(App.layer(options)),
      Layer.provideMerge(limits(options)),
      Layer.provideMerge(smartHttp(options)),
      Layer.provideMerge(Layer.mergeAll(files(options), AppEndpoints.layer, AutoMerger.layer, GraphQl.layer)),
      Layer.provideMerge(events(options)),
      Layer.provideMerge(Enforcement.layer),
      Layer.provideMerge(Layer.mergeAll(search(options), IssueSearch.layer)),
      Layer.provideMerge(workTrees(options)),
      Layer.provideMerge(
        Layer.mergeAll(
          AppKeys.layer(options.data),
          Callers.layer,
          RequestRecorder.layer,
          CallerRepositories.layer.pipe(
            Layer.provideMerge(Roles.layer),
            Layer.provideMerge(Forks.layer(options.data)),
            Layer.provideMerge(RepositoryRegistry.layer(options.data))
          ),
          Owner.layer(options.data, options.owner),
          Layer.provideMerge(Verifier.layer, CommitSigning.layer(options.data, options.signCommits))
        )
      ),
      Layer.provideMerge(cluster(options)),
      Layer.provideMerge(GitRepositories.layerIn(join(options.data, "git"))),
      Layer.provideMerge(CatFile.CatFile.layer),
      Layer.provideMerge(
        Layer.mergeAll(Storage.layer(options.data, databaseOf(options), options.cluster?.localData), Git.layer)
      )
    )
  }
}

/** Layer of events, of issues, which record them, and of the delivery worker. */
const events = ({ allowLocalWebhooks = false, cluster, data, dialect, post }: Options) =>
  Layer.unwrap(
    Effect.map(RefChanges, ({ recover }) =>
      DeliveryWorker.layer({
        dialect,
        allowLocal: allowLocalWebhooks,
        post,
        inOrder: cluster !== undefined,
        whenIdle: recover
      })
    )
  ).pipe(
    Layer.provideMerge(RefChanges.layer),
    Layer.provide(Layer.provide(PushedSuites.layer, PullRequestMoves.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        CodeOwnerRequests.layer,
        Mergeability.layer,
        PullRequests.layer,
        Layer.merge(GateReviews.layer, Runs.layer).pipe(
          Layer.provideMerge(Layer.merge(JobLogs.layer(data), WorkflowDefinitions.layer))
        )
      )
    ),
    Layer.provideMerge(
      Layer.mergeAll(
        Checks.layer,
        Issues.layer,
        IssueConversations.layer,
        IssueImport.layer,
        IssueRelations.layer,
        MarkdownBodies.layer,
        ReviewRequests.layer,
        Reviews.layer,
        ThreadTracer.layer
      )
    ),
    Layer.provideMerge(AuthorAssociations.layer),
    Layer.provide(CrossReferences.layer),
    Layer.provideMerge(Notifications.layer.pipe(Layer.provideMerge(SubscriptionRows.layer))),
    Layer.provideMerge(Events.layer),
    Layer.provideMerge(
      Layer.mergeAll(AutoMergeQueue.layer, PublicUrl.layer, Outbox.layer, PushPayload.layer, SecretSealer.layer(data))
    )
  )

/** Layer of git over HTTP. */
const smartHttp = ({ data, pushToCreate = false }: Options) => {
  const folder = join(data, "git")
  return SmartHttp.layer.pipe(
    Layer.provide(
      Layer.mergeAll(ReceivePack.layerIn(folder), PushToCreate.layerIn(folder, pushToCreate), UploadPack.layer)
    ),
    Layer.provide(Layer.mergeAll(PushQueue.layer, PushReview.layer, Transfers.layer))
  )
}

/** Layer of uploads and downloads: archives of artifacts and of source code, and assets of releases. */
const files = ({ data, maxAssetBytes }: Options) =>
  Downloads.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Uploads.layer,
        ArtifactDownloads.layer,
        AssetDownloads.layer,
        LogDownloads.layer,
        SourceArchives.layer
      )
    ),
    Layer.provideMerge(AssetFiles.layer(data, maxAssetBytes)),
    Layer.provide([Archives.layer(data), SignedUrls.layer(data)])
  )

const zoekt = (urls: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../search/zoekt/ZoektIndex.ts")),
      ({ layer }) => layer(urls)
    )
  )

const databaseOf = ({ cluster, database }: Options) =>
  cluster === undefined || database === undefined
    ? database
    : { ...database, idleInTransaction, runner: runnerName(cluster.address) }

/** The folder of what each process of a cluster has for itself. */
const localData = ({ cluster, data }: Options) => cluster?.localData ?? data

/** Layer of the code search and the index. */
const search = (options: Options) => {
  const { branches, codeIndex = [], searchDeadline } = options
  const data = localData(options)
  return Layer.merge(CodeSearch.layer({ deadline: searchDeadline }), PackageDirectory.layer).pipe(
    Layer.provideMerge(Indexer.layer(branches)),
    Layer.provideMerge(
      Layer.mergeAll(
        codeIndex.length === 0 ? SqliteIndex.layer(data) : zoekt(codeIndex),
        HistoryIndex.layer(data),
        ContentSearchPool.layer
      )
    )
  )
}

/** Layer of the searches of work trees, for the owner's token. */
const workTrees = ({ searchesWorkTrees = false }: Options) =>
  Layer.unwrap(
    Effect.map(Owner, ({ token }) =>
      WorkTrees.layer({ enabled: searchesWorkTrees, ownerTokenHash: hashOf(Redacted.value(token)) })
    )
  )

/** Layer of what a forge of several processes needs. Loads Effect Cluster only for such a forge. */
const cluster = ({ cluster, data, database }: Options) =>
  cluster === undefined || database === undefined
    ? Layer.mergeAll(
        ClusterMembership.layerNone,
        Peers.layerNone,
        RepositoryOwnership.layerAlone,
        RequestForwarding.layerNone
      )
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("../cluster/Cluster.ts")),
          ({ layer }) => layer({ cluster, data, database })
        )
      )

const limits = ({ cluster, limits = "off" }: Options) =>
  typeof limits === "object" && "admit" in limits
    ? Layer.succeed(RateLimits, limits)
    : limits === "off"
      ? RateLimits.layerOff
      : limitsOf(limits === "spec" ? RateLimitPolicy.specNumbers : limits, cluster !== undefined)

/** Counts in this process, or for a cluster in the database. */
const limitsOf = (numbers: RateLimitPolicy.RateLimitNumbers, isShared: boolean) =>
  isShared
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("../access/SharedRateLimits.ts")),
          ({ layer }) => layer(numbers)
        )
      )
    : RateLimits.layer(numbers)

type Chosen = Pick<EmbeddedForge["Service"], "adopted" | "notices">

/**
 * True if git refuses only this repository, so that the forge starts without the repository. Other git errors fail the
 * start.
 */
const isNotServed = ({ reason }: GitError) => reason._tag === "OtherOwner" || reason._tag === "Unreadable"

/** Maximum number of notices about unserved repositories. */
const MAX_NOT_SERVED = 5

const summary = (notices: ReadonlyArray<string>) =>
  notices.length <= MAX_NOT_SERVED
    ? notices
    : [...notices.slice(0, MAX_NOT_SERVED), `${notices.length - MAX_NOT_SERVED} more repositories are not served`]

const make = Effect.fnUntraced(function* (options: Options) {
  const app = yield* App
  const registry = yield* RepositoryRegistry
  const { user } = yield* Owner

  const demonstration = (reason: string, ...before: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const path = join(options.data, "demonstration", `${Demonstration.NAME}.git`)
      const served = yield* Effect.andThen(Demonstration.create(path), registry.adopt(user, path))
      return {
        adopted: [served],
        notices: [
          ...before,
          `${reason}, showing a demonstration repository. ` +
            "To see your own, start in a git repository or name one with --repos"
        ]
      }
    })

  const named = Effect.gen(function* () {
    const found = yield* Effect.forEach(options.repos, (folder) => {
      const path = resolve(options.cwd, folder)
      return existsSync(path)
        ? Effect.map(Adoption.discover(path), ({ found, isAll }) => ({ path, locations: found, isAll }))
        : Effect.fail(new NoSuchFolder({ path }))
    })
    // A repository that cannot be opened becomes a notice and does not fail the start.
    const adopted = yield* Effect.forEach(
      found.flatMap(({ locations }) => locations),
      ({ path }) =>
        registry.adopt(user, path).pipe(
          Effect.tapError(() => registry.reportUnserved(path)),
          Effect.result
        ),
      { concurrency: 4 }
    )
    const cut = found.filter(({ isAll }) => !isAll)
    for (const { path } of cut) yield* registry.reportUnserved(`other repositories in ${path}`)
    return {
      adopted: adopted.flatMap((one) => (one._tag === "Success" ? [one.success] : [])),
      notices: [
        ...found.flatMap(({ locations, path }) => (locations.length === 0 ? [`No repository at ${path}`] : [])),
        ...cut.map(
          ({ locations, path }) =>
            `Serving the first ${NumberFormat.quantity(locations.length, "repository", "repositories")} of ${path}. ` +
            "Name its subfolders with --repos to serve more"
        ),
        ...summary(adopted.flatMap((one) => (one._tag === "Failure" ? [one.failure.message] : [])))
      ]
    }
  })

  const around = locateEnclosing(options.cwd)
  const here =
    around === undefined
      ? demonstration(`${options.cwd} is not in a git repository`)
      : registry.adopt(user, around.path).pipe(
          Effect.map((served): Chosen => ({ adopted: [served], notices: [] })),
          Effect.catchIf(isNotServed, (error) =>
            demonstration(`the repository of ${options.cwd} is not served`, error.message)
          )
        )

  const nothing = Effect.succeed({ adopted: [], notices: [] })
  const chosen = yield* options.adopts === false ? nothing : options.repos.length > 0 ? named : here
  // After adoption, because fixture rows can refer to adopted repositories.
  if (options.fixtures !== undefined) {
    const { load } = yield* Effect.promise(() => import("./Fixtures.ts"))
    yield* load(resolve(options.cwd, options.fixtures))
  }
  // After adoption, because a merge needs the repository.
  yield* (yield* AutoMergeQueue).offer({ _tag: "All" })
  return EmbeddedForge.of({
    ...chosen,
    client: HttpClient.make((request) =>
      Effect.map(app.handle(HttpServerRequest.fromClientRequest(request)), (response) =>
        HttpServerResponse.toClientResponse(response, { request })
      )
    )
  })
})
