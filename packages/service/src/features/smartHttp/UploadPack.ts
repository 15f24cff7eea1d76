/** Answers clones and fetches with `git upload-pack`. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import { Git } from "../../git/process/Git.ts"
import { GitError } from "../../git/values/GitError.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as Advertisement from "./Advertisement.ts"
import * as ProtocolVersion from "./ProtocolVersion.ts"
import * as RequestBody from "./RequestBody.ts"
import { type TransferError, type TransferRequest, Transfers } from "./Transfers.ts"

/** A request of a client that may read the repository. */
export interface Fetch extends TransferRequest {
  readonly repository: ServedRepository
}

export class UploadPack extends Context.Service<
  UploadPack,
  {
    /** Answers `info/refs?service=git-upload-pack`. */
    advertise(fetch: Fetch): Effect.Effect<HttpServerResponse.HttpServerResponse, TransferError>
    /** Answers `git-upload-pack`. */
    upload(fetch: Fetch): Effect.Effect<HttpServerResponse.HttpServerResponse, TransferError>
  }
>()("@tongs/service/features/smartHttp/UploadPack") {
  static readonly layer = Layer.effect(
    UploadPack,
    Effect.gen(function* () {
      const git = yield* Git
      const transfers = yield* Transfers

      const commandOf = Effect.fnUntraced(function* (
        { repository, request }: Fetch,
        args: ReadonlyArray<string>,
        input: RequestBody.RequestBody
      ) {
        const gitDir = yield* repository.git.uploadDir
        const environment = ProtocolVersion.environment(request.headers["git-protocol"])
        return {
          args: ["upload-pack", "--stateless-rpc", ...args, gitDir],
          options: { gitDir, settings, environment, deadlines, input }
        }
      })

      const advertise = Effect.fnUntraced(function* (fetch: Fetch) {
        const { args, options } = yield* commandOf(fetch, ["--http-backend-info-refs"], Stream.empty)
        return yield* git.exchange(args, options)
      })

      const runFork = Effect.runForkWith(yield* Effect.context())

      const upload = Effect.fnUntraced(function* (fetch: Fetch, body: RequestBody.RequestBody) {
        const { args, options } = yield* commandOf(fetch, [], body)
        // After the first output, git has printed the error for the client.
        const output = git.transfer(args, options, (error) => void runFork(logFailure(fetch, error)))
        return yield* Effect.catchIf(output, isFailure, (error) =>
          Effect.as(logFailure(fetch, error), Stream.make(errorPacket(error)))
        )
      })

      return UploadPack.of({
        advertise: (fetch) => Advertisement.respond(transfers, fetch, "git-upload-pack", advertise(fetch)),
        upload: Effect.fnUntraced(function* (fetch) {
          const body = yield* RequestBody.read(fetch.request, MAX_REQUEST_BYTES)
          return yield* transfers.respond(fetch, "application/x-git-upload-pack-result", upload(fetch, body))
        })
      })
    })
  )
}

/** Maximum bytes of a request: enough for half a million `want` and `have` lines. */
const MAX_REQUEST_BYTES = 32 * 1024 * 1024

/** Allows partial clones, and objects by any id, as on GitHub. Limits the memory of the delta search per thread. */
const settings = [
  "uploadpack.allowFilter=true",
  "uploadpack.allowAnySHA1InWant=true",
  "pack.windowMemory=256m",
  "pack.deltaCacheSize=128m"
]

/** Four hours: seven gigabytes at half a megabyte per second. */
const deadlines = { totalMillis: 4 * 3_600_000 }

/** True if git rejected the request, for example because of an unknown object. */
const isFailure = (error: TransferError): error is GitError =>
  error instanceof GitError &&
  (error.reason._tag === "ObjectMissing" || (error.reason._tag === "CommandFailed" && error.reason.exitCode !== null))

const logFailure = ({ repository }: Fetch, error: GitError) =>
  Effect.logWarning(`A clone or fetch of ${repository.fullName} failed: ${error.message}`)

/** A packet that the client prints as `remote error`. Omits a message that could contain a path of this machine. */
const errorPacket = ({ reason }: GitError): Uint8Array => {
  const stderr = reason._tag === "CommandFailed" ? reason.stderr : ""
  const [, detail = "git upload-pack failed. The log of the forge has the reason"] =
    /^fatal: ([^/\\\n]{1,200})$/m.exec(stderr) ?? []
  const line = `ERR ${detail}`
  return Buffer.from((Buffer.byteLength(line) + 4).toString(16).padStart(4, "0") + line)
}
