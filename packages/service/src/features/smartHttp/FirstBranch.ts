import * as Effect from "effect/Effect"
import type { GitError } from "../../git/values/GitError.ts"
import type { GitRepository } from "../../git/GitRepository.ts"
import * as RefName from "../../git/values/RefName.ts"

/** Makes the only branch of a repository the default branch if the default branch does not exist, as GitHub does. */
export const adopt = Effect.fn("FirstBranch.adopt")(
  function* (git: GitRepository): Effect.fn.Return<void, GitError> {
    // HEAD of a work tree belongs to the user.
    if (!git.bare || (yield* git.tip).ref !== undefined) return
    const [only, ...others] = yield* git.refs(RefName.branch(""))
    if (only !== undefined && others.length === 0) yield* git.setHead(RefName.short(only.name))
  },
  Effect.catch((error) => Effect.logError("the default branch of a new repository could not be set", error))
)
