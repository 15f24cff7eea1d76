/** What went wrong in git, as what a caller can act on. Handlers that know better say so themselves. */
import type { GitError } from "../git/GitError.ts"
import * as Refusal from "./Refusal.ts"

export const from = (error: GitError): Refusal.Refusal => {
  const { reason } = error
  switch (reason._tag) {
    case "InvalidName":
    case "InvalidObject":
      return Refusal.invalid(error.message)
    case "ObjectMissing":
      return Refusal.invalid("Object does not exist")
    case "AlreadyExists":
      return Refusal.invalid("Reference already exists")
    case "RefConflict":
    case "DirectoryConflict":
      return Refusal.invalid(error.message)
    case "CheckedOut":
      // Where, is nobody's business who calls from elsewhere.
      return Refusal.conflict(
        `${reason.ref} is checked out in a work tree; switch that work tree to another branch first`
      )
    case "RefLocked":
      return Refusal.conflict(error.message)
    case "TooLarge":
      return Refusal.forbidden(error.message)
    case "TimedOut":
      return Refusal.unavailable(error.message)
    case "NotARepository":
      return Refusal.notFound()
    case "Unavailable":
      return Refusal.unavailable("This repository does not answer at the moment; try again")
    case "Unreadable":
      return Refusal.unavailable("This repository cannot be read at the moment; the forge's log says why")
    case "OtherOwner":
    case "FolderExists":
    case "NotWritable":
    case "GitMissing":
    case "CommandFailed":
      // Its words name folders of this machine: they go to the log, not to the caller.
      return Refusal.gitFailed()
  }
}
