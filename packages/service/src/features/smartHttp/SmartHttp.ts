/** Git over HTTP: `{owner}/{repo}.git/info/refs`, `git-upload-pack` and `git-receive-pack`, outside of the API. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type Authenticated, type Caller, Callers } from "../../access/Caller.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as RequestTarget from "../../api/RequestTarget.ts"
import { encodePath, type Urls } from "../../api/Urls.ts"
import type { GitError } from "../../git/values/GitError.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"
import * as GitCredential from "./GitCredential.ts"
import * as GitPath from "./GitPath.ts"
import * as RequestBody from "./RequestBody.ts"
import { PushToCreate } from "./PushToCreate.ts"
import { ReceivePack } from "./ReceivePack.ts"
import * as TextError from "./TextError.ts"
import { UploadPack } from "./UploadPack.ts"

/** A request of a git client. */
export interface GitRequest {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly path: string
  readonly query: URLSearchParams
  readonly urls: Urls
  readonly address: string
}

export class SmartHttp extends Context.Service<
  SmartHttp,
  {
    /** True for a path of git's protocol. */
    has(path: string): boolean
    /** Answers a request. Errors are for `TextError`, because git prints errors only as text. */
    answer(request: GitRequest): Effect.Effect<HttpServerResponse.HttpServerResponse, ApiError.ApiError | GitError>
  }
>()("@tongs/service/features/smartHttp/SmartHttp") {
  static readonly layer = Layer.effect(
    SmartHttp,
    Effect.gen(function* () {
      const callers = yield* Callers
      const registry = yield* RepositoryRegistry
      const targets = yield* RequestTarget.make
      const pushToCreate = yield* PushToCreate
      const receivePack = yield* ReceivePack
      const uploadPack = yield* UploadPack

      /** Finds a repository that the caller may read. A missing repository and a hidden one have the same error. */
      const find = ({ name, owner }: GitPath.GitPath, caller: Caller) =>
        Effect.catchTag(targets.repository(owner, name, caller), "NotFound", () =>
          Effect.fail(
            caller.kind === "anonymous" ? ApiError.unauthenticated() : ApiError.notFound("Repository not found.")
          )
        )

      /** Finds the account and the name for a repository that a push may create. */
      const findNew = Effect.fnUntraced(function* ({ name, owner }: GitPath.GitPath, caller: Authenticated) {
        const known = (yield* registry.find(owner, name)) ?? (yield* registry.findRenamed(owner, name))
        if (known !== undefined) return undefined
        const found = yield* pushToCreate.findOwner(owner, name, caller)
        return found === undefined ? undefined : { ...found, name }
      })

      const answer = Effect.fnUntraced(function* (given: GitRequest) {
        const { path, query, request, urls } = given
        const parsed = GitPath.parse(path)
        if (parsed === undefined) return yield* ApiError.notFound()
        const { file } = parsed
        if (file.startsWith("info/lfs/")) return TextError.noLfs
        const isAdvertisement = file === "info/refs"
        const service = GitPath.serviceOf(isAdvertisement ? query.get("service") : file)
        if (service === undefined) return yield* ApiError.forbidden(isAdvertisement ? NO_SERVICE : NO_DUMB_PROTOCOL)
        const method = isAdvertisement ? "GET" : "POST"
        if (request.method !== method) {
          return yield* ApiError.unreadableRequest(405, `Method ${request.method} not allowed. Use ${method}`)
        }
        const contentType = `application/x-${service}-request`
        if (!isAdvertisement && request.headers["content-type"] !== contentType) {
          return yield* ApiError.unreadableRequest(415, `Content-Type must be ${contentType}`)
        }
        const authorization = GitCredential.normalize(request.headers.authorization)
        const caller = yield* callers.identify(path, authorization)
        const writes = service === "git-receive-pack"
        if (writes && caller.kind !== "anonymous") {
          const created = yield* findNew(parsed, caller)
          if (created !== undefined) {
            const confirm = Effect.gen(function* () {
              const now = yield* callers.identify(path, authorization)
              const owned =
                now.kind === "anonymous" ? undefined : yield* pushToCreate.findOwner(parsed.owner, parsed.name, now)
              return owned === undefined ? yield* ApiError.notFound("Repository not found.") : owned.role
            })
            const push = { ...given, ...created, caller, confirm }
            return yield* isAdvertisement ? pushToCreate.advertise(push) : pushToCreate.receive(push)
          }
        }
        const target = yield* find(parsed, caller)
        const { renamed, repository, role } = target
        const refused = OperationAccess.accessError(writes ? pushes : reads, caller, target, writes)
        if (refused !== undefined) return yield* refused
        if (renamed && isAdvertisement) {
          const location = `${urls.html}/${encodePath(repository.fullName)}.git/info/refs?service=${service}`
          return HttpServerResponse.empty({ status: 301, headers: { location } })
        }
        const transfer = { ...given, caller, repository }
        if (!writes) return yield* isAdvertisement ? uploadPack.advertise(transfer) : uploadPack.upload(transfer)
        if (caller.kind === "anonymous") return yield* ApiError.unauthenticated()
        const confirm = Effect.gen(function* () {
          const now = yield* callers.identify(path, authorization)
          const target = yield* find(parsed, now)
          if (target.repository.row.id !== repository.row.id) return yield* ApiError.notFound("Repository not found.")
          const refused = OperationAccess.accessError(pushes, now, target, true)
          return refused === undefined ? target.role : yield* refused
        })
        const push = { ...transfer, caller, role, confirm }
        return yield* isAdvertisement ? receivePack.advertise(push) : receivePack.receive(push)
      })

      return SmartHttp.of({
        has: (path) => GitPath.parse(path) !== undefined,
        answer: (request) => Effect.mapError(answer(request), RequestBody.toApiError)
      })
    })
  )
}

const NO_SERVICE = "This forge serves git-upload-pack and git-receive-pack. Update your git client"
const NO_DUMB_PROTOCOL = "This forge has no dumb HTTP protocol. Update your git client"

/** The operations of the contract with the access rules of fetches and pushes. */
const reads = OperationAccess.operationOf("gitRefs", "get")
const pushes = OperationAccess.operationOf("gitRefs", "update")
