/** Fixtures of deployments. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { deploymentStates } from "@tongs/core/contract/groups/DeploymentStatuses"
import * as FixtureSection from "../../api/FixtureSection.ts"
import { FixtureTimestamp } from "../../api/FixtureTimestamp.ts"
import { timestamp } from "../../base/Time.ts"
import { DeploymentRows } from "../../deployments/DeploymentRows.ts"
import { DeploymentStatusRows } from "../../deployments/DeploymentStatusRows.ts"
import { EnvironmentRows } from "../../deployments/EnvironmentRows.ts"
import { RepositoryRegistry } from "../../repositories/RepositoryRegistry.ts"

const { failAt } = FixtureSection

const Deployment = Schema.Struct({
  repository: Schema.String,
  creator: Schema.String,
  /** Branch, tag or commit; the default branch by default. */
  ref: Schema.optionalKey(Schema.String),
  /** `production` by default. */
  environment: Schema.optionalKey(Schema.String),
  task: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  created_at: Schema.optionalKey(FixtureTimestamp),
  /** The oldest first. */
  statuses: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        state: Schema.Literals(deploymentStates),
        description: Schema.optionalKey(Schema.String),
        log_url: Schema.optionalKey(Schema.String),
        environment_url: Schema.optionalKey(Schema.String),
        created_at: Schema.optionalKey(FixtureTimestamp)
      })
    )
  )
})

/** Finds the commit of a branch, tag or commit. */
const commitOf = Effect.fnUntraced(function* (fullName: string, ref: string | undefined) {
  if (ref === undefined) {
    const { branch, commit } = yield* FixtureSection.tip("ref", fullName)
    return { ref: branch, sha: commit }
  }
  const [owner = "", name = ""] = fullName.split("/", 2)
  const served = yield* Effect.orElseSucceed((yield* RepositoryRegistry).find(owner, name), () => undefined)
  const sha = served === undefined ? undefined : yield* Effect.orElseSucceed(served.git.resolve(ref), () => undefined)
  return sha === undefined ? yield* failAt("ref", `no commit ${JSON.stringify(ref)}`) : { ref, sha }
})

/** Adds a deployment. With `isOnce`, does nothing if the repository has an equal one. */
export const add = Effect.fnUntraced(function* (row: typeof Deployment.Type, isOnce: boolean) {
  const { id: repository_id } = yield* FixtureSection.repository("repository", row.repository)
  const { id: creator_id } = yield* FixtureSection.user("creator", row.creator)
  const { ref, sha } = yield* commitOf(row.repository, row.ref)
  const { description = null, environment = "production", task = "deploy" } = row
  const deployments = yield* DeploymentRows
  const statuses = yield* DeploymentStatusRows
  const same = yield* deployments.list(
    repository_id,
    { sha, ref, task, environment },
    { page: 1, perPage: 100, offset: 0 }
  )
  if (isOnce && same.items.some((one) => one.description === description)) return undefined
  const now = row.created_at ?? timestamp(yield* Clock.currentTimeMillis)
  yield* (yield* EnvironmentRows).ensure(repository_id, environment, now)
  const added = yield* deployments.add({
    repository_id,
    sha,
    ref,
    task,
    payload: "",
    environment,
    description,
    transient: 0,
    production: environment === "production" ? 1 : 0,
    app_id: null,
    creator_id,
    created_at: now
  })
  for (const status of row.statuses ?? []) {
    const { created_at = now, description: text = "", environment_url = "", log_url = "", state } = status
    const content = { state, description: text, environment, log_url, environment_url, app_id: null, creator_id }
    yield* statuses.add({ ...content, deployment_id: added.id, created_at })
    yield* deployments.setState(added.id, { state, environment, updated_at: created_at })
  }
  return added.id
})

/** Section `deployments`. Load after repositories. */
export const sections = () => [
  FixtureSection.make("deployments", Deployment, FixtureSection.wholeRow, (row) => add(row, true))
]
