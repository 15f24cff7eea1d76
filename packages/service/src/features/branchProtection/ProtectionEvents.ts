/** The webhook payloads of branch protections. */
import type { BranchProtectionRow } from "../../rules/BranchProtectionRows.ts"

/** A protection with the names of the people, teams and apps that may push. */
export interface NamedProtection {
  readonly row: BranchProtectionRow
  readonly names: ReadonlyArray<string>
}

/** Creates the member `rule` of the events. */
const ruleOf = ({ names, row }: NamedProtection) => {
  const { branch, created_at, id, repository_id, settings, updated_at } = row
  const { required_pull_request_reviews: reviews, required_status_checks: checks, restrictions } = settings
  const level = (isOn: boolean) => (!isOn ? "off" : settings.enforce_admins ? "everyone" : "non_admins")
  return {
    id,
    repository_id,
    name: branch,
    created_at,
    updated_at,
    pull_request_reviews_enforcement_level: level(reviews !== null),
    required_approving_review_count: reviews?.required_approving_review_count ?? 0,
    dismiss_stale_reviews_on_push: reviews?.dismiss_stale_reviews ?? false,
    require_code_owner_review: reviews?.require_code_owner_reviews ?? false,
    require_last_push_approval: reviews?.require_last_push_approval ?? false,
    authorized_dismissal_actors_only: (reviews?.dismissal_restrictions ?? null) !== null,
    ignore_approvals_from_contributors: false,
    required_status_checks: (checks?.checks ?? []).map(({ context }) => context),
    required_status_checks_enforcement_level: level(checks !== null),
    strict_required_status_checks_policy: checks?.strict ?? false,
    signature_requirement_enforcement_level: level(settings.required_signatures),
    linear_history_requirement_enforcement_level: level(settings.required_linear_history),
    lock_branch_enforcement_level: level(settings.lock_branch),
    lock_allows_fork_sync: settings.allow_fork_syncing,
    admin_enforced: settings.enforce_admins,
    create_protected: settings.block_creations,
    allow_force_pushes_enforcement_level: settings.allow_force_pushes ? "everyone" : "off",
    allow_deletions_enforcement_level: settings.allow_deletions ? "everyone" : "off",
    merge_queue_enforcement_level: "off",
    required_deployments_enforcement_level: "off",
    required_conversation_resolution_level: level(settings.required_conversation_resolution),
    authorized_actors_only: restrictions !== null,
    authorized_actor_names: names
  }
}

/** The members that the changes of an edited protection can name. */
const changed = [
  "admin_enforced",
  "authorized_actor_names",
  "authorized_actors_only",
  "authorized_dismissal_actors_only",
  "linear_history_requirement_enforcement_level",
  "lock_branch_enforcement_level",
  "lock_allows_fork_sync",
  "pull_request_reviews_enforcement_level",
  "require_last_push_approval",
  "required_status_checks",
  "required_status_checks_enforcement_level"
] as const // names of members

/** Creates the payload of an event. `before` is the former protection of an edited one. */
export const payload = (protection: NamedProtection, before: NamedProtection | undefined) => {
  const rule = ruleOf(protection)
  if (before === undefined) return { rule }
  const former = ruleOf(before)
  const changes = changed
    .filter((name) => JSON.stringify(rule[name]) !== JSON.stringify(former[name]))
    .map((name) => [name, { from: former[name] }])
  return { rule, changes: Object.fromEntries(changes) }
}
