/** Objects of statuses, check runs and check suites. */
import * as Effect from "effect/Effect"
import { InstallationRows } from "../../access/InstallationRows.ts"
import * as AppShapes from "../../api/AppShapes.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import * as Shapes from "../../api/Shapes.ts"
import { CheckRunRows } from "../../checks/CheckRunRows.ts"
import * as CheckShapes from "../../checks/CheckShapes.ts"
import { type CheckSuiteRow, CheckSuiteRows } from "../../checks/CheckSuiteRows.ts"
import { type Rollup, type RollupRun, Rollups } from "../../checks/Rollup.ts"
import { type StatusRow, StatusRows } from "../../checks/StatusRows.ts"
import { type WorkflowRow, WorkflowRows } from "../../runs/WorkflowRows.ts"
import { type WorkflowRunRow, WorkflowRunRows } from "../../runs/WorkflowRunRows.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import * as Connections from "./Connections.ts"
import { ref, refusal, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The operations of the contract with the access rules of checks, of runs and of statuses. */
const readsChecks = OperationAccess.operationOf("checkRuns", "listForRef")
const readsRuns = OperationAccess.operationOf("workflowRuns", "listForRepo")
const readsStatuses = OperationAccess.operationOf("statuses", "listForRef")

interface RunFilter {
  readonly checkName?: string | null
  readonly status?: string | null
  readonly appId?: number | null
  readonly checkType?: "ALL" | "LATEST" | null
}

interface SuiteFilter {
  readonly checkName?: string | null
  readonly appId?: number | null
}

const upper = (text: string | null) => (text === null ? null : text.toUpperCase())

/** Numbers of items by state. */
const countsBy = <A>(items: ReadonlyArray<A>, stateOf: (item: A) => string | null) =>
  [...Map.groupBy(items, stateOf)].map(([state, own]) => ({ state, count: own.length }))

/** The state of a check run: its conclusion if it is completed. GitHub has no state for a requested one. */
const runState = ({ conclusion, status }: RollupRun): string | null =>
  upper(conclusion ?? (status === "requested" ? "queued" : status))

/** Returns the key of a commit for a loader. */
export const commitKey = ({ served }: FoundRepository, oid: string): string => `${served.row.id} ${oid}`

/** Groups what follows the id and the space in such keys, or in keys with another id, by the id. */
export const groupById = (keys: ReadonlyArray<string>): ReadonlyMap<number, ReadonlyArray<string>> => {
  const parts = keys.map((key) => {
    const space = key.indexOf(" ")
    return { id: Number(key.slice(0, space)), rest: key.slice(space + 1) }
  })
  const byId = Map.groupBy(parts, ({ id }) => id)
  return new Map([...byId].map(([id, own]) => [id, own.map(({ rest }) => rest)]))
}

/** Creates the functions that return statuses and checks. */
export const make = Effect.gen(function* () {
  const enforcement = yield* Enforcement
  const installations = yield* InstallationRows
  const rollups = yield* Rollups
  const runs = yield* CheckRunRows
  const statuses = yield* StatusRows
  const suites = yield* CheckSuiteRows
  const workflows = yield* WorkflowRows
  const workflowRuns = yield* WorkflowRunRows

  /** Reads the checks of commits by `commitKey`. */
  const rollupsByKey = async (query: RunningQuery, keys: ReadonlyArray<string>) => {
    const found = await Promise.all(
      [...groupById(keys)].map(async ([id, oids]) =>
        [...(await query.run(rollups.ofCommits(id, oids)))].map(([oid, one]): [string, Rollup] => [`${id} ${oid}`, one])
      )
    )
    return new Map(found.flat())
  }

  const suitesById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(suites.byIds(ids))
  const runsById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(runs.byIds(ids))

  const workflowsById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(workflows.byIds(ids))
  const workflowRunsById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(workflowRuns.byIds(ids))
  const workflowRunsOfSuites = (query: RunningQuery, ids: ReadonlyArray<number>) =>
    query.run(workflowRuns.ofSuites(ids))

  /** True if a rule of the default branch requires a check of this name. */
  const isRequired =
    (query: RunningQuery, { served }: FoundRepository, name: string, appId: number | undefined) =>
    () =>
      query.run(
        Effect.map(enforcement.requiredChecks(served), (required) =>
          required.some(
            ({ context, integration_id }) =>
              context === name && (integration_id === undefined || integration_id === appId)
          )
        )
      )

  const context = (query: RunningQuery, row: StatusRow, at: FoundRepository): object => ({
    __typename: "StatusContext",
    id: nodeId("StatusContext", row.id),
    context: row.context,
    state: upper(row.state),
    description: row.description,
    targetUrl: row.target_url === "" ? null : row.target_url,
    avatarUrl: row.creator === null ? null : Shapes.userSummary(row.creator, query.urls).avatar_url,
    createdAt: row.created_at,
    creator: () => (row.creator === null ? null : query.account(row.creator)),
    commit: () => query.gitObject(at, row.sha),
    isRequired: isRequired(query, at, row.context, undefined)
  })

  const run = (query: RunningQuery, row: RollupRun, at: FoundRepository): object => {
    const url = `${query.urls.html}/${at.served.fullName}${CheckShapes.pagePath(row)}`
    const text = (name: "summary" | "text") => async () => (await query.checkRunTexts(row.id))?.[name] ?? null
    return {
      __typename: "CheckRun",
      id: nodeId("CheckRun", row.id),
      databaseId: row.id,
      name: row.name,
      status: upper(row.status),
      conclusion: upper(row.conclusion),
      startedAt: row.started_at,
      completedAt: row.completed_at,
      detailsUrl: async () =>
        row.details_url ??
        (row.workflow_run_id === null ? ((await appOf(query, row.app_id))?.external_url ?? null) : url),
      externalId: row.external_id,
      permalink: url,
      url,
      title: row.title,
      summary: text("summary"),
      text: text("text"),
      checkSuite: async () => {
        const found = await query.checkSuite(row.suite_id)
        const { workflow_run_id: id } = row
        const ofJob = () => (id === null ? Promise.resolve(undefined) : query.workflowRun(id))
        return found === undefined ? null : suite(query, found, at, ofJob)
      },
      repository: () => query.repository(at),
      isRequired: isRequired(query, at, row.name, row.app_id)
    }
  }

  const appsById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(installations.appsById(ids))

  const appOf = async (query: RunningQuery, id: number) => {
    const found = await query.app(id)
    return found === undefined ? undefined : AppShapes.app(found, query.urls)
  }

  const app = async (query: RunningQuery, id: number): Promise<object | null> => {
    const found = await query.app(id)
    if (found === undefined) return null
    const shape = AppShapes.app(found, query.urls)
    return {
      __typename: "App",
      id: shape.node_id,
      databaseId: shape.id,
      name: shape.name,
      slug: found.slug,
      description: shape.description,
      url: shape.html_url
    }
  }

  const workflow = (row: WorkflowRow): object => ({
    __typename: "Workflow",
    id: nodeId("Workflow", row.id),
    databaseId: row.id,
    name: row.name,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  })

  const workflowRun = (query: RunningQuery, row: WorkflowRunRow, at: FoundRepository): object => {
    const path = `/${at.served.fullName}/actions/runs/${row.id}`
    return {
      __typename: "WorkflowRun",
      id: nodeId("WorkflowRun", row.id),
      databaseId: row.id,
      event: row.event,
      runNumber: row.run_number,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      resourcePath: path,
      url: query.urls.html + path,
      checkSuite: async () => {
        const found = await query.checkSuite(row.suite_id)
        return found === undefined ? null : suite(query, found, at, () => Promise.resolve(row))
      },
      workflow: async () => {
        const found = await query.workflow(row.workflow_id)
        return found === undefined ? null : workflow(found)
      }
    }
  }

  /** Creates a check suite. `runOf` reads its run: that of a job, or the newest one by default. */
  const suite = (
    query: RunningQuery,
    row: CheckSuiteRow,
    at: FoundRepository,
    runOf: () => Promise<WorkflowRunRow | undefined> = () => query.workflowRunOfSuite(row.id)
  ): object => ({
    __typename: "CheckSuite",
    id: nodeId("CheckSuite", row.id),
    databaseId: row.id,
    app: () => app(query, row.app_id),
    branch: () => (row.head_branch === null ? null : ref(query, at, `refs/heads/${row.head_branch}`)),
    commit: () => query.gitObject(at, row.head_sha),
    creator: null,
    status: upper(row.status),
    conclusion: upper(row.conclusion),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    repository: () => query.repository(at),
    workflowRun: async () => {
      if (refusal(readsRuns, query.caller, at) !== undefined) return null
      const found = await runOf()
      return found === undefined ? null : workflowRun(query, found, at)
    },
    checkRuns: ({ filterBy, ...page }: Connections.PageArguments & { readonly filterBy?: RunFilter | null }) => {
      const filter = {
        name: filterBy?.checkName ?? undefined,
        status: filterBy?.status?.toLowerCase(),
        appId: filterBy?.appId ?? undefined,
        isLatest: (filterBy?.checkType ?? "LATEST") === "LATEST"
      }
      return Connections.make("checkRuns", page, async (range) => {
        const { items, total } = await query.run(runs.listOfSuite(row.id, filter, range))
        return { items: items.map((one) => run(query, one, at)), total }
      })
    }
  })

  /** Returns the fields of a commit with its checks. */
  const fields = (query: RunningQuery, oid: string, at: FoundRepository): object => {
    const rollup = () => query.rollup(commitKey(at, oid))
    const commit = () => query.gitObject(at, oid)
    return {
      status: async () => {
        requireAccess(readsStatuses, query, at)
        const statuses = (await rollup())?.statuses ?? []
        if (statuses.length === 0) return null
        const states: ReadonlySet<string> = new Set(statuses.map(({ state }) => state))
        return {
          state: upper(["failure", "error", "pending"].find((one) => states.has(one)) ?? "success"),
          contexts: statuses.map((row) => context(query, row, at)),
          context: ({ name }: { readonly name: string }) => {
            const row = statuses.find((one) => one.context.toLowerCase() === name.toLowerCase())
            return row === undefined ? null : context(query, row, at)
          },
          commit
        }
      },
      statusCheckRollup: async () => {
        requireAccess(readsStatuses, query, at)
        requireAccess(readsChecks, query, at)
        const found = await rollup()
        if (found === undefined) return null
        return {
          state: upper(found.state),
          commit,
          contexts: (page: Connections.PageArguments) => ({
            ...Connections.ofList("contexts", page, [...found.runs, ...found.statuses], (row) =>
              "context" in row ? context(query, row, at) : run(query, row, at)
            ),
            checkRunCount: found.runs.length,
            checkRunCountsByState: countsBy(found.runs, runState),
            statusContextCount: found.statuses.length,
            statusContextCountsByState: countsBy(found.statuses, ({ state }) => upper(state))
          })
        }
      },
      checkSuites: ({ filterBy, ...page }: Connections.PageArguments & { readonly filterBy?: SuiteFilter | null }) => {
        requireAccess(readsChecks, query, at)
        const filter = { appId: filterBy?.appId ?? undefined, checkName: filterBy?.checkName ?? undefined }
        return Connections.make("checkSuites", page, async (range) => {
          const { items, total } = await query.run(suites.list(at.served.row.id, oid, filter, range))
          return { items: items.map((row) => suite(query, row, at)), total }
        })
      }
    }
  }

  /** Returns the check or run with an id. Null if the caller cannot read it. */
  const byId = async (
    query: RunningQuery,
    type: "CheckRun" | "CheckSuite" | "Workflow" | "WorkflowRun",
    id: number
  ): Promise<object | null> => {
    const readers = {
      CheckRun: query.checkRunTexts,
      CheckSuite: query.checkSuite,
      Workflow: query.workflow,
      WorkflowRun: query.workflowRun
    }
    const row = await readers[type](id)
    const at = row === undefined ? undefined : await query.findRepository(row.repository_id)
    if (row === undefined || at === undefined) return null
    const isRun = "path" in row || "run_number" in row
    if (refusal(isRun ? readsRuns : readsChecks, query.caller, at) !== undefined) return null
    if ("path" in row) return workflow(row)
    if ("run_number" in row) return workflowRun(query, row, at)
    return "annotations_count" in row ? run(query, row, at) : suite(query, row, at)
  }

  /** Returns the status with an id. Null if the caller cannot read it. */
  const statusById = async (query: RunningQuery, id: number): Promise<object | null> => {
    const row = await query.run(statuses.byId(id))
    const at = row === undefined ? undefined : await query.findRepository(row.repository_id)
    if (row === undefined || at === undefined) return null
    return refusal(readsStatuses, query.caller, at) === undefined ? context(query, row, at) : null
  }

  return {
    appsById,
    byId,
    fields,
    rollupsByKey,
    runsById,
    statusById,
    suitesById,
    workflowRunsById,
    workflowRunsOfSuites,
    workflowsById
  }
})
