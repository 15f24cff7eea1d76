/** Errors of the API for repositories without commits. */
import * as Effect from "effect/Effect"
import type { GitError } from "../git/values/GitError.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import type { Conflict, NotFound } from "@tongs/core/contract/Failure"
import * as ApiError from "./ApiError.ts"

const hasNoBranches = (git: GitRepository) => Effect.map(git.refs("refs/heads/"), (branches) => branches.length === 0)

const empty = ApiError.conflict("Git Repository is empty.")

/** Fails with `Conflict` if the repository has no branches. */
export const failIfEmpty = (git: GitRepository): Effect.Effect<void, Conflict | GitError> =>
  Effect.flatMap(hasNoBranches(git), (isEmpty) => (isEmpty ? Effect.fail(empty) : Effect.void))

/** Fails with `Conflict` if the repository is empty, else with `NotFound`. */
export const notFound = (git: GitRepository): Effect.Effect<never, Conflict | NotFound | GitError> =>
  Effect.andThen(failIfEmpty(git), Effect.fail(ApiError.notFound()))
