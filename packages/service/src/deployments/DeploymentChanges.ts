/** Creates deployments and their statuses, with the webhooks and events that follow. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { InstallationRows } from "../access/InstallationRows.ts"
import { PublicUrl } from "../api/PublicUrl.ts"
import { timestamp } from "../base/Time.ts"
import { type DeploymentRow, DeploymentRows, type NewDeployment } from "./DeploymentRows.ts"
import * as DeploymentShapes from "./DeploymentShapes.ts"
import { type DeploymentStatusRow, DeploymentStatusRows, type NewDeploymentStatus } from "./DeploymentStatusRows.ts"
import { EnvironmentRows } from "./EnvironmentRows.ts"
import { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import { Events } from "../events/Events.ts"
import type { EventContext } from "../events/NewEvent.ts"
import { IssueEventRows } from "../issues/IssueEventRows.ts"
import * as Transaction from "../storage/Transaction.ts"

/** The run of a deployment or status, in payloads of webhooks. Null without one. */
export interface DeploymentOrigin {
  readonly workflow: object | null
  readonly workflow_run: object | null
}

const noOrigin: DeploymentOrigin = { workflow: null, workflow_run: null }

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

  const announce = Effect.fnUntraced(function* (
    at: EventContext,
    row: DeploymentRow,
    origin: DeploymentOrigin,
    status?: DeploymentStatusRow
  ) {
    const urls = yield* publicUrl.urls
    const appOf = yield* apps(status === undefined ? [row] : [row, status])
    const deployment = DeploymentShapes.deployment(row, appOf, at.repository, urls)
    yield* events.announce({
      ...at,
      event: status === undefined ? "deployment" : "deployment_status",
      action: "created",
      payload:
        status === undefined
          ? { deployment, ...origin }
          : {
              deployment,
              deployment_status: DeploymentShapes.deploymentStatus(status, appOf, at.repository, urls),
              check_run: null,
              ...origin
            }
    })
  })

  /** Adds a status. GitHub sends no webhook for an inactive one. */
  const addStatus = Effect.fnUntraced(function* (
    at: EventContext,
    row: DeploymentRow,
    status: Omit<NewDeploymentStatus, "deployment_id">,
    origin: DeploymentOrigin
  ) {
    const { created_at: updated_at, environment, state } = status
    const added = yield* statuses.add({ ...status, deployment_id: row.id })
    yield* deployments.setState(row.id, { state, environment, updated_at })
    if (state !== "inactive") yield* announce(at, { ...row, state, environment, updated_at }, origin, added)
    return added
  })

  return {
    apps,

    /** Creates a deployment, and its environment if missing. The creator is the actor by default. */
    create: Effect.fnUntraced(function* (
      at: EventContext,
      deployment: Omit<NewDeployment, "created_at" | "creator_id" | "repository_id">,
      {
        creatorId = at.actor.id,
        origin = noOrigin
      }: { readonly creatorId?: number; readonly origin?: DeploymentOrigin } = {}
    ) {
      const { id } = at.repository.row
      return yield* transaction(
        Effect.gen(function* () {
          const created_at = timestamp(yield* Clock.currentTimeMillis)
          yield* environments.ensure(id, deployment.environment)
          const row = yield* deployments.add({
            ...deployment,
            repository_id: id,
            creator_id: creatorId,
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
          yield* announce(at, row, origin)
          return row
        })
      )
    }),

    /** Adds a status. With `deactivates`, makes the earlier successful deployments to the environment inactive. */
    setStatus: Effect.fnUntraced(function* (
      at: EventContext,
      row: DeploymentRow,
      content: StatusContent,
      options: { readonly appId: number | null; readonly deactivates: boolean; readonly origin?: DeploymentOrigin }
    ) {
      const { appId, deactivates, origin = noOrigin } = options
      return yield* transaction(
        Effect.gen(function* () {
          const created_at = timestamp(yield* Clock.currentTimeMillis)
          const common = { creator_id: at.actor.id, app_id: appId, created_at }
          const added = yield* addStatus(at, row, { ...content, ...common }, origin)
          if (content.state !== "success") return added
          if (deactivates) {
            for (const one of yield* deployments.superseded({ ...row, environment: content.environment })) {
              const { environment } = one
              const inactive = { state: "inactive", description: "", log_url: "", environment_url: "" } as const // a state
              yield* addStatus(at, one, { ...inactive, environment, ...common }, noOrigin)
            }
          }
          yield* autoMerges.offer({ _tag: "Commit", repositoryId: at.repository.row.id, oid: row.sha })
          return added
        })
      )
    })
  }
})
