import * as Effect from "effect/Effect"
import { type Environment, Environments } from "@tongs/core/contract/groups/Environments"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as EnvironmentLimits from "../../deployments/EnvironmentLimits.ts"
import * as DeploymentShapes from "../../deployments/DeploymentShapes.ts"
import { type EnvironmentRow, EnvironmentRows } from "../../deployments/EnvironmentRows.ts"
import { GateReviews } from "../../runs/GateReviews.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as EnvironmentSettings from "./EnvironmentSettings.ts"
import * as EnvironmentTarget from "./EnvironmentTarget.ts"

/** Handlers of environments. */
export const make = Effect.gen(function* () {
  const check = yield* EnvironmentSettings.make
  const find = yield* EnvironmentTarget.make
  const reviews = yield* GateReviews
  const rows = yield* EnvironmentRows
  const transaction = yield* Transaction.make

  const shapes = Effect.fnUntraced(function* (
    found: ReadonlyArray<EnvironmentRow>,
    { repository, urls }: RepositoryContext
  ) {
    const reviewers = Map.groupBy(
      yield* rows.reviewers(found.map(({ id }) => id)),
      ({ environment_id }) => environment_id
    )
    return found.map((row) => DeploymentShapes.environment(row, reviewers.get(row.id) ?? [], repository, urls))
  })

  const shape = Effect.fnUntraced(function* (row: EnvironmentRow, { repository, urls }: RepositoryContext) {
    return DeploymentShapes.environment(row, yield* rows.reviewers([row.id]), repository, urls)
  })

  return group(Environments)({
    *list(_, context) {
      const { items, total } = yield* rows.list(context.repository.row.id, context.page)
      return {
        items: yield* shapes(items, context),
        total,
        wrap: (environments: ReadonlyArray<Environment>) => ({ total_count: total, environments })
      }
    },

    *get(input, context) {
      return yield* shape(yield* find(input, context), context)
    },

    *createOrUpdate({ environment_name: name, ...input }, context) {
      const { row } = context.repository
      const problem = EnvironmentLimits.nameProblem(name)
      if (problem !== undefined) return yield* problem
      const { reviewers, settings } = yield* check(input, row)
      yield* transaction(
        Effect.gen(function* () {
          if ((yield* rows.find(row.id, name)) === undefined) {
            const excess = EnvironmentLimits.countProblem(yield* rows.count(row.id))
            if (excess !== undefined) return yield* excess
          }
          const { id } = yield* rows.ensure(row.id, name)
          yield* rows.update(id, settings)
          yield* rows.setReviewers(id, reviewers)
          yield* reviews.retest({ actor: context.caller.user, repository: context.repository }, id)
        })
      )
      return yield* shape(yield* find({ environment_name: name }, context), context)
    },

    *delete(input, context) {
      const row = yield* find(input, context)
      const at = { actor: context.caller.user, repository: context.repository }
      yield* transaction(Effect.andThen(reviews.failAll(at, row), rows.remove(row.id)))
    }
  })
})
