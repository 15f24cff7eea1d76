/** Environments and deployments as resources of the API. */
import type { Deployment } from "@tongs/core/contract/groups/Deployments"
import type { DeploymentStatus } from "@tongs/core/contract/groups/DeploymentStatuses"
import type { Environment, ProtectionRule } from "@tongs/core/contract/groups/Environments"
import type { AppWithKey } from "../access/InstallationRows.ts"
import * as AppShapes from "../api/AppShapes.ts"
import { nodeId } from "../api/NodeId.ts"
import * as Shapes from "../api/Shapes.ts"
import type { Urls } from "../api/Urls.ts"
import { parseTimestamp } from "../base/Time.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { DeploymentRow } from "./DeploymentRows.ts"
import type { DeploymentStatusRow } from "./DeploymentStatusRows.ts"
import type { EnvironmentRow, ReviewerRow } from "./EnvironmentRows.ts"

/** The app with an id, if a row names one. */
export type AppOf = (row: { readonly app_id: number | null }) => AppWithKey | undefined

const creatorOf = ({ creator }: Pick<DeploymentRow, "creator">, urls: Urls) =>
  creator === null ? null : Shapes.userSummary(creator, urls)

const appShape = (app: AppWithKey | undefined, urls: Urls) => (app === undefined ? null : AppShapes.app(app, urls))

export const deployment = (row: DeploymentRow, appOf: AppOf, served: ServedRepository, urls: Urls): Deployment => {
  const repositoryUrl = Shapes.repositoryUrl(served, urls)
  const url = `${repositoryUrl}/deployments/${row.id}`
  return {
    url,
    id: row.id,
    node_id: nodeId("Deployment", row.id),
    sha: row.sha,
    ref: row.ref,
    task: row.task,
    payload: row.payload === "" ? {} : row.payload,
    original_environment: row.original_environment,
    environment: row.environment,
    description: row.description,
    creator: creatorOf(row, urls),
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    statuses_url: `${url}/statuses`,
    repository_url: repositoryUrl,
    transient_environment: row.transient === 1,
    production_environment: row.production === 1,
    performed_via_github_app: appShape(appOf(row), urls)
  }
}

export const deploymentStatus = (
  row: DeploymentStatusRow,
  appOf: AppOf,
  served: ServedRepository,
  urls: Urls
): DeploymentStatus => {
  const repositoryUrl = Shapes.repositoryUrl(served, urls)
  const deploymentUrl = `${repositoryUrl}/deployments/${row.deployment_id}`
  return {
    url: `${deploymentUrl}/statuses/${row.id}`,
    id: row.id,
    node_id: nodeId("DeploymentStatus", row.id),
    state: row.state,
    creator: creatorOf(row, urls),
    description: row.description,
    environment: row.environment,
    target_url: row.log_url,
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.created_at),
    deployment_url: deploymentUrl,
    repository_url: repositoryUrl,
    environment_url: row.environment_url,
    log_url: row.log_url,
    performed_via_github_app: appShape(appOf(row), urls)
  }
}

/** Ids of the protection rules of an environment: each environment has at most one of a type. */
const ruleTypes = ["wait_timer", "required_reviewers", "branch_policy"] as const // literal types

const rule = (environment: EnvironmentRow, type: (typeof ruleTypes)[number]) => {
  const id = environment.id * ruleTypes.length + ruleTypes.indexOf(type)
  return { id, node_id: nodeId("DeploymentProtectionRule", `${environment.id}:${type}`), type }
}

type Reviewers = NonNullable<ProtectionRule["reviewers"]>

const reviewer = ({ team, user }: ReviewerRow, urls: Urls): Reviewers =>
  team === null
    ? user === null
      ? []
      : [{ type: "User", reviewer: Shapes.userSummary(user, urls) }]
    : [{ type: "Team", reviewer: Shapes.team(team, urls) }]

/** Creates the reviewers of an environment. */
export const reviewers = (rows: ReadonlyArray<ReviewerRow>, urls: Urls): Reviewers =>
  rows.flatMap((one) => reviewer(one, urls))

/** Creates the reference to an environment. */
export const environmentReference = (row: EnvironmentRow, served: ServedRepository, urls: Urls) => {
  const name = encodeURIComponent(row.name)
  return {
    id: row.id,
    node_id: nodeId("Environment", row.id),
    name: row.name,
    url: `${Shapes.repositoryUrl(served, urls)}/environments/${name}`,
    html_url: `${urls.html}/${served.fullName}/deployments/activity_log?environments_filter=${name}`
  }
}

/** Creates an environment. `reviewerRows` are those of the environment. */
export const environment = (
  row: EnvironmentRow,
  reviewerRows: ReadonlyArray<ReviewerRow>,
  served: ServedRepository,
  urls: Urls
): Environment => {
  const rules: ReadonlyArray<ProtectionRule> = [
    ...(row.wait_timer === 0 ? [] : [{ ...rule(row, "wait_timer"), wait_timer: row.wait_timer }]),
    ...(reviewerRows.length === 0
      ? []
      : [
          {
            ...rule(row, "required_reviewers"),
            prevent_self_review: row.prevent_self_review === 1,
            reviewers: reviewers(reviewerRows, urls)
          }
        ]),
    ...(row.branch_policy === null ? [] : [rule(row, "branch_policy")])
  ]
  return {
    ...environmentReference(row, served, urls),
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    protection_rules: rules,
    deployment_branch_policy:
      row.branch_policy === null
        ? null
        : {
            protected_branches: row.branch_policy === "protected",
            custom_branch_policies: row.branch_policy === "custom"
          }
  }
}
