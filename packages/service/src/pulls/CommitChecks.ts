/** Whether the checks of a commit passed, for rules about pushes without a pull request. */
import * as Effect from "effect/Effect"
import { Rollups } from "../checks/Rollup.ts"
import * as RequiredChecks from "./RequiredChecks.ts"
import type { RequiredCheck } from "../rules/RuleChecks.ts"

/** Makes the function that returns the checks of a commit, which are read when a rule asks for them. */
export const make = Effect.gen(function* () {
  const rollups = yield* Rollups

  return (repositoryId: number, oid: string | null): Effect.Effect<(check: RequiredCheck) => boolean> =>
    oid === null
      ? Effect.succeed(() => false)
      : Effect.map(
          rollups.ofCommits(repositoryId, [oid]),
          (found) => (check) => RequiredChecks.hasPassed(check, found.get(oid))
        )
})
