/** What blocked users cannot do. */
import * as Effect from "effect/Effect"
import { atLeast } from "../access/Roles.ts"
import * as ApiError from "./ApiError.ts"
import type { SignedInRepositoryContext } from "./RequestContext.ts"
import { BlockRows } from "../accounts/BlockRows.ts"

export const make = Effect.gen(function* () {
  const blocks = yield* BlockRows
  return {
    /**
     * Fails with 403 if the owner of the repository, or the author of the conversation, has blocked the caller. Callers
     * with write access are let in.
     */
    refuseBlocked: Effect.fnUntraced(function* (
      { caller, repository, role }: Pick<SignedInRepositoryContext, "caller" | "repository" | "role">,
      authorId: number | null = null
    ) {
      if (atLeast(role, "write")) return
      const by = [repository.row.owner.id, ...(authorId === null ? [] : [authorId])]
      if (yield* blocks.hasAny(by, caller.user.id)) return yield* ApiError.forbidden("User is blocked")
    })
  }
})
