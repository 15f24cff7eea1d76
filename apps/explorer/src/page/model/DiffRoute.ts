/** The routes of comparisons and commits. */
import type { RepositoryName } from "../../ExplorerApi.ts"

/** The changes that a route shows, and the position in them. */
export interface DiffView extends RepositoryName {
  /** Restricts the view to this file or folder. */
  readonly path?: string
  /** The file to scroll to, and a line of the file. */
  readonly file?: string
  readonly line?: DiffLine
  readonly ignoreWhitespace?: true
}

/** A line of a diff. */
export interface DiffLine {
  /** The version before (`L`) or after (`R`) the change. */
  readonly side: "L" | "R"
  /** From 1. */
  readonly number: number
}

/** The comparison of two branches, tags or commits. An absent end is not yet chosen. */
export interface Compare extends DiffView {
  readonly _tag: "Compare"
  readonly base?: string
  readonly head?: string
}

/** A commit with its changes. */
export interface Commit extends DiffView {
  readonly _tag: "Commit"
  /** The commit's id, or a branch or tag. */
  readonly ref: string
}

/** The commits that changed a folder. */
export interface History extends RepositoryName {
  readonly _tag: "History"
  /** Absent for the whole repository. */
  readonly path?: string
  /** Branch, tag or commit; the default branch when absent. */
  readonly ref?: string
}

/** Parses the URL of a comparison, commit or history. Undefined for another or an incomplete one. */
export const parse = (
  name: string,
  query: URLSearchParams,
  hash: string,
  repository: RepositoryName
): Commit | Compare | History | undefined => {
  const value = valueIn(query)
  if (name === "history") return { _tag: "History", ...repository, ...value("path"), ...value("ref") }
  const view = parseView(query, hash, repository)
  if (name === "compare") return { _tag: "Compare", ...view, ...value("base"), ...value("head") }
  const ref = query.get("ref") ?? ""
  return name !== "commit" || ref === "" ? undefined : { _tag: "Commit", ...view, ref }
}

/** Parses the part of a URL that says which changes are shown. */
export const parseView = (query: URLSearchParams, hash: string, { owner, repo }: RepositoryName): DiffView => {
  const value = valueIn(query)
  const match = /^#([LR])([1-9]\d{0,8})$/.exec(hash)
  return {
    owner,
    repo,
    ...value("path"),
    ...value("file"),
    ...(match === null ? {} : { line: { side: match[1] === "L" ? "L" : "R", number: Number(match[2]) } }),
    ...(query.get("whitespace") === "ignore" ? { ignoreWhitespace: true } : {})
  }
}

const valueIn = (query: URLSearchParams) => (name: "base" | "file" | "head" | "path" | "ref") => {
  const text = query.get(name) ?? ""
  return text === "" ? {} : { [name]: text }
}

/** The URL of a comparison, commit or history, relative to the page. */
export const href = (route: Commit | Compare | History): string => {
  if (route._tag === "History") {
    const { owner, path, ref, repo } = route
    const query = {
      repo: `${owner}/${repo}`,
      ...(path === undefined ? {} : { path }),
      ...(ref === undefined ? {} : { ref })
    }
    return `history?${readable(query)}`
  }
  const { line, owner, repo } = route
  const query = readable({
    repo: `${owner}/${repo}`,
    ...(route._tag === "Commit"
      ? { ref: route.ref }
      : {
          ...(route.base === undefined ? {} : { base: route.base }),
          ...(route.head === undefined ? {} : { head: route.head })
        }),
    ...viewQuery(route)
  })
  return `${route._tag === "Commit" ? "commit" : "compare"}?${query}${line === undefined ? "" : lineHash(line)}`
}

/** The parameters of a URL that say which changes are shown. */
export const viewQuery = ({ file, ignoreWhitespace, path }: DiffView): Readonly<Record<string, string>> => ({
  ...(path === undefined ? {} : { path }),
  ...(ignoreWhitespace === undefined ? {} : { whitespace: "ignore" }),
  ...(file === undefined ? {} : { file })
})

/** The URL fragment of a line. */
export const lineHash = ({ number, side }: DiffLine): string => `#${side}${number}`

/** A query string may contain slashes and at signs unescaped, which keeps paths readable. */
export const readable = (query: Readonly<Record<string, string>>): string =>
  new URLSearchParams(query).toString().replaceAll("%2F", "/").replaceAll("%40", "@")
