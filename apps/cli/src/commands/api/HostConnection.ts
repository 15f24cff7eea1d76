/** The connection of `tongs api --hostname HOST`, from the profile with this host. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ConfigFile from "@tongs/connection/config/ConfigFile"
import { UsageError } from "../../base/UsageError.ts"
import * as Session from "../../session/Session.ts"

/**
 * Provides the connection to a host: the selected connection if the host is the same, otherwise the connection of the
 * first profile with the host.
 */
export const layer = (host: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { url } = yield* Session.settings
      if (url !== undefined && isAt(url, host)) return Session.ownLayer
      const { profiles = {} } = yield* ConfigFile.read
      const found = Object.entries(profiles).find(([, profile]) => {
        const url = profile.url ?? (profile.dialect === "github" ? "https://api.github.com" : undefined)
        return url !== undefined && URL.canParse(url) && isAt(url, host)
      })
      if (found !== undefined) return Session.layerOfProfile(found[0])
      return yield* new UsageError({
        detail: `No profile has a URL on ${JSON.stringify(host)}.`,
        hint: `Add one to ${yield* ConfigFile.path}, or pass the API with --url instead of --hostname.`
      })
    })
  )

/** Returns whether an API URL belongs to a host. As for gh, api.github.com is the API of github.com. */
const isAt = (url: string, host: string) => {
  const { host: address, hostname } = new URL(url)
  return [address, hostname, hostname.replace(/^api\./, "")].includes(host.toLowerCase())
}
