/** Provides an isolated home directory for a test, with config file, environment variables and keychain. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { CredentialStore } from "./credentials/CredentialStore.ts"
import { Keychain } from "./credentials/Keychain.ts"
import { UserDirectories } from "./base/UserDirectories.ts"

export const URL_VALUE = "https://forge.example/api/v3"

export interface TestHome {
  readonly env?: Record<string, string>
  /** Text of the config file. */
  readonly file?: string
  /** Texts in the keychain by entry name. If undefined, there is no keychain. */
  readonly keychain?: Map<string, string>
}

const credentials = (keychain: TestHome["keychain"]) =>
  Layer.provide(CredentialStore.layerWithoutKeychain, Keychain.layerMemory(keychain))

/** Runs an effect with an isolated home directory. */
export const withHome = <A, E>(
  given: TestHome,
  self: Effect.Effect<A, E, CredentialStore | FileSystem.FileSystem | Scope.Scope | UserDirectories>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const home = yield* fs.makeTempDirectoryScoped()
    if (given.file !== undefined) {
      yield* fs.makeDirectory(`${home}/.config/tongs`, { recursive: true })
      yield* fs.writeFileString(`${home}/.config/tongs/config.json`, given.file)
    }
    const directories = {
      config: `${home}/.config/tongs`,
      data: `${home}/data`,
      cache: `${home}/cache`,
      state: `${home}/state`
    }
    return yield* self.pipe(
      Effect.provide(Layer.provideMerge(credentials(given.keychain), Layer.succeed(UserDirectories, directories))),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnv({ env: { HOME: home, ...given.env } })
      )
    )
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
