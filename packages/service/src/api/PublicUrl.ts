/**
 * Where the forge itself is. The links of an answer lead back by the name by which its caller came; what others are
 * told must not depend on that name, which is the caller's to choose.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Urls from "./Urls.ts"

/** The base URL by which the in-process client names the forge. Nothing listens there. */
export const inProcessUrl = "http://forge.localhost"

export class PublicUrl extends Context.Service<
  PublicUrl,
  {
    /** Where links begin in what others are told. */
    readonly urls: Effect.Effect<Urls.Urls>
    /** From now on the forge is reached at this URL. */
    set(url: string): Effect.Effect<void>
  }
>()("@tongs/service/api/PublicUrl") {
  static readonly layer = Layer.sync(PublicUrl, () => {
    let urls = Urls.make(inProcessUrl, false)
    return PublicUrl.of({
      urls: Effect.sync(() => urls),
      set: (url) =>
        Effect.sync(() => {
          urls = Urls.make(url.replace(/\/+$/, ""), false)
        })
    })
  })
}
