/** What holds for comments of every kind. */
import * as Effect from "effect/Effect"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as ApiError from "../../api/ApiError.ts"
import { atLeast } from "../../access/Roles.ts"

/** How long a comment may be, in characters. */
const maxBody = 65_536

/** A comment is changed by whoever wrote it, and by those who may write to the repository. */
export const mayChange = (comment: { readonly user_id: number | null }, { caller, role }: RepositoryContext) => {
  const isAuthor = caller.kind !== "anonymous" && caller.user.id === comment.user_id
  return isAuthor || atLeast(role, "write")
    ? Effect.void
    : Effect.fail(ApiError.forbidden("Only who wrote a comment, and who may write to its repository, may change it"))
}

/** A comment says something, and not too much. */
export const checkBody = (resource: string, body: string) => {
  if (body.trim() === "") {
    return Effect.fail(
      ApiError.invalid("Validation Failed: body is blank", [{ resource, field: "body", code: "missing_field" }])
    )
  }
  if (body.length <= maxBody) return Effect.void
  const message = `body is longer than ${maxBody} characters`
  return Effect.fail(
    ApiError.invalid(`Validation Failed: ${message}`, [{ resource, field: "body", code: "invalid", message }])
  )
}
