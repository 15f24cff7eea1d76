/** Creates deployments and their statuses, with the webhooks and events that follow. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { InstallationRows } from "../../access/InstallationRows.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import { timestamp } from "../../base/Time.ts"
import { type DeploymentRow, DeploymentRows, type NewDeployment } from "../../deployments/DeploymentRows.ts"
import * as DeploymentShapes from "../../deployments/DeploymentShapes.ts"
import {
  type DeploymentStatusRow,
  DeploymentStatusRows,
  type NewDeploymentStatus
} from "../../deployments/DeploymentStatusRows.ts"
import { EnvironmentRows } from "../../deployments/EnvironmentRows.ts"
import { AutoMergeQueue } from "../../events/AutoMergeQueue.ts"
import { Events } from "../../events/Events.ts"
import type { EventContext } from "../../events/NewEvent.ts"
import { IssueEventRows } from "../../issues/IssueEventRows.ts"
import * as Transaction from "../../storage/Transaction.ts"

/** The content of a status. */
export type StatusContent = Pick<
  DeploymentStatusRow,
  "state" | "description" | "environment" | "log_url" | "environment_url"
>

export const make = Effect.gen(function* () {
  const autoMerges = yield* AutoMergeQueue
  const deployments = yield* DeploymentRows
  const environments = yield* EnvironmentRows
  const events = yield* Events
  const installations = yield* InstallationRows
  const issueEvents = yield* IssueEventRows
  const publicUrl = yield* PublicUrl
  const statuses = yield* DeploymentStatusRows
  const transaction = yield* Transaction.make

  /** Returns the function that finds the app of a row. */
  const apps = Effect.fnUntraced(function* (rows: ReadonlyArray<{ readonly app_id: number | null }>) {
    const ids = new Set(rows.flatMap(({ app_id }) => app_id ?? []))
    const found = yield* installations.appsById([...ids])
    const appOf: DeploymentShapes.AppOf = ({ app_id }) => (app_id === null ? undefined : found.get(app_id))
    return appOf
  })

  const announce = Effect.fnUntraced(function* (at: EventContext, row: DeploymentRow, status?: DeploymentStatusRow) {
    const urls = yield* publicUrl.urls
    const appOf = yield* apps(status === undefined ? [row] : [row, status])
    const deployment = DeploymentShapes.deployment(row, appOf, at.repository, urls)
    yield* events.announce({
      ...at,
      event: status === undefined ? "deployment" : "deployment_status",
      action: "created",
      payload:
        status === undefined
          ? { deployment, workflow: null, workflow_run: null }
          : {
              deployment,
              deployment_status: DeploymentShapes.deploymentStatus(status, appOf, at.repository, urls),
              check_run: null,
              workflow: null,
              workflow_run: null
            }
    })
  })

  /** Adds a status. GitHub sends no webhook for an inactive one. */
  const addStatus = Effect.fnUntraced(function* (
    at: EventContext,
    row: DeploymentRow,
    status: Omit<NewDeploymentStatus, "deployment_id">
  ) {
    const { created_at: updated_at, environment, state } = status
    const added = yield* statuses.add({ ...status, deployment_id: row.id })
    yield* deployments.setState(row.id, { state, environment, updated_at })
    if (state !== "inactive") yield* announce(at, { ...row, state, environment, updated_at }, added)
    return added
  })

  return {
    apps,

    /** Creates a deployment, and its environment if missing. */
    create: Effect.fnUntraced(function* (
      at: EventContext,
      deployment: Omit<NewDeployment, "created_at" | "creator_id" | "repository_id">
    ) {
      const { id } = at.repository.row
      return yield* transaction(
        Effect.gen(function* () {
          const created_at = timestamp(yield* Clock.currentTimeMillis)
          yield* environments.ensure(id, deployment.environment)
          const row = yield* deployments.add({
            ...deployment,
            repository_id: id,
            creator_id: at.actor.id,
            created_at
          })
          const pulls = yield* deployments.pullRequests(id, row.sha)
          yield* issueEvents.add(
            pulls.map((issueId) => ({
              issue: { id: issueId, repository_id: id },
              actorId: at.actor.id,
              event: "deployed"
            })),
            created_at
          )
          yield* announce(at, row)
          return row
        })
      )
    }),

    /** Adds a status. With `deactivates`, makes the earlier successful deployments to the environment inactive. */
    setStatus: Effect.fnUntraced(function* (
      at: EventContext,
      row: DeploymentRow,
      content: StatusContent,
      { appId, deactivates }: { readonly appId: number | null; readonly deactivates: boolean }
    ) {
      return yield* transaction(
        Effect.gen(function* () {
          const created_at = timestamp(yield* Clock.currentTimeMillis)
          const common = { creator_id: at.actor.id, app_id: appId, created_at }
          const added = yield* addStatus(at, row, { ...content, ...common })
          if (content.state !== "success") return added
          if (deactivates) {
            for (const one of yield* deployments.superseded({ ...row, environment: content.environment })) {
              const { environment } = one
              const inactive = { state: "inactive", description: "", log_url: "", environment_url: "" } as const // a state
              yield* addStatus(at, one, { ...inactive, environment, ...common })
            }
          }
          yield* autoMerges.offer({ _tag: "Commit", repositoryId: at.repository.row.id, oid: row.sha })
          return added
        })
      )
    })
  }
})
