/** Bodies of git requests. */
import { createGunzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as ApiError from "../../api/ApiError.ts"
import { GitError, gitError } from "../../git/values/GitError.ts"

/** A decompressed body. Fails with `TooLarge` above the limit, and with `InvalidObject` for an unreadable body. */
export type RequestBody = Stream.Stream<Uint8Array, GitError>

/** Returns the body of a request, decompressed if gzip-encoded. The limit `maxBytes` applies before and after. */
export const read = (
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: number
): Effect.Effect<RequestBody, ApiError.ApiError | GitError> => {
  const { "content-encoding": encoding = "identity", "content-length": length } = request.headers
  const declared = Number(length ?? 0)
  if (declared > maxBytes) return Effect.fail(tooLarge(maxBytes, declared))
  const raw = Stream.mapError(request.stream, () => unreadable("cannot be read to its end"))
  switch (encoding.trim().toLowerCase()) {
    case "identity":
      return Effect.succeed(bounded(raw, maxBytes))
    case "gzip":
    case "x-gzip":
      return Effect.succeed(
        bounded(raw, maxBytes).pipe(
          NodeStream.pipeThroughDuplex({
            evaluate: () => createGunzip(),
            onError: () => unreadable("is not valid gzip")
          }),
          (inflated) => bounded(inflated, maxBytes)
        )
      )
    default:
      return Effect.fail(
        ApiError.unreadableRequest(415, `Content-Encoding ${JSON.stringify(encoding.slice(0, 40))} is not supported`)
      )
  }
}

const bounded = (body: RequestBody, maxBytes: number): RequestBody =>
  Stream.suspend(() => {
    let size = 0
    return Stream.mapEffect(body, (chunk) => {
      size += chunk.length
      return size > maxBytes ? Effect.fail(tooLarge(maxBytes, size)) : Effect.succeed(chunk)
    })
  })

const unreadable = (detail: string) => gitError({ _tag: "InvalidObject", detail: `The request body ${detail}` })

const tooLarge = (maxBytes: number, size: number) =>
  gitError({ _tag: "TooLarge", subject: "The request body", size, limit: maxBytes })

/** Returns the API error for a too large or unreadable body. Returns other errors unchanged. */
export const toApiError = <E>(error: E | GitError): E | GitError | ApiError.ApiError => {
  if (!(error instanceof GitError)) return error
  if (error.reason._tag === "TooLarge") return ApiError.unreadableRequest(413, error.message)
  return error.reason._tag === "InvalidObject" ? ApiError.unreadableRequest(400, error.message) : error
}
