/** The connection to the embedded forge, which runs in this process without a port. */
import { isAbsolute, relative, sep } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as HttpClient from "effect/http/HttpClient"
import { EmbeddedForge, IN_PROCESS_URL, type NoSuchFolder, type Options } from "@tongs/service/main/EmbeddedForge"
import { Owner } from "@tongs/service/main/Owner"
import type { FixtureError } from "@tongs/service/api/FixtureSection"
import type { GitError } from "@tongs/service/git/values/GitError"
import type { ServedRepository } from "@tongs/service/repositories/RepositoryRegistry"
import * as IndexInBackground from "@tongs/service/search/IndexInBackground"
import { StoreRevision } from "@tongs/service/storage/StoreRevision"
import type { StorageFailed } from "@tongs/service/storage/StorageFailed"
import { type Change, Connection } from "./Connection.ts"
import { badSettings, ConnectionError } from "./base/ConnectionError.ts"
import * as DemoForge from "./DemoForge.ts"
import * as LimitsScheduler from "./limits/LimitsScheduler.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import * as RepositoryWatcher from "./RepositoryWatcher.ts"
import { UserDirectories } from "./base/UserDirectories.ts"

const options = Effect.fnUntraced(function* (settings: ConnectionSettings) {
  const directories = yield* UserDirectories
  const demo = settings.demo === undefined ? undefined : yield* DemoForge.options(settings.demo, directories.cache)
  const repos = settings.repos ?? []
  // The access tokens of a fixture file must not give access to the repository of the working directory.
  const adopts = repos.length > 0 || (settings.fixtures === undefined && settings.adopts !== false)
  return {
    complete: demo?.complete ?? Effect.void,
    owner: demo?.owner,
    adopts: demo?.adopts ?? adopts,
    data: demo?.data ?? settings.data ?? directories.data,
    database: settings.database,
    cluster: settings.cluster,
    cwd: settings.cwd,
    repos,
    dialect: settings.dialect ?? "service",
    // The demonstration also shows the budget of a token.
    limits: settings.limits ?? (demo === undefined ? undefined : "spec"),
    allowLocalWebhooks: settings.allowLocalWebhooks,
    pushToCreate: settings.pushToCreate,
    signCommits: settings.signCommits,
    branches: settings.indexBranches,
    codeIndex: settings.codeIndex,
    searchesWorkTrees: settings.searchesWorkTrees,
    searchDeadline: settings.searchDeadline,
    fixtures: settings.fixtures ?? demo?.fixtures
  } satisfies Options & { readonly complete: Effect.Effect<void, ConnectionError> }
})

/** Provides the embedded forge, for commands that serve the forge over HTTP or need more than the API. */
export const forgeLayer = (settings: ConnectionSettings) =>
  Layer.effectContext(
    Effect.flatMap(options(settings), (options) =>
      Layer.build(EmbeddedForge.layer(options)).pipe(
        Effect.mapError(explain),
        Effect.tap(() => options.complete)
      )
    )
  ).pipe(Layer.provide(UserDirectories.layer))

/** Delay before indexing in the background, so that the start stays fast. */
const INDEX_DELAY = "1 second"

/** Connects to the embedded forge. Fails with `NoSuchFolder` if the folders in `repos` contain no repository. */
export const layer = (settings: ConnectionSettings): Layer.Layer<Connection | Forge | Scheduler, ConnectionError> =>
  clientLayer(settings).pipe(Layer.provide(forgeLayer(settings)), Layer.provideMerge(schedulerLayer(settings)))

/** Provides the scheduler of the embedded forge's client. */
export const schedulerLayer = (settings: ConnectionSettings) => LimitsScheduler.layer(settings.limitsStore ?? "memory")

/** Connects to an embedded forge, for programs that need more than the API. */
export const clientLayer = (settings: ConnectionSettings) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { adopted, client, notices } = yield* EmbeddedForge
      // Only a server may start without repositories, because clients can create repositories.
      if (adopted.length === 0 && (settings.repos ?? []).length > 0) {
        const detail = notices.join("; ")
        return yield* new ConnectionError({ reason: "NoSuchFolder", detail, hint: PASS_A_REPOSITORY })
      }
      const { token } = yield* Owner
      if (settings.indexesInBackground === true) {
        yield* Effect.forkScoped(Effect.delay(IndexInBackground.start, INDEX_DELAY))
      }
      const forge = yield* Forge.make({
        baseUrl: IN_PROCESS_URL,
        token,
        dialect: settings.dialect,
        extensions: true,
        version: settings.apiVersion,
        userAgent: "tongs",
        // The user interfaces show waits by the status of the scheduler.
        onWait: constVoid
      }).pipe(Effect.provideService(HttpClient.HttpClient, client))
      const connection = Connection.of({
        kind: "embedded",
        label: "embedded forge",
        baseUrl: IN_PROCESS_URL,
        repository: settings.demo === undefined ? currentRepository(adopted, settings.cwd) : DemoForge.demoRepository,
        isOutsideRepository: settings.demo === undefined && !adopted.some(contains(settings.cwd)),
        repositoryProblem: "the working directory is outside the embedded forge's repositories",
        searchesWorkTrees: settings.searchesWorkTrees === true,
        workTrees: new Map(
          adopted.filter(({ git }) => git.path !== git.gitDir).map(({ fullName, git }) => [fullName, git.path])
        ),
        notices: settings.demo === undefined ? notices : [DemoForge.NOTICE, ...notices],
        changes: changes(adopted, settings.cwd, yield* StoreRevision)
      })
      return Context.make(Forge, forge).pipe(Context.add(Connection, connection))
    })
  )

/** Returns the served repository that contains the working directory, or the only served repository. */
const currentRepository = (adopted: ReadonlyArray<ServedRepository>, cwd: string) => {
  const only = adopted.length === 1 ? adopted[0] : undefined
  const found = adopted.find(contains(cwd)) ?? only
  return found === undefined ? undefined : nameOf(found)
}

/** True for a repository that contains the working directory. */
const contains =
  (cwd: string) =>
  ({ git }: ServedRepository) => {
    const [first] = relative(git.path, cwd).split(sep)
    return first !== ".." && !isAbsolute(first ?? "")
  }

const nameOf = ({ row }: ServedRepository) => ({ owner: row.owner.login, repo: row.name })

/** Interval of the checks for changes of the database. A check takes microseconds. */
const DATABASE_INTERVAL = "2 seconds"

/** Emits changes of the adopted repositories, and of the database by this or another process. */
const changes = (
  adopted: ReadonlyArray<ServedRepository>,
  cwd: string,
  revision: StoreRevision["Service"]
): Stream.Stream<Change> => {
  const isHere = contains(cwd)
  const repositories = [...adopted.filter(isHere), ...adopted.filter((served) => !isHere(served))]
  const database = Stream.tick(DATABASE_INTERVAL).pipe(
    Stream.map(() => revision.current()),
    Stream.changes,
    Stream.drop(1),
    Stream.map((): Change => ({}))
  )
  return Stream.merge(
    RepositoryWatcher.changes(repositories.map((served) => [served.git.path, { repository: nameOf(served) }])),
    database
  )
}

const PASS_A_REPOSITORY = "Pass a git repository, or a folder that contains some"

const explain = (error: FixtureError | GitError | NoSuchFolder | StorageFailed): ConnectionError => {
  switch (error._tag) {
    case "NoSuchFolder":
      return new ConnectionError({ reason: "NoSuchFolder", detail: error.message, hint: PASS_A_REPOSITORY })
    case "FixtureError":
      return badSettings(error.message, "Correct the fixture file, or pass another one. Nothing was loaded")
    case "StorageFailed":
      return new ConnectionError({
        reason: "StorageFailed",
        detail: error.message,
        hint: error.hint ?? "Check the folder's permissions and the free disk space, or name another folder with --data"
      })
    case "GitError":
      return error.reason._tag === "GitMissing"
        ? new ConnectionError({ reason: "GitMissing", detail: error.message, hint: "Install git 2.37 or newer" })
        : badSettings(error.message, "Name another repository with --repos")
  }
}
