import * as Effect from "effect/Effect"
import {
  type CustomProtectionRule,
  type CustomRuleApp,
  DeploymentProtectionRules
} from "@tongs/core/contract/groups/DeploymentProtectionRules"
import { InstallationRows } from "../../access/InstallationRows.ts"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import { nodeId } from "../../api/NodeId.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import type { Urls } from "../../api/Urls.ts"
import * as Paging from "../../base/Paging.ts"
import { type ProtectionRuleRow, ProtectionRuleRows, type RuleApp } from "../../deployments/ProtectionRuleRows.ts"
import { GateReviews } from "../../runs/GateReviews.ts"
import * as EnvironmentTarget from "./EnvironmentTarget.ts"

const appShape = ({ id, slug }: RuleApp, { api }: Urls): CustomRuleApp => ({
  id,
  slug,
  integration_url: `${api}/apps/${slug}`,
  node_id: nodeId("App", id)
})

const shape = ({ app_id, id, slug }: ProtectionRuleRow, urls: Urls): CustomProtectionRule => ({
  id,
  node_id: nodeId("DeploymentProtectionRule", id),
  enabled: true,
  app: appShape({ id: app_id, slug }, urls)
})

/** Handlers of custom protection rules of environments. */
export const make = Effect.gen(function* () {
  const environment = yield* EnvironmentTarget.make
  const installations = yield* InstallationRows
  const reviews = yield* GateReviews
  const rows = yield* ProtectionRuleRows

  const find = Effect.fnUntraced(function* (
    input: { readonly environment_name: string; readonly protection_rule_id: number },
    context: RepositoryContext
  ) {
    const { id } = yield* environment(input, context)
    return (yield* rows.find(id, input.protection_rule_id)) ?? (yield* ApiError.notFound())
  })

  /** Returns the apps that may write deployments of the repository. */
  const available = Effect.fnUntraced(function* ({ repository }: RepositoryContext) {
    return yield* rows.apps(yield* installations.writers(repository.row, "deployments"))
  })

  return group(DeploymentProtectionRules)({
    *list(input, context) {
      const { id } = yield* environment(input, context)
      const all = (yield* rows.list(id)).map((row) => shape(row, context.urls))
      return { total_count: all.length, custom_deployment_protection_rules: all }
    },

    *create({ integration_id: appId, ...input }, context) {
      const { id } = yield* environment(input, context)
      const app = (yield* available(context)).find((one) => one.id === appId)
      if (app === undefined) {
        const message = "integration_id must be an app that may write deployments of the repository"
        return yield* ApiError.invalid("Validation Failed", [
          { resource: "DeploymentProtectionRule", field: "integration_id", code: "invalid", message }
        ])
      }
      return shape(yield* rows.ensure(id, app.id), context.urls)
    },

    *listApps(input, context) {
      yield* environment(input, context)
      const { items, total } = Paging.slice(yield* available(context), context.page)
      return {
        items: items.map((app) => appShape(app, context.urls)),
        total,
        wrap: (apps: ReadonlyArray<CustomRuleApp>) => ({
          total_count: total,
          available_custom_deployment_protection_rule_integrations: apps
        })
      }
    },

    *get(input, context) {
      return shape(yield* find(input, context), context.urls)
    },

    *delete(input, context) {
      const { id } = yield* find(input, context)
      yield* rows.remove(id)
      const { id: environmentId } = yield* environment(input, context)
      yield* reviews.retest({ actor: context.caller.user, repository: context.repository }, environmentId)
    }
  })
})
