/**
 * Files, as streams of bytes. The forge answers with the address of a file, which is its own permission and soon over: no
 * credential goes there (spec part 2 §4.4). A connection that breaks is made again, at a new address, for the rest: for that
 * of the same file, as far as its host tells one version from another (RFC 9110 §13.1.5).
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
import * as AttemptTimeout from "./AttemptTimeout.ts"
import { CallContext } from "./CallContext.ts"
import type { RawOptions } from "./CallOptions.ts"
import * as ErrorResponse from "./ErrorResponse.ts"
import type * as Redactor from "./Redactor.ts"
import * as Redirect from "./Redirect.ts"
import type * as RequestSender from "./RequestSender.ts"
import * as ResponseBody from "./ResponseBody.ts"
import * as Retry from "./Retry.ts"
import * as Trace from "./Trace.ts"

export interface DownloadOptions extends Omit<RawOptions, "staleFor"> {
  /** How many bytes of the file one has already: the stream is what comes after them. */
  readonly offset?: number
  /** The strong `ETag` of the file that they are of, as `onPart` told it. */
  readonly etag?: string | undefined
  /**
   * Hears of every answer where its bytes belong. At 0 once more, nothing that came before is of the same file, or nobody
   * can tell whether it is. Without a listener, a file that is another in the middle ends the download.
   */
  readonly onPart?: (part: DownloadPart) => void
  /** Whether one verifies the whole in the end: then the rest is taken from every host that has one. */
  readonly isVerified?: boolean
  /** Hears how far it is, after every piece. */
  readonly onProgress?: (progress: DownloadProgress) => void
}

export interface DownloadPart {
  /** Where in the file the bytes belong that come next. */
  readonly start: number
  /** Of which version of the file they are, where its host tells: a strong `ETag`. */
  readonly etag: string | undefined
}

export interface DownloadProgress {
  /** In bytes, with the `offset`. */
  readonly received: number
  /** In bytes; missing where the forge does not tell. */
  readonly total: number | undefined
}

export interface DownloaderOptions {
  readonly sender: RequestSender.RequestSender
  readonly redactor: Redactor.Redactor
  readonly transport: HttpClient.HttpClient
  readonly userAgent: string
  /** Milliseconds that an address, and each piece of the file, may take. */
  readonly timeout: number | undefined
  /** Milliseconds for which tries may bring less than a step, before a download ends. */
  readonly totalTimeout: number | undefined
}

/** Tries in a row that may bring less than a step (bytes) before a download ends. */
const MAX_STALLED_ATTEMPTS = 5
const MIN_PROGRESS = 64 * 1024

/** How often a download begins anew, because what came was not, or may not have been, of the same file. */
const MAX_RESTARTS = 3

/** 0.25 s, 0.5 s, 1 s, …, each by up to a fifth longer or shorter. */
const backoff = Schedule.exponential(Duration.millis(250)).pipe(Schedule.jittered)

/** Answers of a file's host that another address, or another time, may change: the old address may be over. */
const transientStatuses = new Set([401, 403, 404, 408, 410, 425, 429])

export const make = ({
  redactor,
  sender,
  timeout = AttemptTimeout.DEFAULT_TIMEOUT,
  totalTimeout = Retry.DEFAULT_TOTAL_TIMEOUT,
  transport,
  userAgent
}: DownloaderOptions) => {
  /** What leads to the file is followed further, and told like every request; the rest of the pipeline is for the API. */
  const files = pipe(transport, Trace.traceRequest, Redirect.make, Trace.make(redactor.text))

  /** The file that an answer leads to, from `from` on; or the whole of it, where its host gives no parts, or has another. */
  const open = Effect.fnUntraced(function* (
    to: RequestSender.RequestTarget,
    lead: HttpClientResponse.HttpClientResponse,
    options: DownloadOptions,
    { from, version }: { readonly from: number; readonly version: string | undefined }
  ) {
    if (lead.status !== 302) return filePart(lead, 0)
    const address = Redirect.locationOf(lead)
    if (address === undefined)
      return yield* new UnexpectedResponse({ request: to.name, detail: "it leads to no file", status: lead.status })
    const asked = HttpClientRequest.get(address.href, {
      headers: {
        "user-agent": userAgent,
        ...(from > 0 ? { range: `bytes=${from}-` } : {}),
        ...(from > 0 && version !== undefined ? { "if-range": version } : {})
      }
    })
    const response = yield* files.execute(asked).pipe(
      Effect.mapError((error) => ErrorResponse.transportFailure(to.name, error)),
      Effect.provideService(CallContext, {
        endpoint: "GET (file)",
        resource: "none",
        priority: options.priority ?? "normal"
      }),
      Effect.timeoutOrElse({
        duration: options.timeout ?? timeout,
        orElse: () => Effect.fail(stalledError(to.name, options.timeout ?? timeout))
      })
    )
    const { status } = response
    if (status === 200) return filePart(response, 0)
    const [, start, end] = /^bytes (?:(\d+)-\d+|\*)\/(\d+)$/.exec(response.headers["content-range"] ?? "") ?? []
    if (status === 206 && Number(start) === from) return filePart(response, from)
    yield* ResponseBody.discard(response)
    // All of it is here already, or more than there is.
    if (status === 416 && end !== undefined) {
      return { start: from, etag: strongEtag(response.headers), total: Number(end), bytes: Stream.empty }
    }
    const detail = `the file's host answered ${status}`
    return yield* status >= 500 || transientStatuses.has(status)
      ? new Unreachable({ request: to.name, detail })
      : new UnexpectedResponse({ request: to.name, detail, status })
  })

  return (
    to: RequestSender.RequestTarget,
    request: HttpClientRequest.HttpClientRequest,
    options: DownloadOptions = {}
  ): Stream.Stream<Uint8Array, Failure> =>
    Stream.unwrap(
      Effect.map(Clock.currentTimeMillis, (began) => {
        const { isVerified = false, offset = 0, onPart, onProgress } = options
        let received = offset
        let settled = offset
        let settledAt = began
        let barren = 0
        let restarts = 0
        let isLed = false
        let version = options.etag
        let size: number | undefined
        const idle = options.timeout ?? timeout

        /** Whether an answer is known to be of another file than what is here. */
        const isOther = ({ etag, start, total }: FilePart) => {
          if (total !== undefined && (total < received || total !== (size ?? total))) return true
          if (isVerified || version === undefined) return false
          return etag === undefined ? start === 0 : etag !== version
        }

        const begin = Effect.fnUntraced(function* (from: number, opened: FilePart) {
          if (received > 0 && (from === 0 || isOther(opened))) {
            restarts += 1
            if (onPart === undefined) return yield* changedFile(to.name, "it is another file than at the beginning")
            if (restarts > MAX_RESTARTS) {
              return yield* changedFile(to.name, "each time it is another file, or its host does not tell")
            }
            received = settled = 0
            version = size = undefined
            if (opened.start > 0) {
              // Closes what is not wanted.
              yield* Effect.ignore(Stream.runHead(opened.bytes))
              return yield* new Unreachable({ request: to.name, detail: "the file has changed" })
            }
          }
          version = opened.etag
          size = opened.total ?? size
          onPart?.({ start: received, etag: version })
          return opened
        })

        const opened = Effect.flatMap(sender.sendForFile(to, request, options), (lead) => {
          isLed = true
          // A download that can start again never joins parts of two different files.
          const from = isVerified || version !== undefined || onPart === undefined ? received : 0
          return Effect.flatMap(
            open(to, lead, options, { from, version: isVerified ? undefined : version }),
            (opened) => begin(from, opened)
          )
        })

        const once = Stream.unwrap(
          Effect.map(opened, ({ bytes, start, total }) => {
            let position = start
            return bytes.pipe(
              Stream.mapError((error) => ErrorResponse.transportFailure(to.name, error)),
              Stream.timeoutOrElse({ duration: idle, orElse: () => Stream.fail(stalledError(to.name, idle)) }),
              Stream.concat(
                Stream.suspend(() =>
                  total === undefined || position === total
                    ? Stream.empty
                    : Stream.fail(
                        new Unreachable({ request: to.name, detail: `it ended at ${position} of ${total} bytes` })
                      )
                )
              ),
              // What is here already, where the host sends the whole again.
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
              const isBarren = received - settled < MIN_PROGRESS
              if (!isBarren) settledAt = now
              barren = isBarren ? barren + 1 : 0
              settled = received
              const isPassing = input._tag === "Unreachable" || input._tag === "ServiceFailed"
              // The first address has been asked for often enough by the pipeline.
              return isLed && isPassing && barren < MAX_STALLED_ATTEMPTS && now - settledAt < totalTimeout
            })
          )
        )
      })
    )
}

/** What an answer has of the file. */
interface FilePart extends DownloadPart {
  /** How long the whole file is, in bytes. */
  readonly total: number | undefined
  readonly bytes: Stream.Stream<Uint8Array, HttpClientError>
}

/** An answer's body, and where in the file it begins. Its length is of no use where it is packed for the way. */
const filePart = ({ headers, stream }: HttpClientResponse.HttpClientResponse, start: number): FilePart => {
  const length = headers["content-encoding"] === undefined ? headers["content-length"] : undefined
  return {
    start,
    etag: strongEtag(headers),
    total: length === undefined ? undefined : start + Number(length),
    bytes: stream
  }
}

/** Weak ones are for contents that mean the same; only strong ones are for bytes. */
const strongEtag = ({ etag }: HttpClientResponse.HttpClientResponse["headers"]) =>
  etag?.startsWith('"') === true ? etag : undefined

const changedFile = (request: string, detail: string) => new UnexpectedResponse({ request, detail, status: 200 })

const stalledError = (request: string, milliseconds: number) =>
  new Unreachable({
    request,
    detail: `nothing more within ${Duration.format(Duration.millis(milliseconds))}`
  })
