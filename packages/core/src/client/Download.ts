/**
 * Downloads files as streams of bytes. The forge responds with a short-lived URL that grants access without a
 * credential, so the client sends none. After a broken connection, requests a new URL and resumes if the `ETag`
 * confirms that the file is the same (RFC 9110 §13.1.5).
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { pipe } from "effect/Function"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { type Failure, Unreachable, UnexpectedResponse } from "../contract/Failure.ts"
import * as AttemptTimeout from "./steps/AttemptTimeout.ts"
import { CallContext } from "./CallContext.ts"
import type { DownloadOptions, DownloadPart } from "./DownloadOptions.ts"
import * as ErrorResponse from "./responses/ErrorResponse.ts"
import * as Redirect from "./steps/Redirect.ts"
import type * as RequestSender from "./RequestSender.ts"
import * as ResponseBody from "./responses/ResponseBody.ts"
import * as Retry from "./steps/Retry.ts"
import type { Telemetry } from "./Telemetry.ts"
import * as Trace from "./Trace.ts"

export interface DownloaderOptions {
  readonly sender: RequestSender.RequestSender
  readonly telemetry: Telemetry | undefined
  readonly transport: HttpClient.HttpClient
  readonly userAgent: string
  /** Time limit in milliseconds of the response that contains the URL, and of each chunk of the file. */
  readonly timeout: number | undefined
  /** Time in milliseconds with less than `MIN_PROGRESS` bytes received after which a download fails. */
  readonly totalTimeout: number | undefined
}

/** Consecutive attempts with less than `MIN_PROGRESS` bytes received after which a download fails. */
const MAX_STALLED_ATTEMPTS = 5

/** Bytes that an attempt must receive to count as progress. */
const MIN_PROGRESS = 64 * 1024

/** Maximum number of restarts because the file has changed or may have changed. */
const MAX_RESTARTS = 3

/** Delays before retries: 0.25 s, 0.5 s, 1 s, …, each with up to a fifth of jitter. */
const backoff = Schedule.exponential(Duration.millis(250)).pipe(Schedule.jittered)

/** Error statuses of the file's host that a new URL or a retry may avoid, for example because the URL expired. */
const transientStatuses = new Set([401, 403, 404, 408, 410, 425, 429])

export const make = ({
  sender,
  telemetry,
  timeout = AttemptTimeout.DEFAULT_TIMEOUT,
  totalTimeout = Retry.DEFAULT_TOTAL_TIMEOUT,
  transport,
  userAgent
}: DownloaderOptions) => {
  /** Requests to the file's host need only redirects and tracing; the other pipeline steps are for the API. */
  const fileClient = pipe(transport, Trace.traceRequest, Redirect.make, Trace.make(telemetry))

  /**
   * Opens the file that a response redirects to, at byte `from`, or at the beginning if the host does not support
   * ranges or has another version of the file.
   */
  const open = Effect.fnUntraced(function* (
    target: RequestSender.RequestTarget,
    redirect: HttpClientResponse.HttpClientResponse,
    options: DownloadOptions,
    { from, version }: { readonly from: number; readonly version: string | undefined }
  ) {
    if (redirect.status !== 302) return filePart(redirect, 0)
    const address = Redirect.locationOf(redirect)
    if (address === undefined)
      return yield* new UnexpectedResponse({
        request: target.name,
        detail: "the response has no URL of a file",
        status: redirect.status
      })
    const request = HttpClientRequest.get(address.href, {
      headers: {
        "user-agent": userAgent,
        ...(from > 0 ? { range: `bytes=${from}-` } : {}),
        ...(from > 0 && version !== undefined ? { "if-range": version } : {})
      }
    })
    const response = yield* fileClient.execute(request).pipe(
      Effect.mapError((error) => ErrorResponse.transportFailure(target.name, error)),
      Effect.provideService(CallContext, {
        endpoint: "GET (file)",
        resource: "none",
        priority: options.priority ?? "normal"
      }),
      Effect.timeoutOrElse({
        duration: options.timeout ?? timeout,
        orElse: () => Effect.fail(stalledError(target.name, options.timeout ?? timeout))
      })
    )
    const { status } = response
    if (status === 200) return filePart(response, 0)
    const [, start, end] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(response.headers["content-range"] ?? "") ?? []
    if (status === 206 && Number(start) === from) return filePart(response, from)
    yield* ResponseBody.discard(response)
    // The caller already has the whole file, or more bytes than the file contains.
    if (status === 416 && end !== undefined) {
      return { start: from, etag: strongEtag(response.headers), total: Number(end), bytes: Stream.empty }
    }
    const detail = `the file's host answered ${status}`
    return yield* status >= 500 || transientStatuses.has(status)
      ? new Unreachable({ request: target.name, detail })
      : new UnexpectedResponse({ request: target.name, detail, status })
  })

  return (
    target: RequestSender.RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    options: DownloadOptions = {}
  ): Stream.Stream<Uint8Array, Failure> =>
    Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (began) => {
        const { isVerified = false, offset = 0, onPart, onProgress } = options
        let received = offset
        let settled = offset
        let settledAt = began
        let stalledAttempts = 0
        let restarts = 0
        let hasUrl = false
        let version = options.etag
        let size: number | undefined
        const idle = options.timeout ?? timeout

        /** Returns whether a response is known to contain another version of the file. */
        const isOtherVersion = ({ etag, start, total }: FilePart) => {
          if (total !== undefined && (total < received || total !== (size ?? total))) return true
          if (isVerified || version === undefined) return false
          return etag === undefined ? start === 0 : etag !== version
        }

        const begin = Effect.fnUntraced(function* (from: number, opened: FilePart) {
          if (received > 0 && (from === 0 || isOtherVersion(opened))) {
            restarts += 1
            if (onPart === undefined) return yield* changedFile(target.name, "the file changed during the download")
            if (restarts > MAX_RESTARTS) {
              return yield* changedFile(
                target.name,
                "the file keeps changing, or its host does not identify its versions"
              )
            }
            received = settled = 0
            version = size = undefined
            if (opened.start > 0) {
              // Closes the response.
              yield* Effect.ignore(Stream.runHead(opened.bytes))
              return yield* new Unreachable({ request: target.name, detail: "the file has changed" })
            }
          }
          version = opened.etag
          size = opened.total ?? size
          onPart?.({ start: received, etag: version })
          return opened
        })

        const opened = Effect.flatMap(sender.sendForStream(target, request, options), (redirect) => {
          hasUrl = true
          // A download that can restart from the beginning never joins bytes of two versions of the file.
          const from = isVerified || version !== undefined || onPart === undefined ? received : 0
          return Effect.flatMap(
            open(target, redirect, options, { from, version: isVerified ? undefined : version }),
            (opened) => begin(from, opened)
          )
        })

        const once = Stream.unwrap(
          Effect.map(opened, ({ bytes, start, total }) => {
            let position = start
            return bytes.pipe(
              Stream.mapError((error) => ErrorResponse.transportFailure(target.name, error)),
              Stream.timeoutOrElse({ duration: idle, orElse: () => Stream.fail(stalledError(target.name, idle)) }),
              Stream.concat(
                Stream.suspend(() =>
                  total === undefined || position === total
                    ? Stream.empty
                    : Stream.fail(
                        new Unreachable({
                          request: target.name,
                          detail: `the file ended at ${position} of ${total} bytes`
                        })
                      )
                )
              ),
              // Skips the bytes that the caller already has, if the host sends the whole file again.
              Stream.map((piece) => {
                const fresh = piece.subarray(Math.max(0, received - position))
                position += piece.length
                received = Math.max(received, position)
                return fresh
              }),
              Stream.filter((piece) => piece.length > 0),
              Stream.tap((piece) => {
                onProgress?.({ received, total })
                return Trace.recordBytes(piece.length)
              })
            )
          })
        )

        return Stream.retry(once, ($) =>
          $(backoff).pipe(
            Schedule.while(({ input, now }) => {
              const isStalled = received - settled < MIN_PROGRESS
              if (!isStalled) settledAt = now
              stalledAttempts = isStalled ? stalledAttempts + 1 : 0
              settled = received
              const isTransient = input._tag === "Unreachable" || input._tag === "ServiceFailed"
              // The pipeline has already retried the request for the first URL, so there is no further retry here.
              return hasUrl && isTransient && stalledAttempts < MAX_STALLED_ATTEMPTS && now - settledAt < totalTimeout
            })
          )
        )
      })
    )
}

/** The part of the file that a response contains, with the bytes. */
interface FilePart extends DownloadPart {
  /** Size of the whole file in bytes. */
  readonly total: number | undefined
  readonly bytes: Stream.Stream<Uint8Array, HttpClientError>
}

/**
 * Returns the body of a response with the position in the file. Ignores the length of a compressed body, which differs
 * from the length of the file.
 */
const filePart = ({ headers, stream }: HttpClientResponse.HttpClientResponse, start: number): FilePart => {
  const length = headers["content-encoding"] === undefined ? headers["content-length"] : undefined
  return {
    start,
    etag: strongEtag(headers),
    total: length === undefined ? undefined : start + Number(length),
    bytes: stream
  }
}

/** Returns the `ETag` if strong: a weak `ETag` identifies equivalent content, not exact bytes. */
const strongEtag = ({ etag }: HttpClientResponse.HttpClientResponse["headers"]) =>
  etag?.startsWith('"') === true ? etag : undefined

const changedFile = (request: string, detail: string) => new UnexpectedResponse({ request, detail, status: 200 })

const stalledError = (request: string, milliseconds: number) =>
  new Unreachable({
    request,
    detail: `no data within ${Duration.format(Duration.millis(milliseconds))}`
  })
