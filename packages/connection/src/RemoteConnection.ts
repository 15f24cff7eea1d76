/** The connection to a remote forge. */
import * as Path from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"
import * as BlameFallback from "./blame/BlameFallback.ts"
import * as ResponseCacheFile from "./cache/ResponseCacheFile.ts"
import { Connection } from "./Connection.ts"
import type { ConnectionError } from "./base/ConnectionError.ts"
import * as ForgeUrl from "./base/ForgeUrl.ts"
import { CredentialStore } from "./credentials/CredentialStore.ts"
import * as CredentialSource from "./credentials/CredentialSource.ts"
import * as LimitsScheduler from "./limits/LimitsScheduler.ts"
import * as GitRemote from "./GitRemote.ts"
import { LateRequests } from "./base/LateRequests.ts"
import type { ConnectionSettings } from "./ConnectionSettings.ts"
import * as HttpTransport from "./base/HttpTransport.ts"
import { UserDirectories } from "./base/UserDirectories.ts"

/** The settings of a connection to a remote forge. */
export interface RemoteSettings extends ConnectionSettings {
  readonly url: string
}

/**
 * Creates the typed client of a remote forge, with the credential. Sends no requests, except to get an access token.
 */
export const client = Effect.fnUntraced(function* (settings: RemoteSettings) {
  yield* ForgeUrl.validate(settings.url)
  const { dialect, url: baseUrl } = settings
  const credential = yield* CredentialSource.toCredential(settings.credential, { baseUrl, dialect })
  const { cache } = yield* UserDirectories
  const answers = yield* ResponseCacheFile.make(Path.join(cache, "answers.sqlite"))
  const forge = yield* Forge.make({
    baseUrl,
    token: credential,
    dialect,
    version: settings.apiVersion,
    userAgent: "tongs",
    // The user interfaces show waits by the status of the scheduler.
    onWait: constVoid,
    responseStore: answers
  })
  return { forge, credential }
})

/** Provides the scheduler, and the services of the client of a remote forge. */
export const services = (settings: RemoteSettings) =>
  CredentialStore.layer.pipe(
    Layer.provideMerge(LimitsScheduler.layer(settings.limitsStore ?? "sqlite")),
    Layer.provideMerge(Layer.mergeAll(HttpTransport.layer, NodeFileSystem.layer, UserDirectories.layer))
  )

/** Connects to a remote forge. Sends no requests, except to get an access token. */
export const layer = (settings: RemoteSettings): Layer.Layer<Connection | Forge | Scheduler, ConnectionError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      yield* ForgeUrl.validate(settings.url)
      const { cwd, url: baseUrl } = settings
      const origin = yield* Effect.forkChild(GitRemote.findRepository(cwd, baseUrl))
      const forge = yield* BlameFallback.make((yield* client(settings)).forge)
      const connection = Connection.of({
        kind: "remote",
        label: new URL(baseUrl).host,
        baseUrl,
        ...(yield* Fiber.join(origin)),
        lateReason: (yield* LateRequests).reason,
        notices: [],
        changes: Stream.empty
      })
      return Context.make(Forge, forge).pipe(Context.add(Connection, connection))
    })
  ).pipe(Layer.provideMerge(services(settings)))
