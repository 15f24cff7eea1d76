/**
 * Maps failures due to a full disk, too many open files, an unavailable database or a repository that another process has
 * taken over to API errors that name the cause.
 */
import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import * as SqlError from "effect/sql/SqlError"
import * as OpenFiles from "../base/OpenFiles.ts"
import { GitError } from "../git/values/GitError.ts"
import * as ApiError from "../api/ApiError.ts"
import { NotOwner } from "../repositories/RepositoryOwnership.ts"

/** Folders that an error may name if the disk is full. Undefined if the caller must not learn the path. */
export interface ReportedFolders {
  readonly data: string | undefined
  readonly repository: string | undefined
}

/** Maximum number of nested causes that are searched. */
const MAX_DEPTH = 10

/** Returns a 507 or 503 if one of these resources caused the failure, or `undefined` otherwise. */
export const toApiError = (failure: unknown, folders: ReportedFolders): ApiError.ApiError | undefined => {
  for (const error of causesOf(failure)) {
    const apiError = error instanceof GitError ? ofGit(error, folders) : ofError(error, folders)
    if (apiError !== undefined) return apiError
  }
  return undefined
}

/** True if the database refused a statement for a cause that passes. */
export const isDatabaseUnavailable = (failure: unknown): boolean => [...causesOf(failure)].some(isUnavailable)

/** Gives a failure and its nested causes. */
function* causesOf(failure: unknown): Generator<object> {
  let current = failure
  for (let depth = 0; depth < MAX_DEPTH && typeof current === "object" && current !== null; depth++) {
    yield current
    current = "cause" in current && current.cause !== undefined ? current.cause : "reason" in current && current.reason
  }
}

/** SQLite's result codes for a full disk: while writing (13), and while growing the shared memory of the log (4874). */
const sqliteFull: ReadonlySet<unknown> = new Set([13, 4874])

/** PostgreSQL's codes for a full disk, and for a write to a read-only database. */
const DISK_FULL = "53100"
const READ_ONLY = "25006"

/**
 * PostgreSQL's codes for a lost connection, for too little memory or too many connections, for a database that starts or
 * ends, and for a read-only database.
 */
const unavailableCodes = /^(?:08|53[023]|57P|25006)/

/** The reasons of `effect/sql` after which the same request can succeed. */
const unavailableReasons: ReadonlySet<string> = new Set([
  "ConnectionError",
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError"
])

const isUnavailable = (error: object): boolean =>
  SqlError.isSqlError(error)
    ? unavailableReasons.has(error.reason._tag)
    : "code" in error && typeof error.code === "string" && unavailableCodes.test(error.code)

const ofError = (error: object, { data }: ReportedFolders) => {
  if (error instanceof NotOwner) return ApiError.unavailable(`${error.message}. Retry later`)
  const code = "code" in error ? error.code : undefined
  if (code === "EMFILE" || code === "ENFILE") return ApiError.unavailable(OpenFiles.message())
  if (isUnavailable(error)) {
    return ApiError.unavailable(
      code === READ_ONLY
        ? "The forge's database is read-only. Retry later"
        : "The forge's database is not available. Retry later"
    )
  }
  const isStore = "errcode" in error && sqliteFull.has(error.errcode)
  if (code === DISK_FULL) return ApiError.storageFull(data === undefined ? undefined : "the forge's database")
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
