/** Rows of rulesets, rule suites and branch protections. */
import type { FixtureTime } from "./ActivityFixtures.ts"

type List<A> = ReadonlyArray<A>

interface Patterns {
  readonly include?: List<string>
  readonly exclude?: List<string>
}

interface PropertyPattern {
  readonly name: string
  readonly property_values: List<string>
  readonly source?: "custom" | "system"
}

interface Rule<Type extends string, Parameters> {
  readonly type: Type
  readonly parameters: Parameters
}

interface PatternParameters {
  /** Displayed name of the rule. */
  readonly name?: string
  /** Rejects matching values instead of all non-matching ones. */
  readonly negate?: boolean
  readonly operator: "starts_with" | "ends_with" | "contains" | "regex"
  readonly pattern: string
}

interface PullRequestParameters {
  readonly allowed_merge_methods?: List<"merge" | "squash" | "rebase">
  readonly dismiss_stale_reviews_on_push: boolean
  readonly dismissal_restriction?: {
    readonly enabled: boolean
    readonly allowed_actors?: List<{
      readonly id: number
      readonly type: "User" | "Team" | "IntegrationInstallation" | "RepositoryRole"
    }>
  }
  readonly require_code_owner_review: boolean
  readonly require_last_push_approval: boolean
  /** From 0 to 10. */
  readonly required_approving_review_count: number
  readonly required_review_thread_resolution: boolean
  readonly required_reviewers?: List<{
    readonly file_patterns: List<string>
    readonly minimum_approvals: number
    readonly reviewer: { readonly id: number; readonly type: "Team" }
  }>
}

interface StatusCheckParameters {
  readonly do_not_enforce_on_create?: boolean
  readonly required_status_checks: List<{ readonly context: string; readonly integration_id?: number }>
  readonly strict_required_status_checks_policy: boolean
}

interface WorkflowParameters {
  readonly do_not_enforce_on_create?: boolean
  readonly workflows: List<{
    readonly path: string
    readonly ref?: string
    readonly repository_id: number
    readonly sha?: string
  }>
}

interface CodeScanningParameters {
  readonly code_scanning_tools: List<{
    readonly tool: string
    readonly alerts_threshold: "none" | "errors" | "errors_and_warnings" | "all"
    readonly security_alerts_threshold: "none" | "critical" | "high_or_higher" | "medium_or_higher" | "all"
  }>
}

/** A rule of a ruleset. */
export type RuleFixture =
  | {
      readonly type: "creation" | "deletion" | "required_linear_history" | "required_signatures" | "non_fast_forward"
    }
  | Rule<"update", { readonly update_allows_fetch_and_merge: boolean }>
  | Rule<"required_deployments", { readonly required_deployment_environments: List<string> }>
  | Rule<"pull_request", PullRequestParameters>
  | Rule<"required_status_checks", StatusCheckParameters>
  | Rule<
      | "commit_message_pattern"
      | "commit_author_email_pattern"
      | "committer_email_pattern"
      | "branch_name_pattern"
      | "tag_name_pattern",
      PatternParameters
    >
  | Rule<"file_path_restriction", { readonly restricted_file_paths: List<string> }>
  | Rule<"max_file_path_length", { readonly max_file_path_length: number }>
  | Rule<"file_extension_restriction", { readonly restricted_file_extensions: List<string> }>
  /** In megabytes, from 1 to 100. */
  | Rule<"max_file_size", { readonly max_file_size: number }>
  | Rule<"workflows", WorkflowParameters>
  | Rule<"code_scanning", CodeScanningParameters>

/** A ruleset of an organization or of a repository. */
export interface RulesetFixture {
  readonly organization?: string
  /** Full name. */
  readonly repository?: string
  /** Unique in the organization or repository. */
  readonly name: string
  /** `branch` by default. */
  readonly target?: "branch" | "tag" | "push" | "repository"
  /** `evaluate` records the changes that the rules would reject. */
  readonly enforcement: "disabled" | "active" | "evaluate"
  readonly bypass_actors?: List<{
    /** Not for `OrganizationAdmin` and `DeployKey`. */
    readonly actor_id?: number | null
    readonly actor_type: "Integration" | "OrganizationAdmin" | "RepositoryRole" | "Team" | "DeployKey" | "User"
    /** `always` by default. */
    readonly bypass_mode?: "always" | "pull_request" | "exempt"
  }>
  /** One selector of repositories, and `ref_name` for branches and tags: `~ALL`, `~DEFAULT_BRANCH` or patterns. */
  readonly conditions?: {
    readonly ref_name?: Patterns
    readonly repository_name?: Patterns & { readonly protected?: boolean }
    readonly repository_id?: { readonly repository_ids?: List<number> }
    readonly repository_property?: {
      readonly include?: List<PropertyPattern>
      readonly exclude?: List<PropertyPattern>
    }
  }
  readonly rules?: List<RuleFixture>
}

/** The recorded results of rules for one change of a reference. */
export interface RuleSuiteFixture {
  /** Full name. */
  readonly repository: string
  /** Login. */
  readonly user: string
  /** Full name, for example `refs/heads/main`. */
  readonly ref: string
  readonly before?: string
  readonly after?: string
  readonly result: "pass" | "fail" | "bypass"
  readonly evaluation_result?: "pass" | "fail" | "bypass"
  readonly rules?: List<{
    /** Name. */
    readonly ruleset: string
    readonly rule: string
    readonly enforcement: "active" | "evaluate"
    readonly result: "pass" | "fail"
    readonly message?: string
  }>
  readonly created_at?: FixtureTime
}

/** The protection of a branch. */
export interface BranchProtectionFixture {
  /** Full name. */
  readonly repository: string
  readonly branch: string
  readonly required_checks?: List<string>
  readonly required_approving_review_count?: number
  /** The only ones that may push, besides administrators: logins, and slugs of teams and apps. */
  readonly restrictions?: {
    readonly users?: List<string>
    readonly teams?: List<string>
    readonly apps?: List<string>
  }
  readonly enforce_admins?: boolean
  readonly required_signatures?: boolean
  readonly required_linear_history?: boolean
  readonly required_conversation_resolution?: boolean
  readonly allow_force_pushes?: boolean
  readonly allow_deletions?: boolean
  readonly lock_branch?: boolean
}
