import * as Effect from "effect/Effect"
import { DeploymentStatuses } from "@tongs/core/contract/groups/DeploymentStatuses"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as EnvironmentLimits from "../../deployments/EnvironmentLimits.ts"
import { DeploymentRows } from "../../deployments/DeploymentRows.ts"
import * as DeploymentShapes from "../../deployments/DeploymentShapes.ts"
import { type DeploymentStatusRow, DeploymentStatusRows, MAX_STATUSES } from "../../deployments/DeploymentStatusRows.ts"
import * as DeploymentChanges from "../../deployments/DeploymentChanges.ts"

const MAX_DESCRIPTION = 140
const MAX_URL = 2048

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "DeploymentStatus", field, code: "custom", message }])

const isUrl = (text: string) => text === "" || (/^https?:/i.test(text) && URL.canParse(text) && text.length <= MAX_URL)

/** Handlers of statuses of deployments. */
export const make = Effect.gen(function* () {
  const changes = yield* DeploymentChanges.make
  const deployments = yield* DeploymentRows
  const rows = yield* DeploymentStatusRows

  const findDeployment = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* deployments.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const shape = Effect.fnUntraced(function* (row: DeploymentStatusRow, { repository, urls }: RepositoryContext) {
    return DeploymentShapes.deploymentStatus(row, yield* changes.apps([row]), repository, urls)
  })

  return group(DeploymentStatuses)({
    *list({ deployment_id }, context) {
      const { page, repository, urls } = context
      const { id } = yield* findDeployment(deployment_id, context)
      const { items, total } = yield* rows.list(id, page)
      const appOf = yield* changes.apps(items)
      return { items: items.map((row) => DeploymentShapes.deploymentStatus(row, appOf, repository, urls)), total }
    },

    *create({ deployment_id, ...input }, context) {
      const { caller, repository } = context
      const deployment = yield* findDeployment(deployment_id, context)
      const {
        auto_inactive: deactivates = true,
        description = "",
        environment_url = "",
        state,
        target_url = ""
      } = input
      const { environment = deployment.environment, log_url = target_url } = input
      if (description.length > MAX_DESCRIPTION)
        return yield* invalid("description", `description is longer than ${MAX_DESCRIPTION} characters`)
      if (!isUrl(log_url)) return yield* invalid("log_url", "log_url must be a URL with http or https")
      if (!isUrl(environment_url))
        return yield* invalid("environment_url", "environment_url must be a URL with http or https")
      const problem = EnvironmentLimits.nameProblem(environment)
      if (problem !== undefined) return yield* problem
      if ((yield* rows.count(deployment.id)) >= MAX_STATUSES)
        return yield* invalid("state", `a deployment has at most ${MAX_STATUSES} statuses`)
      const row = yield* changes.setStatus(
        { actor: caller.user, repository },
        deployment,
        { state, description, environment, log_url, environment_url },
        { appId: caller.installation?.appId ?? null, deactivates }
      )
      return yield* shape(row, context)
    },

    *get({ deployment_id, status_id }, context) {
      const { id } = yield* findDeployment(deployment_id, context)
      return yield* shape((yield* rows.find(id, status_id)) ?? (yield* ApiError.notFound()), context)
    }
  })
})
