import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"

const MAX_REPOSITORIES = 12

/** The number of days of the chart. */
export const DAYS = 42

/** The latest commits of the first repositories. Undefined while loading, without repositories, and after a failure. */
export const useActivity = (
  repositories: ReadonlyArray<ExplorerApi.RepositoryName>
): ExplorerApi.Activity | undefined => {
  const repo = repositories.slice(0, MAX_REPOSITORIES).map(({ owner, repo }) => `${owner}/${repo}`)
  const answer = ExplorerClient.useRequest(
    ExplorerClient.activity,
    repo.length === 0 ? undefined : { repo, days: DAYS }
  )
  return answer._tag === "Ready" ? answer.value : undefined
}
