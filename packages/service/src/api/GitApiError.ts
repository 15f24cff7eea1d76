/** What went wrong in git, as what a caller can act on. Handlers that know better say so themselves. */
import type { GitError } from "../git/GitError.ts"
import * as ApiError from "./ApiError.ts"

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
      // Where, is nobody's business who calls from elsewhere.
      return ApiError.conflict(
        `${reason.ref} is checked out in a work tree; switch that work tree to another branch first`
      )
    case "RefLocked":
      return ApiError.conflict(error.message)
    case "TooLarge":
      return ApiError.forbidden(error.message)
    case "TimedOut":
      return ApiError.unavailable(error.message)
    case "NotARepository":
      return ApiError.notFound()
    case "Unavailable":
      return ApiError.unavailable("This repository does not answer at the moment; try again")
    case "Unreadable":
      return ApiError.unavailable("This repository cannot be read at the moment; the forge's log says why")
    case "OtherOwner":
    case "FolderExists":
    case "NotWritable":
    case "GitMissing":
    case "CommandFailed":
      // Its words name folders of this machine: they go to the log, not to the caller.
      return ApiError.gitFailed()
  }
}
