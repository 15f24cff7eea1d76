/**
 * Merges the pull requests with an automatic merge, one at a time, when a change allows it.
 *
 * **Details**
 *
 * The rights of the account and the rules of the branch decide at the time of the merge. A merge that fails for another
 * reason is tried again after the next change.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DeferredRights from "../../access/DeferredRights.ts"
import { Roles } from "../../access/Roles.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { AutoMergeQueue, type AutoMergeTrigger } from "../../events/AutoMergeQueue.ts"
import { type AutoMergeGrant, AutoMergeRows } from "../../issues/AutoMergeRows.ts"
import { IssueRows } from "../../issues/IssueRows.ts"
import { PullRequestRows } from "../../issues/PullRequestRows.ts"
import { isTested } from "../../issues/PullRequestShapes.ts"
import { PullRequests } from "../../issues/PullRequests.ts"
import { Mergeability } from "../../pulls/Mergeability.ts"
import * as MergeState from "../../pulls/MergeState.ts"
import { RepositoryOwnership } from "../../repositories/RepositoryOwnership.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import * as PullRequestMerges from "./PullRequestMerges.ts"
import type { Found } from "./PullRequestTarget.ts"

const merges = OperationAccess.operationOf("pulls", "merge")

type AutoMerge = NonNullable<Found["pull"]["auto_merge"]>

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const autoMerges = yield* AutoMergeRows
    const callerOf = yield* DeferredRights.make
    const issues = yield* IssueRows
    const { mergePull, methodOf } = yield* PullRequestMerges.make
    const mergeability = yield* Mergeability
    const pulls = yield* PullRequests
    const queue = yield* AutoMergeQueue
    const ownership = yield* RepositoryOwnership
    const registry = yield* RepositoryRegistry
    const roles = yield* Roles
    const rows = yield* PullRequestRows
    const stateOf = yield* MergeState.make

    /** The account that enabled the merge, if it may still merge. */
    const actorOf = Effect.fnUntraced(function* (
      repository: ServedRepository,
      { enabled_by }: AutoMerge,
      { rights, suspended_at }: AutoMergeGrant
    ) {
      const caller = suspended_at === null ? yield* callerOf(enabled_by, rights) : undefined
      if (caller === undefined) return undefined
      const actor = { caller, repository, role: yield* roles.onRepository(caller, repository.row) }
      const target = { kind: "repository", ...actor, renamed: false } as const // literal type
      return OperationAccess.accessError(merges, caller, target, true) === undefined ? actor : undefined
    })

    const tryMerge = Effect.fnUntraced(function* (id: number) {
      const pull = (yield* rows.byIssues([id])).get(id)
      const issue = (yield* issues.byIds([id])).get(id)
      const grant = yield* autoMerges.grant(id)
      if (issue === undefined || pull === undefined || grant === undefined) return
      const { auto_merge: autoMerge, head_sha: sha, state } = pull
      if (autoMerge === null || state === "closed") return
      if (!ownership.owns(pull.repository_id)) return
      const [repository] = yield* registry.open(yield* registry.byIds([pull.repository_id]))
      if (repository === undefined) return
      if (!isTested(pull)) return yield* mergeability.test([pull])
      const end = (reason: string) => pulls.disableAutoMerge({ actor: autoMerge.enabled_by, repository }, id, reason)
      const actor = yield* actorOf(repository, autoMerge, grant)
      if (actor === undefined) return yield* end("The user who enabled auto-merge may not merge")
      if (repository.row.allow_auto_merge === 0) return yield* end("Auto merge is not allowed for this repository")
      const found = yield* stateOf(pull, repository)
      if (found !== "clean" && found !== "unstable") return
      const refused = yield* Effect.flip(methodOf(autoMerge.method, repository)).pipe(
        Effect.orElseSucceed(() => undefined)
      )
      if (refused !== undefined) return yield* end(refused.message)
      const input = {
        merge_method: autoMerge.method,
        sha,
        ...(autoMerge.title === null ? {} : { commit_title: autoMerge.title }),
        ...(autoMerge.message === null ? {} : { commit_message: autoMerge.message })
      }
      yield* mergePull({ issue, pull }, input, actor)
    })

    const idsOf = (trigger: AutoMergeTrigger): Effect.Effect<ReadonlyArray<number>> => {
      switch (trigger._tag) {
        case "All":
          return autoMerges.pending
        case "Commit":
          return autoMerges.ofHead(trigger.repositoryId, trigger.oid)
        case "PullRequest":
          return Effect.succeed([trigger.id])
      }
    }

    const next = Effect.gen(function* () {
      const trigger = yield* queue.take
      for (const id of yield* idsOf(trigger)) {
        yield* Effect.catchCause(tryMerge(id), (cause) =>
          Effect.logInfo(`The pull request with the id ${id} was not merged automatically`, cause)
        )
      }
    })
    yield* Effect.forkScoped(
      Effect.forever(Effect.catchCause(next, (cause) => Effect.logWarning("Automatic merges", cause)))
    )
  })
)
