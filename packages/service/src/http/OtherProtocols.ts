/** Requests outside of the API: pages of apps, downloads at signed URLs and of releases, and transfers of git. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as AppPages from "../features/apps/AppPages.ts"
import { Downloads } from "../features/Downloads.ts"
import { AssetDownloads } from "../features/releases/AssetDownloads.ts"
import { SmartHttp } from "../features/smartHttp/SmartHttp.ts"
import type { Cors } from "./Cors.ts"
import { clientAddress, type IncomingRequest } from "./IncomingRequest.ts"

export const make = Effect.fnUntraced(function* (cors: Cors) {
  const assets = yield* AssetDownloads
  const downloads = yield* Downloads
  const smartHttp = yield* SmartHttp
  const pages = yield* AppPages.make

  return {
    /** Answers a request outside of the API. Returns `undefined` for other requests. */
    answer: (request: HttpServerRequest.HttpServerRequest, { path, query, urls }: IncomingRequest) => {
      if (pages.has(path)) return pages.answer(request, path, query)
      if (downloads.has(path)) return downloads.answer(request, path, query)
      if (assets.isWebPath(path)) return assets.redirect(request, path, urls)
      if (!smartHttp.has(path)) return undefined
      // Web pages with a token can use git as well as the API.
      if (request.method === "OPTIONS") return Effect.succeed(cors.preflight(["GET", "POST"]))
      return smartHttp.answer({ request, path, query, urls, address: clientAddress(request) })
    }
  }
})
