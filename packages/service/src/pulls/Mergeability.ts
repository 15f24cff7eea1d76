/** Finds out in the background whether open pull requests can be merged, one at a time. */
import { setTimeout } from "node:timers/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as SqlClient from "effect/sql/SqlClient"
import { AutoMergeQueue } from "../events/AutoMergeQueue.ts"
import * as Merging from "../git/merging/Merging.ts"
import * as PairFacts from "../git/merging/PairFacts.ts"
import type { GitError } from "../git/values/GitError.ts"
import { type PullRequestColumns, type PullRequestRow, PullRequestRows } from "../issues/PullRequestRows.ts"
import { isTested } from "../issues/PullRequestShapes.ts"
import { RepositoryRegistry, type ServedRepository } from "../repositories/RepositoryRegistry.ts"
import { ThreadTracer } from "../reviews/ThreadTracer.ts"

type Numbers = Pick<PullRequestColumns, "commits" | "additions" | "deletions" | "changed_files" | "behind">

/** Milliseconds before the tests of a branch's pull requests: a move that follows at once would make them useless. */
const PAUSE_MILLIS = 100

const keyOf = ({ ref, repositoryId }: Base) => `${repositoryId} ${ref}`

/** All open pull requests into a branch. Those with ids up to `after` are tested. */
interface Base {
  readonly repositoryId: number
  readonly ref: string
  readonly after: number
}

export class Mergeability extends Context.Service<
  Mergeability,
  {
    /**
     * Counts the commits and changes between two commits. Undefined without a common ancestor, or if counting takes too
     * long.
     */
    numbers(repository: ServedRepository, base: string, head: string): Effect.Effect<Numbers | undefined, GitError>
    /**
     * Starts the tests of the pull requests whose branches have moved since the last test, after the transaction of the
     * caller.
     */
    test(pulls: ReadonlyArray<PullRequestRow>): Effect.Effect<void>
    /** Starts the tests of all open pull requests into a branch, after the transaction of the caller. */
    testInto(repositoryId: number, ref: string): Effect.Effect<void>
  }
>()("@tongs/service/pulls/Mergeability") {
  static readonly layer = Layer.effect(
    Mergeability,
    Effect.gen(function* () {
      const autoMerges = yield* AutoMergeQueue
      const { afterCommit } = yield* SqlClient.SqlClient
      const facts = yield* PairFacts.make
      const merge = yield* Merging.make
      const rows = yield* PullRequestRows
      const registry = yield* RepositoryRegistry
      const scope = yield* Effect.scope
      const tracer = yield* ThreadTracer
      const queue = yield* Queue.unbounded<number | Base>()
      /** The pull requests in the queue. Each is there once. */
      const waiting = new Set<number>()
      /** The bases in the queue. A later move of a branch replaces its entry. */
      const bases = new Map<string, Base>()

      const columnsOf = ({ additions, ahead, behind, changedFiles, deletions }: PairFacts.PairNumbers) =>
        ahead === undefined || additions === undefined || deletions === undefined || changedFiles === undefined
          ? undefined
          : { commits: ahead, additions, deletions, changed_files: changedFiles, behind: behind ?? 0 }

      /** The request for the commit of `refs/pull/N/merge`, which no branch has. */
      const testRequest = Effect.fnUntraced(function* (
        { git }: ServedRepository,
        { base_sha: base, head_sha: head }: PullRequestRow
      ) {
        const commit = yield* git.commit(head)
        if (commit === undefined) return undefined
        const person = { ...commit.committer, name: "Tongs", email: "tongs@localhost" }
        const message = `Merge ${head} into ${base}\n`
        return { method: "merge", base, head, message, author: person, committer: person } as const // a literal
      })

      /** The numbers of a pull request after a move of its base, if the head has the same new commits as before. */
      const numbersAfter = Effect.fnUntraced(function* ({ git }: ServedRepository, pull: PullRequestRow) {
        const { base_sha, commits, head_sha, mergeable, tested_base, tested_head } = pull
        // Without an ancestor in common, a pull request is not mergeable.
        if (mergeable !== 1 || tested_head !== head_sha || !(yield* git.isAncestor(tested_base, base_sha)))
          return undefined
        const { ahead, behind = 0 } = yield* facts.counts(git, base_sha, head_sha)
        return ahead === commits && commits > 0 ? { commits, behind } : undefined
      })

      /** Merges and writes the commit of the merge, which needs no git process for most heads of one commit. */
      const tryMerge = Effect.fnUntraced(function* (
        repository: ServedRepository,
        pull: PullRequestRow,
        isOne: boolean
      ) {
        const { git } = repository
        const { base_sha: base, head_sha: head } = pull
        const request = yield* testRequest(repository, pull)
        const [parent, second] = (yield* git.commit(head))?.parents ?? []
        const one =
          request !== undefined && isOne && parent !== undefined && second === undefined
            ? yield* Merging.mergeOneCommit(git, request, parent)
            : undefined
        if (one !== undefined) return { mergeable: true, rebaseable: true, oid: one }
        const pair = { ahead: isOne ? 1 : undefined, mergeBase: yield* git.mergeBase(base, head) }
        const { mergeable, rebaseable } = yield* facts.merges(git, base, head, pair)
        const merged = mergeable === true && request !== undefined ? yield* merge(git, request) : undefined
        return { mergeable, rebaseable, oid: merged?._tag === "Merged" ? merged.oid : undefined }
      })

      const flag = (value: boolean | undefined) => (value === undefined ? null : value ? 1 : 0)

      const testPull = Effect.fnUntraced(function* (pull: PullRequestRow) {
        const [repository] = yield* registry.open(yield* registry.byIds([pull.repository_id]))
        if (repository === undefined) return
        const { base_sha, head_sha } = pull
        const numbers =
          (yield* numbersAfter(repository, pull)) ?? columnsOf(yield* facts.numbers(repository.git, base_sha, head_sha))
        const { mergeable, oid, rebaseable } = yield* tryMerge(repository, pull, numbers?.commits === 1)
        const refs = repository.git.pullRefs
        // Unless the process died when the pull request was created, its head is there.
        if ((yield* refs.get(pull.number, "head")) === undefined) yield* refs.set(pull.number, "head", head_sha)
        yield* refs.set(pull.number, "merge", oid)
        // Before the result of the test, without which the test runs again if the process dies.
        yield* Effect.catchCause(tracer.trace(pull.issue_id), (cause) =>
          Effect.logWarning(`The threads of the pull request with the id ${pull.issue_id} could not be traced`, cause)
        )
        yield* rows.setTest(pull.issue_id, {
          ...numbers,
          tested_base: base_sha,
          tested_head: head_sha,
          merge_commit_sha: oid ?? null,
          mergeable: flag(mergeable),
          rebaseable: flag(rebaseable)
        })
      })

      const test = Effect.fn("Mergeability.test")(function* (id: number) {
        const pull = (yield* rows.byIssues([id])).get(id)
        if (pull === undefined || pull.state === "closed") return
        // The pull request may wait for a test that another fiber began before.
        if (!isTested(pull)) yield* testPull(pull)
        if (pull.auto_merge !== null) yield* autoMerges.offer({ _tag: "PullRequest", id })
      })

      const tryTest = (id: number) =>
        Effect.catchCause(test(id), (cause) =>
          Effect.logWarning(`The pull request with the id ${id} could not be tested`, cause)
        )

      /** Replaces the entry of a branch after it moved. */
      const move = Effect.fnUntraced(function* (base: Base) {
        bases.set(keyOf(base), base)
        // Also with the clock of a test, which may stand still.
        const pause = Effect.promise((signal) => setTimeout(PAUSE_MILLIS, undefined, { signal }).catch(() => undefined))
        yield* Effect.forkIn(Effect.andThen(pause, Queue.offer(queue, base)), scope)
      })

      /** Tests one pull request into a branch, then those who wait, then the next. */
      const testOneInto = Effect.fnUntraced(function* (base: Base) {
        const isCurrent = () => bases.get(keyOf(base)) === base
        if (!isCurrent()) return
        const id = yield* rows.firstUntested(base.repositoryId, base.ref, base.after)
        if (id !== undefined) {
          const [duration] = yield* Effect.timed(tryTest(id))
          // The tests of thousands of pull requests leave half of the time to requests.
          yield* Effect.sleep(duration)
        }
        if (!isCurrent()) return
        if (id === undefined) bases.delete(keyOf(base))
        else {
          const rest = { ...base, after: id }
          bases.set(keyOf(base), rest)
          yield* Queue.offer(queue, rest)
        }
      })

      const next = Effect.gen(function* () {
        const job = yield* Queue.take(queue)
        if (typeof job !== "number") return yield* testOneInto(job)
        waiting.delete(job)
        yield* tryTest(job)
      })
      yield* Effect.forkScoped(Effect.forever(next))

      const start = Effect.fnUntraced(function* (pulls: ReadonlyArray<PullRequestRow>) {
        for (const pull of pulls) {
          if (pull.state === "closed" || isTested(pull) || waiting.has(pull.issue_id)) continue
          waiting.add(pull.issue_id)
          yield* Queue.offer(queue, pull.issue_id)
        }
      })

      return Mergeability.of({
        numbers: ({ git }, base, head) => Effect.map(facts.numbers(git, base, head), columnsOf),
        test: (pulls) => afterCommit(start(pulls)),
        testInto: (repositoryId, ref) => afterCommit(move({ repositoryId, ref, after: 0 }))
      })
    })
  )
}
