/** Maps failures due to missing disk space or file descriptors to responses that name the resource. */
import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import { GitError } from "../git/GitError.ts"
import * as ApiError from "../api/ApiError.ts"

/** Folders to check for disk space; undefined for callers that must not learn them. */
export interface ReportedFolders {
  readonly data: string | undefined
  readonly repository: string | undefined
}

/** Maximum depth of nested causes. */
const maxDepth = 10

/** The error (507 or 503) for a failure with such a cause; undefined otherwise. */
export const toApiError = (failure: unknown, folders: ReportedFolders): ApiError.ApiError | undefined => {
  let current = failure
  for (let depth = 0; depth < maxDepth && typeof current === "object" && current !== null; depth++) {
    const apiError = current instanceof GitError ? ofGit(current, folders) : ofError(current, folders)
    if (apiError !== undefined) return apiError
    current = "cause" in current && current.cause !== undefined ? current.cause : "reason" in current && current.reason
  }
  return undefined
}

const descriptors = "The forge has as many files and connections open as its machine allows; try again later"

/** SQLite's result codes for a full disk: writing, and growing the shared memory of the log. */
const sqliteFull: ReadonlySet<unknown> = new Set([13, 4874])

const ofError = (error: object, { data }: ReportedFolders) => {
  const code = "code" in error ? error.code : undefined
  if (code === "EMFILE" || code === "ENFILE") return ApiError.unavailable(descriptors)
  const isStore = "errcode" in error && sqliteFull.has(error.errcode)
  if (!isStore && code !== "ENOSPC" && code !== "EDQUOT") return undefined
  const path = "path" in error && typeof error.path === "string" ? dirname(error.path) : undefined
  return ApiError.storageFull(data === undefined ? undefined : (path ?? data))
}

/** A disk with less free space counts as full, because git then fails without a clear message. */
const minFreeBytes = 64 * 1024

const isFull = (folder: string | undefined): boolean => {
  if (folder === undefined) return false
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize < minFreeBytes
  } catch {
    return false
  }
}

const ofGit = ({ reason }: GitError, { repository }: ReportedFolders) => {
  if (reason._tag !== "CommandFailed" && reason._tag !== "NotWritable") return undefined
  const text = reason._tag === "CommandFailed" ? reason.stderr : reason.detail
  if (/Too many open files/.test(text)) return ApiError.unavailable(descriptors)
  const isSaid = /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(text)
  return isSaid || isFull(repository) ? ApiError.storageFull(repository) : undefined
}
