import type { PlatformError } from "effect/PlatformError"

/** Returns the reason why the operating system refused access to a file, as text for the user. */
export const describePlatformError = ({ reason }: PlatformError): string => {
  switch (reason._tag) {
    case "NotFound":
      return "no such file"
    case "PermissionDenied":
      return "permission denied"
    case "BadResource":
      return "not a regular file"
    default:
      return reason.message
  }
}

/** Returns the message of a thrown value, which need not be an `Error`. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
