/**
 * What the page shows, and the URL that it is. Every view has one: reloading or sharing it gives the same view.
 *
 * **Details**
 *
 * Views are one path segment deep (`search?q=…`), so that links and assets are relative and the page works under any
 * prefix.
 */
import type { Place } from "../Wire.ts"

export type View = Home | Search | File | Tree

export interface Home {
  readonly _tag: "Home"
}

export interface Search {
  readonly _tag: "Search"
  readonly q: string
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
  readonly lines?: Lines
}

/** Lines from 1, both included. */
export interface Lines {
  readonly first: number
  readonly last: number
}

/** The view of a URL; what is no view is the home. */
export const parse = (url: { readonly pathname: string; readonly search: string; readonly hash: string }): View => {
  const name = url.pathname.slice(url.pathname.lastIndexOf("/") + 1)
  const query = new URLSearchParams(url.search)
  const q = query.get("q") ?? ""
  if (name === "search") return q === "" ? home : { _tag: "Search", q }
  if (name !== "file" && name !== "tree") return home
  const [owner = "", repo = ""] = (query.get("repo") ?? "").split("/")
  if (owner === "" || repo === "") return home
  const path = query.get("path") ?? ""
  const ref = query.get("ref") ?? ""
  const place = { owner, repo, path, ...(ref === "" ? {} : { ref }), ...(q === "" ? {} : { q }) }
  if (name === "tree" || path === "") return { _tag: "Tree", ...place }
  const lines = parseLines(url.hash)
  return { _tag: "File", ...place, ...(lines === undefined ? {} : { lines }) }
}

/** The URL of a view, relative to the folder that the page is in. */
export const print = (view: View): string => {
  switch (view._tag) {
    case "Home":
      return "./"
    case "Search":
      return `search?${new URLSearchParams({ q: view.q })}`
    case "Tree":
      return `tree?${place(view)}`
    case "File":
      return `file?${place(view)}${view.lines === undefined ? "" : printLines(view.lines)}`
  }
}

export const home: Home = { _tag: "Home" }

/** `#L10` or `#L10-L20`. */
export const printLines = ({ first, last }: Lines): string => (first === last ? `#L${first}` : `#L${first}-L${last}`)

/** The query that the view belongs to. */
export const queryOf = (view: View): string => (view._tag === "Home" ? "" : (view.q ?? ""))

const parseLines = (hash: string): Lines | undefined => {
  const match = /^#L([1-9]\d{0,8})(?:-L([1-9]\d{0,8}))?$/.exec(hash)
  if (match === null) return undefined
  const [a, b] = [Number(match[1]), Number(match[2] ?? match[1])]
  return { first: Math.min(a, b), last: Math.max(a, b) }
}

const place = ({ owner, path, q, ref, repo }: File | Tree): string =>
  new URLSearchParams({
    repo: `${owner}/${repo}`,
    ...(path === "" ? {} : { path }),
    ...(ref === undefined ? {} : { ref }),
    ...(q === undefined ? {} : { q })
  })
    .toString()
    // Both are allowed in a query, and a path without them is easier to read.
    .replaceAll("%2F", "/")
    .replaceAll("%40", "@")
