/** A part of the log of a job as text, for a screen or a page. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CallOptions } from "@tongs/core/client/CallOptions"
import type { Forge } from "@tongs/core/client/Forge"

/** Maximum number of bytes of a part. */
export const MAX_BYTES = 1_000_000

/** A log that is longer than `MAX_BYTES` has a start and an end. */
export type LogPart = "start" | "end"

export interface JobLogText {
  readonly text: string
  /** Size of the whole log in bytes. Null if the forge does not send it. */
  readonly size: number | null
  /** True if the text is the whole log. */
  readonly isWhole: boolean
}

interface JobName {
  readonly owner: string
  readonly repo: string
  readonly job_id: number
}

/** The log of a job. Undefined without a log: before the job has started, or after the log was deleted. */
export const read = Effect.fn("JobLogText.read")(function* (
  forge: Forge["Service"],
  job: JobName,
  part: LogPart,
  options: CallOptions
) {
  const start = yield* bytesOf(forge, job, 0, options).pipe(
    Effect.catchTag(["NotFound", "Gone"], () => Effect.succeed(undefined))
  )
  if (start === undefined) return undefined
  const { bytes, isEnd, total } = start
  if (part === "start" || isEnd || total === undefined)
    return logOf(isEnd ? text(bytes) : withoutLast(text(bytes)), total ?? null, isEnd)
  const end = yield* bytesOf(forge, job, total - MAX_BYTES, options)
  return logOf(withoutFirst(text(end.bytes)), total, false)
})

/** Reads at most `MAX_BYTES` bytes from `offset`. */
const bytesOf = Effect.fnUntraced(function* (
  forge: Forge["Service"],
  job: JobName,
  offset: number,
  options: CallOptions
) {
  let total: number | undefined
  const onProgress = (progress: { readonly total: number | undefined }) => {
    total = progress.total
  }
  const pieces: Array<Uint8Array> = []
  let size = 0
  const { mediaType: _, staleFor: __, ...rest } = options
  yield* forge
    .download("GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", { ...job }, { ...rest, offset, onProgress })
    .pipe(
      Stream.takeWhile((piece) => {
        pieces.push(piece)
        size += piece.length
        return size <= MAX_BYTES
      }),
      Stream.runDrain
    )
  const bytes = Buffer.concat(pieces)
  return { bytes: bytes.subarray(0, MAX_BYTES), isEnd: bytes.length <= MAX_BYTES, total: total ?? undefined }
})

const logOf = (text: string, size: number | null, isWhole: boolean): JobLogText => ({ text, size, isWhole })

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** The text without its last line, which can be cut. */
const withoutLast = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1) || text

/** The text without its first line, which can be cut. */
const withoutFirst = (text: string): string => text.slice(text.indexOf("\n") + 1)
