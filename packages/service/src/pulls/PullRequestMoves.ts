/**
 * The effects of moved branches on pull requests, besides those on issues.
 *
 * **Details**
 *
 * A push to the head is a new version of the pull request; a deleted head or base branch closes it. A move of the base
 * branch to commits that contain the head merges it, whether a merge of the forge moves the branch or a push does.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { EventContext } from "../events/NewEvent.ts"
import type { RefMove } from "../events/PushPayload.ts"
import { RefChangeEffects } from "../events/RefChangeEffects.ts"
import type { GitError } from "../git/values/GitError.ts"
import * as RefName from "../git/values/RefName.ts"
import { IssueRows } from "../issues/IssueRows.ts"
import * as NewCommits from "../issues/NewCommits.ts"
import { type PullRequestRow, PullRequestRows } from "../issues/PullRequestRows.ts"
import { PullRequests } from "../issues/PullRequests.ts"
import * as PushReferences from "../issues/PushReferences.ts"
import * as SqlFragments from "../storage/SqlFragments.ts"
import { Forks } from "../repositories/Forks.ts"
import { RepositoryRegistry, type ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { Mergeability } from "./Mergeability.ts"
import * as StaleReviews from "./StaleReviews.ts"

/** A pull request that a move merges, the commit of the merge, and the head that it merged. */
interface Merged {
  readonly pull: PullRequestRow
  readonly commit: string
  readonly head: string
}

type Writes = Effect.Effect<void, GitError>

export const layer = Layer.effect(
  RefChangeEffects,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isOneOfTexts } = SqlFragments.make(sql)
    const issueRows = yield* IssueRows
    const rows = yield* PullRequestRows
    const pulls = yield* PullRequests
    const references = yield* PushReferences.make
    const newCommits = yield* NewCommits.make
    const registry = yield* RepositoryRegistry
    const forks = yield* Forks
    const mergeability = yield* Mergeability
    const dismiss = yield* StaleReviews.make

    const repositoryOf = Effect.fnUntraced(function* (
      { repository }: EventContext,
      id: number
    ): Effect.fn.Return<ServedRepository | undefined, GitError> {
      if (id === repository.row.id) return repository
      const [found] = yield* registry.open(yield* registry.byIds([id]))
      return found
    })

    /** The pull requests whose head a branch is. Closed ones only if the move restores the branch. */
    const withHead = ({ repository: { row } }: EventContext, branch: string, { before }: RefMove) =>
      rows.matching(sql`
        p.head_repository_id = ${row.id} AND p.head_ref = ${branch}
        ${before === null ? sql`` : sql`AND i.state = 'open'`}`)

    /** Brings the new commits of a head to the repository of the pull request, where a reference keeps them. */
    const moveHead = Effect.fnUntraced(function* (at: EventContext, pull: PullRequestRow, after: string) {
      const repository = yield* repositoryOf(at, pull.repository_id)
      if (repository === undefined || pull.head_sha === after) return Effect.void
      const { git } = repository
      if ((yield* git.commit(after)) === undefined) yield* forks.copyCommit(repository, at.repository, after)
      yield* git.pullRefs.set(pull.number, "head", after)
      const isKnown = (yield* git.commit(pull.head_sha)) !== undefined
      const isForced = !isKnown || !(yield* git.isAncestor(pull.head_sha, after))
      const move = { before: pull.head_sha, after, isForced }
      const own = { actor: at.actor, repository }
      const dismissal = yield* dismiss(own, pull, after)
      return Effect.andThen(pulls.moveHead(own, pull.issue_id, move), dismissal)
    })

    /** What the move of a branch does to the pull requests whose head it is. */
    const ofHead = Effect.fnUntraced(function* (
      at: EventContext,
      pulled: ReadonlyArray<PullRequestRow>,
      { after, before }: RefMove
    ) {
      const writes: Array<Writes> = []
      for (const pull of pulled) {
        const repository = yield* repositoryOf(at, pull.repository_id)
        if (repository === undefined) continue
        const own = { actor: at.actor, repository }
        if (pull.state === "closed") {
          if (before === null && pull.head_sha === after) {
            writes.push(pulls.record(own, pull.issue_id, "head_ref_restored"))
          }
        } else if (after === null) writes.push(pulls.closeWithout(own, pull.issue_id, "head"))
        else writes.push(yield* moveHead(at, pull, after))
      }
      return writes
    })

    /** The commit that merged the head: the one that has it as a further parent, or the head itself. */
    const mergeCommit = Effect.fnUntraced(function* (
      { git }: ServedRepository,
      oids: ReadonlyArray<string>,
      head: string
    ) {
      for (const oid of oids) {
        const commit = yield* git.commit(oid)
        if (commit?.parents.slice(1).includes(head) === true) return oid
      }
      return head
    })

    /** The open pull requests that the move of their base merges: the one that began it, and those whose head is new there. */
    const mergedBy = Effect.fnUntraced(function* (
      { repository }: EventContext,
      branch: string,
      move: RefMove,
      after: string
    ) {
      const { id } = repository.row
      const begun = yield* rows.mergeOf(id, branch, after)
      const { oids } = move.before === null ? { oids: [] } : yield* newCommits(repository, move)
      const found = yield* rows.matching(sql`
        p.repository_id = ${id} AND p.base_ref = ${branch} AND i.state = 'open'
        AND (${isOneOfTexts("p.head_sha", oids)} OR p.issue_id = ${begun?.issue_id ?? 0})`)
      return yield* Effect.forEach(
        found,
        Effect.fnUntraced(function* (pull): Effect.fn.Return<Merged, GitError> {
          const head = pull.head_sha
          return pull.issue_id === begun?.issue_id
            ? { pull, commit: after, head: begun.head ?? head }
            : { pull, head, commit: yield* mergeCommit(repository, oids, head) }
        })
      )
    })

    /** What the move of a branch does to the pull requests into it, of which there can be thousands. */
    const ofBase = Effect.fnUntraced(function* (at: EventContext, branch: string, move: RefMove) {
      const { after, before } = move
      const { id } = at.repository.row
      const merged: ReadonlyArray<Merged> = []
      if (after === null) {
        const open = yield* rows.openByBase(id, branch)
        return { merged, writes: open.map(({ issue_id }) => pulls.closeWithout(at, issue_id, "base")) }
      }
      if (!(yield* rows.isBase(id, branch))) return { merged, writes: [] }
      const found = yield* mergedBy(at, branch, move, after)
      const writes: ReadonlyArray<Writes> = [
        ...found.map(({ pull, ...merge }) =>
          pulls.merge(at, pull.issue_id, { ...merge, base: before ?? pull.base_sha })
        ),
        rows.moveBase(id, branch, after),
        mergeability.testInto(id, branch)
      ]
      return { merged: found, writes }
    })

    /** The texts of merged pull requests, in which closing keywords count. */
    const textsOf = Effect.fnUntraced(function* (merged: ReadonlyArray<Merged>) {
      const issues = yield* issueRows.byIds(merged.map(({ pull }) => pull.issue_id))
      return merged.map(({ commit, pull }) => ({ commit, text: issues.get(pull.issue_id)?.body ?? "" }))
    })

    return RefChangeEffects.of({
      prepare: Effect.fn("PullRequestMoves.prepare")(function* (at, move) {
        if (!move.ref.startsWith("refs/heads/")) return Effect.void
        const branch = RefName.short(move.ref)
        const pulled = yield* withHead(at, branch, move)
        const head = yield* ofHead(at, pulled, move)
        const { merged, writes } = yield* ofBase(at, branch, move)
        const others = yield* references(at, move, yield* textsOf(merged))
        return Effect.gen(function* () {
          for (const write of [...head, ...writes]) yield* write
          yield* others
          const moved = yield* rows.byIssues(pulled.map(({ issue_id }) => issue_id))
          yield* mergeability.test([...moved.values()])
        })
      })
    })
  })
)
