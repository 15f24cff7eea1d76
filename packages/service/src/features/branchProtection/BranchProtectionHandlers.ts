import * as Effect from "effect/Effect"
import { type ActorNames, type ReviewProtectionChange } from "@tongs/core/contract/groups/BranchProtection"
import { BranchProtections } from "@tongs/core/contract/groups/BranchProtections"
import * as ApiError from "../../api/ApiError.ts"
import { group } from "../../api/Handlers.ts"
import type { RepositoryContext, SignedInRepositoryContext } from "../../api/RequestContext.ts"
import type { BranchProtectionRow, ProtectionReviews } from "../../rules/BranchProtectionRows.ts"
import * as BranchProtectionShapes from "./BranchProtectionShapes.ts"
import * as ProtectionActors from "./ProtectionActors.ts"
import * as ProtectionChanges from "./ProtectionChanges.ts"
import * as ProtectionSettings from "./ProtectionSettings.ts"

const noReviews = () => ApiError.notFound("Pull request reviews are not required")
const noChecks = () => ApiError.notFound("Required status checks not enabled")

/** Maximum number of required checks, and maximum length of their names. */
const MAX_CHECKS = 100
const MAX_NAME = 255

/** Handlers of branch protections. */
export const make = Effect.gen(function* () {
  const actors = yield* ProtectionActors.make
  const changes = yield* ProtectionChanges.make
  const shapes = yield* BranchProtectionShapes.make

  const checksOf = ({ settings }: BranchProtectionRow) =>
    settings.required_status_checks === null ? Effect.fail(noChecks()) : Effect.succeed(settings.required_status_checks)
  const contextsOf = (row: BranchProtectionRow) =>
    Effect.map(checksOf(row), ({ checks }) => checks.map(({ context }) => context))

  const reviewsOf = ({ settings }: BranchProtectionRow) =>
    settings.required_pull_request_reviews === null
      ? Effect.fail(noReviews())
      : Effect.succeed(settings.required_pull_request_reviews)

  const describeReviews = Effect.fnUntraced(function* (row: BranchProtectionRow, context: RepositoryContext) {
    return yield* shapes.reviews(row, yield* reviewsOf(row), context)
  })

  const requireValid = (checks: ReadonlyArray<{ readonly context: string }>) => {
    const isValid =
      checks.length <= MAX_CHECKS && checks.every(({ context: { length } }) => length > 0 && length <= MAX_NAME)
    return isValid
      ? Effect.void
      : Effect.fail(
          ApiError.invalid(`At most ${MAX_CHECKS} checks with names of 1 to ${MAX_NAME} characters can be required`)
        )
  }

  /** Finds the actors of a member. An empty object stands for no restriction. */
  const actorsOf = Effect.fnUntraced(function* (names: ActorNames | undefined, context: RepositoryContext) {
    if (names === undefined) return undefined
    const isEmpty = names.users === undefined && names.teams === undefined && names.apps === undefined
    return isEmpty ? null : yield* actors.resolve(names, context)
  })

  const changedReviews = Effect.fnUntraced(function* (
    change: ReviewProtectionChange,
    before: ProtectionReviews | null,
    context: RepositoryContext
  ) {
    const dismissals = yield* actorsOf(change.dismissal_restrictions, context)
    const bypasses = yield* actorsOf(change.bypass_pull_request_allowances, context)
    return ProtectionSettings.reviewsOf(change, { bypasses, dismissals }, before)
  })

  /** Changes the names of the required checks, and returns them. */
  const changeContexts = Effect.fnUntraced(function* (
    branch: string,
    contexts: ReadonlyArray<string>,
    context: SignedInRepositoryContext,
    change: (names: ReadonlyArray<string>) => ReadonlyArray<string>
  ) {
    yield* requireValid(contexts.map((context) => ({ context })))
    const row = yield* changes.update(
      branch,
      context,
      Effect.fnUntraced(function* (settings) {
        const before = settings.required_status_checks
        if (before === null) return yield* noChecks()
        const names = change(before.checks.map(({ context }) => context))
        const required_status_checks = ProtectionSettings.withContexts(before, names)
        yield* requireValid(required_status_checks.checks)
        return { ...settings, required_status_checks }
      })
    )
    return yield* contextsOf(row)
  })

  return group(BranchProtections)({
    *get({ branch }, context) {
      return yield* shapes.protection(yield* changes.find(branch, context), context)
    },

    *update(input, context) {
      const { required_pull_request_reviews: reviews, required_status_checks: checks, restrictions } = input
      const policy = checks === null ? null : ProtectionSettings.checksOf(checks, null)
      yield* requireValid(policy?.checks ?? [])
      const required = reviews === null ? null : yield* changedReviews(reviews, null, context)
      const restricted = restrictions === null ? null : yield* actors.resolve(restrictions, context)
      const row = yield* changes.set(
        input.branch,
        context,
        Effect.fnUntraced(function* (before) {
          if (before === undefined) yield* changes.requireRoom(context)
          return {
            required_status_checks: policy,
            required_pull_request_reviews: required,
            restrictions: restricted,
            enforce_admins: input.enforce_admins ?? false,
            required_signatures: before?.required_signatures ?? false,
            required_linear_history: input.required_linear_history ?? false,
            required_conversation_resolution: input.required_conversation_resolution ?? false,
            allow_force_pushes: input.allow_force_pushes ?? false,
            allow_deletions: input.allow_deletions ?? false,
            block_creations: input.block_creations ?? false,
            lock_branch: input.lock_branch ?? false,
            allow_fork_syncing: input.allow_fork_syncing ?? false
          }
        })
      )
      return yield* shapes.protection(row, context)
    },

    *delete({ branch }, context) {
      yield* changes.remove(branch, context)
    },

    *getAdmins({ branch }, context) {
      return shapes.flag(yield* changes.find(branch, context), "enforce_admins", context)
    },

    *setAdmins({ branch }, context) {
      const row = yield* changes.update(branch, context, (settings) =>
        Effect.succeed({ ...settings, enforce_admins: true })
      )
      return shapes.flag(row, "enforce_admins", context)
    },

    *deleteAdmins({ branch }, context) {
      yield* changes.update(branch, context, (settings) => Effect.succeed({ ...settings, enforce_admins: false }))
    },

    *getReviews({ branch }, context) {
      return yield* describeReviews(yield* changes.find(branch, context), context)
    },

    *updateReviews(change, context) {
      const row = yield* changes.update(
        change.branch,
        context,
        Effect.fnUntraced(function* (settings) {
          const before = settings.required_pull_request_reviews
          return { ...settings, required_pull_request_reviews: yield* changedReviews(change, before, context) }
        })
      )
      return yield* describeReviews(row, context)
    },

    *deleteReviews({ branch }, context) {
      yield* changes.update(branch, context, (settings) =>
        settings.required_pull_request_reviews === null
          ? Effect.fail(noReviews())
          : Effect.succeed({ ...settings, required_pull_request_reviews: null })
      )
    },

    *getSignatures({ branch }, context) {
      return shapes.flag(yield* changes.find(branch, context), "required_signatures", context)
    },

    *createSignatures({ branch }, context) {
      const row = yield* changes.update(branch, context, (settings) =>
        Effect.succeed({ ...settings, required_signatures: true })
      )
      return shapes.flag(row, "required_signatures", context)
    },

    *deleteSignatures({ branch }, context) {
      yield* changes.update(branch, context, (settings) => Effect.succeed({ ...settings, required_signatures: false }))
    },

    *getChecks({ branch }, context) {
      const row = yield* changes.find(branch, context)
      return shapes.checks(row, yield* checksOf(row), context)
    },

    *updateChecks(change, context) {
      const row = yield* changes.update(
        change.branch,
        context,
        Effect.fnUntraced(function* (settings) {
          const before = settings.required_status_checks
          if (before === null) return yield* noChecks()
          const required_status_checks = ProtectionSettings.checksOf(change, before)
          yield* requireValid(required_status_checks.checks)
          return { ...settings, required_status_checks }
        })
      )
      return shapes.checks(row, yield* checksOf(row), context)
    },

    *deleteChecks({ branch }, context) {
      yield* changes.update(branch, context, (settings) =>
        Effect.succeed({ ...settings, required_status_checks: null })
      )
    },

    *listContexts({ branch }, context) {
      return yield* contextsOf(yield* changes.find(branch, context))
    },

    *addContexts({ branch, contexts }, context) {
      return yield* changeContexts(branch, contexts, context, (names) => [...names, ...contexts])
    },

    *setContexts({ branch, contexts }, context) {
      return yield* changeContexts(branch, contexts, context, () => contexts)
    },

    *removeContexts({ branch, contexts }, context) {
      return yield* changeContexts(branch, contexts, context, (names) =>
        names.filter((name) => !contexts.includes(name))
      )
    }
  })
})
