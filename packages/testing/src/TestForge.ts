/** The interface of a forge for tests. */
import type {
  CheckConclusion,
  DeploymentState,
  ReviewState,
  StatusFixture,
  WorkflowJobFixture,
  WorkflowRunFixture
} from "./ActivityFixtures.ts"
import type { FixtureRows, NotificationFixture, UsageFixture } from "./FixtureRows.ts"
import type { Files } from "./FastImport.ts"
import type { RepositoryBuilder, RepositoryOptions } from "./RepositoryBuilder.ts"
import type { RequestLog } from "./RequestLog.ts"
import type { Route } from "./RoutePattern.ts"
import type { RuleFixture, RulesetFixture } from "./RulesetFixture.ts"
import type { ReceivedDelivery } from "./WebhookInbox.ts"

/** Options of `startForge`. */
export interface ForgeOptions {
  /** Names and headers of the API: GitHub's (the default), or the contract's. */
  readonly dialect?: "github" | "service" | undefined
  /** Port on 127.0.0.1, by default any free one. */
  readonly port?: number | undefined
  /** Rate limits: off (the default), or the documented limits. `limit` replaces single limits. */
  readonly limits?: "off" | "spec" | undefined
  /** If true, the forge signs the commits that it creates, for example merges. False by default. */
  readonly signCommits?: boolean | undefined
  /** Determines which requests a fault with a probability affects. 1 by default. */
  readonly seed?: number | undefined
  /**
   * Serves the operations of this interface as JSON below `/_test`, for programs in other languages. False by default.
   */
  readonly control?: boolean | undefined
}

/** Milliseconds, or a number with a unit, for example `61 minutes`. */
export type TimeSpan =
  | number
  | `${number} ${"milli" | "millis" | "second" | "seconds" | "minute" | "minutes" | "hour" | "hours" | "day" | "days"}`

/** How often a fault occurs. */
export interface Occurrence {
  /** Number of requests with the fault. Unlimited by default. */
  readonly times?: number | undefined
  /** Probability of the fault in a matching request, from 0 to 1. The seed of the forge determines the sequence. */
  readonly probability?: number | undefined
}

/**
 * `lose`: the receiver gets nothing. `repeat`: the receiver gets the delivery twice. `reorder`: the receiver gets the
 * delivery after the next one.
 */
export type DeliveryFault = "lose" | "repeat" | "reorder"

/** The content of a snapshot. */
interface SnapshotState {
  /** Data folder of the forge. */
  readonly data: string
  /** Rows by table. */
  readonly tables: ReadonlyMap<string, ReadonlyArray<Record<string, unknown>>>
  /** Contents of the files that name commits, by path in the folder of a repository. */
  readonly repositories: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** The state of a forge at a time. Only the same forge can restore the state. */
export class Snapshot {
  readonly #state: SnapshotState

  /** @internal */
  constructor(state: SnapshotState) {
    this.#state = state
  }

  /**
   * @internal Returns the state of a snapshot of the forge with data folder `data`. Throws a `TypeError` for any other
   * value.
   */
  static stateOf(snapshot: Snapshot, data: string): SnapshotState {
    if (!(#state in snapshot)) throw new TypeError("This is no snapshot. Take one with snapshot()")
    if (snapshot.#state.data === data) return snapshot.#state
    throw new TypeError("This snapshot is of another forge. Restore it there: the paths of its repositories are in it")
  }
}

/** Access of a token by name, for example `{ contents: "write" }`. */
export type Permissions = Readonly<Record<string, "read" | "write">>

/** An account with a token. */
export interface TestUser {
  readonly login: string
  /** A classic token with all scopes. */
  readonly token: string
}

/** Options of a token. */
export interface TokenOptions {
  /** Login of the token's user, who is created if necessary. By default the owner of the forge. */
  readonly user?: string | undefined
  /** `classic` by default; `fine_grained` if there are permissions. */
  readonly kind?: "classic" | "fine_grained" | "oauth" | "app_user" | "workflow" | undefined
  /**
   * OAuth scopes of a classic or OAuth token, by default `repo`, `user`, `admin:org`, `admin:org_hook` and `workflow`.
   */
  readonly scopes?: ReadonlyArray<string> | undefined
  readonly permissions?: Permissions | undefined
  /** Full names of the repositories that the token can access. All by default. */
  readonly repositories?: ReadonlyArray<string> | undefined
  readonly expiresAt?: Date | undefined
}

/** Options of an app. */
export interface AppOptions {
  /** Name in URLs, `test-app` by default. */
  readonly slug?: string | undefined
  /** The account with the installation, which is created if necessary. By default the owner of the forge. */
  readonly account?: string | undefined
  /** Read access to contents by default. */
  readonly permissions?: Permissions | undefined
  readonly events?: ReadonlyArray<string> | undefined
  /** Full names of the repositories of the installation. All of the account by default. */
  readonly repositories?: ReadonlyArray<string> | undefined
  /** The webhook of the app, which gets the events of all installations. By default deliveries are in `forge.webhooks`. */
  readonly webhook?: { readonly url?: string | undefined; readonly secret?: string | undefined } | undefined
}

/** An installed app. */
export interface TestApp {
  readonly id: number
  readonly slug: string
  /** RSA key in PEM, with which the app signs JSON Web Tokens. */
  readonly privateKey: string
  readonly installationId: number
  /** Creates a token of the installation, which is valid for an hour. */
  readonly token: () => Promise<string>
}

/** Options of a webhook. */
export interface WebhookOptions {
  /** By default the deliveries appear in `forge.webhooks`. */
  readonly url?: string | undefined
  /** Names of the events, `push` by default; `*` means all. */
  readonly events?: ReadonlyArray<string> | undefined
  readonly secret?: string | undefined
  /** The app that receives the deliveries. Payloads contain the app's installation, as on GitHub. */
  readonly app?: Pick<TestApp, "id" | "installationId"> | undefined
}

/** Options of a team. */
export interface TeamOptions {
  readonly description?: string | undefined
  /** Name or slug of the parent team. */
  readonly parent?: string | undefined
  /** `closed` by default. */
  readonly privacy?: "closed" | "secret" | undefined
  /** Logins, which become members of the organization if necessary. */
  readonly members?: ReadonlyArray<string> | undefined
  readonly maintainers?: ReadonlyArray<string> | undefined
  /** Permissions by `OWNER/NAME` of the repository. */
  readonly repositories?: Readonly<Record<string, Permission>> | undefined
}

type Permission = "read" | "triage" | "write" | "maintain" | "admin"

/** Options of an invitation. */
export interface InvitationOptions {
  /** Login; by default the owner of the forge. */
  readonly inviter?: string | undefined
  /** The role on a repository, `write` by default. */
  readonly permission?: Permission | undefined
  /** The role in an organization, `member` by default. */
  readonly role?: "owner" | "member" | undefined
  /** Names or slugs of teams of the organization that the account joins. */
  readonly teams?: ReadonlyArray<string> | undefined
}

/** Options of a notification. */
export interface NotificationOptions {
  /** `subscribed` by default. */
  readonly reason?: NotificationFixture["reason"] | undefined
  readonly read?: boolean | undefined
}

/** Options of a ruleset. */
export interface RulesetOptions extends Partial<Omit<RulesetFixture, "organization" | "repository" | "rules">> {}

/** Options of an issue. */
export interface IssueOptions {
  /** Login of the author, who is created if necessary. By default the owner of the forge. */
  readonly user?: string | undefined
  /** The text in Markdown. */
  readonly body?: string | undefined
  /** The next number by default. */
  readonly number?: number | undefined
  /** Names. Missing labels are added. */
  readonly labels?: ReadonlyArray<string> | undefined
  /** Logins of existing accounts. */
  readonly assignees?: ReadonlyArray<string> | undefined
  /** Title of an existing milestone. */
  readonly milestone?: string | undefined
  /** `open` by default. */
  readonly state?: "open" | "closed" | undefined
}

/** Options of a pull request. */
export interface PullRequestOptions {
  /** The name of the branch by default. */
  readonly title?: string | undefined
  /** Branch to change; the default branch by default. */
  readonly base?: string | undefined
  /** Full name of the fork that has the branch with the changes. */
  readonly headRepository?: string | undefined
  /** Login of the author, who is created if necessary. By default the owner of the forge. */
  readonly user?: string | undefined
  /** The text in Markdown. */
  readonly body?: string | undefined
  readonly draft?: boolean | undefined
  /** The next number by default. */
  readonly number?: number | undefined
  /** Names. Missing labels are added. */
  readonly labels?: ReadonlyArray<string> | undefined
  /** Logins of existing accounts. */
  readonly assignees?: ReadonlyArray<string> | undefined
  /** `open` by default. */
  readonly state?: "open" | "closed" | undefined
}

/** An issue or a pull request of the forge. */
export interface TestIssue {
  readonly id: number
  readonly number: number
}

/** Options of a label. */
export interface LabelOptions {
  /** Six hexadecimal digits. */
  readonly color?: string | undefined
  readonly description?: string | undefined
}

/** Options of a milestone. */
export interface MilestoneOptions {
  readonly description?: string | undefined
  readonly dueOn?: Date | undefined
  /** `open` by default. */
  readonly state?: "open" | "closed" | undefined
}

/** Options of a review of a pull request. */
export interface ReviewOptions {
  /** Login of the reviewer, who is created if necessary. `reviewer` by default. */
  readonly user?: string | undefined
  readonly body?: string | undefined
  /** Id of the reviewed commit; the head of the pull request by default. */
  readonly commit?: string | undefined
}

/** The place of a thread in the diff of a pull request, and its other comments. */
export interface ThreadOptions {
  readonly path: string
  /** The last line. The whole file by default. */
  readonly line?: number | undefined
  /** The first line of several. */
  readonly startLine?: number | undefined
  /** `RIGHT`, the new version, by default. */
  readonly side?: "LEFT" | "RIGHT" | undefined
  /** Login of the author, who is created if necessary. `reviewer` by default. */
  readonly user?: string | undefined
  /** The author of a reply is by default the owner of the forge. */
  readonly replies?: ReadonlyArray<{ readonly body: string; readonly user?: string | undefined }> | undefined
  /** Login of the account that resolved the thread. Not resolved by default. */
  readonly resolvedBy?: string | undefined
}

/** Options of a status of a commit. */
export interface StatusOptions {
  /** Id of a commit, or a branch or tag; the default branch by default. */
  readonly sha?: string | undefined
  /** `default` by default. */
  readonly context?: string | undefined
  readonly description?: string | undefined
  readonly targetUrl?: string | undefined
  /** Login of the creator, who is created if necessary. By default the owner of the forge. */
  readonly creator?: string | undefined
}

/** Options of a check run. */
export interface CheckRunOptions {
  /** Slug of the app, which is created if necessary. `checker` by default. */
  readonly app?: string | undefined
  /** Id of a commit, or a branch or tag; the default branch by default. */
  readonly sha?: string | undefined
  /** `queued` by default, and `completed` with a conclusion. */
  readonly status?: "queued" | "in_progress" | "completed" | undefined
  readonly conclusion?: CheckConclusion | undefined
  readonly title?: string | undefined
  /** Needs a title. */
  readonly summary?: string | undefined
}

/** Options of a deployment. */
export interface DeploymentOptions {
  /** Branch, tag or commit; the default branch by default. */
  readonly ref?: string | undefined
  /** `production` by default. */
  readonly environment?: string | undefined
  readonly description?: string | undefined
  /** State of the status; no status by default. */
  readonly state?: DeploymentState | undefined
  /** Login of the creator, who is created if necessary. By default the owner of the forge. */
  readonly creator?: string | undefined
}

/** Options of a secret or variable. */
export interface ValueOptions {
  /** The environment that has it, which is created if necessary; the repository by default. */
  readonly environment?: string | undefined
}

/** Options of a workflow run. */
export interface RunOptions {
  /** Login of the account that started the run, who is created if necessary. By default the owner of the forge. */
  readonly actor?: string | undefined
  /** Id of a commit, or a branch or tag; the default branch by default. */
  readonly sha?: string | undefined
  /** `push` by default. */
  readonly event?: string | undefined
  /** The first line of the commit message by default. */
  readonly title?: string | undefined
  /** By default the state of the jobs. */
  readonly status?: "queued" | "in_progress" | "completed" | undefined
  readonly conclusion?: WorkflowRunFixture["conclusion"] | undefined
  readonly jobs?: WorkflowRunFixture["jobs"] | undefined
}

/** Options of a job of a workflow run. */
export interface JobOptions {
  readonly status?: "queued" | "in_progress" | "completed" | undefined
  readonly conclusion?: WorkflowJobFixture["conclusion"] | undefined
  readonly labels?: ReadonlyArray<string> | undefined
  /** Environment of a new job. With protection rules, the job waits. */
  readonly environment?: string | undefined
  readonly steps?: WorkflowJobFixture["steps"] | undefined
  /** Text of the log. */
  readonly log?: string | undefined
}

/** Options of a comment on a commit or an issue. */
export interface CommentOptions {
  /** Number of the issue. A comment on a commit by default. */
  readonly issue?: number | undefined
  /** Login of the author, who is created if necessary. By default the owner of the forge. */
  readonly user?: string | undefined
  /** Id of the commit. */
  readonly commit?: string | undefined
  /** The file and the line of the comment. The whole commit by default. */
  readonly path?: string | undefined
  readonly line?: number | undefined
}

/** Options of a release. */
export interface ReleaseOptions {
  /** Login of the author, who is created if necessary. By default the owner of the forge. */
  readonly author?: string | undefined
  /** Branch or commit of a missing tag; the default branch by default. */
  readonly target?: string | undefined
  readonly name?: string | undefined
  /** Notes in Markdown. */
  readonly body?: string | undefined
  readonly draft?: boolean | undefined
  readonly prerelease?: boolean | undefined
  /** Contents of the assets by name. */
  readonly assets?: Files | undefined
}

/** Options of an artifact. */
export interface ArtifactOptions {
  /** `artifact` by default. */
  readonly name?: string | undefined
  /** Id of the workflow run, 1 by default. */
  readonly run?: number | undefined
  /** 90 days after the upload by default. */
  readonly expiresAt?: Date | undefined
}

/** Options of billed usage. */
export interface UsageOptions extends Partial<Omit<UsageFixture, "organization">> {}

/** Options of a failing request. */
export interface FailOptions extends Occurrence {
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** By default an error body with the reason phrase of the status. A value other than a string is sent as JSON. */
  readonly body?: unknown
}

/** Rate limits of the next requests. */
export interface LimitOptions extends Occurrence {
  /** Number of requests that the primary limit still allows in the current window of each caller. */
  readonly remaining?: number | undefined
  /** Refuses requests because of a secondary limit: once, unless `times` is set. */
  readonly secondary?: boolean | undefined
  /**
   * Seconds in the `retry-after` header of this refusal. Null omits the header. A wrong number is possible. 1 by
   * default.
   */
  readonly retryAfter?: number | null | undefined
  /** The requests that a secondary limit refuses, `* /*` (all) by default. */
  readonly route?: Route | undefined
}

/** A forge under the control of a test. Stop the forge with `close` or `await using`. */
export interface TestForge extends AsyncDisposable {
  /** Base URL of the API and of git over HTTP. */
  readonly url: string
  /** Login and token of the forge's owner, a site administrator. */
  readonly owner: TestUser

  /** Creates a user. */
  readonly user: (login: string, options?: { readonly name?: string; readonly email?: string }) => Promise<TestUser>
  /** Creates an organization. */
  readonly organization: (
    login: string,
    options?: { readonly members?: ReadonlyArray<string>; readonly plan?: "free" | "enterprise_cloud" }
  ) => Promise<void>
  /** Creates a team of an existing organization, or adds to it. */
  readonly team: (organization: string, name: string, options?: TeamOptions) => Promise<void>
  /** Gives a user a role on a repository (`OWNER/NAME`), `write` by default. */
  readonly collaborator: (repository: string, login: string, permission?: Permission) => Promise<void>
  /** Invites a user to a repository (`OWNER/NAME`) or an organization. */
  readonly invitation: (target: string, login: string, options?: InvitationOptions) => Promise<void>
  /** Notifies a user about an issue of a repository (`OWNER/NAME`). */
  readonly notification: (
    login: string,
    repository: string,
    issue: number,
    options?: NotificationOptions
  ) => Promise<void>
  /** Creates a token. */
  readonly token: (options?: TokenOptions) => Promise<string>
  /** Creates or extends the repository `OWNER/NAME`. A missing owner becomes a user. Await the builder. */
  readonly repo: (fullName: string, options?: RepositoryOptions) => RepositoryBuilder
  /** Creates an app with a key and an installation. */
  readonly app: (options?: AppOptions) => Promise<TestApp>
  /** Adds a webhook to a repository (`OWNER/NAME`) or an organization. */
  readonly webhook: (target: string, options?: WebhookOptions) => Promise<void>
  /** Adds a ruleset to an organization or to a repository (`owner/name`), by default for all branches. */
  readonly ruleset: (owner: string, rules: ReadonlyArray<RuleFixture>, options?: RulesetOptions) => Promise<void>
  /** Adds a comment to an issue, or to a commit: by default to the newest one of the default branch. */
  readonly comment: (repository: string, body: string, options?: CommentOptions) => Promise<void>
  /** Adds an issue. A number that an issue already has returns that issue, unchanged. */
  readonly issue: (repository: string, title: string, options?: IssueOptions) => Promise<TestIssue>
  /** Adds a pull request of the branch `head`. A number that one already has returns that one, unchanged. */
  readonly pullRequest: (repository: string, head: string, options?: PullRequestOptions) => Promise<TestIssue>
  /** Adds a review to a pull request, without notifications and webhooks. */
  readonly review: (repository: string, pull: number, state: ReviewState, options?: ReviewOptions) => Promise<void>
  /** Adds a thread to the diff of a pull request. Rejects a line that is not in the diff. */
  readonly thread: (repository: string, pull: number, body: string, options: ThreadOptions) => Promise<void>
  /** Adds or changes a label. */
  readonly label: (repository: string, name: string, options?: LabelOptions) => Promise<void>
  /** Adds a milestone. */
  readonly milestone: (repository: string, title: string, options?: MilestoneOptions) => Promise<void>
  /** Adds a status of a commit, by default of the newest one of the default branch. */
  readonly status: (repository: string, state: StatusFixture["state"], options?: StatusOptions) => Promise<void>
  /** Adds a check run of a commit, by default of the newest one of the default branch. Sends no webhooks. */
  readonly checkRun: (repository: string, name: string, options?: CheckRunOptions) => Promise<void>
  /** Adds a deployment, by default of the default branch. Returns its id. Sends no webhooks. */
  readonly deployment: (repository: string, options?: DeploymentOptions) => Promise<number>
  /** Sets a secret of a repository or environment. The value is sealed, and nothing returns it. */
  readonly secret: (repository: string, name: string, value: string, options?: ValueOptions) => Promise<void>
  /** Sets a variable of a repository or environment. */
  readonly variable: (repository: string, name: string, value: string, options?: ValueOptions) => Promise<void>
  /** Adds a release with its assets, and its tag, without webhooks. A published one with the tag stays unchanged. */
  readonly release: (repository: string, tag: string, options?: ReleaseOptions) => Promise<void>
  /** Adds a run of a workflow file, with its check runs. Returns its id. Sends no webhooks. */
  readonly run: (repository: string, workflow: string, options?: RunOptions) => Promise<number>
  /** Adds or changes a job of a run. Returns its id, which is also that of its check run. */
  readonly job: (repository: string, run: number, name: string, options?: JobOptions) => Promise<number>
  /** Adds an artifact with files, like an upload of a workflow run. */
  readonly artifact: (repository: string, files: Files, options?: ArtifactOptions) => Promise<void>
  /** Adds billed usage of an organization, by default 100 minutes of Actions today. */
  readonly usage: (organization: string, options?: UsageOptions) => Promise<void>
  /** Adds rows as in a fixture file, for example `{ users: [...] }`. Rejects, and adds nothing, if a row is invalid. */
  readonly add: (rows: FixtureRows) => Promise<void>

  /** Lets requests of a route fail before reaching the forge. */
  readonly fail: (route: Route, status: number, options?: FailOptions) => void
  /** Delays requests of a route by the forge's clock. */
  readonly slow: (route: Route, duration: TimeSpan, options?: Occurrence) => void
  /** Breaks the connection in the middle of the responses of a route. The forge has then handled the request. */
  readonly cut: (route: Route, options?: Occurrence) => void
  /** Never answers requests of a route. */
  readonly hang: (route: Route, options?: Occurrence) => void
  /** Sets the rate limits. */
  readonly limit: (options: LimitOptions) => void
  /** Applies a fault to the next deliveries of webhooks: one, or `times`. */
  readonly misdeliver: (fault: DeliveryFault, options?: { readonly times?: number }) => void

  /** The time of the forge: of tokens, rate limits, schedules and commits. Advances with the time of the machine. */
  readonly clock: {
    readonly now: () => Date
    readonly advance: (duration: TimeSpan) => void
  }
  /** Deliveries to webhooks without a URL, in the order of arrival. `settled` waits for the last deliveries. */
  readonly webhooks: ReadonlyArray<ReceivedDelivery>
  /** Resolves when the forge has sent all deliveries. */
  readonly settled: () => Promise<void>
  /** The received requests, oldest first. */
  readonly requests: RequestLog

  /** Copies the state: rows, and the references of all repositories. */
  readonly snapshot: () => Promise<Snapshot>
  /**
   * Returns to a state that this forge has copied. Ends running requests, forgets faults, limits, requests and
   * deliveries, and sets the clock to the machine's time.
   */
  readonly restore: (snapshot: Snapshot) => Promise<void>
  /** Returns to the state after the start. */
  readonly reset: () => Promise<void>
  /** Stops the forge and deletes its folder. */
  readonly close: () => Promise<void>
}
