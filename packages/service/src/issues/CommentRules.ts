/** Validation and permissions for all kinds of comments. */
import * as Effect from "effect/Effect"
import type { SignedInRepositoryContext } from "../api/RequestContext.ts"
import * as ApiError from "../api/ApiError.ts"
import * as Characters from "../base/Characters.ts"
import { atLeast } from "../access/Roles.ts"

/** Maximum length of a comment, in characters. */
export const MAX_BODY = 65_536

/** Fails with `Forbidden` unless the caller is the author or has write access to the repository. */
export const mayChange = (
  comment: { readonly user_id: number | null },
  { caller, role }: SignedInRepositoryContext
) => {
  const isAuthor = caller.user.id === comment.user_id
  return isAuthor || atLeast(role, "write")
    ? Effect.void
    : Effect.fail(
        ApiError.forbidden("Only the author, or a user with write access to the repository, can change a comment")
      )
}

/** Fails with 422 if the text is blank or too long. */
export const checkBody = (resource: string, body: string) => {
  if (body.trim() === "") {
    return Effect.fail(
      ApiError.invalid("Validation Failed: body is blank", [{ resource, field: "body", code: "missing_field" }])
    )
  }
  if (!Characters.exceed(body, MAX_BODY)) return Effect.void
  const message = `body is longer than ${MAX_BODY} characters`
  return Effect.fail(
    ApiError.invalid(`Validation Failed: ${message}`, [{ resource, field: "body", code: "invalid", message }])
  )
}
