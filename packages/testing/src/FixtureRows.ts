/** Rows of `forge.add`, with the names of the fixture file and of the API. */

import type {
  ArtifactFixture,
  CheckRunFixture,
  CommitCommentFixture,
  EventFixture,
  FixtureTime,
  DeployKeyFixture,
  DeploymentFixture,
  EnvironmentFixture,
  HookFixture,
  IssueCommentFixture,
  IssueFixture,
  LabelFixture,
  MilestoneFixture,
  PullRequestFixture,
  ReleaseFixture,
  ReviewCommentFixture,
  ReviewFixture,
  ReviewRequestFixture,
  StatusFixture,
  ValueFixture,
  WorkflowRunFixture
} from "./ActivityFixtures.ts"
import type { BranchProtectionFixture, RulesetFixture, RuleSuiteFixture } from "./RulesetFixture.ts"

type List<A> = ReadonlyArray<A>
type Texts = Readonly<Record<string, string>>

interface UserFixture {
  readonly login: string
  readonly name?: string
  /** The public address. */
  readonly email?: string
  /** Further addresses, which attribute commits to the account. Verified by default. */
  readonly emails?: List<{ readonly email: string; readonly verified?: boolean }>
  /** True if only the user sees `email`. New commits of the user then have a no-reply address. */
  readonly email_private?: boolean
  readonly company?: string
  readonly blog?: string
  readonly location?: string
  readonly bio?: string
  readonly site_admin?: boolean
  /** True if the user cannot sign in. */
  readonly suspended?: boolean
}

interface OrganizationFixture {
  readonly login: string
  readonly name?: string
  /** `free` by default. */
  readonly plan?: "free" | "enterprise_cloud"
  /** Existing users. The role is `member` by default. */
  readonly members?: List<{
    readonly login: string
    readonly role?: "owner" | "member"
    /** True if everyone sees the membership. */
    readonly public?: boolean
  }>
  /** The permission of members on all repositories, `read` by default. */
  readonly base_permission?: "none" | "read" | "write" | "admin"
}

/** An invitation to an organization. */
interface OrganizationInvitationFixture {
  readonly organization: string
  readonly invitee: string
  readonly inviter: string
  /** `member` by default. */
  readonly role?: "owner" | "member"
  /** Names or slugs of teams that the account joins. */
  readonly teams?: List<string>
  readonly created_at?: FixtureTime
}

/** A team of an organization. */
export interface TeamFixture {
  readonly organization: string
  readonly name: string
  readonly description?: string
  /** Name or slug of an earlier team of the organization. */
  readonly parent?: string
  /** `closed` by default. */
  readonly privacy?: "closed" | "secret"
  /** Members of the organization. The role is `member` by default. */
  readonly members?: List<{ readonly login: string; readonly role?: "member" | "maintainer" }>
  /** Repositories of the organization. The permission is `read` by default. */
  readonly repositories?: List<{
    readonly repository: string
    readonly permission?: CollaboratorFixture["permission"]
  }>
}

interface EnterpriseFixture {
  readonly slug: string
  /** Logins of organizations. */
  readonly organizations?: List<string>
  /** Logins of users. */
  readonly admins?: List<string>
}

interface TokenFixture {
  /** The text of the token. */
  readonly token: string
  /** Login of the token's user. By default the bot of the app for installation tokens. */
  readonly user?: string
  /** `classic` by default. */
  readonly kind?: "classic" | "fine_grained" | "oauth" | "app_user" | "installation" | "workflow"
  /** OAuth scopes, for example `repo`. */
  readonly scopes?: List<string>
  /** For example `{ contents: "write" }`. */
  readonly permissions?: Readonly<Record<string, "read" | "write">>
  /** Full names of the repositories that the token can access. All by default. */
  readonly repositories?: List<string>
  /** Id of an installation. */
  readonly installation?: number
  readonly expires_at?: FixtureTime
}

interface RepositoryFixture {
  /** `OWNER/NAME`. The owner must exist. */
  readonly full_name: string
  /** Path of an existing git repository. A new, empty one by default. */
  readonly git?: string
  /** An earlier repository, of which this one is a fork. The fork has its visibility. */
  readonly fork_of?: string
  readonly private?: boolean
  readonly description?: string
  readonly homepage?: string
  readonly topics?: List<string>
  /** Values by which rulesets select repositories. */
  readonly custom_properties?: Readonly<Record<string, string | List<string>>>
  readonly archived?: boolean
  readonly has_issues?: boolean
  readonly has_projects?: boolean
  readonly has_wiki?: boolean
  readonly has_discussions?: boolean
  readonly has_downloads?: boolean
  /** True if other repositories can be created from this one. */
  readonly is_template?: boolean
  readonly allow_squash_merge?: boolean
  readonly allow_merge_commit?: boolean
  readonly allow_rebase_merge?: boolean
  readonly allow_auto_merge?: boolean
  readonly allow_update_branch?: boolean
  readonly allow_forking?: boolean
  readonly delete_branch_on_merge?: boolean
  readonly web_commit_signoff_required?: boolean
  readonly squash_merge_commit_title?: "PR_TITLE" | "COMMIT_OR_PR_TITLE"
  readonly squash_merge_commit_message?: "PR_BODY" | "COMMIT_MESSAGES" | "BLANK"
  readonly merge_commit_title?: "PR_TITLE" | "MERGE_MESSAGE"
  readonly merge_commit_message?: "PR_BODY" | "PR_TITLE" | "BLANK"
  /** Adds a first commit with a README. */
  readonly auto_init?: boolean
  /** Texts of further files of the first commit, by path. */
  readonly files?: Texts
  /** Adds the commits of the demonstration repository, on request with branches for pull requests. */
  readonly demonstration?: boolean | "pull_requests"
  /** Revisions by name of branch. */
  readonly branches?: Texts
  /** Revisions by name of tag. */
  readonly tags?: Texts
}

/** An invitation to a repository. */
interface InvitationFixture {
  readonly repository: string
  readonly invitee: string
  readonly inviter: string
  /** By default `write`. */
  readonly permission?: CollaboratorFixture["permission"]
  readonly created_at?: FixtureTime
}

interface CollaboratorFixture {
  /** Full name. */
  readonly repository: string
  readonly login: string
  readonly permission: "read" | "triage" | "write" | "maintain" | "admin"
}

interface AppFixture {
  /** Name in URLs. */
  readonly slug: string
  readonly id?: number
  /** Login of the owner. */
  readonly owner?: string
  readonly client_id?: string
  readonly client_secret?: string
  /** RSA key as PEM, or the path of a PEM file. */
  readonly public_key?: string
  /** Generates a key `app-SLUG.pem` in the data folder instead. */
  readonly generate_key?: boolean
  /** By default, permissions and events of the app's installations. */
  readonly permissions?: Readonly<Record<string, "read" | "write">>
  readonly events?: List<string>
  /** The slug by default. */
  readonly name?: string
  readonly description?: string
  /** Web page of the app. */
  readonly url?: string
  /** False if only the owner can see and install the app. */
  readonly public?: boolean
  /** Gets the events of all installations. */
  readonly webhook?: HookFixture["config"]
}

/** The definition of a custom property. Rows of repositories have the values. */
interface CustomPropertyFixture {
  readonly organization: string
  readonly property_name: string
  readonly value_type: "string" | "single_select" | "multi_select" | "true_false" | "url"
  readonly required?: boolean
  /** Value of repositories without one, if a value is required. */
  readonly default_value?: string | List<string> | null
  readonly description?: string | null
  readonly allowed_values?: List<string> | null
  readonly values_editable_by?: "org_actors" | "org_and_repo_actors" | null
  readonly require_explicit_values?: boolean
}

interface InstallationFixture {
  /** Login of the user or organization. */
  readonly account: string
  readonly app_slug: string
  readonly id?: number
  readonly app_id?: number
  readonly permissions?: Readonly<Record<string, "read" | "write">>
  readonly events?: List<string>
  /** Full names, or `all` (the default). */
  readonly repositories?: "all" | List<string>
}

/** A public key of SSH or PGP. */
type KeyFixture =
  | {
      /** Login of the owner. */
      readonly user: string
      readonly title?: string
      /** As in `authorized_keys`. */
      readonly key: string
      readonly verified?: boolean
      readonly read_only?: boolean
      /** True for a key that only signs commits and tags. */
      readonly signing?: boolean
    }
  | { readonly user: string; readonly armored_public_key: string }

export interface UsageFixture {
  readonly organization: string
  /** `YYYY-MM-DD`, or relative to today: `now-3d`. */
  readonly date: string
  /** For example `actions`. */
  readonly product: string
  readonly sku: string
  readonly quantity: number
  /** For example `minutes`. */
  readonly unitType: string
  /** US dollars. */
  readonly pricePerUnit: number
  readonly discountQuantity?: number
  readonly repositoryName?: string
  readonly user?: string
  readonly model?: string
}

interface RequestsFixture {
  readonly organization: string
  /** Login. */
  readonly user: string
  /** Name of the app of an installation. */
  readonly subject_name?: string
  /** `classic_pat` by default. */
  readonly actor_type?: string
  /** Id of the token or installation. */
  readonly actor_id: number
  /** `GET` by default. */
  readonly http_method?: string
  readonly api_route: string
  /** Number of requests in each of the last hours, oldest first. */
  readonly hours: List<number>
  /** Number of requests that a rate limit rejected. */
  readonly rate_limited_hours?: List<number>
}

interface AgentFixture {
  /** Full name. */
  readonly repository: string
  readonly mcp_configuration?: Readonly<Record<string, unknown>> | null
  readonly enabled_tools?: {
    readonly code_analysis: boolean
    readonly assistant_code_review: boolean
    readonly secret_scanning: boolean
    readonly dependency_vulnerability_checks: boolean
  }
  readonly require_actions_workflow_approval?: boolean
  readonly is_firewall_enabled?: boolean
  readonly is_firewall_recommended_allowlist_enabled?: boolean
  readonly custom_allowlist?: List<string>
}

/** A notification of a user about an issue. */
export interface NotificationFixture {
  readonly user: string
  /** Full name. */
  readonly repository: string
  /** Number of the issue. */
  readonly issue: number
  /** `subscribed` by default. */
  readonly reason?:
    | "assign"
    | "author"
    | "comment"
    | "manual"
    | "mention"
    | "review_requested"
    | "state_change"
    | "subscribed"
    | "team_mention"
  readonly read?: boolean
  /** ISO 8601; the current time by default. */
  readonly updated_at?: string
}

/** Rows by section. A row can refer to rows of the same call. */
export interface FixtureRows {
  readonly users?: List<UserFixture>
  readonly organizations?: List<OrganizationFixture>
  readonly enterprises?: List<EnterpriseFixture>
  /** Users, and who follows them. */
  readonly followers?: List<{ readonly user: string; readonly follower: string }>
  readonly tokens?: List<TokenFixture>
  readonly repositories?: List<RepositoryFixture>
  readonly collaborators?: List<CollaboratorFixture>
  readonly repository_invitations?: List<InvitationFixture>
  readonly teams?: List<TeamFixture>
  readonly organization_invitations?: List<OrganizationInvitationFixture>
  readonly custom_properties?: List<CustomPropertyFixture>
  readonly apps?: List<AppFixture>
  readonly installations?: List<InstallationFixture>
  readonly commit_comments?: List<CommitCommentFixture>
  /** Reviews of pull requests. */
  readonly reviews?: List<ReviewFixture>
  readonly review_comments?: List<ReviewCommentFixture>
  /** Who is asked to review pull requests. */
  readonly review_requests?: List<ReviewRequestFixture>
  readonly milestones?: List<MilestoneFixture>
  readonly labels?: List<LabelFixture>
  /** Types of issues of organizations. */
  readonly issue_types?: List<{
    readonly organization: string
    readonly name: string
    readonly description?: string
    readonly color?: string
  }>
  /** Issues with their conversations. */
  readonly issues?: List<IssueFixture>
  /** Pull requests between branches that exist. */
  readonly pull_requests?: List<PullRequestFixture>
  /** Comments on issues. */
  readonly issue_comments?: List<IssueCommentFixture>
  /** Releases with their assets. */
  readonly releases?: List<ReleaseFixture>
  /** Runs of workflows with their jobs. */
  readonly workflow_runs?: List<WorkflowRunFixture>
  /** Caches of workflows. */
  readonly actions_caches?: List<{
    /** Full name. */
    readonly repository: string
    /** For example `refs/heads/main`. */
    readonly ref: string
    readonly key: string
    readonly version: string
    readonly size_in_bytes: number
    readonly created_at?: FixtureTime
  }>
  /** Files that workflow runs have uploaded. */
  readonly artifacts?: List<ArtifactFixture>
  /** Webhooks. */
  readonly hooks?: List<HookFixture>
  /** Public keys, which verify signatures. */
  readonly keys?: List<KeyFixture>
  readonly deploy_keys?: List<DeployKeyFixture>
  /** Statuses of commits, oldest first. */
  readonly statuses?: List<StatusFixture>
  /** Environments, which deployments create if they are missing. */
  readonly environments?: List<EnvironmentFixture>
  readonly deployments?: List<DeploymentFixture>
  readonly secrets?: List<ValueFixture>
  readonly variables?: List<ValueFixture>
  /** Check runs of apps. */
  readonly check_runs?: List<CheckRunFixture>
  /** References in texts of a repository that become links. */
  readonly autolinks?: List<{
    /** Full name. */
    readonly repository: string
    readonly key_prefix: string
    /** URL with `<num>` for the rest of a reference. */
    readonly url_template: string
    /** True by default. */
    readonly is_alphanumeric?: boolean
  }>
  /** Repositories that users have starred. */
  readonly stars?: List<{ readonly user: string; readonly repository: string; readonly starred_at?: FixtureTime }>
  /** Accounts that users have blocked. */
  readonly blocks?: List<{ readonly user: string; readonly blocked: string }>
  /** Repositories that users watch or ignore. */
  readonly watching?: List<{ readonly user: string; readonly repository: string; readonly ignored?: boolean }>
  /** Notifications of users about issues. */
  readonly notifications?: List<NotificationFixture>
  readonly projects?: List<{
    /** Login of the user or organization. */
    readonly owner: string
    readonly number: number
    readonly fields?: List<{ readonly id: number; readonly name: string }>
  }>
  readonly rulesets?: List<RulesetFixture>
  readonly rule_suites?: List<RuleSuiteFixture>
  readonly branch_protections?: List<BranchProtectionFixture>
  /** Configurations of the cloud agent. */
  readonly agent_configurations?: List<AgentFixture>
  /** Billed usage, one row for each product and day. */
  readonly billing_usage?: List<UsageFixture>
  readonly events?: List<EventFixture>
  /** Numbers of past requests, for statistics. */
  readonly api_requests?: List<RequestsFixture>
  readonly saved_searches?: List<{ readonly user: string; readonly name: string; readonly query: string }>
}
