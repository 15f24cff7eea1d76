/** Objects of deployments, their statuses and environments. */
import * as Effect from "effect/Effect"
import { ghost } from "../../accounts/Ghost.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { type DeploymentRow, DeploymentRows } from "../../deployments/DeploymentRows.ts"
import { type DeploymentStatusRow, DeploymentStatusRows } from "../../deployments/DeploymentStatusRows.ts"
import { type EnvironmentRow, EnvironmentRows } from "../../deployments/EnvironmentRows.ts"
import { commitKey, groupById } from "./CheckObjects.ts"
import * as Connections from "./Connections.ts"
import { refusal, requireAccess } from "./RepositoryObjects.ts"
import type { DeploymentArguments, FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The operations of the contract with the access rules of deployments and of environments. */
const readsDeployments = OperationAccess.operationOf("deployments", "list")
const readsEnvironments = OperationAccess.operationOf("environments", "list")

/** Maximum deployments of a repository among which a list selects and sorts. */
const MAX_DEPLOYMENTS = 10_000

/** The state of a deployment without a status, and of one that succeeded. */
const stateOf = ({ state }: DeploymentRow) =>
  state === null ? "PENDING" : state === "success" ? "ACTIVE" : state.toUpperCase()

/** Creates the functions that return deployments. */
export const make = Effect.gen(function* () {
  const deployments = yield* DeploymentRows
  const environments = yield* EnvironmentRows
  const statuses = yield* DeploymentStatusRows

  /** Reads the deployments of commits by `commitKey`, the oldest first. */
  const byCommit = async (query: RunningQuery, keys: ReadonlyArray<string>) => {
    const found = await Promise.all(
      [...groupById(keys)].map(async ([id, oids]) => {
        const rows = await query.run(deployments.ofCommits(id, oids))
        return [...Map.groupBy(rows, ({ sha }) => `${id} ${sha}`)]
      })
    )
    return new Map(found.flat())
  }

  const statusesById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(statuses.ofDeployments(ids))

  const status = (query: RunningQuery, row: DeploymentStatusRow): object => ({
    __typename: "DeploymentStatus",
    id: nodeId("DeploymentStatus", row.id),
    state: row.state.toUpperCase(),
    description: row.description,
    environment: row.environment,
    environmentUrl: row.environment_url === "" ? null : row.environment_url,
    logUrl: row.log_url === "" ? null : row.log_url,
    creator: () => query.account(row.creator ?? ghost),
    createdAt: row.created_at,
    updatedAt: row.created_at
  })

  const deployment = (query: RunningQuery, row: DeploymentRow, at: FoundRepository): object => {
    const statusRows = async () => (await query.statusesOfDeployment(row.id)) ?? []
    return {
      __typename: "Deployment",
      id: nodeId("Deployment", row.id),
      databaseId: row.id,
      commit: () => query.gitObject(at, row.sha),
      commitOid: row.sha,
      creator: () => query.account(row.creator ?? ghost),
      description: row.description,
      environment: row.environment,
      latestEnvironment: row.environment,
      originalEnvironment: row.original_environment,
      payload: row.payload === "" ? null : JSON.stringify(row.payload),
      task: row.task,
      state: stateOf(row),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      repository: () => query.repository(at),
      latestStatus: async () => {
        const [latest] = await statusRows()
        return latest === undefined ? null : status(query, latest)
      },
      statuses: async (page: Connections.PageArguments) =>
        Connections.ofList("statuses", page, await statusRows(), (one) => status(query, one))
    }
  }

  const environment = (row: EnvironmentRow): object => ({
    __typename: "Environment",
    id: nodeId("Environment", row.id),
    databaseId: row.id,
    name: row.name
  })

  const list = (
    query: RunningQuery,
    at: FoundRepository,
    { environments, orderBy, ...page }: DeploymentArguments,
    rows: ReadonlyArray<DeploymentRow>
  ) => {
    const names = environments?.map((name) => name.toLowerCase())
    const wanted = rows.filter((row) => names?.includes(row.environment.toLowerCase()) ?? true)
    const sorted = Connections.sorted(wanted, ({ id }) => id, orderBy?.direction ?? "ASC")
    return Connections.ofList("deployments", page, sorted, (row) => deployment(query, row, at))
  }

  const ofCommit = async (query: RunningQuery, at: FoundRepository, oid: string, given: DeploymentArguments) => {
    requireAccess(readsDeployments, query, at)
    return list(query, at, given, (await query.deploymentsOfCommit(commitKey(at, oid))) ?? [])
  }

  /** Returns the fields of a repository with its deployments and environments. */
  const fields = (query: RunningQuery, at: FoundRepository) => {
    const { id } = at.served.row
    return {
      deployments: async (given: DeploymentArguments) => {
        requireAccess(readsDeployments, query, at)
        const all = { page: 1, offset: 0, perPage: MAX_DEPLOYMENTS }
        return list(query, at, given, (await query.run(deployments.list(id, {}, all))).items)
      },
      environment: async ({ name }: { readonly name: string }) => {
        requireAccess(readsEnvironments, query, at)
        const row = await query.run(environments.find(id, name))
        return row === undefined ? null : environment(row)
      },
      environments: (page: Connections.PageArguments) => {
        requireAccess(readsEnvironments, query, at)
        return Connections.make("environments", page, async (range) => {
          const { items, total } = await query.run(environments.list(id, range))
          return { items: items.map(environment), total }
        })
      }
    }
  }

  /** Returns the deployment or environment with an id. Null if the caller cannot read it. */
  const byId = async (query: RunningQuery, type: "Deployment" | "Environment", id: number) => {
    const [row] = await query.run<ReadonlyArray<DeploymentRow | EnvironmentRow>>(
      type === "Deployment" ? deployments.byIds([id]) : environments.byIds([id])
    )
    const at = row === undefined ? undefined : await query.findRepository(row.repository_id)
    if (row === undefined || at === undefined) return null
    const operation = "sha" in row ? readsDeployments : readsEnvironments
    if (refusal(operation, query.caller, at) !== undefined) return null
    return "sha" in row ? deployment(query, row, at) : environment(row)
  }

  return { byCommit, byId, fields, ofCommit, statusesById }
})
