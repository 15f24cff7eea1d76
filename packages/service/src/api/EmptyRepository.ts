/** What the API says of a repository in which nothing was committed (spec part 2 §4.1-4.2). */
import * as Effect from "effect/Effect"
import type { GitError } from "../git/GitError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import type { Conflict, NotFound } from "@tongs/core/contract/Failure"
import * as ApiError from "./ApiError.ts"

const isEmpty = (git: GitRepository) => Effect.map(git.refs("refs/heads/"), (branches) => branches.length === 0)

const empty = ApiError.conflict("Git Repository is empty.")

/** Refuses where there is no branch. */
export const failIfEmpty = (git: GitRepository): Effect.Effect<void, Conflict | GitError> =>
  Effect.flatMap(isEmpty(git), (is) => (is ? Effect.fail(empty) : Effect.void))

/** What is asked for is not there; where nothing is, that is why. */
export const notFound = (git: GitRepository): Effect.Effect<never, Conflict | NotFound | GitError> =>
  Effect.andThen(failIfEmpty(git), Effect.fail(ApiError.notFound()))
