/** Why the system does not let one use a file, in a person's words. */
import type { PlatformError } from "effect/PlatformError"

export const describePlatformError = ({ reason }: PlatformError): string => {
  switch (reason._tag) {
    case "NotFound":
      return "there is no such file"
    case "PermissionDenied":
      return "you may not use it"
    case "BadResource":
      return "it is no file, but a folder or something else"
    default:
      return reason.message
  }
}
