import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type CurrentStatus, Statuses } from "@tongs/core/contract/groups/Statuses"
import { group } from "../../api/Handlers.ts"
import { PublicUrl } from "../../api/PublicUrl.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { timestamp } from "../../base/Time.ts"
import * as CheckShapes from "../../checks/CheckShapes.ts"
import * as CombinedState from "../../checks/CombinedState.ts"
import * as StatusContent from "../../checks/StatusContent.ts"
import { type StatusRow, StatusRows } from "../../checks/StatusRows.ts"
import { AutoMergeQueue } from "../../events/AutoMergeQueue.ts"
import { Events } from "../../events/Events.ts"
import type { Commit } from "../../git/values/GitObject.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as CheckTarget from "./CheckTarget.ts"

/** Maximum branches in the payload of a webhook, as on GitHub. */
const MAX_BRANCHES = 10

/** Handlers of statuses. */
export const make = Effect.gen(function* () {
  const rows = yield* StatusRows
  const autoMerges = yield* AutoMergeQueue
  const events = yield* Events
  const publicUrl = yield* PublicUrl
  const transaction = yield* Transaction.make

  /** Queues the webhook `status`, whose payload has the members of the status, the commit and its branches. */
  const announce = Effect.fnUntraced(function* (
    row: StatusRow,
    { author, committer, message }: Commit,
    { caller, repository }: SignedInRepositoryContext
  ) {
    const urls = yield* publicUrl.urls
    const { creator: _, url: __, ...shape } = CheckShapes.status(row, repository, urls)
    const url = `${Shapes.repositoryUrl(repository, urls)}/commits/${row.sha}`
    const tips = (yield* repository.git.refs("refs/heads/")).filter(({ oid }) => oid === row.sha).slice(0, MAX_BRANCHES)
    yield* events.announce({
      actor: caller.user,
      repository,
      event: "status",
      action: null,
      payload: {
        ...shape,
        sha: row.sha,
        name: repository.fullName,
        commit: {
          sha: row.sha,
          url,
          html_url: `${urls.html}/${repository.fullName}/commit/${row.sha}`,
          commit: { message, author: Shapes.signature(author), committer: Shapes.signature(committer) }
        },
        branches: tips.map(({ name }) => ({
          name: name.slice("refs/heads/".length),
          commit: { sha: row.sha, url },
          protected: false
        }))
      }
    })
  })

  return group(Statuses)({
    *create({ context = StatusContent.DEFAULT_CONTEXT, description = null, sha, state, target_url = null }, at) {
      const { commit, oid } = yield* CheckTarget.commit(sha, at)
      const content = { context, description, state, target_url }
      const problem = StatusContent.problem(content)
      if (problem !== undefined) return yield* problem
      const { caller, repository } = at
      const row = yield* transaction(
        Effect.gen(function* () {
          const counts = yield* rows.counts(repository.row.id, oid, context)
          const exceeded = StatusContent.exceeded(counts)
          if (exceeded !== undefined) return yield* exceeded
          const added = yield* rows.add({
            ...content,
            repository_id: repository.row.id,
            sha: oid,
            creator_id: caller.user.id,
            created_at: timestamp(yield* Clock.currentTimeMillis)
          })
          yield* announce(added, commit, at)
          yield* autoMerges.offer({ _tag: "Commit", repositoryId: repository.row.id, oid })
          return added
        })
      )
      return CheckShapes.status(row, repository, at.urls)
    },

    *listForRef({ ref }, context) {
      const { page, repository, urls } = context
      const sha = yield* CheckTarget.commitId(ref, context)
      const { items, total } = yield* rows.list(repository.row.id, sha, page)
      return { items: items.map((row) => CheckShapes.status(row, repository, urls)), total }
    },

    *getCombinedForRef({ ref }, context) {
      const { page, repository, urls } = context
      const sha = yield* CheckTarget.commitId(ref, context)
      const states = yield* rows.states(repository.row.id, sha)
      const { items, total } = yield* rows.latest(repository.row.id, sha, page)
      const url = `${Shapes.repositoryUrl(repository, urls)}/commits/${sha}`
      return {
        items: items.map((row) => CheckShapes.currentStatus(row, repository, urls)),
        total,
        wrap: (statuses: ReadonlyArray<CurrentStatus>) => ({
          state: CombinedState.of(states.map(({ state }) => state)),
          statuses,
          sha,
          total_count: total,
          repository: Shapes.repositorySummary(repository, urls),
          commit_url: url,
          url: `${url}/status`
        })
      }
    }
  })
})
