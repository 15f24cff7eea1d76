/** The routes of the page: each view has one URL, so reloading or sharing it shows the same view. */
import * as PathText from "@tongs/core/text/PathText"
import type { RepositoryName } from "../../ExplorerApi.ts"
import * as DiffRoute from "./DiffRoute.ts"
import * as IssueRoute from "./IssueRoute.ts"
import * as PullRoute from "./PullRoute.ts"
import * as ReleaseRoute from "./ReleaseRoute.ts"
import * as RunRoute from "./RunRoute.ts"

/** Everything the page can show. */
export type Route =
  | Home
  | Search
  | File
  | Tree
  | UnindexedFiles
  | NewResults
  | Compare
  | Commit
  | History
  | Issue
  | Issues
  | Pull
  | Pulls
  | Release
  | Releases
  | Run
  | Runs

/** The start page. */
export interface Home {
  readonly _tag: "Home"
}

/** The results of a query. */
export interface Search {
  readonly _tag: "Search"
  readonly q: string
  /** By relevance if absent. */
  readonly sort?: SortOrder
}

/** The sort orders of results other than relevance. */
export const sortOrders = ["path", "repository", "matches"] as const // the names must stay literals

/** One of `sortOrders`. */
export type SortOrder = (typeof sortOrders)[number]

/** The results of a saved search since the last mark as seen. */
export interface NewResults {
  readonly _tag: "NewResults"
  /** Id of the saved search. */
  readonly id: number
}

/** The files of a repository that the index skips. */
export interface UnindexedFiles extends RepositoryName {
  readonly _tag: "UnindexedFiles"
}

/** A folder of a repository. */
export interface Tree extends RepositoryName {
  readonly _tag: "Tree"
  /** Empty for the root. */
  readonly path: string
  /** Branch, tag or commit; the default branch when absent. */
  readonly ref?: string
  /** The query whose results linked here. */
  readonly q?: string
}

export interface File extends RepositoryName {
  readonly _tag: "File"
  readonly path: string
  /** Branch, tag or commit; the default branch when absent. */
  readonly ref?: string
  /** The query whose results linked here. The file highlights matches of the query. */
  readonly q?: string
  readonly blame?: true | undefined
  readonly side?: SidePanel | undefined
  readonly uses?: Uses | undefined
  readonly lines?: LineRange | undefined
  /** The heading of a Markdown file. */
  readonly anchor?: string | undefined
}

export type Compare = DiffRoute.Compare
export type Commit = DiffRoute.Commit
export type History = DiffRoute.History
export type Issue = IssueRoute.Issue
export type Issues = IssueRoute.Issues
export type Pull = PullRoute.Pull
export type Pulls = PullRoute.Pulls
export type Release = ReleaseRoute.Release
export type Releases = ReleaseRoute.Releases
export type Run = RunRoute.Run
export type Runs = RunRoute.Runs

/** The views that show changed files. */
export type ChangesView = Commit | Compare | Pull

/** The name whose uses are listed. In a URL, for example `distance@src/geometry.ts:23:17`. */
export interface Uses {
  readonly name: string
  /** One occurrence of the name. Absent, all uses of the name are listed. */
  readonly at?: UsePosition
}

/** A position in a file of the repository. */
export interface UsePosition {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** In UTF-16 units, from 1. */
  readonly column: number
}

/** The panels beside a file: symbols, or the commits that changed the file. */
export const sidePanels = ["symbols", "history"] as const // the names must stay literals

/** One of `sidePanels`. */
export type SidePanel = (typeof sidePanels)[number]

/** Line numbers from 1, both inclusive. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** Parses a URL. An unknown or incomplete URL is the start page. */
export const parse = (url: { readonly pathname: string; readonly search: string; readonly hash: string }): Route => {
  const name = PathText.nameOf(url.pathname)
  const query = new URLSearchParams(url.search)
  const q = query.get("q") ?? ""
  if (name === "search") return q === "" ? home : search(q, query)
  if (name === "saved")
    return /^[1-9]\d{0,8}$/.test(query.get("id") ?? "") ? { _tag: "NewResults", id: Number(query.get("id")) } : home
  if (!repositoryViews.has(name)) return home
  const [owner = "", repo = ""] = (query.get("repo") ?? "").split("/")
  if (owner === "" || repo === "") return home
  if (diffViews.has(name)) return DiffRoute.parse(name, query, url.hash, { owner, repo }) ?? home
  if (name.startsWith("issue")) return IssueRoute.parse(name, query, url.hash, { owner, repo }) ?? home
  if (name.startsWith("pull")) return PullRoute.parse(name, query, url.hash, { owner, repo }) ?? home
  if (name.startsWith("release")) return ReleaseRoute.parse(name, query, { owner, repo })
  if (name === "run" || name === "actions") return RunRoute.parse(name, query, url.hash, { owner, repo }) ?? home
  if (name === "unindexed") return { _tag: "UnindexedFiles", owner, repo }
  const path = query.get("path") ?? ""
  const ref = query.get("ref") ?? ""
  const target = { owner, repo, path, ...(ref === "" ? {} : { ref }), ...(q === "" ? {} : { q }) }
  if (name === "tree" || path === "") return { _tag: "Tree", ...target }
  const lines = parseLines(url.hash)
  const anchor = lines === undefined ? parseAnchor(url.hash) : ""
  const side = sidePanels.find((side) => side === query.get("side"))
  const uses = parseUses(query.get("uses") ?? "")
  return {
    _tag: "File",
    ...target,
    ...(query.get("blame") === "1" ? { blame: true } : {}),
    ...(side === undefined ? {} : { side }),
    ...(uses === undefined ? {} : { uses }),
    ...(lines === undefined ? {} : { lines }),
    ...(anchor === "" ? {} : { anchor })
  }
}

const diffViews: ReadonlySet<string> = new Set(["commit", "compare", "history"])
const repositoryViews: ReadonlySet<string> = new Set([
  ...diffViews,
  "actions",
  "file",
  "issue",
  "issues",
  "pull",
  "pulls",
  "release",
  "releases",
  "run",
  "tree",
  "unindexed"
])

/** The URL of a route. Relative and with a single path segment, so that the page works under any URL prefix. */
export const href = (route: Route): string => {
  switch (route._tag) {
    case "Home":
      return "./"
    case "Search":
      return `search?${new URLSearchParams({
        q: route.q,
        ...(route.sort === undefined ? {} : { sort: route.sort })
      })}`
    case "Compare":
    case "Commit":
    case "History":
      return DiffRoute.href(route)
    case "Issue":
    case "Issues":
      return IssueRoute.href(route)
    case "Pull":
    case "Pulls":
      return PullRoute.href(route)
    case "Release":
    case "Releases":
      return ReleaseRoute.href(route)
    case "Run":
    case "Runs":
      return RunRoute.href(route)
    case "NewResults":
      return `saved?id=${route.id}`
    case "UnindexedFiles":
      return `unindexed?${parameters({ ...route, path: "" })}`
    case "Tree":
      return `tree?${parameters(route)}`
    case "File":
      return `file?${parameters(route)}${route.lines === undefined ? anchorHash(route.anchor) : lineHash(route.lines)}`
  }
}

/** The start page. */
export const home: Home = { _tag: "Home" }

/** The URL fragment of a line range: `#L10` or `#L10-L20`. */
export const lineHash = ({ first, last }: LineRange): string => (first === last ? `#L${first}` : `#L${first}-L${last}`)

/** The query of a route, empty without one. */
export const queryOf = (route: Route): string =>
  route._tag === "Search" || route._tag === "Tree" || route._tag === "File" ? (route.q ?? "") : ""

const search = (q: string, query: URLSearchParams): Search => {
  const sort = sortOrders.find((sort) => sort === query.get("sort"))
  // Older links have the kind of symbols beside the query.
  const kind = query.get("kind") ?? ""
  return {
    _tag: "Search",
    q: kind === "" ? q : `${q} kind:${kind}`,
    ...(sort === undefined ? {} : { sort })
  }
}

/** Parses the URL fragment of a line range. */
export const parseLines = (hash: string): LineRange | undefined => {
  const match = /^#L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?$/.exec(hash)
  if (match === null) return undefined
  const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])]
  return { first: Math.min(a, b), last: Math.max(a, b) }
}

const parseUses = (text: string): Uses | undefined => {
  const match = /^([\p{L}_$][\p{L}\p{N}_$]*)(?:@(.+):([1-9]\d{0,8}):([1-9]\d{0,8}))?$/su.exec(text)
  if (match === null) return undefined
  const [, name = "", path, line, column] = match
  return { name, ...(path === undefined ? {} : { at: { path, line: Number(line), column: Number(column) } }) }
}

/** The text of a name's uses in a URL. */
export const usesText = ({ at, name }: Uses): string =>
  at === undefined ? name : `${name}@${at.path}:${at.line}:${at.column}`

const anchorHash = (anchor: string | undefined): string =>
  anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`

const parseAnchor = (hash: string): string => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return ""
  }
}

const parameters = ({
  blame,
  owner,
  path,
  q,
  ref,
  repo,
  side,
  uses
}: Omit<File, "_tag" | "lines" | "anchor">): string =>
  new URLSearchParams({
    repo: `${owner}/${repo}`,
    ...(path === "" ? {} : { path }),
    ...(ref === undefined ? {} : { ref }),
    ...(q === undefined ? {} : { q }),
    ...(blame === undefined ? {} : { blame: "1" }),
    ...(side === undefined ? {} : { side }),
    ...(uses === undefined ? {} : { uses: usesText(uses) })
  })
    .toString()
    // A query string may contain these characters unescaped, which keeps paths readable.
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":")
    .replaceAll("%40", "@")

/** The folder at `path` of the same repository, ref and query. */
export const folder = ({ owner, q, ref, repo }: File | Tree, path: string): Tree => ({
  _tag: "Tree",
  owner,
  repo,
  path,
  ...(ref === undefined ? {} : { ref }),
  ...(q === undefined ? {} : { q })
})

/** The folder that contains a file or folder, undefined for the root. */
export const parent = (route: File | Tree): Tree | undefined =>
  route.path === "" ? undefined : folder(route, route.path.split("/").slice(0, -1).join("/"))
