/** The connection of a command, from flags, environment variables and the config file. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as CredentialStore from "@tongs/connection/credentials/CredentialStore"
import * as SettingsResolver from "@tongs/connection/SettingsResolver"
import type { ConnectionSettings } from "@tongs/connection/ConnectionSettings"
import { expandHome, UserDirectories } from "@tongs/connection/base/UserDirectories"
import type { Selection } from "@tongs/connection/clone/CloneTarget"
import { Connector } from "./Connector.ts"
import { UsageError } from "../base/UsageError.ts"
import * as Flags from "./Flags.ts"

export { Connector } from "./Connector.ts"

/** Reads the connection settings of the command. */
export const settings = Effect.flatMap(Flags.settings, SettingsResolver.resolve)

/** Provides the user's directories and stored credentials. */
export const layerUser = Layer.provideMerge(CredentialStore.CredentialStore.layer, UserDirectories.layer)

const connection = (own: OwnSettings) =>
  Effect.gen(function* () {
    const connect = yield* Connector
    return connect({ ...(yield* settings), ...own })
  })

type OwnSettings = Pick<ConnectionSettings, "searchesWorkTrees" | "indexesInBackground">

/** The settings of a process that serves only its owner. */
export const own: OwnSettings = { searchesWorkTrees: true }

/**
 * Returns the connection as a layer, which opens the forge only when the layer is built. For a process that serves only
 * its owner: such a process can search uncommitted files.
 */
export const ownConnection = connection(own)

/** Like `ownConnection`, for a program that runs for a long time. */
export const ownLongConnection = connection({ ...own, indexesInBackground: true })

/** Provides the connection, the typed client and the scheduler, to a command that opens no port (`ownConnection`). */
export const ownLayer = Layer.unwrap(ownConnection)

/** Like `ownLayer`, for a command with other clients, which cannot search uncommitted files. */
export const layer = Layer.unwrap(connection({}))

/** Provides the connection to a server that runs for a long time, and cannot search uncommitted files. */
export const serverLayer = Layer.unwrap(connection({ indexesInBackground: true }))

/** Provides the connection to a server that only its owner can reach, and that shows uncommitted files. */
export const ownServerLayer = Layer.unwrap(ownLongConnection)

/**
 * Returns the connection of a server to the embedded forge, with the job that clones an account's repositories from the
 * remote forge. `--data` names the folder of the embedded forge here. Fails with `UsageError` without a remote.
 */
export const cloneLayer = (selection: Selection) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const flags = yield* Flags.settings
      const remote = yield* SettingsResolver.resolve({ ...flags, data: undefined, repos: undefined, limits: undefined })
      const { url } = remote
      if (url === undefined || flags.demo !== undefined) {
        return yield* new UsageError({
          detail: "--clone needs a remote forge.",
          hint: "Pass the URL of its API with --url, for example --url https://forge.example.com/api/v3, or a profile with a URL."
        })
      }
      const { layer } = yield* Effect.promise(() => import("@tongs/connection/clone/CloneJob"))
      const local = {
        cwd: flags.cwd,
        data: flags.data === undefined ? remote.data : yield* expandHome(flags.data),
        repos: yield* Effect.forEach(flags.repos, expandHome),
        adopts: false,
        indexBranches: remote.indexBranches,
        indexesInBackground: true
      }
      return layer(local, { ...remote, url }, selection)
    })
  )

/**
 * Provides the connection of another profile, to a command that opens no port. Ignores the flags that select a forge.
 */
export const layerOfProfile = (profile: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const connect = yield* Connector
      const flags = yield* Flags.settings
      const others = { ...flags, url: undefined, dialect: undefined, data: undefined, repos: [], demo: undefined }
      const settings = yield* SettingsResolver.resolve({ ...others, profile })
      return connect({ ...settings, ...own, indexesInBackground: true })
    })
  )
