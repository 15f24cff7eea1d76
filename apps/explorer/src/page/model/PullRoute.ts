/** The routes of pull requests. */
import type { RepositoryName } from "../../ExplorerApi.ts"
import * as DiffRoute from "./DiffRoute.ts"
import * as IssueRoute from "./IssueRoute.ts"

/** The tabs of a pull request beside the conversation. */
export const pullTabs = ["commits", "checks", "files"] as const // the names must stay literals

/** One of `pullTabs`. */
export type PullTab = (typeof pullTabs)[number]

/** A pull request. */
export interface Pull extends DiffRoute.DiffView {
  readonly _tag: "Pull"
  readonly number: number
  /** The conversation if absent. */
  readonly tab?: PullTab
  /** Id of the comment to scroll to. */
  readonly comment?: number
}

/** The pull requests of a repository. */
export interface Pulls extends IssueRoute.ListView {
  readonly _tag: "Pulls"
}

/** Parses the URL of a pull request or a list. Undefined for a pull request without a number. */
export const parse = (
  name: string,
  query: URLSearchParams,
  hash: string,
  repository: RepositoryName
): Pull | Pulls | undefined => {
  if (name === "pulls") return { _tag: "Pulls", ...IssueRoute.parseList(query, repository) }
  const number = IssueRoute.numberOf(query.get("number"))
  if (number === undefined) return undefined
  const tab = pullTabs.find((tab) => tab === query.get("tab"))
  const comment = tab === undefined ? IssueRoute.commentOf(hash) : undefined
  return {
    _tag: "Pull",
    ...(tab === "files" ? DiffRoute.parseView(query, hash, repository) : repository),
    number,
    ...(tab === undefined ? {} : { tab }),
    ...(comment === undefined ? {} : { comment })
  }
}

/** The URL of a pull request or a list, relative to the page. */
export const href = (route: Pull | Pulls): string => {
  if (route._tag === "Pulls") return `pulls?${IssueRoute.listQuery(route)}`
  const { comment, line, number, owner, repo, tab } = route
  const query = DiffRoute.readable({
    repo: `${owner}/${repo}`,
    number: `${number}`,
    ...(tab === undefined ? {} : { tab }),
    ...DiffRoute.viewQuery(route)
  })
  const hash =
    comment !== undefined ? IssueRoute.commentHash(comment) : line === undefined ? "" : DiffRoute.lineHash(line)
  return `pull?${query}${hash}`
}
