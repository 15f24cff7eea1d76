/** The overview of a repository that `tongs` prints if stdout is not a terminal. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { CommitSummary } from "@tongs/core/contract/groups/Commits"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import type { NumberedPageOptions, Pages } from "@tongs/core/paging/Pages"
import * as BudgetReport from "../session/BudgetReport.ts"
import * as InteractiveRequest from "../session/InteractiveRequest.ts"
import * as Languages from "./Languages.ts"

/** Maximum number of commits in the overview. */
const COMMITS = 5

/** The fields of a commit that one line of a table shows. */
export interface CommitLine {
  readonly sha: string
  readonly subject: string
  readonly author: string
  /** Time of authorship in ISO 8601; empty if the commit has no author. */
  readonly date: string
}

export interface RepositoryOverview {
  readonly full_name: string
  readonly description: string | null
  readonly default_branch: string
  /** The latest commit of the default branch; null in an empty repository. */
  readonly head: CommitLine | null
  readonly branches: number
  readonly tags: number
  readonly files: number
  /** True if the git tree was too large for one response, so that the number of files is incomplete. */
  readonly files_truncated: boolean
  readonly languages: ReadonlyArray<Languages.Share>
  readonly commits: ReadonlyArray<CommitLine>
}

/** The overview, in the form that `--json` prints. */
export interface Overview {
  readonly forge: { readonly kind: "embedded" | "remote"; readonly label: string; readonly url: string }
  /** The current repository; null outside a repository. */
  readonly repository: RepositoryOverview | null
  /** The repositories of the authenticated user; empty if there is a current repository. */
  readonly repositories: ReadonlyArray<{ readonly full_name: string; readonly description: string | null }>
  readonly budget: Pick<BudgetReport.BudgetReport, "limits" | "windows">
  readonly notices: ReadonlyArray<string>
}

/** Loads the overview with concurrent requests. */
export const load = Effect.gen(function* () {
  const { baseUrl, repository: current, kind, label, notices } = yield* Connection
  const { budget, repositories, repository } = yield* Effect.all(
    {
      repository: current === undefined ? Effect.succeed(null) : loadRepository(current),
      repositories: current === undefined ? listRepositories : Effect.succeed([]),
      budget: Effect.map(BudgetReport.read, ({ limits, windows }) => ({ limits, windows }))
    },
    { concurrency: "unbounded" }
  )
  return { forge: { kind, label, url: baseUrl }, repository, repositories, budget, notices } satisfies Overview
})

const listRepositories = Effect.gen(function* () {
  const forge = yield* Forge
  const { items } = yield* forge.repositories.listForAuthenticatedUser({}, yield* InteractiveRequest.interactive).first
  return items.map(({ description, full_name }) => ({ description, full_name }))
})

const loadRepository = Effect.fnUntraced(function* (at: { readonly owner: string; readonly repo: string }) {
  const forge = yield* Forge
  const options = yield* InteractiveRequest.interactive
  const found = yield* forge.repositories.get(at, options)
  const { branches, commits, tags, tree } = yield* Effect.all(
    {
      // Forges respond with 409 for an empty repository, and with 404 if the default branch does not exist yet.
      commits: forge.commits.list({ ...at, sha: found.default_branch }, { ...options, perPage: COMMITS }).first.pipe(
        Effect.map(({ items }) => items),
        Effect.catchTags({ Conflict: () => nothing, NotFound: () => nothing })
      ),
      branches: countItems((page) => forge.branches.list(at, { ...options, ...page })),
      tags: countItems((page) => forge.tags.list(at, { ...options, ...page })),
      tree: forge.gitTrees
        .get({ ...at, tree_sha: found.default_branch, recursive: "1" }, options)
        .pipe(Effect.catchTags({ Conflict: () => emptyTree, NotFound: () => emptyTree }))
    },
    { concurrency: "unbounded" }
  )
  return summarize(found, commits.map(toCommitLine), branches, tags, tree)
})

const nothing = Effect.succeed<ReadonlyArray<CommitSummary>>([])
const emptyTree = Effect.succeed({ tree: [], truncated: false })

const summarize = (
  found: Repository,
  commits: ReadonlyArray<CommitLine>,
  branches: number,
  tags: number,
  tree: {
    readonly tree: ReadonlyArray<{ readonly type: string; readonly path: string; readonly size?: number }>
    readonly truncated: boolean
  }
): RepositoryOverview => {
  const files = tree.tree.filter(({ type }) => type === "blob")
  return {
    full_name: found.full_name,
    description: found.description,
    default_branch: found.default_branch,
    head: commits[0] ?? null,
    branches,
    tags,
    files: files.length,
    files_truncated: tree.truncated,
    languages: Languages.shares(files),
    commits
  }
}

/** Converts a commit to the fields of one table line. */
export const toCommitLine = ({ commit, sha }: CommitSummary): CommitLine => ({
  sha,
  subject: commit.message.split("\n", 1)[0] ?? "",
  author: commit.author?.name ?? "",
  date: commit.author?.date ?? ""
})

/** Counts the items of a list with at most two requests, for the first and the last page. */
export const countItems = Effect.fnUntraced(function* <A, E>(list: (options: NumberedPageOptions) => Pages<A, E>) {
  const perPage = 100
  const first = yield* list({ perPage }).first
  const last = first.progress.of ?? 1
  if (last <= 1) return first.items.length
  const { items } = yield* list({ perPage, page: last }).first
  return (last - 1) * perPage + items.length
})
