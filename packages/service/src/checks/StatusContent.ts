/** Rules of new statuses. */
import type { ValidationFailed } from "@tongs/core/contract/Failure"
import * as ApiError from "../api/ApiError.ts"
import * as Characters from "../base/Characters.ts"
import type { StatusRow } from "./StatusRows.ts"

/** Context of a status without one. */
export const DEFAULT_CONTEXT = "default"

/** Maximum lengths in characters. */
const MAX_CONTEXT = 255
const MAX_DESCRIPTION = 140
const MAX_URL = 2048

/** Maximum statuses of a commit and context, as on GitHub, and maximum contexts of a commit. */
const MAX_STATUSES = 1000
const MAX_CONTEXTS = 1000

const invalid = (field: string, message: string): ValidationFailed =>
  ApiError.invalid("Validation Failed", [{ resource: "Status", field, code: "custom", message }])

/** Returns the error for an invalid content. Undefined if it is valid. */
export const problem = ({
  context,
  description,
  target_url
}: Pick<StatusRow, "context" | "description" | "target_url">): ValidationFailed | undefined => {
  if (context.trim() === "") return invalid("context", "context is blank")
  if (Characters.exceed(context, MAX_CONTEXT))
    return invalid("context", `context is too long (maximum is ${MAX_CONTEXT} characters)`)
  if (description !== null && Characters.exceed(description, MAX_DESCRIPTION))
    return invalid("description", `description is too long (maximum is ${MAX_DESCRIPTION} characters)`)
  if (target_url === null || target_url === "") return undefined
  if (!/^https?:\/\/[^\s/]/i.test(target_url)) return invalid("target_url", "Target url must use http(s) scheme")
  return Characters.exceed(target_url, MAX_URL)
    ? invalid("target_url", `target_url is too long (maximum is ${MAX_URL} characters)`)
    : undefined
}

/** Returns the error if a commit has too many statuses already. Undefined if it can have one more. */
export const exceeded = (counts: { readonly statuses: number; readonly contexts: number }) => {
  if (counts.statuses >= MAX_STATUSES)
    return ApiError.invalid("Validation Failed", [
      {
        resource: "Status",
        code: "custom",
        message: "This SHA and context has reached the maximum number of statuses."
      }
    ])
  return counts.statuses === 0 && counts.contexts >= MAX_CONTEXTS
    ? invalid("context", `the commit has statuses of ${MAX_CONTEXTS} contexts`)
    : undefined
}
