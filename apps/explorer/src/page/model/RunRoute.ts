/** The routes of workflow runs. */
import type { RepositoryName } from "../../ExplorerApi.ts"
import { type RunStatus, runStatuses } from "../../RunStatuses.ts"
import * as DiffRoute from "./DiffRoute.ts"
import * as IssueRoute from "./IssueRoute.ts"

/** A run, or one of its jobs. */
export interface Run extends RepositoryName {
  readonly _tag: "Run"
  readonly id: number
  readonly job?: number
  /** The line of the log of the job. */
  readonly line?: number
}

/** The runs of a repository. */
export interface Runs extends RepositoryName {
  readonly _tag: "Runs"
  /** Name of the file of a workflow. */
  readonly workflow?: string
  readonly branch?: string
  readonly status?: RunStatus
  /** From 2. The first page if absent. */
  readonly page?: number
}

/** Parses the URL of a run or the list. Undefined for a run without an id. */
export const parse = (
  name: string,
  query: URLSearchParams,
  hash: string,
  repository: RepositoryName
): Run | Runs | undefined => {
  if (name === "run") {
    const id = IssueRoute.numberOf(query.get("id"))
    const job = IssueRoute.numberOf(query.get("job"))
    const line = job === undefined ? undefined : IssueRoute.numberOf(hash.replace("#L", ""))
    if (id === undefined) return undefined
    return {
      _tag: "Run",
      ...repository,
      id,
      ...(job === undefined ? {} : { job }),
      ...(line === undefined ? {} : { line })
    }
  }
  const workflow = query.get("workflow") ?? ""
  const branch = query.get("branch") ?? ""
  const status = runStatuses.find((status) => status === query.get("status"))
  const page = IssueRoute.numberOf(query.get("page")) ?? 1
  return {
    _tag: "Runs",
    ...repository,
    ...(workflow === "" ? {} : { workflow }),
    ...(branch === "" ? {} : { branch }),
    ...(status === undefined ? {} : { status }),
    ...(page === 1 ? {} : { page })
  }
}

/** The URL of a run or the list, relative to the page. */
export const href = (route: Run | Runs): string => {
  const { owner, repo } = route
  if (route._tag === "Runs") {
    const { branch, page, status, workflow } = route
    return `actions?${DiffRoute.readable({
      repo: `${owner}/${repo}`,
      ...(workflow === undefined ? {} : { workflow }),
      ...(branch === undefined ? {} : { branch }),
      ...(status === undefined ? {} : { status }),
      ...(page === undefined ? {} : { page: `${page}` })
    })}`
  }
  const { id, job, line } = route
  const query = { repo: `${owner}/${repo}`, id: `${id}`, ...(job === undefined ? {} : { job: `${job}` }) }
  return `run?${DiffRoute.readable(query)}${line === undefined ? "" : `#L${line}`}`
}
