/** The routes of the page: each view has one URL, so reloading or sharing it shows the same view. */
import type { RepositoryName } from "../../ExplorerApi.ts"

/** Everything the page can show. */
export type Route = Home | Search | File | Tree | UnindexedFiles

/** The start page. */
export interface Home {
  readonly _tag: "Home"
}

/** The results of a query. */
export interface Search {
  readonly _tag: "Search"
  readonly q: string
  /** By relevance when absent. */
  readonly sort?: SortOrder
  /** Keeps only files that define a matching symbol of this kind. */
  readonly kind?: string
}

/** The sort orders of results other than relevance. */
export const SORT_ORDERS = ["path", "repository", "matches"] as const // the names must stay literals

/** One of `SORT_ORDERS`. */
export type SortOrder = (typeof SORT_ORDERS)[number]

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

/** A file of a repository. */
export interface File extends RepositoryName {
  readonly _tag: "File"
  readonly path: string
  /** Branch, tag or commit; the default branch when absent. */
  readonly ref?: string
  /** The query whose results linked here; its matches are highlighted. */
  readonly q?: string
  readonly blame?: true | undefined
  readonly side?: SidePanel | undefined
  readonly lines?: LineRange | undefined
}

/** The panels beside a file: its symbols, or the commits that changed it. */
export const SIDE_PANELS = ["symbols", "history"] as const // the names must stay literals

/** One of `SIDE_PANELS`. */
export type SidePanel = (typeof SIDE_PANELS)[number]

/** Line numbers from 1, both inclusive. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** Parses a URL. An unknown or incomplete one is the start page. */
export const parse = (url: { readonly pathname: string; readonly search: string; readonly hash: string }): Route => {
  const name = url.pathname.slice(url.pathname.lastIndexOf("/") + 1)
  const query = new URLSearchParams(url.search)
  const q = query.get("q") ?? ""
  if (name === "search") return q === "" ? home : search(q, query)
  if (name !== "file" && name !== "tree" && name !== "unindexed") return home
  const [owner = "", repo = ""] = (query.get("repo") ?? "").split("/")
  if (owner === "" || repo === "") return home
  if (name === "unindexed") return { _tag: "UnindexedFiles", owner, repo }
  const path = query.get("path") ?? ""
  const ref = query.get("ref") ?? ""
  const target = { owner, repo, path, ...(ref === "" ? {} : { ref }), ...(q === "" ? {} : { q }) }
  if (name === "tree" || path === "") return { _tag: "Tree", ...target }
  const lines = parseLines(url.hash)
  const side = SIDE_PANELS.find((side) => side === query.get("side"))
  return {
    _tag: "File",
    ...target,
    ...(query.get("blame") === "1" ? { blame: true } : {}),
    ...(side === undefined ? {} : { side }),
    ...(lines === undefined ? {} : { lines })
  }
}

/** The URL of a route. It is relative and has a single path segment, so that the page works under any URL prefix. */
export const href = (route: Route): string => {
  switch (route._tag) {
    case "Home":
      return "./"
    case "Search":
      return `search?${new URLSearchParams({
        q: route.q,
        ...(route.sort === undefined ? {} : { sort: route.sort }),
        ...(route.kind === undefined ? {} : { kind: route.kind })
      })}`
    case "UnindexedFiles":
      return `unindexed?${parameters({ ...route, path: "" })}`
    case "Tree":
      return `tree?${parameters(route)}`
    case "File":
      return `file?${parameters(route)}${route.lines === undefined ? "" : lineHash(route.lines)}`
  }
}

/** The start page. */
export const home: Home = { _tag: "Home" }

/** The URL fragment of a line range: `#L10` or `#L10-L20`. */
export const lineHash = ({ first, last }: LineRange): string => (first === last ? `#L${first}` : `#L${first}-L${last}`)

/** The query of a route, empty without one. */
export const queryOf = (route: Route): string =>
  route._tag === "Home" || route._tag === "UnindexedFiles" ? "" : (route.q ?? "")

const search = (q: string, query: URLSearchParams): Search => {
  const sort = SORT_ORDERS.find((sort) => sort === query.get("sort"))
  const kind = query.get("kind") ?? ""
  return { _tag: "Search", q, ...(sort === undefined ? {} : { sort }), ...(kind === "" ? {} : { kind }) }
}

const parseLines = (hash: string): LineRange | undefined => {
  const match = /^#L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?$/.exec(hash)
  if (match === null) return undefined
  const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])]
  return { first: Math.min(a, b), last: Math.max(a, b) }
}

const parameters = ({ blame, owner, path, q, ref, repo, side }: Omit<File, "_tag" | "lines">): string =>
  new URLSearchParams({
    repo: `${owner}/${repo}`,
    ...(path === "" ? {} : { path }),
    ...(ref === undefined ? {} : { ref }),
    ...(q === undefined ? {} : { q }),
    ...(blame === undefined ? {} : { blame: "1" }),
    ...(side === undefined ? {} : { side })
  })
    .toString()
    // A query string may contain both unescaped, which keeps paths readable.
    .replaceAll("%2F", "/")
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
