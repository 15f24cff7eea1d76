import * as Effect from "effect/Effect"
import {
  type DeploymentReview,
  type PendingDeployment,
  PendingDeployments
} from "@tongs/core/contract/groups/PendingDeployments"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as Characters from "../../base/Characters.ts"
import { parseTimestamp } from "../../base/Time.ts"
import * as DeploymentChanges from "../../deployments/DeploymentChanges.ts"
import { DeploymentRows } from "../../deployments/DeploymentRows.ts"
import * as DeploymentShapes from "../../deployments/DeploymentShapes.ts"
import { EnvironmentRows } from "../../deployments/EnvironmentRows.ts"
import { GateReviews } from "../../runs/GateReviews.ts"
import { JobGateRows } from "../../runs/JobGateRows.ts"
import * as WorkflowTarget from "./WorkflowTarget.ts"

/** Maximum length of a comment in characters, and maximum environments of a review. */
const MAX_COMMENT = 65_535
const MAX_ENVIRONMENTS = 256

const invalid = (field: string, message: string) =>
  ApiError.invalid(`Validation Failed: ${message}`, [{ resource: "PendingDeployment", field, code: "custom", message }])

const commentProblem = (comment: string) =>
  Characters.exceed(comment, MAX_COMMENT)
    ? invalid("comment", `comment is longer than ${MAX_COMMENT} characters`)
    : undefined

/** Handlers of deployments of runs that wait. */
export const make = Effect.gen(function* () {
  const reviews = yield* GateReviews
  const gates = yield* JobGateRows
  const environments = yield* EnvironmentRows
  const deployments = yield* DeploymentRows
  const { apps } = yield* DeploymentChanges.make
  const target = yield* WorkflowTarget.make

  return group(PendingDeployments)({
    *list({ run_id }, context) {
      const { caller, repository, urls } = context
      const run = yield* target.run(run_id, context)
      const found = yield* reviews.pending(run, caller.kind === "anonymous" ? undefined : caller.user)
      const reviewers = Map.groupBy(
        yield* environments.reviewers(found.map(({ environment: { id } }) => id)),
        ({ environment_id }) => environment_id
      )
      return found.map(({ canApprove, environment, gates: own }): PendingDeployment => {
        const [first] = own
        const hasTimer = environment.wait_timer > 0 && first !== undefined
        return {
          environment: DeploymentShapes.environmentReference(environment, repository, urls),
          wait_timer: environment.wait_timer,
          wait_timer_started_at: hasTimer ? parseTimestamp(first.created_at) : null,
          current_user_can_approve: canApprove,
          reviewers: DeploymentShapes.reviewers(reviewers.get(environment.id) ?? [], urls)
        }
      })
    },

    *review({ comment, environment_ids, run_id, state }, context) {
      const { caller, repository, urls } = context
      const run = yield* target.run(run_id, context)
      const problem = commentProblem(comment)
      if (problem !== undefined) return yield* problem
      if (environment_ids.length > MAX_ENVIRONMENTS)
        return yield* invalid("environment_ids", `environment_ids has more than ${MAX_ENVIRONMENTS} items`)
      const at = { actor: caller.user, repository }
      const jobs = yield* reviews.review(at, run, environment_ids, { state, comment })
      const rows = yield* deployments.byIds(jobs.flatMap(({ deployment_id: id }) => id ?? []))
      const appOf = yield* apps(rows)
      return rows.map((row) => DeploymentShapes.deployment(row, appOf, repository, urls))
    },

    *listReviews({ run_id }, context) {
      const { repository, urls } = context
      const run = yield* target.run(run_id, context)
      const found = yield* gates.reviews(run.id)
      const rows = yield* environments.byIds([...new Set(found.flatMap((one) => one.environment_ids))])
      return found.flatMap(({ comment, environment_ids: ids, state, user }): ReadonlyArray<DeploymentReview> =>
        user === null
          ? []
          : [
              {
                environments: rows
                  .filter(({ id }) => ids.includes(id))
                  .map((row) => ({
                    ...DeploymentShapes.environmentReference(row, repository, urls),
                    created_at: parseTimestamp(row.created_at),
                    updated_at: parseTimestamp(row.updated_at)
                  })),
                state,
                user: Shapes.userSummary(user, urls),
                comment
              }
            ]
      )
    },

    *decide({ comment, environment_name, run_id, state }, context) {
      const { caller, repository } = context
      const run = yield* target.run(run_id, context)
      if (state === undefined && (comment === undefined || comment === ""))
        return yield* invalid("state", "state or comment is missing")
      const problem = commentProblem(comment ?? "")
      if (problem !== undefined) return yield* problem
      const appId = caller.installation?.appId ?? (yield* ApiError.forbidden("This token belongs to no app."))
      const decision = { state: state ?? "pending", comment: comment ?? "" } as const // literal types
      yield* reviews.decide({ actor: caller.user, repository }, run, appId, environment_name, decision)
    }
  })
})
