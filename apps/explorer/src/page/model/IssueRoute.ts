/** The routes of issues. */
import type { RepositoryName } from "../../ExplorerApi.ts"

/** An issue with its conversation. */
export interface Issue extends RepositoryName {
  readonly _tag: "Issue"
  readonly number: number
  /** Id of the comment to scroll to. */
  readonly comment?: number
}

/** The issues of a repository. */
export interface Issues extends RepositoryName {
  readonly _tag: "Issues"
  /** Open if absent. */
  readonly state?: "closed"
  /** From 2. The first page if absent. */
  readonly page?: number
}

/** Parses the URL of an issue or a list of issues. Undefined for an issue without a number. */
export const parse = (
  name: string,
  query: URLSearchParams,
  hash: string,
  repository: RepositoryName
): Issue | Issues | undefined => {
  const number = numberOf(query.get("number"))
  if (name === "issue") {
    const comment = numberOf(hash.replace("#issuecomment-", ""))
    return number === undefined
      ? undefined
      : { _tag: "Issue", ...repository, number, ...(comment === undefined ? {} : { comment }) }
  }
  const page = numberOf(query.get("page")) ?? 1
  return {
    _tag: "Issues",
    ...repository,
    ...(query.get("state") === "closed" ? { state: "closed" } : {}),
    ...(page === 1 ? {} : { page })
  }
}

const numberOf = (text: string | null): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : undefined

/** The URL of an issue or a list of issues, relative to the page. */
export const href = (route: Issue | Issues): string => {
  const repo = new URLSearchParams({ repo: `${route.owner}/${route.repo}` }).toString().replace("%2F", "/")
  if (route._tag === "Issue")
    return `issue?${repo}&number=${route.number}${route.comment === undefined ? "" : `#issuecomment-${route.comment}`}`
  return `issues?${repo}${route.state === undefined ? "" : "&state=closed"}${route.page === undefined ? "" : `&page=${route.page}`}`
}
