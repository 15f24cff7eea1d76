/** Rows of comments, releases, artifacts, webhooks and events. */

/** A time in ISO 8601, or relative to now: `now-30m`, `now-3h`, `now+20d`. */
export type FixtureTime = string

type List<A> = ReadonlyArray<A>
type Texts = Readonly<Record<string, string>>

interface CommentFixture {
  /** Full name. */
  readonly repository: string
  /** Login of the author. */
  readonly user: string
  readonly body: string
  readonly id?: number
  /** The newest commit of the default branch by default. */
  readonly commit_id?: string
  readonly created_at?: FixtureTime
  readonly updated_at?: FixtureTime
  /** Reactions to a comment with an id. */
  readonly reactions?: ReactionsFixture
}

/** Logins by content: `{ "+1": ["ada"] }`. */
export type ReactionsFixture = Readonly<
  Partial<Record<"+1" | "-1" | "laugh" | "confused" | "heart" | "hooray" | "rocket" | "eyes", List<string>>>
>

export interface LabelFixture {
  /** Full name. */
  readonly repository: string
  /** Unique in the repository. An existing label is changed. */
  readonly name: string
  /** Six hexadecimal digits. */
  readonly color?: string
  readonly description?: string
}

interface ConversationFixture {
  /** Login of the author. */
  readonly user: string
  readonly body: string
  readonly created_at?: FixtureTime
  readonly reactions?: ReactionsFixture
}

export interface IssueCommentFixture extends ConversationFixture {
  /** Full name. */
  readonly repository: string
  /** Number of the issue. */
  readonly number: number
}

export interface IssueFixture {
  /** Full name. */
  readonly repository: string
  /** Login of the author. */
  readonly user: string
  readonly title: string
  readonly body?: string
  /** The next number by default. An issue with a number is added only once. */
  readonly number?: number
  /** Names. Missing labels are added. */
  readonly labels?: List<string>
  /** Logins. */
  readonly assignees?: List<string>
  /** Title of a milestone. */
  readonly milestone?: string
  /** Name of a type of the organization. */
  readonly type?: string
  /** `open` by default. */
  readonly state?: "open" | "closed"
  /** `completed` by default. */
  readonly state_reason?: "completed" | "not_planned" | "duplicate"
  readonly closed_at?: FixtureTime
  /** Login; the author by default. */
  readonly closed_by?: string
  /** Locks the conversation. */
  readonly lock_reason?: "off-topic" | "too heated" | "resolved" | "spam" | null
  readonly pinned?: boolean
  /** Number of the issue of which this one is a sub-issue. */
  readonly parent?: number
  /** Numbers of issues that block this one. */
  readonly blocked_by?: List<number>
  readonly created_at?: FixtureTime
  readonly reactions?: ReactionsFixture
  readonly comments?: List<ConversationFixture>
}

export interface PullRequestFixture {
  /** Full name. */
  readonly repository: string
  /** Login of the author. */
  readonly user: string
  readonly title: string
  readonly body?: string
  /** Branch with the changes. */
  readonly head: string
  /** Full name of the fork that has the branch; `repository` by default. */
  readonly head_repository?: string
  /** Branch to change; the default branch by default. */
  readonly base?: string
  readonly draft?: boolean
  /** The next number by default. A pull request with a number is added only once. */
  readonly number?: number
  /** Names. Missing labels are added. */
  readonly labels?: List<string>
  /** Logins. */
  readonly assignees?: List<string>
  /** `open` by default. */
  readonly state?: "open" | "closed"
  /** The commit of the base branch that merged it: an id, or a branch or tag. */
  readonly merge_commit?: string
  /** When it was closed or merged: by default the time of the merge commit, or of the creation. */
  readonly closed_at?: FixtureTime
  /** Login; the author by default. */
  readonly closed_by?: string
  readonly created_at?: FixtureTime
  readonly comments?: List<ConversationFixture>
}

export interface CommitCommentFixture extends CommentFixture {
  /** File of the comment. */
  readonly path?: string
  /** Position in the diff. */
  readonly position?: number
  readonly line?: number
}

/** The states of reviews. */
export type ReviewState = "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED"

export interface ReviewFixture {
  /** Full name. */
  readonly repository: string
  /** Login. */
  readonly user: string
  readonly pull_number: number
  /** A review with an id is added only once. */
  readonly id?: number
  /** `COMMENTED` by default. */
  readonly state?: ReviewState
  readonly body?: string
  /** The head of the pull request by default. */
  readonly commit_id?: string
  readonly submitted_at?: FixtureTime
}

export interface ReviewRequestFixture {
  /** Full name. */
  readonly repository: string
  readonly pull_number: number
  /** Logins. */
  readonly users?: List<string>
  /** Slugs of teams. */
  readonly teams?: List<string>
}

export interface ReviewCommentFixture extends CommentFixture {
  readonly pull_number: number
  readonly path: string
  /** With it, the place is as the row says. Without it, the place must be in the diff of the pull request. */
  readonly diff_hunk?: string
  readonly original_commit_id?: string
  /** A review with this id is added if it is missing. */
  readonly pull_request_review_id?: number
  /** Login of the account that resolved the thread. */
  readonly resolved_by?: string
  readonly in_reply_to_id?: number
  readonly subject_type?: "line" | "file"
  readonly line?: number
  readonly original_line?: number
  readonly position?: number
  readonly original_position?: number
  /** `RIGHT`, the new version, by default. */
  readonly side?: "LEFT" | "RIGHT"
  readonly start_line?: number
  readonly original_start_line?: number
  readonly start_side?: "LEFT" | "RIGHT"
}

export interface MilestoneFixture {
  /** Full name. */
  readonly repository: string
  /** Login. */
  readonly creator: string
  /** Unique in the repository. */
  readonly title: string
  readonly description?: string
  /** `open` by default. */
  readonly state?: "open" | "closed"
  readonly due_on?: FixtureTime
  readonly created_at?: FixtureTime
}

export interface StatusFixture {
  /** Full name. */
  readonly repository: string
  /** Id of a commit, or a branch or tag; the default branch by default. */
  readonly sha?: string
  /** Login. */
  readonly creator: string
  readonly state: "error" | "failure" | "pending" | "success"
  /** `default` by default. */
  readonly context?: string
  readonly description?: string
  readonly target_url?: string
  readonly created_at?: FixtureTime
}

/** The conclusions of a completed check run. */
export type CheckConclusion =
  | "action_required"
  | "cancelled"
  | "failure"
  | "neutral"
  | "success"
  | "skipped"
  | "stale"
  | "timed_out"

export interface CheckRunFixture {
  /** Full name. */
  readonly repository: string
  /** Slug of the app. */
  readonly app: string
  readonly name: string
  /** Id of a commit, or a branch or tag; the default branch by default. */
  readonly head_sha?: string
  /** `queued` by default, and `completed` with a conclusion. */
  readonly status?: "queued" | "in_progress" | "completed" | "waiting" | "requested" | "pending"
  readonly conclusion?: CheckConclusion
  readonly external_id?: string
  readonly details_url?: string
  readonly started_at?: FixtureTime
  readonly completed_at?: FixtureTime
  /** Title of the report, which a summary, a text and annotations need. */
  readonly title?: string
  readonly summary?: string
  readonly text?: string
  readonly annotations?: List<{
    readonly path: string
    readonly start_line: number
    /** `start_line` by default. */
    readonly end_line?: number
    readonly annotation_level: "notice" | "warning" | "failure"
    readonly message: string
    readonly title?: string
  }>
}

/** The states of a deployment. */
export type DeploymentState = "error" | "failure" | "inactive" | "in_progress" | "queued" | "pending" | "success"

export interface DeploymentFixture {
  /** Full name. */
  readonly repository: string
  /** Login. */
  readonly creator: string
  /** Branch, tag or commit; the default branch by default. */
  readonly ref?: string
  /** `production` by default. */
  readonly environment?: string
  /** `deploy` by default. */
  readonly task?: string
  readonly description?: string
  readonly created_at?: FixtureTime
  /** The oldest first. */
  readonly statuses?: List<{
    readonly state: DeploymentState
    readonly description?: string
    readonly log_url?: string
    readonly environment_url?: string
    readonly created_at?: FixtureTime
  }>
}

export interface EnvironmentFixture {
  /** Full name. */
  readonly repository: string
  readonly name: string
  /** In minutes. */
  readonly wait_timer?: number
  readonly prevent_self_review?: boolean
  /** Logins of those who approve deployments. */
  readonly reviewers?: List<string>
  /** Slugs of teams of the organization that owns the repository. */
  readonly reviewer_teams?: List<string>
  /** The branches that may be deployed: all by default. */
  readonly branches?: "protected" | "custom"
  /** Name patterns of branches, with `branches: "custom"`. */
  readonly branch_policies?: List<string>
  /** Slugs of the apps of custom protection rules. */
  readonly apps?: List<string>
  readonly created_at?: FixtureTime
}

/** A secret or variable of an organization, of a repository, or of an environment of the repository. */
export interface ValueFixture {
  /** Login. */
  readonly organization?: string
  /** Full name. */
  readonly repository?: string
  /** Name of the environment, which is created if necessary. */
  readonly environment?: string
  readonly name: string
  /** In clear. A secret is sealed when it is loaded. */
  readonly value: string
  /** Of organizations; `all` by default, `selected` with repositories. */
  readonly visibility?: "all" | "private" | "selected"
  /** Full names of the selected repositories. */
  readonly repositories?: List<string>
  readonly created_at?: FixtureTime
}

/** A job of a workflow run. */
export interface WorkflowJobFixture {
  readonly name: string
  /** `queued` by default, and `completed` with a conclusion. */
  readonly status?: NonNullable<CheckRunFixture["status"]>
  readonly conclusion?: Exclude<CheckConclusion, "stale">
  readonly started_at?: FixtureTime
  readonly completed_at?: FixtureTime
  /** Labels of the runner, for example `ubuntu-latest`. */
  readonly labels?: List<string>
  readonly runner_name?: string
  /** Environment that the job deploys to. With protection rules, the job waits. */
  readonly environment?: string
  readonly steps?: List<{
    readonly name: string
    readonly conclusion?: Exclude<CheckConclusion, "stale">
    /** Position of its first byte in the log of the job. */
    readonly log_offset?: number
    readonly started_at?: FixtureTime
    readonly completed_at?: FixtureTime
  }>
  /** Text of the log. */
  readonly log?: string
}

export interface WorkflowRunFixture {
  /** Full name. */
  readonly repository: string
  /** Path of the workflow file, for example `.github/workflows/ci.yml`. */
  readonly workflow: string
  /** Name of a workflow that the default branch lacks. */
  readonly workflow_name?: string
  /** Login of the account that started the run. */
  readonly actor: string
  readonly id?: number
  /** Id of a commit, or a branch or tag; the default branch by default. */
  readonly head_sha?: string
  readonly head_branch?: string
  /** `push` by default. */
  readonly event?: string
  /** Title; by default the first line of the commit message. */
  readonly display_title?: string
  readonly external_id?: string
  /** By default the state of the jobs. */
  readonly status?: NonNullable<CheckRunFixture["status"]>
  readonly conclusion?: Exclude<CheckConclusion, "stale">
  readonly created_at?: FixtureTime
  readonly jobs?: List<WorkflowJobFixture>
}

export interface DeployKeyFixture {
  /** Full name. */
  readonly repository: string
  /** Login of the account that added the key. */
  readonly user: string
  /** The comment of the key by default. */
  readonly title?: string
  /** As in `authorized_keys`. */
  readonly key: string
  readonly read_only?: boolean
  readonly created_at?: FixtureTime
}

export interface ReleaseFixture {
  /** Full name. */
  readonly repository: string
  /** Login. */
  readonly author: string
  /** A missing tag is created, except for a draft. */
  readonly tag_name: string
  /** Branch or commit of a missing tag; the default branch by default. */
  readonly target_commitish?: string
  readonly name?: string
  /** Notes in Markdown. */
  readonly body?: string
  readonly draft?: boolean
  readonly prerelease?: boolean
  readonly published_at?: FixtureTime
  readonly assets?: List<{
    readonly name: string
    readonly label?: string
    readonly content_type?: string
    /** The content, or `file`. */
    readonly text?: string
    /** Path of a file. */
    readonly file?: string
  }>
  readonly reactions?: ReactionsFixture
}

export interface ArtifactFixture {
  /** Full name. */
  readonly repository: string
  readonly name: string
  /** Path of a file. */
  readonly file: string
  /** Branch and commit default to the newest commit of the default branch. */
  readonly workflow_run?: {
    readonly id: number
    readonly head_repository_id?: number
    readonly head_branch?: string
    readonly head_sha?: string
  }
  readonly created_at?: FixtureTime
  readonly expires_at?: FixtureTime
}

export interface HookFixture {
  /** Full name. Set either this or `organization`. */
  readonly repository?: string
  readonly organization?: string
  /** Login of the user who created the webhook. */
  readonly creator?: string
  readonly config: {
    readonly url: string
    /** `form` by default. */
    readonly content_type?: "json" | "form"
    readonly secret?: string
    /** `1` skips the check of the certificate. */
    readonly insecure_ssl?: string | number
    readonly username?: string
    readonly password?: string
  }
  /** `push` by default; `*` means all. */
  readonly events?: List<string>
  readonly active?: boolean
  /** The log of deliveries, oldest first. These deliveries are not sent. */
  readonly deliveries?: List<DeliveryFixture>
}

interface DeliveryFixture {
  readonly guid?: string
  readonly delivered_at: FixtureTime
  readonly redelivery?: boolean
  /** Seconds. */
  readonly duration?: number
  /** For example `OK`. */
  readonly status: string
  readonly status_code: number
  readonly event: string
  readonly action?: string
  readonly repository?: string
  readonly request: { readonly headers: Texts; readonly payload: Readonly<Record<string, unknown>> }
  /** If undefined, the receiver has not answered. */
  readonly response?: { readonly headers: Texts; readonly payload: string }
}

export interface EventFixture {
  /** For example `PushEvent`. */
  readonly type: string
  /** Login of the user. */
  readonly actor: string
  /** Full name. */
  readonly repository: string
  readonly payload?: Readonly<Record<string, unknown>>
  /** By default the visibility of the repository. */
  readonly public?: boolean
  readonly created_at?: FixtureTime
}
