/** Pull requests: the issue with its branches, the commits, and the pull requests of a commit. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { PullRequest } from "@tongs/core/contract/groups/Pulls"
import type { ListedCommit } from "../ComparisonApi.ts"
import type { RepositoryName } from "../ExplorerApi.ts"
import type * as IssueApi from "../IssueApi.ts"
import type * as PullRequestApi from "../PullRequestApi.ts"
import * as Comparisons from "./Comparisons.ts"
import * as Issues from "./Issues.ts"
import { interactive } from "./RequestOptions.ts"
import * as TimelineItems from "./TimelineItems.ts"

const COMMITS_PAGE = 100

/** Maximum number of pages of commits. The forge lists at most 250 commits. */
const MAX_COMMIT_PAGES = 3

/** Maximum number of pull requests of a commit. */
const MAX_OF_COMMIT = 10

/** A pull request. Looks for the branches of a closed one, which may be deleted. */
export const pullRequest = Effect.fn("PullRequests.pullRequest")(function* (name: Issues.IssueName) {
  const { number, owner, repo } = name
  const forge = yield* Forge
  const found = yield* forge.pulls.get({ owner, repo, pull_number: number }, yield* interactive)
  const isOpen = found.state === "open"
  const [issue, base, head] = yield* Effect.all(
    [Issues.issue(name), branch(found.base, isOpen), branch(found.head, isOpen)],
    { concurrency: 3 }
  )
  const { assignees: _, mergeable, mergeable_state: state, merged, requested_reviewers, requested_teams } = found
  return {
    ...issue,
    base,
    head,
    mergedAt: found.merged_at,
    mergedBy: found.merged_by?.login ?? null,
    mergeCommit: merged ? found.merge_commit_sha : null,
    mergeability: !isOpen ? null : mergeable === false ? "conflicts" : mergeable === null ? "checking" : state,
    autoMerge: found.auto_merge?.merge_method ?? null,
    reviewers: [
      ...(requested_reviewers ?? []).map(({ login }) => login),
      ...(requested_teams ?? []).map(({ name }) => name)
    ],
    commits: found.commits,
    changedFiles: found.changed_files
  } satisfies PullRequestApi.PullRequest
})

const branch = Effect.fnUntraced(function* ({ ref, repo, sha, user }: PullRequest["head"], isOpen: boolean) {
  const repository = repo === null ? null : { owner: repo.owner.login, repo: repo.name }
  const isDeleted = repository !== null && !isOpen && !(yield* hasBranch(repository, ref))
  return {
    repository,
    owner: user?.login ?? null,
    name: ref,
    commit: sha,
    isDeleted
  } satisfies PullRequestApi.Branch
})

const hasBranch = Effect.fnUntraced(function* (repository: RepositoryName, name: string) {
  const forge = yield* Forge
  const found = forge.gitRefs.get({ ...repository, ref: `heads/${name}` }, yield* interactive)
  return yield* found.pipe(
    Effect.as(true),
    Effect.catchTag(["NotFound", "Conflict"], () => Effect.succeed(false))
  )
})

/** The commits of a pull request, the oldest first. */
export const commits = Effect.fn("PullRequests.commits")(function* ({ number, owner, repo }: Issues.IssueName) {
  const forge = yield* Forge
  const all: Array<ListedCommit> = []
  for (let page = 1; page <= MAX_COMMIT_PAGES; page++) {
    const { items, links } = yield* forge.pulls.listCommits(
      { owner, repo, pull_number: number },
      { ...(yield* interactive), page, perPage: COMMITS_PAGE }
    ).first
    all.push(...items.map(Comparisons.listed))
    if (links.next === undefined) break
  }
  return all
})

/** The pull requests of a commit. */
export const ofCommit = Effect.fn("PullRequests.ofCommit")(function* ({
  owner,
  ref,
  repo
}: RepositoryName & { readonly ref: string }) {
  const forge = yield* Forge
  const { items } = yield* forge.pulls.listForCommit(
    { owner, repo, commit_sha: ref },
    { ...(yield* interactive), perPage: MAX_OF_COMMIT }
  ).first
  return items.map((pull): IssueApi.LinkedIssue => ({
    owner: pull.base.repo?.owner.login ?? owner,
    repo: pull.base.repo?.name ?? repo,
    number: pull.number,
    title: pull.title,
    state: pull.state,
    stateReason: null,
    pull: TimelineItems.pullState(pull)
  }))
})
