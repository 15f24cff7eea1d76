/** The connection of `tongs api --hostname HOST`: that of the profile with this host. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ConfigFile from "@tongs/connection/config/ConfigFile"
import { UsageError } from "../../base/UsageError.ts"
import * as Session from "../../session/Session.ts"

/** Provides the connection to a host: the selected one if it has the host, otherwise that of the first profile that has. */
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

/** Returns whether the API at a URL is that of a host. As for gh, api.github.com is the API of github.com. */
const isAt = (url: string, host: string) => {
  const { host: address, hostname } = new URL(url)
  return [address, hostname, hostname.replace(/^api\./, "")].includes(host.toLowerCase())
}
