/** The checks and deployments of a commit, as rules ask for them. */
import * as Effect from "effect/Effect"
import { Rollups } from "../checks/Rollup.ts"
import { DeploymentRows } from "../deployments/DeploymentRows.ts"
import type { CommitState } from "../rules/RuleChecks.ts"
import { lower } from "../storage/SqlFragments.ts"
import * as RequiredChecks from "./RequiredChecks.ts"

const unknown: CommitState = { hasPassed: () => false, isDeployed: () => false }

/** Makes the function that returns the state of a commit, which is read when a rule asks for it. */
export const make = Effect.gen(function* () {
  const deployments = yield* DeploymentRows
  const rollups = yield* Rollups

  return (repositoryId: number, oid: string | null): Effect.Effect<CommitState> =>
    oid === null
      ? Effect.succeed(unknown)
      : Effect.zipWith(
          rollups.ofCommits(repositoryId, [oid]),
          deployments.deployedTo(repositoryId, [oid]),
          (checks, deployed): CommitState => ({
            hasPassed: (check) => RequiredChecks.hasPassed(check, checks.get(oid)),
            isDeployed: (environment) => deployed.get(oid)?.has(lower(environment)) === true
          })
        )
})
