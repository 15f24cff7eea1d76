import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ForkApproval, PrivateForkWorkflows, WorkflowPolicies } from "@tongs/core/contract/groups/WorkflowPolicies"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as Transaction from "../../storage/Transaction.ts"
import type { OrganizationRow } from "../../accounts/OrganizationRows.ts"
import { SettingRows } from "../../accounts/SettingRows.ts"
import { pickMembers } from "../../api/InputMembers.ts"

/** Maximum and default retention of artifacts and logs, in days. */
const MAXIMUM_DAYS = 400
const DEFAULT_DAYS = 90

const Permissions = Schema.Struct({
  enabled_repositories: Schema.Literals(["all", "none", "selected"]),
  allowed_actions: Schema.Literals(["all", "local_only", "selected"]),
  sha_pinning_required: Schema.Boolean
})
const Days = Schema.Struct({ days: Schema.Int })

/** Artifact retention of an account, in days. */
export const retentionDays = (settings: SettingRows["Service"], accountId: number) =>
  Effect.map(
    settings.get({ kind: "organization", id: accountId }, "retention", Days),
    (set) => (set ?? defaults.retention).days
  )

const defaults = {
  permissions: { enabled_repositories: "all", allowed_actions: "all", sha_pinning_required: false },
  retention: { days: DEFAULT_DAYS },
  forkApproval: { approval_policy: "first_time_contributors" },
  privateForks: {
    run_workflows_from_fork_pull_requests: false,
    send_write_tokens_to_workflows: false,
    send_secrets_and_variables: false,
    require_approval_for_fork_pr_workflows: false
  }
} as const

export const make = Effect.gen(function* () {
  const settings = yield* SettingRows
  const transaction = yield* Transaction.make
  const of = ({ id }: OrganizationRow) => ({ kind: "organization", id }) as const

  const read = <A, I>(
    organization: OrganizationRow,
    name: keyof typeof defaults,
    schema: Schema.Codec<A, I>,
    otherwise: A
  ) => Effect.map(settings.get(of(organization), name, schema), (set) => set ?? otherwise)
  const write = (organization: OrganizationRow, name: keyof typeof defaults, value: unknown) =>
    settings.set(of(organization), name, value)
  /** Updates a setting from the current value in a transaction. */
  const change = <A, I>(
    organization: OrganizationRow,
    name: keyof typeof defaults,
    schema: Schema.Codec<A, I>,
    otherwise: A,
    how: (before: A) => A
  ) =>
    transaction(
      Effect.flatMap(read(organization, name, schema, otherwise), (before) => write(organization, name, how(before)))
    )

  return group(WorkflowPolicies)({
    *getPermissions(_, { organization, urls }) {
      const policy = yield* read(organization, "permissions", Permissions, defaults.permissions)
      const url = `${urls.api}/orgs/${organization.login}/actions/permissions`
      return {
        ...policy,
        ...(policy.enabled_repositories === "selected" ? { selected_repositories_url: `${url}/repositories` } : {}),
        selected_actions_url: `${url}/selected-actions`
      }
    },
    *setPermissions({ allowed_actions, enabled_repositories, sha_pinning_required }, { organization }) {
      yield* change(organization, "permissions", Permissions, defaults.permissions, (before) => ({
        enabled_repositories,
        allowed_actions: allowed_actions ?? before.allowed_actions,
        sha_pinning_required: sha_pinning_required ?? before.sha_pinning_required
      }))
    },

    *getArtifactAndLogRetention(_, { organization }) {
      const { days } = yield* read(organization, "retention", Days, defaults.retention)
      return { days, maximum_allowed_days: MAXIMUM_DAYS }
    },
    *setArtifactAndLogRetention({ days }, { organization }) {
      if (days < 1 || days > MAXIMUM_DAYS) {
        return yield* ApiError.invalid(`days must be between 1 and ${MAXIMUM_DAYS}`, [
          { resource: "WorkflowRetention", field: "days", code: "invalid" }
        ])
      }
      yield* write(organization, "retention", { days })
    },

    *getForkPrContributorApproval(_, { organization }) {
      return yield* read(organization, "forkApproval", ForkApproval, defaults.forkApproval)
    },
    *setForkPrContributorApproval({ approval_policy }, { organization }) {
      yield* write(organization, "forkApproval", { approval_policy })
    },

    *getPrivateRepoForkPrWorkflows(_, { organization }) {
      return yield* read(organization, "privateForks", PrivateForkWorkflows, defaults.privateForks)
    },
    *setPrivateRepoForkPrWorkflows(input, { organization }) {
      yield* change(organization, "privateForks", PrivateForkWorkflows, defaults.privateForks, (before) => ({
        ...before,
        ...pickMembers(input, PrivateForkWorkflows)
      }))
    }
  })
})
