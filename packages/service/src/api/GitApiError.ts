/** Maps errors of git to errors of the API. Handlers map the cases that need a more specific message. */
import type { GitError } from "../git/values/GitError.ts"
import * as ApiError from "./ApiError.ts"

/** Returns the API error for a git error. The message contains no local paths. */
export const from = (error: GitError): ApiError.ApiError => {
  const { reason } = error
  switch (reason._tag) {
    case "InvalidName":
    case "InvalidObject":
      return ApiError.invalid(error.message)
    case "ObjectMissing":
      return ApiError.invalid("Object does not exist")
    case "AlreadyExists":
      return ApiError.invalid("Reference already exists")
    case "RefConflict":
    case "DirectoryConflict":
      return ApiError.invalid(error.message)
    case "CheckedOut":
      // Omits the path of the work tree, because remote callers should not see local paths.
      return ApiError.conflict(
        `${reason.ref} is checked out in a work tree. Switch that work tree to another branch first`
      )
    case "RefLocked":
    case "WorkTreeUnmovable":
      return ApiError.conflict(error.message)
    case "TooLarge":
    case "CpuTimeExceeded":
      return ApiError.forbidden(error.message)
    case "TimedOut":
      return ApiError.unavailable(error.message)
    case "NotARepository":
      return ApiError.notFound()
    case "Unavailable":
      return ApiError.unavailable("Repository did not respond in time. Try again")
    case "Unreadable":
      return ApiError.unavailable("Repository is unreadable. See the forge's log for the reason")
    case "OtherOwner":
    case "FolderExists":
    case "NotWritable":
    case "GitMissing":
    case "CommandFailed":
      // The message of git contains local paths, so only the log contains the message.
      return ApiError.gitFailed()
  }
}
