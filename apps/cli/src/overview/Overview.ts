/** The overview that `tongs` prints without a terminal. */
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import type { CommitSummary } from "@tongs/core/contract/Commits"
import type { Repository } from "@tongs/core/contract/Repository"
import type { NumberedPageOptions, Pages } from "@tongs/core/paging/Pages"
import * as BudgetReport from "../session/BudgetReport.ts"
import * as Deadline from "../session/Deadline.ts"
import * as Languages from "./Languages.ts"

/** Number of commits in the overview. */
const COMMITS = 5

/** A commit, for one line of a table. */
export interface CommitLine {
  readonly sha: string
  readonly subject: string
  readonly author: string
  /** ISO 8601; empty if the commit has no author. */
  readonly date: string
}

/** The overview of one repository. */
export interface RepositoryOverview {
  readonly full_name: string
  readonly description: string | null
  readonly default_branch: string
  /** Null in an empty repository. */
  readonly head: CommitLine | null
  readonly branches: number
  readonly tags: number
  readonly files: number
  /** True if the tree was too large for one response, so that there are more files. */
  readonly files_truncated: boolean
  readonly languages: ReadonlyArray<Languages.Share>
  readonly commits: ReadonlyArray<CommitLine>
}

/** The overview, as `--json` prints it. */
export interface Overview {
  readonly forge: { readonly kind: "embedded" | "remote"; readonly label: string; readonly url: string }
  /** The current repository, if there is one. */
  readonly repository: RepositoryOverview | null
  /** Otherwise, the repositories of the authenticated user. */
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
  const { items } = yield* forge.repositories.listForAuthenticatedUser({}, yield* Deadline.interactive).first
  return items.map(({ description, full_name }) => ({ description, full_name }))
})

const loadRepository = Effect.fnUntraced(function* (at: { readonly owner: string; readonly repo: string }) {
  const forge = yield* Forge
  const options = yield* Deadline.interactive
  const found = yield* forge.repositories.get(at, options)
  const { branches, commits, tags, tree } = yield* Effect.all(
    {
      // An empty repository gives 409; a default branch that does not exist yet gives 404.
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

/** Reduces a commit to the fields of one line. */
export const toCommitLine = ({ commit, sha }: CommitSummary): CommitLine => ({
  sha,
  subject: commit.message.split("\n", 1)[0] ?? "",
  author: commit.author?.name ?? "",
  date: commit.author?.date ?? ""
})

/** Counts the items of a list in at most two requests: the first page, and the last one. */
export const countItems = Effect.fnUntraced(function* <A, E>(list: (options: NumberedPageOptions) => Pages<A, E>) {
  const perPage = 100
  const first = yield* list({ perPage }).first
  const last = first.progress.of ?? 1
  if (last <= 1) return first.items.length
  const { items } = yield* list({ perPage, page: last }).first
  return (last - 1) * perPage + items.length
})
