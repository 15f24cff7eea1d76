import * as Effect from "effect/Effect"
import { type Deployment, Deployments } from "@tongs/core/contract/groups/Deployments"
import * as ApiError from "../../api/ApiError.ts"
import { group, withStatus } from "../../api/Handlers.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as EnvironmentLimits from "../../deployments/EnvironmentLimits.ts"
import { type DeploymentRow, DeploymentRows, isActive } from "../../deployments/DeploymentRows.ts"
import * as DeploymentShapes from "../../deployments/DeploymentShapes.ts"
import * as DeploymentChanges from "../../deployments/DeploymentChanges.ts"
import * as DeploymentRef from "./DeploymentRef.ts"

const DEFAULT_ENVIRONMENT = "production"

/** Limits of texts in characters, and of the payload in bytes. */
const MAX_DESCRIPTION = 140
const MAX_TASK = 128
const MAX_REF = 1000
const MAX_PAYLOAD = 64 * 1024

const invalid = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "Deployment", field, code: "custom", message }])

/** The value of a filter that GitHub documents as the default. */
const NO_FILTER = "none"

const given = (filter: string | undefined) => (filter === NO_FILTER ? undefined : filter)

/** Handlers of deployments. */
export const make = Effect.gen(function* () {
  const changes = yield* DeploymentChanges.make
  const refs = yield* DeploymentRef.make
  const rows = yield* DeploymentRows

  const find = Effect.fnUntraced(function* (id: number, { repository }: RepositoryContext) {
    return (yield* rows.find(repository.row.id, id)) ?? (yield* ApiError.notFound())
  })

  const shape = Effect.fnUntraced(function* (row: DeploymentRow, { repository, urls }: RepositoryContext) {
    return DeploymentShapes.deployment(row, yield* changes.apps([row]), repository, urls)
  })

  return group(Deployments)({
    *list({ environment, ref, sha, task }, context) {
      const { page, repository, urls } = context
      const filter = { sha: given(sha), ref: given(ref), task: given(task), environment: given(environment) }
      const { items, total } = yield* rows.list(repository.row.id, filter, page)
      const appOf = yield* changes.apps(items)
      return {
        items: items.map((row): Deployment => DeploymentShapes.deployment(row, appOf, repository, urls)),
        total
      }
    },

    *create(input, context) {
      const { caller, repository } = context
      const { description = null, environment = DEFAULT_ENVIRONMENT, payload = "", ref, task = "deploy" } = input
      const problem = EnvironmentLimits.nameProblem(environment)
      if (problem !== undefined) return yield* problem
      if (task.length > MAX_TASK) return yield* invalid("task", `task is longer than ${MAX_TASK} characters`)
      if (ref.length > MAX_REF) return yield* invalid("ref", `ref is longer than ${MAX_REF} characters`)
      if ((description ?? "").length > MAX_DESCRIPTION)
        return yield* invalid("description", `description is longer than ${MAX_DESCRIPTION} characters`)
      if (Buffer.byteLength(JSON.stringify(payload)) > MAX_PAYLOAD)
        return yield* invalid("payload", `payload is larger than ${MAX_PAYLOAD} bytes`)
      const sha = yield* refs.commit(ref, context)
      const merged = input.auto_merge === false ? undefined : yield* refs.merge(ref, sha, context)
      if (merged !== undefined) return withStatus(202, { message: merged })
      yield* refs.check(ref, sha, input.required_contexts, context)
      const row = yield* changes.create(
        { actor: caller.user, repository },
        {
          sha,
          ref,
          task,
          payload,
          environment,
          description,
          transient: input.transient_environment === true ? 1 : 0,
          production: (input.production_environment ?? environment === DEFAULT_ENVIRONMENT) ? 1 : 0,
          app_id: caller.installation?.appId ?? null
        }
      )
      return yield* shape(row, context)
    },

    *get({ deployment_id }, context) {
      return yield* shape(yield* find(deployment_id, context), context)
    },

    *delete({ deployment_id }, context) {
      const row = yield* find(deployment_id, context)
      if (isActive(row) && (yield* rows.count(row.repository_id, row.environment)) > 1) {
        return yield* ApiError.invalid(
          "We cannot delete an active deployment unless it is the only deployment in a given environment."
        )
      }
      yield* rows.remove(row.id)
    }
  })
})
