import * as Effect from "effect/Effect"
import { ReviewRequests as Group } from "@tongs/core/contract/groups/ReviewRequests"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { ReviewRequests } from "../../reviews/ReviewRequests.ts"
import * as PullRequestTarget from "../pulls/PullRequestTarget.ts"
import * as PullRequestViews from "../pulls/PullRequestViews.ts"

/** Handlers of review requests. */
export const make = Effect.gen(function* () {
  const requests = yield* ReviewRequests
  const target = yield* PullRequestTarget.make
  const views = yield* PullRequestViews.make

  const at = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

  const shown = Effect.fnUntraced(function* (number: number, context: RepositoryContext) {
    const { issue } = yield* target.find(number, context)
    const [summary] = yield* views.summaries([issue], context)
    return summary?.make() ?? (yield* ApiError.notFound())
  })

  return group(Group)({
    *list({ pull_number }, context) {
      const { urls } = context
      const { pull } = yield* target.find(pull_number, context)
      const { requested_reviewers, requested_teams } = pull
      return {
        users: requested_reviewers.map((user) => Shapes.userSummary(user, urls)),
        teams: requested_teams.map((team) => Shapes.team(team, urls))
      }
    },

    *create({ pull_number, reviewers = [], team_reviewers = [] }, context) {
      const { issue } = yield* target.find(pull_number, context)
      const found = yield* requests.reviewers(context.repository.row, reviewers, team_reviewers)
      yield* requests.request(at(context), issue, found)
      return yield* shown(pull_number, context)
    },

    *delete({ pull_number, reviewers, team_reviewers = [] }, context) {
      const { issue } = yield* target.find(pull_number, context)
      const found = yield* requests.reviewers(context.repository.row, reviewers, team_reviewers)
      yield* requests.remove(at(context), issue, found)
      return yield* shown(pull_number, context)
    }
  })
})
