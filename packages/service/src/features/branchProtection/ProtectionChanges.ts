/** Finds, changes and deletes branch protections, each in one transaction with the webhook deliveries. */
import * as Effect from "effect/Effect"
import type { NotFound } from "@tongs/core/contract/Failure"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import { AutoMergeQueue } from "../../events/AutoMergeQueue.ts"
import { Events } from "../../events/Events.ts"
import * as RefName from "../../git/values/RefName.ts"
import {
  type BranchProtectionRow,
  BranchProtectionRows,
  type ProtectionSettings
} from "../../rules/BranchProtectionRows.ts"
import * as Transaction from "../../storage/Transaction.ts"
import * as ProtectionActors from "./ProtectionActors.ts"
import * as ProtectionEvents from "./ProtectionEvents.ts"

/** Maximum number of protected branches of a repository. */
const MAX_PROTECTIONS = 1000

/** The settings of a protection without rules but those against forced pushes and deletions. */
export const defaults: ProtectionSettings = {
  required_status_checks: null,
  required_pull_request_reviews: null,
  restrictions: null,
  enforce_admins: false,
  required_signatures: false,
  required_linear_history: false,
  required_conversation_resolution: false,
  allow_force_pushes: false,
  allow_deletions: false,
  block_creations: false,
  lock_branch: false,
  allow_fork_syncing: false
}

export const make = Effect.gen(function* () {
  const actors = yield* ProtectionActors.make
  const autoMerges = yield* AutoMergeQueue
  const events = yield* Events
  const rows = yield* BranchProtectionRows
  const transaction = yield* Transaction.make

  const requireBranch = Effect.fnUntraced(function* (branch: string, { repository }: RepositoryContext) {
    if ((yield* repository.git.ref(RefName.branch(branch))) === undefined)
      return yield* ApiError.notFound("Branch not found")
  })

  /** Returns the protection of a branch. */
  const find = Effect.fnUntraced(function* (branch: string, context: RepositoryContext) {
    yield* requireBranch(branch, context)
    return (yield* rows.get(context.repository.row.id, branch)) ?? (yield* ApiError.notFound("Branch not protected"))
  })

  const named = Effect.fnUntraced(function* (row: BranchProtectionRow, context: RepositoryContext) {
    const { restrictions } = row.settings
    return { row, names: restrictions === null ? [] : yield* actors.namesOf(restrictions, context) }
  })

  const announce = Effect.fnUntraced(function* (
    action: "created" | "edited" | "deleted",
    row: BranchProtectionRow,
    context: SignedInRepositoryContext,
    before?: BranchProtectionRow
  ) {
    const { caller, repository } = context
    const at = { actor: caller.user, repository }
    const payload = ProtectionEvents.payload(
      yield* named(row, context),
      before === undefined ? undefined : yield* named(before, context)
    )
    yield* events.announce({ ...at, event: "branch_protection_rule", action, payload })
    yield* autoMerges.offer({ _tag: "All" })
    const others = (yield* rows.count(repository.row.id)) - (action === "created" ? 1 : 0)
    if (action === "edited" || others > 0) return
    const configuration = action === "created" ? "enabled" : "disabled"
    yield* events.announce({ ...at, event: "branch_protection_configuration", action: configuration, payload: {} })
  })

  /** Sets the protection of a branch. `change` gets the present settings, or `undefined` for an unprotected branch. */
  const set = <E>(
    branch: string,
    context: SignedInRepositoryContext,
    change: (before: ProtectionSettings | undefined) => Effect.Effect<ProtectionSettings, E>
  ) =>
    Effect.andThen(
      requireBranch(branch, context),
      transaction(
        Effect.gen(function* () {
          const { id } = context.repository.row
          const before = yield* rows.get(id, branch)
          const settings = yield* change(before?.settings)
          const row = yield* rows.set(id, branch, settings)
          yield* announce(before === undefined ? "created" : "edited", row, context, before)
          return row
        })
      )
    )

  /** Fails if no more branches can be protected. */
  const requireRoom = Effect.fnUntraced(function* ({ repository }: RepositoryContext) {
    if ((yield* rows.count(repository.row.id)) >= MAX_PROTECTIONS)
      return yield* ApiError.invalid(`At most ${MAX_PROTECTIONS} branches can be protected`)
  })

  /** Changes an existing protection. */
  const update = <E>(
    branch: string,
    context: SignedInRepositoryContext,
    change: (before: ProtectionSettings) => Effect.Effect<ProtectionSettings, E>
  ) =>
    set<E | NotFound>(branch, context, (before) =>
      before === undefined ? Effect.fail(ApiError.notFound("Branch not protected")) : change(before)
    )

  const remove = Effect.fnUntraced(function* (branch: string, context: SignedInRepositoryContext) {
    yield* transaction(
      Effect.gen(function* () {
        const row = yield* find(branch, context)
        yield* rows.remove(row.id)
        yield* announce("deleted", row, context)
      })
    )
  })

  return { find, remove, requireRoom, set, update }
})
