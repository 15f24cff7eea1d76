/** Maps failures due to a full disk or too many open files to API errors that name the exhausted resource. */
import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import * as OpenFiles from "../base/OpenFiles.ts"
import { GitError } from "../git/values/GitError.ts"
import * as ApiError from "../api/ApiError.ts"

/** Folders that an error may name if the disk is full. Undefined if the caller must not learn the path. */
export interface ReportedFolders {
  readonly data: string | undefined
  readonly repository: string | undefined
}

/** Maximum number of nested causes that are searched. */
const MAX_DEPTH = 10

/** Returns a 507 or 503 if a full disk or too many open files caused the failure, or `undefined` otherwise. */
export const toApiError = (failure: unknown, folders: ReportedFolders): ApiError.ApiError | undefined => {
  let current = failure
  for (let depth = 0; depth < MAX_DEPTH && typeof current === "object" && current !== null; depth++) {
    const apiError = current instanceof GitError ? ofGit(current, folders) : ofError(current, folders)
    if (apiError !== undefined) return apiError
    current = "cause" in current && current.cause !== undefined ? current.cause : "reason" in current && current.reason
  }
  return undefined
}

/** SQLite's result codes for a full disk: while writing (13), and while growing the shared memory of the log (4874). */
const sqliteFull: ReadonlySet<unknown> = new Set([13, 4874])

const ofError = (error: object, { data }: ReportedFolders) => {
  const code = "code" in error ? error.code : undefined
  if (code === "EMFILE" || code === "ENFILE") return ApiError.unavailable(OpenFiles.message())
  const isStore = "errcode" in error && sqliteFull.has(error.errcode)
  if (!isStore && code !== "ENOSPC" && code !== "EDQUOT") return undefined
  const path = "path" in error && typeof error.path === "string" ? dirname(error.path) : undefined
  return ApiError.storageFull(data === undefined ? undefined : (path ?? data))
}

/** Free space in bytes below which a disk counts as full, because git then fails without a clear message. */
const MIN_FREE_BYTES = 64 * 1024

const isFull = (folder: string | undefined): boolean => {
  if (folder === undefined) return false
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < MIN_FREE_BYTES
  } catch {
    return false
  }
}

const ofGit = ({ reason }: GitError, { repository }: ReportedFolders) => {
  if (reason._tag !== "CommandFailed" && reason._tag !== "NotWritable" && reason._tag !== "Unavailable")
    return undefined
  const text = reason._tag === "CommandFailed" ? reason.stderr : reason.detail
  if (OpenFiles.isShortage(text)) return ApiError.unavailable(OpenFiles.message())
  if (reason._tag === "Unavailable") return undefined
  const isSaid = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(text)
  return isSaid || isFull(repository) ? ApiError.storageFull(repository) : undefined
}
