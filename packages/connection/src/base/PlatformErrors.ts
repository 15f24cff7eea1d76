import type { PlatformError } from "effect/PlatformError"

/** Why the operating system refused access to a file, in plain words. */
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

/** The message of a thrown value, which need not be an `Error`. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
