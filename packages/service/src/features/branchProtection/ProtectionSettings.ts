/** Derives the settings of branch protections from requests. */
import type { ReviewProtectionChange, StatusChecksChange } from "@tongs/core/contract/groups/BranchProtection"
import type { ProtectionActors, ProtectionChecks, ProtectionReviews } from "../../rules/BranchProtectionRows.ts"

/** The id that stands for any app. */
const ANY_APP = -1

/** Returns the required checks: those with apps, and contexts that any app can set. */
export const checksOf = (
  { checks, contexts, strict }: StatusChecksChange,
  before: ProtectionChecks | null
): ProtectionChecks => {
  const named = [
    ...(checks ?? []).map(({ app_id = ANY_APP, context }) => ({ context, app_id: app_id === ANY_APP ? null : app_id })),
    ...(contexts ?? []).map((context) => ({ context, app_id: null }))
  ]
  const isChanged = checks !== undefined || contexts !== undefined
  return {
    strict: strict ?? before?.strict ?? false,
    checks: isChanged ? withoutDuplicates(named) : (before?.checks ?? [])
  }
}

/** Keeps the first check of each name. */
const withoutDuplicates = (checks: ProtectionChecks["checks"]): ProtectionChecks["checks"] =>
  [...new Map(checks.toReversed().map((check) => [check.context, check])).values()].toReversed()

/** Returns the checks with other names. A check that stays keeps its app. */
export const withContexts = (before: ProtectionChecks, contexts: ReadonlyArray<string>): ProtectionChecks => {
  const known = new Map(before.checks.map((check) => [check.context, check]))
  return {
    ...before,
    checks: [...new Set(contexts)].map((context) => known.get(context) ?? { context, app_id: null })
  }
}

/** The people, teams and apps of a change of the required reviews. Null stands for an empty object in the request. */
export interface ReviewActors {
  readonly dismissals: ProtectionActors | null | undefined
  readonly bypasses: ProtectionActors | null | undefined
}

export const reviewsOf = (
  change: ReviewProtectionChange,
  { bypasses, dismissals }: ReviewActors,
  before: ProtectionReviews | null
): ProtectionReviews => ({
  dismissal_restrictions: dismissals === undefined ? (before?.dismissal_restrictions ?? null) : dismissals,
  bypass_pull_request_allowances: bypasses === undefined ? (before?.bypass_pull_request_allowances ?? null) : bypasses,
  dismiss_stale_reviews: change.dismiss_stale_reviews ?? before?.dismiss_stale_reviews ?? false,
  require_code_owner_reviews: change.require_code_owner_reviews ?? before?.require_code_owner_reviews ?? false,
  required_approving_review_count:
    change.required_approving_review_count ?? before?.required_approving_review_count ?? 1,
  require_last_push_approval: change.require_last_push_approval ?? before?.require_last_push_approval ?? false
})
