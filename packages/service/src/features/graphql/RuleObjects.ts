/** Objects of rulesets and of protected branches. */
import * as Effect from "effect/Effect"
import type { UserRow } from "../../accounts/UserRows.ts"
import { OrganizationRows } from "../../accounts/OrganizationRows.ts"
import { Roles } from "../../access/Roles.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { type BranchProtectionRow, BranchProtectionRows } from "../../rules/BranchProtectionRows.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import { type RulesetRow, RulesetRows } from "../../rules/RulesetRows.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import { refusal, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The operations of the contract with the access rules of rulesets and of protected branches. */
const readsRulesets = OperationAccess.operationOf("repositoryRulesets", "list")
const readsOrganizationRulesets = OperationAccess.operationOf("rulesets", "listForOrg")
const readsProtections = OperationAccess.operationOf("branchProtections", "get")

export interface RulesetArguments extends Connections.PageArguments {
  readonly includeParents?: boolean | null
  readonly targets?: ReadonlyArray<string> | null
}

/** Creates the functions that return rulesets and protections of branches. */
export const make = Effect.gen(function* () {
  const enforcement = yield* Enforcement
  const organizations = yield* OrganizationRows
  const protections = yield* BranchProtectionRows
  const roles = yield* Roles
  const rulesets = yield* RulesetRows

  const protectionsById = (query: RunningQuery, ids: ReadonlyArray<number>) =>
    query.run(protections.ofRepositories(ids))

  const ruleset = (row: RulesetRow, source: () => object): object => ({
    __typename: "RepositoryRuleset",
    id: nodeId("RepositoryRuleset", row.id),
    databaseId: row.id,
    name: row.name,
    target: row.target.toUpperCase(),
    enforcement: row.enforcement.toUpperCase(),
    source,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    rules: (page: Connections.PageArguments) =>
      Connections.ofList("rules", page, row.rules, ({ type }) => ({ type: type.toUpperCase() }))
  })

  const list = (
    { targets, ...page }: RulesetArguments,
    rows: ReadonlyArray<RulesetRow>,
    sourceOf: (row: RulesetRow) => object
  ) => {
    const wanted = rows.filter(({ target }) => targets?.includes(target.toUpperCase()) ?? true)
    return Connections.ofList("rulesets", page, wanted, (row) => ruleset(row, () => sourceOf(row)))
  }

  const protection = (query: RunningQuery, { branch, id, settings }: BranchProtectionRow, at: FoundRepository) => {
    const { required_pull_request_reviews: reviews, required_status_checks: checks, restrictions } = settings
    return {
      __typename: "BranchProtectionRule",
      id: nodeId("BranchProtectionRule", id),
      databaseId: id,
      pattern: branch,
      isAdminEnforced: settings.enforce_admins,
      allowsDeletions: settings.allow_deletions,
      allowsForcePushes: settings.allow_force_pushes,
      blocksCreations: settings.block_creations,
      lockBranch: settings.lock_branch,
      lockAllowsFetchAndMerge: settings.allow_fork_syncing,
      requiresCommitSignatures: settings.required_signatures,
      requiresConversationResolution: settings.required_conversation_resolution,
      requiresLinearHistory: settings.required_linear_history,
      requiresApprovingReviews: reviews !== null,
      requiredApprovingReviewCount: reviews?.required_approving_review_count ?? null,
      requiresCodeOwnerReviews: reviews?.require_code_owner_reviews ?? false,
      dismissesStaleReviews: reviews?.dismiss_stale_reviews ?? false,
      requireLastPushApproval: reviews?.require_last_push_approval ?? false,
      restrictsReviewDismissals: (reviews?.dismissal_restrictions ?? null) !== null,
      restrictsPushes: restrictions !== null,
      requiresStatusChecks: checks !== null,
      requiresStrictStatusChecks: checks?.strict ?? false,
      requiredStatusCheckContexts: checks?.checks.map(({ context }) => context) ?? [],
      repository: () => query.repository(at)
    }
  }

  /** Returns the protections of a repository. Callers who may not read them see none, as on GitHub. */
  const protectionsOf = async (query: RunningQuery, at: FoundRepository) =>
    refusal(readsProtections, query.caller, at) === undefined
      ? ((await query.protectionsOfRepository(at.served.row.id)) ?? [])
      : []

  /** Returns the rule that protects a branch. Null without a rule, or if the caller may not read the rule. */
  const ofBranch = async (query: RunningQuery, at: FoundRepository, branch: string): Promise<object | null> => {
    const found = (await protectionsOf(query, at)).find((row) => row.branch === branch)
    return found === undefined ? null : protection(query, found, at)
  }

  /** Returns the fields of a repository with its rules. */
  const fields = (query: RunningQuery, at: FoundRepository) => {
    const { served } = at
    const sourceOf = ({ repository_id }: RulesetRow) =>
      repository_id === null ? query.account(served.row.owner) : query.repository(at)
    const read = Effect.fnUntraced(function* (includesParents: boolean) {
      const own = yield* rulesets.listAll({ repositoryId: served.row.id })
      return includesParents ? [...own, ...(yield* enforcement.parentRulesets(served))] : own
    })
    return {
      rulesets: async (given: RulesetArguments) => {
        requireAccess(readsRulesets, query, at)
        return list(given, await query.run(read(given.includeParents ?? true)), sourceOf)
      },
      branchProtectionRules: async (page: Connections.PageArguments) => {
        const found = await protectionsOf(query, at)
        return Connections.ofList("branchProtectionRules", page, found, (row) => protection(query, row, at))
      }
    }
  }

  /** Returns the rulesets of an organization. */
  const ofOrganization = async (query: RunningQuery, account: UserRow, given: RulesetArguments) => {
    const { caller } = query
    const organization = await query.run(organizations.byLogin(account.login))
    if (organization === undefined) return list(given, [], () => query.account(account))
    const role = await query.run(roles.onOrganization(caller, account.id))
    const target = { kind: "organization", organization, role } as const // literal types
    const refused = OperationAccess.accessError(readsOrganizationRulesets, caller, target, false)
    if (refused !== undefined) throw new QueryError.QueryError("FORBIDDEN", refused.detail)
    const rows = await query.run(rulesets.listAll({ organizationId: account.id }))
    return list(given, rows, () => query.account(account))
  }

  return { fields, ofBranch, ofOrganization, protectionsById }
})
