/** Credentials of the user's environment, from the same sources as the command `tongs`. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { UserDirectories } from "@tongs/connection/base/UserDirectories"
import * as ConfigFile from "@tongs/connection/config/ConfigFile"
import * as CredentialResolver from "@tongs/connection/credentials/CredentialResolver"
import * as CredentialSource from "@tongs/connection/credentials/CredentialSource"
import { CredentialStore } from "@tongs/connection/credentials/CredentialStore"
import { type Dialect, ofBaseUrl } from "@tongs/core/contract/Dialect"
import { Scheduler } from "@tongs/core/limits/Scheduler"
import * as Authentication from "../auth/Authentication.ts"
import * as OptionNames from "../OptionNames.ts"
import * as EffectBoundary from "./EffectBoundary.ts"

/** Options of `environment`. */
export interface EnvironmentOptions {
  /** Profile of the config file. Default: `TONGS_PROFILE`, or `default`. */
  readonly profile?: string | undefined
}

/**
 * Authenticates with the credential of the environment, in this order: `TONGS_TOKEN`; for GitHub also `GH_TOKEN` and
 * `GITHUB_TOKEN`; `TONGS_APP_ID` with an installation and a key file; the profile of the command's config file, if the
 * URL has the same host; the token that `tongs auth login` stored in the keychain or a file. Reads the credential once
 * per client.
 */
export const environment = (options: EnvironmentOptions = {}): Authentication.Authentication => {
  OptionNames.check("environment", options, { profile: 1 })
  const { profile = process.env["TONGS_PROFILE"] } = options
  return Authentication.defineSource("environment", async ({ baseUrl, dialect, fetch, log }) => {
    const { close, run } = EffectBoundary.open(log)
    const layer = Layer.provideMerge(services, transport(fetch))
    const found = await run(Effect.provide(credentialOf(profile, baseUrl, dialect), layer))
    if (found === undefined) return { close, credential: undefined }
    if (Redacted.isRedacted(found)) {
      const token = Redacted.value(found)
      return { close, credential: { identity: token, current: async () => token, replace: async () => undefined } }
    }
    const { current, identity, replace } = found
    return {
      close,
      credential: {
        identity: Redacted.value(identity),
        current: async () => Redacted.value(await run(current)),
        replace: async (rejected) => {
          // The credential compares tokens by reference.
          const token = await run(current)
          if (Redacted.value(token) !== rejected) return Redacted.value(token)
          const next = await run(replace(token))
          return next === undefined ? undefined : Redacted.value(next)
        }
      }
    }
  })
}

const credentialOf = Effect.fnUntraced(function* (
  profile: string | undefined,
  baseUrl: string,
  dialect: Dialect | undefined
) {
  const found = yield* ConfigFile.profile(profile)
  const profileUrl = found.url ?? (found.dialect === "github" ? "https://api.github.com" : undefined)
  const query = { url: baseUrl, dialect: dialect ?? ofBaseUrl(baseUrl), profile: found, profileUrl }
  const source = yield* CredentialResolver.resolve(query)
  if (source === undefined) yield* Effect.logWarning(`No credential for ${new URL(baseUrl).host} in the environment`)
  return yield* CredentialSource.toCredential(source, { baseUrl, dialect })
})

const services = CredentialStore.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(NodeFileSystem.layer, UserDirectories.layer, Scheduler.layerMemory))
)

const transport = (fetch: typeof globalThis.fetch) =>
  Layer.provide(FetchHttpClient.layer, [
    Layer.succeed(FetchHttpClient.Fetch, fetch),
    Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" })
  ])
