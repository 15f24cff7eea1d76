/** The parameters of each view's first request. */
import type { PullRequest } from "../../PullRequestApi.ts"
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

/** Parameters for an issue or pull request. With `page`, those for a page of its conversation. */
export const issue = ({ number, owner, repo }: Route.Issue | Route.Pull): Parameters => ({ owner, repo, number })

/** Parameters for the changes of a pull request. */
export const pullChanges = (
  { ignoreWhitespace, path, ...route }: Route.Pull,
  { base, head }: Pick<PullRequest, "base" | "head">
): Parameters => ({
  ...issue(route),
  base: base.commit,
  head: head.commit,
  path,
  ...whitespace(ignoreWhitespace)
})

/** Parameters for a release. */
export const release = ({ owner, repo, tag }: Route.Release): Parameters => ({ owner, repo, tag })

/** Parameters for a page of releases. */
export const releases = ({ owner, page = 1, repo }: Route.Releases): Parameters => ({ owner, repo, page })

/** Parameters for a run. */
export const run = ({ id, owner, repo }: Route.Run): Parameters => ({ owner, repo, id })

/** Parameters for a page of runs. */
export const runs = ({ branch, owner, page = 1, repo, status, workflow }: Route.Runs): Parameters => ({
  owner,
  repo,
  page,
  workflow,
  branch,
  status
})

/** Parameters for a page of issues or pull requests. */
export const issues = ({ _tag, owner, page = 1, repo, state }: Route.Issues | Route.Pulls): Parameters => ({
  owner,
  repo,
  state: state ?? "open",
  page,
  ...(_tag === "Pulls" ? { kind: "pull" } : {})
})
