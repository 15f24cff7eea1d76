/**
 * What the page shows, and the URL that it is. Every view has one: reloading or sharing it gives the same view.
 *
 * **Details**
 *
 * Views are one path segment deep (`search?q=…`), so that links and assets are relative and the page works under any
 * prefix.
 */
import type { Place } from "../../Wire.ts"

export type Route = Home | Search | File | Tree | UnindexedFiles

export interface Home {
  readonly _tag: "Home"
}

export interface Search {
  readonly _tag: "Search"
  readonly q: string
  /** The best match first, where there is none. */
  readonly sort?: SortOrder
  /** Only files in which a match is the name of a definition of this kind. */
  readonly kind?: string
}

/** What results can be ordered by, but for how well they match. */
export const SORT_ORDERS = ["path", "repository", "matches"] as const // the names must stay literals
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The files of a repository that are not in the index. */
export interface UnindexedFiles extends Place {
  readonly _tag: "LeftOut"
}

export interface Tree extends Place {
  readonly _tag: "Tree"
  /** Empty for the root. */
  readonly path: string
  /** Branch, tag or commit; the default branch where there is none. */
  readonly ref?: string
  /** The search that led here. */
  readonly q?: string
}

export interface File extends Place {
  readonly _tag: "File"
  readonly path: string
  readonly ref?: string
  /** The search that led here: its words are marked. */
  readonly q?: string
  /** Who last changed each line stands beside it. */
  readonly blame?: true | undefined
  /** What stands beside the text. */
  readonly side?: SidePanel | undefined
  readonly lines?: LineRange | undefined
}

/** The names that the file defines, or the commits that changed it. */
export const SIDE_PANELS = ["symbols", "history"] as const // the names must stay literals
export type SidePanel = (typeof SIDE_PANELS)[number]

/** Lines from 1, both included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** The view of a URL; what is no view is the home. */
export const parse = (url: { readonly pathname: string; readonly search: string; readonly hash: string }): Route => {
  const name = url.pathname.slice(url.pathname.lastIndexOf("/") + 1)
  const query = new URLSearchParams(url.search)
  const q = query.get("q") ?? ""
  if (name === "search") return q === "" ? home : search(q, query)
  if (name !== "file" && name !== "tree" && name !== "left-out") return home
  const [owner = "", repo = ""] = (query.get("repo") ?? "").split("/")
  if (owner === "" || repo === "") return home
  if (name === "left-out") return { _tag: "LeftOut", owner, repo }
  const path = query.get("path") ?? ""
  const ref = query.get("ref") ?? ""
  const place = { owner, repo, path, ...(ref === "" ? {} : { ref }), ...(q === "" ? {} : { q }) }
  if (name === "tree" || path === "") return { _tag: "Tree", ...place }
  const lines = parseLines(url.hash)
  const side = SIDE_PANELS.find((side) => side === query.get("side"))
  return {
    _tag: "File",
    ...place,
    ...(query.get("blame") === "1" ? { blame: true } : {}),
    ...(side === undefined ? {} : { side }),
    ...(lines === undefined ? {} : { lines })
  }
}

/** The URL of a view, relative to the folder that the page is in. */
export const href = (view: Route): string => {
  switch (view._tag) {
    case "Home":
      return "./"
    case "Search":
      return `search?${new URLSearchParams({
        q: view.q,
        ...(view.sort === undefined ? {} : { sort: view.sort }),
        ...(view.kind === undefined ? {} : { kind: view.kind })
      })}`
    case "LeftOut":
      return `left-out?${place({ ...view, path: "" })}`
    case "Tree":
      return `tree?${place(view)}`
    case "File":
      return `file?${place(view)}${view.lines === undefined ? "" : lineHash(view.lines)}`
  }
}

export const home: Home = { _tag: "Home" }

/** `#L10` or `#L10-L20`. */
export const lineHash = ({ first, last }: LineRange): string => (first === last ? `#L${first}` : `#L${first}-L${last}`)

/** The query that the view belongs to. */
export const queryOf = (view: Route): string => (view._tag === "Home" || view._tag === "LeftOut" ? "" : (view.q ?? ""))

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

const place = ({ blame, owner, path, q, ref, repo, side }: Omit<File, "_tag" | "lines">): string =>
  new URLSearchParams({
    repo: `${owner}/${repo}`,
    ...(path === "" ? {} : { path }),
    ...(ref === undefined ? {} : { ref }),
    ...(q === undefined ? {} : { q }),
    ...(blame === undefined ? {} : { blame: "1" }),
    ...(side === undefined ? {} : { side })
  })
    .toString()
    // Both are allowed in a query, and a path without them is easier to read.
    .replaceAll("%2F", "/")
    .replaceAll("%40", "@")
