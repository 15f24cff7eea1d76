/** Cloning as a service of a program: the remote forge's client, the data folder's lock, and the runs. */
import { createHash } from "node:crypto"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { OrganizationRows } from "@tongs/service/accounts/OrganizationRows"
import type { UserRows } from "@tongs/service/accounts/UserRows"
import type { Git } from "@tongs/service/git/process/Git"
import type { Owner } from "@tongs/service/main/Owner"
import type { CloneRows } from "@tongs/service/repositories/CloneRows"
import type { RepositoryRegistry } from "@tongs/service/repositories/RepositoryRegistry"
import type { RepositoryRows } from "@tongs/service/repositories/RepositoryRows"
import type { Failure } from "@tongs/core/contract/Failure"
import { ConnectionError } from "../base/ConnectionError.ts"
import * as FileLock from "../base/FileLock.ts"
import { UserDirectories } from "../base/UserDirectories.ts"
import type { ConnectionSettings } from "../ConnectionSettings.ts"
import * as EmbeddedConnection from "../EmbeddedConnection.ts"
import * as RemoteConnection from "../RemoteConnection.ts"
import type { Selection } from "./CloneTarget.ts"
import * as OwnerClone from "./OwnerClone.ts"

/** Clones an account's repositories into the embedded forge of this process. */
export class CloneJob extends Context.Service<
  CloneJob,
  {
    /** Host of the remote forge. */
    readonly host: string
    /** Runs once. Fails with `InUse` while another process clones the same account into the same data folder. */
    readonly run: (
      onProgress: (progress: OwnerClone.CloneProgress) => void
    ) => Effect.Effect<OwnerClone.CloneReport, ConnectionError | Failure>
  }
>()("@tongs/connection/clone/CloneJob") {}

const make = Effect.fnUntraced(function* (
  data: string | undefined,
  settings: RemoteConnection.RemoteSettings,
  selection: Selection
) {
  const directories = yield* UserDirectories
  const services = yield* Effect.context<
    CloneRows | Git | OrganizationRows | Owner | RepositoryRegistry | RepositoryRows | UserRows
  >()
  // A separate scheduler, because the requests count in the budget of the remote forge.
  const remote = yield* Layer.build(Layer.fresh(RemoteConnection.services(settings)))
  const { credential, forge } = yield* Effect.provideContext(RemoteConnection.client(settings), remote)
  const { url: baseUrl } = settings
  const digest = createHash("sha256").update(`${baseUrl}\n${selection.owner.toLowerCase()}`).digest("hex").slice(0, 16)
  const path = join(data ?? directories.data, `clone-${digest}.lock`)
  return CloneJob.of({
    host: new URL(baseUrl).host,
    run: (onProgress) =>
      Effect.scoped(
        Effect.gen(function* () {
          const lock = yield* FileLock.tryAcquire(path)
          if (lock === "busy") {
            return yield* new ConnectionError({
              reason: "InUse",
              detail: `Another process is cloning ${selection.owner} into this data folder`,
              hint: "Its clones appear here, too"
            })
          }
          yield* Effect.addFinalizer(() => Effect.sync(() => lock?.close()))
          return yield* OwnerClone.run({ forge, baseUrl, credential }, selection, onProgress)
        })
      ).pipe(Effect.provideContext(services))
  })
})

/**
 * Provides the connection to the embedded forge of the data folder, and the job that clones repositories of `remote`
 * into the data folder. Sends no requests, except to get an access token.
 */
export const layer = (local: ConnectionSettings, remote: RemoteConnection.RemoteSettings, selection: Selection) =>
  Layer.mergeAll(
    EmbeddedConnection.clientLayer(local),
    Layer.effect(CloneJob, make(local.data, remote, selection))
  ).pipe(
    Layer.provide(EmbeddedConnection.forgeLayer(local)),
    Layer.provideMerge(EmbeddedConnection.schedulerLayer(local)),
    Layer.provide(UserDirectories.layer)
  )
