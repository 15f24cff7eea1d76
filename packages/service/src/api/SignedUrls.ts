/**
 * URLs that need no token and are valid for one minute: a path, the expiry time, and an HMAC of both
 * with a key that never leaves the data folder.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Forbidden } from "@tongs/core/contract/Failure"
import type { GitError } from "../git/values/GitError.ts"
import * as ApiError from "./ApiError.ts"
import * as PrivateFile from "../storage/PrivateFile.ts"

/** Lifetime of a URL and tolerated clock change, in milliseconds. */
const LIFETIME = 60_000
const MAX_SKEW = 5_000

/** Serves the file of a signed path. The method is GET or HEAD, and the signature is valid. */
export type SignedDownload = (
  request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "method">,
  path: string
) => Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>

/** Signs and checks URLs. */
export class SignedUrls extends Context.Service<
  SignedUrls,
  {
    /** Adds expiry time and signature to the path. */
    sign(path: string): Effect.Effect<string>
    /** Fails with `Forbidden` if the signature is wrong or expired. */
    check(path: string, query: URLSearchParams): Effect.Effect<void, Forbidden>
  }
>()("@tongs/service/api/SignedUrls") {
  static readonly layer = (data: string) =>
    Layer.effect(
      SignedUrls,
      Effect.map(PrivateFile.key(join(data, "artifacts.key")), (key) => {
        const signature = (path: string, expires: string) =>
          createHmac("sha256", key).update(`${path}\n${expires}`).digest("hex")

        return SignedUrls.of({
          sign: (path) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              const expires = String(now + LIFETIME)
              return `${path}?expires=${expires}&signature=${signature(path, expires)}`
            }),
          check: Effect.fnUntraced(function* (path: string, query: URLSearchParams) {
            const expires = query.get("expires") ?? ""
            const given = Buffer.from(query.get("signature") ?? "")
            const right = Buffer.from(signature(path, expires))
            if (given.length !== right.length || !timingSafeEqual(given, right)) {
              return yield* ApiError.forbidden("Invalid URL signature")
            }
            const left = Number(expires) - (yield* Clock.currentTimeMillis)
            // The clock was ahead when the URL was signed, so the URL would stay valid for too long.
            if (left > LIFETIME + MAX_SKEW) {
              return yield* ApiError.forbidden("This URL was signed in the future. Request a new one")
            }
            if (left <= 0) {
              return yield* ApiError.forbidden("This URL has expired. Request a new one")
            }
          })
        })
      })
    )
}
