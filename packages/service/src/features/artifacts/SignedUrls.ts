/**
 * URLs that are their own permission, for one minute (spec part 2 §4.4): a path, a moment, and the HMAC of both with a
 * key that never leaves the data folder.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Forbidden } from "@tongs/core/contract/Failure"
import * as ApiError from "../../api/ApiError.ts"
import * as PrivateFile from "../../storage/PrivateFile.ts"

/** How long a URL is good for, in milliseconds; and how far the clock may be set back meanwhile. */
const lifetime = 60_000
const maxSkew = 5_000

export class SignedUrls extends Context.Service<
  SignedUrls,
  {
    /** The path with its signature. */
    sign(path: string): Effect.Effect<string>
    /** Refuses a path that was not signed, or whose time is over. */
    check(path: string, query: URLSearchParams): Effect.Effect<void, Forbidden>
  }
>()("@tongs/service/features/artifacts/SignedUrls") {
  static readonly layer = (data: string) =>
    Layer.effect(
      SignedUrls,
      Effect.map(PrivateFile.key(join(data, "artifacts.key")), (key) => {
        const signature = (path: string, expires: string) =>
          createHmac("sha256", key).update(`${path}\n${expires}`).digest("hex")

        return SignedUrls.of({
          sign: (path) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              const expires = String(now + lifetime)
              return `${path}?expires=${expires}&signature=${signature(path, expires)}`
            }),
          check: Effect.fnUntraced(function* (path: string, query: URLSearchParams) {
            const expires = query.get("expires") ?? ""
            const given = Buffer.from(query.get("signature") ?? "")
            const right = Buffer.from(signature(path, expires))
            if (given.length !== right.length || !timingSafeEqual(given, right)) {
              return yield* ApiError.forbidden("The signature of this URL is wrong")
            }
            const left = Number(expires) - (yield* Clock.currentTimeMillis)
            // Signed while the clock was ahead: it would be good for as long as that was wrong.
            if (left > lifetime + maxSkew) {
              return yield* ApiError.forbidden(
                "This URL was signed in the future, by a clock that was set back; ask for another"
              )
            }
            if (left <= 0) {
              return yield* ApiError.forbidden("This URL was good for one minute, which is over; ask for another")
            }
          })
        })
      })
    )
}
