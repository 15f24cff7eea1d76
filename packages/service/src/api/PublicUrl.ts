/**
 * The forge's own URL, for links in webhook payloads. Links in responses use the host of the request instead. A payload
 * must not, because the caller chooses that host and could make the receiver follow links to any host.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Urls from "./Urls.ts"

/** Base URL of the in-process client. No server listens on this URL. */
export const IN_PROCESS_URL = "http://forge.localhost"

/** Holds the forge's public URL. Starts as `IN_PROCESS_URL`; the server sets the real URL. */
export class PublicUrl extends Context.Service<
  PublicUrl,
  {
    /** Base URLs of links outside of responses, for example in webhook payloads. */
    readonly urls: Effect.Effect<Urls.Urls>
    /** Changes the public URL. Trailing slashes are removed. */
    set(url: string): Effect.Effect<void>
  }
>()("@tongs/service/api/PublicUrl") {
  static readonly layer = Layer.sync(PublicUrl, () => {
    let urls = Urls.make(IN_PROCESS_URL, false)
    return PublicUrl.of({
      urls: Effect.sync(() => urls),
      set: (url) =>
        Effect.sync(() => {
          urls = Urls.make(url.replace(/\/+$/, ""), false)
        })
    })
  })
}
