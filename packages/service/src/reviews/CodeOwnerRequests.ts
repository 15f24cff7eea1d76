/** Asks the code owners of the changed files for their review, in the background, one pull request at a time. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as SqlClient from "effect/sql/SqlClient"
import { TeamRows } from "../accounts/TeamRows.ts"
import type { UserRow } from "../accounts/UserRows.ts"
import type { EventContext } from "../events/NewEvent.ts"
import type { GitRepository } from "../git/GitRepository.ts"
import { type IssueRow, IssueRows } from "../issues/IssueRows.ts"
import { type PullRequestRow, PullRequestRows } from "../issues/PullRequestRows.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import type { Owner } from "./CodeOwners.ts"
import * as CodeOwnersFile from "./CodeOwnersFile.ts"
import * as OwnerAccounts from "./OwnerAccounts.ts"
import { MAX_REVIEWERS, ReviewRequests } from "./ReviewRequests.ts"
import { ReviewRows } from "./ReviewRows.ts"

/** Number of paths to match before yielding to the event loop. */
const FILES_PER_TICK = 20

interface Job {
  readonly actor: UserRow
  readonly issueId: number
}

export class CodeOwnerRequests extends Context.Service<
  CodeOwnerRequests,
  {
    /** Asks the owners after the transaction of the caller. Does nothing for a draft. */
    start(at: EventContext, issueId: number): Effect.Effect<void>
  }
>()("@tongs/service/reviews/CodeOwnerRequests") {
  static readonly layer = Layer.effect(
    CodeOwnerRequests,
    Effect.gen(function* () {
      const { afterCommit } = yield* SqlClient.SqlClient
      const accounts = yield* OwnerAccounts.make
      const issues = yield* IssueRows
      const pulls = yield* PullRequestRows
      const read = yield* CodeOwnersFile.make
      const registry = yield* RepositoryRegistry
      const requests = yield* ReviewRequests
      const reviews = yield* ReviewRows
      const teams = yield* TeamRows
      const queue = yield* Queue.unbounded<Job>()

      /** The owners of changed files, by the file of the base branch. */
      const ownersOf = Effect.fnUntraced(function* (git: GitRepository, { base_sha, head_sha }: PullRequestRow) {
        const file = yield* read(git, base_sha)
        const from = file === undefined ? undefined : yield* git.mergeBase(base_sha, head_sha)
        if (file === undefined || from === undefined) return []
        const paths = yield* git.changes.paths({ from, to: head_sha })
        const owners = new Map<string, Owner>()
        for (const [index, path] of paths.entries()) {
          if (index % FILES_PER_TICK === 0) yield* Effect.yieldNow
          for (const owner of file.owners.ownersOf(path)) owners.set(owner.name.toLowerCase(), owner)
        }
        return [...owners.values()]
      })

      /** Asks the owners besides the author and those who have reviewed. */
      const ask = Effect.fnUntraced(function* (at: EventContext, issue: IssueRow, owners: ReadonlyArray<Owner>) {
        const account = yield* accounts(at.repository.row, owners)
        const reviewed = (yield* reviews.ofIssues([issue.id], undefined)).get(issue.id) ?? []
        const left = new Set([issue.author_id, ...reviewed.map(({ user_id }) => user_id)])
        const users = new Map<number, UserRow>()
        const teamIds = new Set<number>()
        for (const owner of owners) {
          const found = account(owner)
          if (found?._tag === "Team") teamIds.add(found.id)
          else if (found !== undefined && !left.has(found.user.id)) users.set(found.user.id, found.user)
        }
        const asked = {
          users: [...users.values()].slice(0, MAX_REVIEWERS),
          teams: yield* teams.byIds(at.repository.row.owner.id, [...teamIds])
        }
        const rest = MAX_REVIEWERS - asked.users.length
        yield* requests.request(at, issue, { ...asked, teams: asked.teams.slice(0, rest) }, true)
      })

      const run = Effect.fn("CodeOwnerRequests.run")(function* ({ actor, issueId }: Job) {
        const pull = (yield* pulls.byIssues([issueId])).get(issueId)
        const issue = (yield* issues.byIds([issueId])).get(issueId)
        if (pull === undefined || issue === undefined || pull.state === "closed" || pull.draft === 1) return
        const [repository] = yield* registry.open(yield* registry.byIds([pull.repository_id]))
        if (repository === undefined) return
        const owners = yield* ownersOf(repository.git, pull)
        if (owners.length > 0) yield* ask({ actor, repository }, issue, owners)
      })

      const next = Effect.gen(function* () {
        const job = yield* Queue.take(queue)
        yield* Effect.catchCause(run(job), (cause) =>
          Effect.logWarning(`The code owners of the pull request with the id ${job.issueId} were not asked`, cause)
        )
      })
      yield* Effect.forkScoped(Effect.forever(next))

      return CodeOwnerRequests.of({
        start: ({ actor }, issueId) => afterCommit(Effect.asVoid(Queue.offer(queue, { actor, issueId })))
      })
    })
  )
}
