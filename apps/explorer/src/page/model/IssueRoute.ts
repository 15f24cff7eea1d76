/** The routes of issues. */
import type { RepositoryName } from "../../ExplorerApi.ts"

/** An issue with its conversation. */
export interface Issue extends RepositoryName {
  readonly _tag: "Issue"
  readonly number: number
  /** Id of the comment to scroll to. */
  readonly comment?: number
}

/** A list of issues or pull requests of a repository. */
export interface ListView extends RepositoryName {
  /** Open if absent. */
  readonly state?: "closed"
  /** From 2. The first page if absent. */
  readonly page?: number
}

/** The issues of a repository. */
export interface Issues extends ListView {
  readonly _tag: "Issues"
}

/** Parses the URL of an issue or a list of issues. Undefined for an issue without a number. */
export const parse = (
  name: string,
  query: URLSearchParams,
  hash: string,
  repository: RepositoryName
): Issue | Issues | undefined => {
  if (name === "issues") return { _tag: "Issues", ...parseList(query, repository) }
  const number = numberOf(query.get("number"))
  const comment = commentOf(hash)
  return number === undefined
    ? undefined
    : { _tag: "Issue", ...repository, number, ...(comment === undefined ? {} : { comment }) }
}

/** Parses the query of a list. */
export const parseList = (query: URLSearchParams, { owner, repo }: RepositoryName): ListView => {
  const page = numberOf(query.get("page")) ?? 1
  return {
    owner,
    repo,
    ...(query.get("state") === "closed" ? { state: "closed" } : {}),
    ...(page === 1 ? {} : { page })
  }
}

/** Parses a positive number. */
export const numberOf = (text: string | null): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : undefined

/** The comment of a URL's fragment. */
export const commentOf = (hash: string): number | undefined => numberOf(hash.replace("#issuecomment-", ""))

/** The URL fragment of a comment. */
export const commentHash = (comment: number): string => `#issuecomment-${comment}`

/** The URL of an issue or a list of issues, relative to the page. */
export const href = (route: Issue | Issues): string =>
  route._tag === "Issues"
    ? `issues?${listQuery(route)}`
    : `issue?${repositoryQuery(route)}&number=${route.number}${route.comment === undefined ? "" : commentHash(route.comment)}`

/** The query of a list. */
export const listQuery = (list: ListView): string =>
  `${repositoryQuery(list)}${list.state === undefined ? "" : "&state=closed"}${list.page === undefined ? "" : `&page=${list.page}`}`

const repositoryQuery = ({ owner, repo }: RepositoryName): string =>
  new URLSearchParams({ repo: `${owner}/${repo}` }).toString().replace("%2F", "/")
