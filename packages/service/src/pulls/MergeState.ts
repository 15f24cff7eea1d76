/** The state of pull requests without conflicts, by their checks and the rules of their base branch. */
import * as Effect from "effect/Effect"
import { Rollups } from "../checks/Rollup.ts"
import type { PullRequestRow } from "../issues/PullRequestRows.ts"
import { mergeableState } from "../issues/PullRequestShapes.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { Enforcement } from "../rules/Enforcement.ts"
import * as RequiredChecks from "./RequiredChecks.ts"

/** Makes the function that returns the state of a pull request. */
export const make = Effect.gen(function* () {
  const rollups = yield* Rollups
  const rules = yield* Enforcement

  return Effect.fnUntraced(function* (pull: PullRequestRow, repository: ServedRepository) {
    const state = mergeableState(pull)
    if (state !== "clean") return state
    const checks = (yield* rollups.ofCommits(repository.row.id, [pull.head_sha])).get(pull.head_sha)
    const required = yield* rules.requiredChecks(repository, pull.base_ref)
    return RequiredChecks.stateOf(required, checks, pull.behind)
  })
})
