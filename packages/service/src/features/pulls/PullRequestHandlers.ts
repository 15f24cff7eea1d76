import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Pulls } from "@tongs/core/contract/groups/Pulls"
import { atLeast, Roles } from "../../access/Roles.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as BlockRules from "../../api/BlockRules.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as StreamedBody from "../../api/StreamedBody.ts"
import * as Paging from "../../base/Paging.ts"
import { timestamp } from "../../base/Time.ts"
import { gitError } from "../../git/values/GitError.ts"
import * as RefName from "../../git/values/RefName.ts"
import { type IssueRow, IssueRows } from "../../issues/IssueRows.ts"
import { Issues } from "../../issues/Issues.ts"
import { type NewPullRequestColumns, PullRequestRows } from "../../issues/PullRequestRows.ts"
import { PullRequests } from "../../issues/PullRequests.ts"
import * as CommitPullRequests from "../../pulls/CommitPullRequests.ts"
import { Mergeability } from "../../pulls/Mergeability.ts"
import * as Reopening from "../../pulls/Reopening.ts"
import { Forks } from "../../repositories/Forks.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import { CodeOwnerRequests } from "../../reviews/CodeOwnerRequests.ts"
import * as Transaction from "../../storage/Transaction.ts"
import { patches, text } from "../commits/CommitText.ts"
import * as CommitSummaries from "../commits/CommitSummaries.ts"
import { fileChange } from "../commits/FileChangeShape.ts"
import * as IssueText from "../issues/IssueText.ts"
import * as PullRequestMerges from "./PullRequestMerges.ts"
import * as PullRequestTarget from "./PullRequestTarget.ts"
import * as PullRequestViews from "./PullRequestViews.ts"

/** Maximum numbers of listed commits and files, as on GitHub. */
const MAX_COMMITS = 250
const MAX_FILES = 3_000

/** Seconds after which counting the changes of a new pull request has ended. */
const COUNT_SECONDS = 5

const MONTH_MILLIS = 30 * 24 * 3_600_000

const orders = {
  created: "i.created_at",
  updated: "i.updated_at",
  popularity: "i.comments",
  "long-running": "i.created_at"
} as const // columns

/** Handlers of pull requests. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { refuseBlocked } = yield* BlockRules.make
  const forks = yield* Forks
  const issueRows = yield* IssueRows
  const issues = yield* Issues
  const mergeability = yield* Mergeability
  const ofCommits = yield* CommitPullRequests.make
  const merges = yield* PullRequestMerges.make
  const codeOwners = yield* CodeOwnerRequests
  const pulls = yield* PullRequests
  const reopen = yield* Reopening.make
  const roles = yield* Roles
  const rows = yield* PullRequestRows
  const rules = yield* Enforcement
  const { summaries } = yield* CommitSummaries.make
  const target = yield* PullRequestTarget.make
  const transaction = yield* Transaction.make
  const views = yield* PullRequestViews.make

  const eventContext = ({ caller, repository }: SignedInRepositoryContext) => ({ actor: caller.user, repository })

  const page = Effect.fnUntraced(function* (where: Fragment, order: Fragment, context: RepositoryContext) {
    const { items, total } = yield* issueRows.page(where, order, context.page)
    const keyed = yield* views.summaries(items, context)
    return { keyed: () => keyed, total }
  })

  /** Reads a pull request again, starts the missing tests of a merge, and creates its resource. */
  const shown = Effect.fnUntraced(function* (number: number, context: RepositoryContext) {
    const found = yield* target.find(number, context)
    yield* mergeability.test([found.pull])
    return yield* views.one(found, context)
  })

  /** Counts what two branches differ in. Fails with 422 if there is nothing to merge. */
  const numbersOf = Effect.fnUntraced(function* (
    repository: ServedRepository,
    base: { readonly ref: string; readonly sha: string },
    head: { readonly ref: string; readonly sha: string }
  ) {
    if ((yield* repository.git.mergeBase(base.sha, head.sha)) === undefined)
      return yield* PullRequestTarget.refused(`The branch ${base.ref} has no history in common with ${head.ref}`)
    const numbers = yield* mergeability.numbers(repository, base.sha, head.sha)
    if (numbers === undefined)
      return yield* gitError({ _tag: "TimedOut", operation: "Counting the changes", seconds: COUNT_SECONDS })
    if (numbers.commits === 0) return yield* PullRequestTarget.refused(`No commits between ${base.ref} and ${head.ref}`)
    return numbers
  })

  /** Fails with 422 if the branches have an open pull request. */
  const refuseDuplicate = Effect.fnUntraced(function* (
    { ref, repository }: PullRequestTarget.Head,
    base: string,
    repositoryId: number
  ) {
    const open = yield* rows.openByHead(repository.row.id, ref)
    if (open.some((one) => one.repository_id === repositoryId && one.base_ref === base))
      return yield* PullRequestTarget.refused(`A pull request already exists for ${repository.row.owner.login}:${ref}.`)
  })

  /** Fails with 422 unless the caller may push to one of the two repositories. */
  const requirePush = Effect.fnUntraced(function* (
    { repository }: PullRequestTarget.Head,
    { caller, role }: SignedInRepositoryContext
  ) {
    if (atLeast(role, "write") || atLeast(yield* roles.onRepository(caller, repository.row), "write")) return
    return yield* PullRequestTarget.refused(`${caller.user.login} may not push to ${repository.fullName}`)
  })

  /** Finds the issue that becomes a pull request. */
  const issueToConvert = Effect.fnUntraced(function* (
    number: number,
    { caller, repository, role }: SignedInRepositoryContext
  ) {
    const issue = yield* issueRows.find(repository.row.id, number)
    if (issue === undefined || issue.is_pull_request === 1 || issue.state === "closed")
      return yield* PullRequestTarget.invalid("issue", number)
    if (issue.author_id !== caller.user.id && !atLeast(role, "write"))
      return yield* ApiError.forbidden(
        "Only the author, or a user with write access, can turn an issue into a pull request"
      )
    return issue
  })

  /** Applies a new state. A pull request that opens again has the present commits of its branches. */
  const setState = Effect.fnUntraced(function* (
    { issue, pull }: PullRequestTarget.Found,
    state: "open" | "closed",
    context: SignedInRepositoryContext
  ) {
    if (state === issue.state) return issue
    if (state === "open") yield* reopen(pull, context.repository)
    return yield* issues.update(eventContext(context), issue, { state })
  })

  /** The range of the commits and files of a pull request. */
  const rangeOf = Effect.fnUntraced(function* ({ pull }: PullRequestTarget.Found, { repository }: RepositoryContext) {
    const { base_sha: base, head_sha: head } = pull
    return { base, head, from: (yield* repository.git.mergeBase(base, head)) ?? base }
  })

  const oldestFirst = Effect.fnUntraced(function* (
    { base, head }: { readonly base: string; readonly head: string },
    { git }: ServedRepository
  ) {
    return (yield* git.log({ from: head, exclude: base, skip: 0, limit: MAX_COMMITS })).toReversed()
  })

  /** The diff or the patches of a pull request. */
  const changesAs = Effect.fnUntraced(function* (
    mediaType: "diff" | "patch",
    found: PullRequestTarget.Found,
    context: RepositoryContext
  ) {
    const { git } = context.repository
    const range = yield* rangeOf(found, context)
    const identity = `${range.from}...${range.head}`
    if (mediaType === "diff")
      return text("diff", yield* StreamedBody.fromStream(identity, git.changes.diffBetween(range.from, range.head)))
    const oids = yield* oldestFirst(range, context.repository)
    return text("patch", yield* StreamedBody.fromStream(identity, patches(git, oids)))
  })

  return group(Pulls)({
    *list({ base, direction, head, sort = "created", state = "open" }, context) {
      const id = context.repository.row.id
      const [branch = "", owner] = (head ?? "").split(":").toReversed()
      const now = yield* Clock.currentTimeMillis
      const where = [
        sql`i.repository_id = ${id}`,
        sql`i.is_pull_request = 1`,
        ...(state === "all" ? [] : [sql`i.state = ${state}`]),
        ...(base === undefined
          ? []
          : [
              sql`i.id IN (SELECT p.issue_id FROM pull_requests p WHERE p.repository_id = ${id} AND p.base_ref = ${base})`
            ]),
        // As on GitHub, a head without an owner has no effect.
        ...(head === undefined || owner === undefined
          ? []
          : [
              sql`i.id IN (SELECT p.issue_id FROM pull_requests p JOIN users u ON u.id = p.head_user_id
                WHERE p.repository_id = ${id} AND p.head_ref = ${branch} AND lower(u.login) = ${owner.toLowerCase()})`
            ]),
        ...(sort === "long-running" ? [sql`i.created_at < ${timestamp(now - MONTH_MILLIS)}`] : [])
      ]
      const way = direction ?? (sort === "created" ? "desc" : "asc")
      const order = sql`${sql.literal(orders[sort])} ${sql.literal(way)}, i.number ${sql.literal(way)}`
      return yield* page(sql.and(where), order, context)
    },

    *create(
      { base, body, draft = false, head: given, head_repo, issue, maintainer_can_modify = false, title },
      context
    ) {
      const { repository } = context
      yield* refuseBlocked(context)
      const head = yield* target.head(given, head_repo, context)
      const baseTip = yield* target.tip("base", base, repository)
      yield* requirePush(head, context)
      const isOwn = head.repository.row.id === repository.row.id
      if (isOwn && head.ref === base)
        return yield* PullRequestTarget.refused(`No commits between ${base} and ${head.ref}`)
      if (!isOwn && (yield* repository.git.commit(head.sha)) === undefined)
        yield* forks.copyCommit(repository, head.repository, head.sha)
      const numbers = yield* numbersOf(repository, { ref: base, sha: baseTip }, head)
      const pull: NewPullRequestColumns = {
        ...numbers,
        repository_id: repository.row.id,
        base_ref: base,
        base_sha: baseTip,
        head_repository_id: head.repository.row.id,
        head_user_id: head.repository.row.owner.id,
        head_ref: head.ref,
        head_sha: head.sha,
        draft: draft ? 1 : 0,
        maintainer_can_modify: !isOwn && maintainer_can_modify ? 1 : 0,
        tested_base: "",
        tested_head: ""
      }
      const at = eventContext(context)
      const row: IssueRow = yield* transaction(
        Effect.gen(function* () {
          yield* refuseDuplicate(head, base, repository.row.id)
          if (issue !== undefined) return yield* pulls.convert(at, yield* issueToConvert(issue, context), pull)
          if (title === undefined) return yield* PullRequestTarget.invalid("title", title, "title is missing")
          const texts = { title: yield* IssueText.title(title), body: yield* IssueText.body(body ?? null) }
          return yield* issues.create(at, { ...texts, pull })
        })
      )
      yield* repository.git.pullRefs.set(row.number, "head", head.sha)
      if (!draft) yield* codeOwners.start(at, row.id)
      return yield* shown(row.number, context)
    },

    *get({ pull_number }, context) {
      const { mediaType } = context
      if (mediaType !== "diff" && mediaType !== "patch") return yield* shown(pull_number, context)
      return yield* changesAs(mediaType, yield* target.find(pull_number, context), context)
    },

    *update({ base, body, maintainer_can_modify, pull_number, state, title }, context) {
      const { repository } = context
      const found = yield* target.find(pull_number, context)
      const { issue, pull } = found
      if (issue.author_id !== context.caller.user.id && !atLeast(context.role, "write"))
        return yield* ApiError.forbidden("Only the author, or a user with write access, can edit a pull request")
      const texts = {
        ...(title === undefined ? {} : { title: yield* IssueText.title(title) }),
        ...(body === undefined ? {} : { body: yield* IssueText.body(body) })
      }
      const baseTip = base === undefined ? undefined : yield* target.tip("base", base, repository)
      const head = { ref: pull.head_ref, sha: pull.head_sha }
      const isMoved = base !== undefined && baseTip !== undefined && base !== pull.base_ref
      if (isMoved && pull.state === "closed")
        return yield* PullRequestTarget.invalid("base", base, "the base of a closed pull request cannot change")
      const numbers = isMoved ? yield* numbersOf(repository, { ref: base, sha: baseTip }, head) : undefined
      yield* transaction(
        Effect.gen(function* () {
          const at = eventContext(context)
          let row = yield* issues.update(at, issue, texts)
          row = yield* pulls.update(at, row, {
            ...(isMoved ? { base: { ...numbers, base_ref: base, base_sha: baseTip } } : {}),
            ...(maintainer_can_modify === undefined ? {} : { maintainerCanModify: maintainer_can_modify })
          })
          if (state !== undefined) yield* setState({ issue: row, pull }, state, context)
        })
      )
      return yield* shown(pull_number, context)
    },

    *listCommits({ pull_number }, context) {
      const { repository, urls } = context
      const found = yield* target.find(pull_number, context)
      const oids = yield* oldestFirst(yield* rangeOf(found, context), repository)
      const { items, total } = Paging.slice(oids, context.page)
      const keyed = yield* summaries(repository, urls, items)
      return { keyed: () => keyed, total }
    },

    *listFiles({ pull_number }, context) {
      const { repository, urls } = context
      const { changes } = repository.git
      const { from, head } = yield* rangeOf(yield* target.find(pull_number, context), context)
      const range = { from, to: head }
      const listing = yield* changes.list(range)
      const { items, total } = Paging.slice(listing.files.slice(0, MAX_FILES), context.page)
      const files = yield* changes.withPatches(range, listing, items)
      return { items: files.map((change) => fileChange(repository, urls, head, change)), total }
    },

    *checkIfMerged({ pull_number }, context) {
      const { pull } = yield* target.find(pull_number, context)
      if (pull.merged_at === null) return yield* ApiError.notFound()
    },

    *merge({ pull_number, ...input }, context) {
      const found = yield* target.find(pull_number, context)
      const oid = yield* merges.mergePull(found, input, context)
      return { sha: Shapes.sha(oid), merged: true, message: "Pull Request successfully merged" }
    },

    *updateBranch({ expected_head_sha, pull_number }, context) {
      const found = yield* target.find(pull_number, context)
      yield* merges.updateBranch(found, expected_head_sha, "merge", context)
      const url = `${Shapes.repositoryUrl(context.repository, context.urls)}/pulls/${pull_number}`
      return { message: "Updating pull request branch.", url }
    },

    *listForCommit({ commit_sha }, context) {
      const { repository } = context
      const oid = yield* repository.git.resolve(commit_sha)
      if (oid === undefined) return yield* ApiError.notFound(`No commit found for SHA: ${commit_sha.slice(0, 200)}`)
      const chosen = (yield* ofCommits(repository, [oid])).get(oid) ?? []
      const { items, total } = Paging.slice(chosen, context.page)
      const known = yield* issueRows.byIds(items.map(({ issue_id }) => issue_id))
      const listed = items.flatMap(({ issue_id }) => known.get(issue_id) ?? [])
      const keyed = yield* views.summaries(listed, context)
      return { keyed: () => keyed, total }
    },

    *listBranchesForHead({ commit_sha }, { repository, urls }) {
      const oid = yield* repository.git.resolve(commit_sha)
      if (oid === undefined) return yield* ApiError.invalid(`No commit found for SHA: ${commit_sha.slice(0, 200)}`)
      const refs = (yield* repository.git.refs("refs/heads/")).filter((ref) => ref.oid === oid)
      const marked = yield* rules.protectedBranches(
        repository,
        refs.map(({ name }) => name)
      )
      return refs.map(({ name }) => ({
        name: RefName.short(name),
        commit: { sha: Shapes.sha(oid), url: `${Shapes.repositoryUrl(repository, urls)}/commits/${oid}` },
        protected: marked.has(name)
      }))
    }
  })
})
