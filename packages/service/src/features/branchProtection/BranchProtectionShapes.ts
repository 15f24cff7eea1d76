/** Maps branch protections to resources of the contract. */
import * as Effect from "effect/Effect"
import type {
  BranchProtection,
  BranchRestrictions,
  ReviewProtection,
  StatusCheckPolicy
} from "@tongs/core/contract/groups/BranchProtection"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Shapes from "../../api/Shapes.ts"
import { encodePath } from "../../api/Urls.ts"
import type {
  BranchProtectionRow,
  ProtectionActors as Actors,
  ProtectionChecks,
  ProtectionReviews
} from "../../rules/BranchProtectionRows.ts"
import * as ProtectionActors from "./ProtectionActors.ts"

export const make = Effect.gen(function* () {
  const actors = yield* ProtectionActors.make

  const urlOf = ({ branch }: BranchProtectionRow, { repository, urls }: RepositoryContext) =>
    `${Shapes.repositoryUrl(repository, urls)}/branches/${encodePath(branch)}/protection`

  /** Creates a part that is on or off, by the name of its member. */
  const flag = (
    row: BranchProtectionRow,
    name: "enforce_admins" | "required_signatures",
    context: RepositoryContext
  ) => ({ url: `${urlOf(row, context)}/${name}`, enabled: row.settings[name] })

  const checks = (
    row: BranchProtectionRow,
    { checks, strict }: ProtectionChecks,
    context: RepositoryContext
  ): StatusCheckPolicy => {
    const url = `${urlOf(row, context)}/required_status_checks`
    return { url, strict, contexts: checks.map(({ context }) => context), contexts_url: `${url}/contexts`, checks }
  }

  const reviews = Effect.fnUntraced(function* (
    row: BranchProtectionRow,
    { bypass_pull_request_allowances: bypasses, dismissal_restrictions: dismissals, ...flags }: ProtectionReviews,
    context: RepositoryContext
  ) {
    const protection = urlOf(row, context)
    const url = `${protection}/dismissal_restrictions`
    const described: ReviewProtection = {
      url: `${protection}/required_pull_request_reviews`,
      ...flags,
      ...(dismissals === null
        ? {}
        : {
            dismissal_restrictions: {
              url,
              users_url: `${url}/users`,
              teams_url: `${url}/teams`,
              ...(yield* actors.describe(dismissals, context))
            }
          }),
      ...(bypasses === null ? {} : { bypass_pull_request_allowances: yield* actors.describe(bypasses, context) })
    }
    return described
  })

  const restrictions = Effect.fnUntraced(function* (
    row: BranchProtectionRow,
    restricted: Actors,
    context: RepositoryContext
  ) {
    const url = `${urlOf(row, context)}/restrictions`
    const { apps, ...others } = yield* actors.describe(restricted, context)
    const described: BranchRestrictions = {
      url,
      users_url: `${url}/users`,
      teams_url: `${url}/teams`,
      apps_url: `${url}/apps`,
      ...others,
      apps: apps.map((app) => ({ ...app, description: app.description ?? "" }))
    }
    return described
  })

  const protection = Effect.fnUntraced(function* (row: BranchProtectionRow, context: RepositoryContext) {
    const { settings } = row
    const {
      required_pull_request_reviews: required,
      required_status_checks: policy,
      restrictions: restricted
    } = settings
    const described: BranchProtection = {
      url: urlOf(row, context),
      ...(policy === null ? {} : { required_status_checks: checks(row, policy, context) }),
      ...(required === null ? {} : { required_pull_request_reviews: yield* reviews(row, required, context) }),
      ...(restricted === null ? {} : { restrictions: yield* restrictions(row, restricted, context) }),
      required_signatures: flag(row, "required_signatures", context),
      enforce_admins: flag(row, "enforce_admins", context),
      required_linear_history: { enabled: settings.required_linear_history },
      allow_force_pushes: { enabled: settings.allow_force_pushes },
      allow_deletions: { enabled: settings.allow_deletions },
      block_creations: { enabled: settings.block_creations },
      required_conversation_resolution: { enabled: settings.required_conversation_resolution },
      lock_branch: { enabled: settings.lock_branch },
      allow_fork_syncing: { enabled: settings.allow_fork_syncing }
    }
    return described
  })

  return { checks, flag, protection, restrictions, reviews }
})
