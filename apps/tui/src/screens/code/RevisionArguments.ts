/** The arguments of screens that show a repository at a branch, tag or commit. */
import * as Route from "../../content/Route.ts"
import { text } from "../Screen.ts"

export interface Repository {
  readonly owner: string
  readonly repo: string
}

/** A repository at a branch, tag or commit; without `ref`, at the default branch. */
export interface Revision extends Repository {
  readonly ref?: string | undefined
}

/** Returns the revision in the arguments of a screen. The argument of a list of commits is `sha`. */
export const of = (values: Route.Arguments): Revision => {
  const ref = text(values, "ref") || text(values, "sha")
  return { owner: text(values, "owner"), repo: text(values, "repo"), ...(ref === "" ? {} : { ref }) }
}

/** Returns the arguments of the repository. */
export const repository = ({ owner, repo }: Revision): Repository => ({ owner, repo })

/** Returns the query parameter `ref`, if the revision is not the default branch. */
export const atRef = ({ ref }: Revision): { readonly ref?: string } => (ref === undefined ? {} : { ref })

/** Returns the route of the commits of a revision. */
export const log = (at: Revision): Route.Route => Route.make("commits.list", { ...repository(at), sha: at.ref })

/** Returns the route of a commit. `path` is the file to start at. */
export const commit = (at: Revision, sha: string, path?: string): Route.Route =>
  Route.make("commits.get", { ...repository(at), ref: sha, path })

/**
 * Returns the route of the commits that changed a file or folder, or only `lines` of the file, such as `3,7`. `name` is
 * the name of the function in these lines.
 */
export const history = (
  at: Revision,
  path: string,
  options: { readonly lines?: string; readonly name?: string } = {}
): Route.Route => Route.make("history.listForFile", { ...repository(at), path, ref: at.ref, ...options })

/** Returns the route of a comparison of two revisions. `path` is the file to start at. */
export const compare = (at: Revision, base: string, head: string, path?: string): Route.Route =>
  Route.make("commits.compare", { ...repository(at), basehead: `${base}...${head}`, path })

/**
 * Returns the route of a file or folder. `line` is the number of the line to start at, `find` its text, and `column`
 * the column of a name in the line, in UTF-16 units from 0.
 */
export const content = (
  at: Revision,
  path: string,
  options: { readonly line?: number; readonly find?: string; readonly column?: number } = {}
): Route.Route => Route.make("contents.get", { ...repository(at), path, ref: at.ref, ...options })
