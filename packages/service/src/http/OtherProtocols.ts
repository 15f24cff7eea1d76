/** Requests outside of the API: pages of apps, downloads at signed URLs and of releases, and transfers of git. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ApiError } from "../api/ApiError.ts"
import * as AppPages from "../features/apps/AppPages.ts"
import { Downloads } from "../features/Downloads.ts"
import { AssetDownloads } from "../features/releases/AssetDownloads.ts"
import * as GitPath from "../features/smartHttp/GitPath.ts"
import { SmartHttp } from "../features/smartHttp/SmartHttp.ts"
import type { GitError } from "../git/values/GitError.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { Cors } from "./Cors.ts"
import { clientAddress, type IncomingRequest } from "./IncomingRequest.ts"
import { RequestForwarding } from "./RequestForwarding.ts"

export const make = Effect.fnUntraced(function* (cors: Cors) {
  const assets = yield* AssetDownloads
  const downloads = yield* Downloads
  const smartHttp = yield* SmartHttp
  const pages = yield* AppPages.make
  const forwarding = yield* RequestForwarding
  const registry = yield* RepositoryRegistry

  /** Lets the owner of the repository answer a request of git. */
  const answerGit = (
    request: IncomingRequest,
    local: () => Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError | GitError>
  ) => {
    if (forwarding.isAlone || request.isForwarded === true) return local()
    return Effect.gen(function* () {
      const { name = "", owner = "" } = GitPath.parse(request.path) ?? {}
      const repository = (yield* registry.find(owner, name)) ?? (yield* registry.findRenamed(owner, name))
      if (repository === undefined) return yield* local()
      return yield* forwarding.answer(request, repository.row.id, local, (response) => response)
    })
  }

  return {
    /** Answers a request outside of the API. Returns `undefined` for other requests. */
    answer: (request: HttpServerRequest.HttpServerRequest, incoming: IncomingRequest) => {
      const { path, query, urls } = incoming
      if (pages.has(path)) return pages.answer(request, path, query)
      if (downloads.has(path)) return downloads.answer(request, path, query)
      if (assets.isWebPath(path)) return assets.redirect(request, path, urls)
      if (!smartHttp.has(path)) return undefined
      // Web pages with a token can use git as well as the API.
      if (request.method === "OPTIONS") return Effect.succeed(cors.preflight(["GET", "POST"]))
      return answerGit(incoming, () =>
        smartHttp.answer({ request, path, query, urls, address: clientAddress(request) })
      )
    }
  }
})
