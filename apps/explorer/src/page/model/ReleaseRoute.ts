/** The routes of releases. */
import type { RepositoryName } from "../../ExplorerApi.ts"
import * as DiffRoute from "./DiffRoute.ts"
import * as IssueRoute from "./IssueRoute.ts"

/** A release. */
export interface Release extends RepositoryName {
  readonly _tag: "Release"
  /** The latest release if absent. */
  readonly tag?: string
}

/** The releases of a repository. */
export interface Releases extends RepositoryName {
  readonly _tag: "Releases"
  /** From 2. The first page if absent. */
  readonly page?: number
}

/** Parses the URL of a release or the list. */
export const parse = (name: string, query: URLSearchParams, repository: RepositoryName): Release | Releases => {
  if (name === "releases") {
    const page = IssueRoute.numberOf(query.get("page")) ?? 1
    return { _tag: "Releases", ...repository, ...(page === 1 ? {} : { page }) }
  }
  const tag = query.get("tag") ?? ""
  return { _tag: "Release", ...repository, ...(tag === "" ? {} : { tag }) }
}

/** The URL of a release or the list, relative to the page. */
export const href = (route: Release | Releases): string => {
  const repo = `${route.owner}/${route.repo}`
  if (route._tag === "Release")
    return `release?${DiffRoute.readable({ repo, ...(route.tag === undefined ? {} : { tag: route.tag }) })}`
  return `releases?${DiffRoute.readable({ repo, ...(route.page === undefined ? {} : { page: `${route.page}` }) })}`
}
