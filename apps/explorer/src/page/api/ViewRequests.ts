/** The parameters of each view's first request. */
import type * as Route from "../model/Route.ts"
import type { Parameters } from "./Endpoints.ts"

/** Parameters for a file or folder. */
export const path = ({ owner, path = "", ref, repo }: Route.File | Route.History | Route.Tree): Parameters => ({
  owner,
  repo,
  path,
  ref
})

/** Parameters for a commit and the changes. */
export const commit = ({ ignoreWhitespace, owner, path, ref, repo }: Route.Commit): Parameters => ({
  owner,
  repo,
  ref,
  path,
  ...whitespace(ignoreWhitespace)
})

/** Parameters for a comparison. Undefined before both ends are chosen. */
export const comparison = ({
  base,
  head,
  ignoreWhitespace,
  owner,
  path,
  repo
}: Route.Compare): Parameters | undefined =>
  base === undefined || head === undefined
    ? undefined
    : { owner, repo, base, head, path, ...whitespace(ignoreWhitespace) }

const whitespace = (ignoreWhitespace: true | undefined): Parameters =>
  ignoreWhitespace === undefined ? {} : { ignoreWhitespace: "true" }

/** Parameters for an issue. With `page`, those for a page of its conversation. */
export const issue = ({ number, owner, repo }: Route.Issue): Parameters => ({ owner, repo, number })

/** Parameters for a page of issues. */
export const issues = ({ owner, page = 1, repo, state }: Route.Issues): Parameters => ({
  owner,
  repo,
  state: state ?? "open",
  page
})
