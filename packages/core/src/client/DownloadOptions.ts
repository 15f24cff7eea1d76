/** Options and events of a download. */
import type { RawOptions } from "./CallOptions.ts"

/** Options of a download. */
export interface DownloadOptions extends Omit<RawOptions, "staleFor"> {
  /** Number of bytes of the file that the caller already has. The stream begins after these bytes. */
  readonly offset?: number
  /** Strong `ETag` of the file version that the caller's bytes belong to, from `onPart`. */
  readonly etag?: string | undefined
  /**
   * Called for every response, with the position of the received bytes in the file. A second call with `start` 0 means
   * that the file changed or that the host does not identify versions: discard the earlier bytes. Without this
   * callback, a download whose file changes fails.
   */
  readonly onPart?: (part: DownloadPart) => void
  /** True if the caller verifies a checksum at the end. The download then resumes even if the file may have changed. */
  readonly isVerified?: boolean
  /** Called after every received chunk. */
  readonly onProgress?: (progress: DownloadProgress) => void
}

/** The part of a file that a response contains. */
export interface DownloadPart {
  /** Position of the part's first byte in the file. */
  readonly start: number
  /** The strong `ETag` of the file, if the host sends one. */
  readonly etag: string | undefined
}

/** Progress of a download. */
export interface DownloadProgress {
  /** Bytes received, including the `offset`. */
  readonly received: number
  /** Size of the file in bytes; undefined if the forge does not send the size. */
  readonly total: number | undefined
}
