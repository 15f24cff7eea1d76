/** Rejects unknown options of a forge, which would otherwise have no effect. */
import type {
  AppOptions,
  ArtifactOptions,
  CheckRunOptions,
  CommentOptions,
  DeploymentOptions,
  FailOptions,
  ForgeOptions,
  IssueOptions,
  LabelOptions,
  LimitOptions,
  MilestoneOptions,
  Occurrence,
  InvitationOptions,
  NotificationOptions,
  PullRequestOptions,
  ReleaseOptions,
  ReviewOptions,
  StatusOptions,
  TeamOptions,
  ThreadOptions,
  TestForge,
  TokenOptions,
  ValueOptions,
  WebhookOptions,
  JobOptions,
  RunOptions
} from "./TestForge.ts"

/** The names of all options of a function. The type makes a missing name an error. */
type OptionNames<O> = { readonly [K in keyof Required<O>]: true }

const forgeNames: OptionNames<ForgeOptions> = {
  dialect: true,
  port: true,
  limits: true,
  signCommits: true,
  seed: true,
  control: true
}

const occurrence: OptionNames<Occurrence> = { times: true, probability: true }
const fault: OptionNames<FailOptions> = { ...occurrence, headers: true, body: true }
const limit: OptionNames<LimitOptions> = {
  ...occurrence,
  remaining: true,
  secondary: true,
  retryAfter: true,
  route: true
}
const token: OptionNames<TokenOptions> = {
  user: true,
  kind: true,
  scopes: true,
  permissions: true,
  repositories: true,
  expiresAt: true
}
const app: OptionNames<AppOptions> = {
  slug: true,
  account: true,
  permissions: true,
  events: true,
  repositories: true,
  webhook: true
}
const webhook: OptionNames<WebhookOptions> = { url: true, events: true, secret: true, app: true }
const comment: OptionNames<CommentOptions> = { user: true, issue: true, commit: true, path: true, line: true }
const issue: OptionNames<IssueOptions> = {
  user: true,
  body: true,
  number: true,
  labels: true,
  assignees: true,
  milestone: true,
  state: true
}
const pullRequest: OptionNames<PullRequestOptions> = {
  title: true,
  base: true,
  headRepository: true,
  user: true,
  body: true,
  draft: true,
  number: true,
  labels: true,
  assignees: true,
  state: true
}
const review: OptionNames<ReviewOptions> = { user: true, body: true, commit: true }
const thread: OptionNames<ThreadOptions> = {
  path: true,
  line: true,
  startLine: true,
  side: true,
  user: true,
  replies: true,
  resolvedBy: true
}
const label: OptionNames<LabelOptions> = { color: true, description: true }
const status: OptionNames<StatusOptions> = {
  sha: true,
  context: true,
  description: true,
  targetUrl: true,
  creator: true
}
const checkRun: OptionNames<CheckRunOptions> = {
  app: true,
  sha: true,
  status: true,
  conclusion: true,
  title: true,
  summary: true
}
const deployment: OptionNames<DeploymentOptions> = {
  ref: true,
  environment: true,
  description: true,
  state: true,
  creator: true
}
const value: OptionNames<ValueOptions> = { environment: true }
const run: OptionNames<RunOptions> = {
  actor: true,
  sha: true,
  event: true,
  title: true,
  status: true,
  conclusion: true,
  jobs: true
}
const job: OptionNames<JobOptions> = {
  status: true,
  conclusion: true,
  labels: true,
  environment: true,
  steps: true,
  log: true
}
const milestone: OptionNames<MilestoneOptions> = { description: true, dueOn: true, state: true }
const release: OptionNames<ReleaseOptions> = {
  author: true,
  target: true,
  name: true,
  body: true,
  draft: true,
  prerelease: true,
  assets: true
}
const artifact: OptionNames<ArtifactOptions> = { name: true, run: true, expiresAt: true }
const team: OptionNames<TeamOptions> = {
  description: true,
  parent: true,
  privacy: true,
  members: true,
  maintainers: true,
  repositories: true
}
const invitation: OptionNames<InvitationOptions> = { inviter: true, permission: true, role: true, teams: true }
const notification: OptionNames<NotificationOptions> = { reason: true, read: true }
const members = { members: true, plan: true }

/** Throws a `TypeError` for an unknown option. */
const check = (owner: string, options: object | undefined, names: object): void => {
  for (const name of Object.keys(options ?? {})) {
    if (name in names) continue
    const known = Object.keys(names)
    throw new TypeError(
      `Unknown option "${name}" of ${owner}: use ${known.slice(0, -1).join(", ")}${known.length > 1 ? " or " : ""}${known.at(-1)}`
    )
  }
}

/** Checks the options of `startForge`. */
export const checkStart = (options: ForgeOptions): void => check("startForge", options, forgeNames)

/** Returns the forge with checks before functions that ignore unknown options. */
export const make = (forge: TestForge): TestForge => ({
  ...forge,
  token: async (options) => {
    check("token", options, token)
    return forge.token(options)
  },
  app: async (options) => {
    check("app", options, app)
    return forge.app(options)
  },
  organization: async (login, options) => {
    check("organization", options, members)
    return forge.organization(login, options)
  },
  team: async (organization, name, options) => {
    check("team", options, team)
    return forge.team(organization, name, options)
  },
  invitation: async (target, login, options) => {
    check("invitation", options, invitation)
    return forge.invitation(target, login, options)
  },
  notification: async (login, repository, issue, options) => {
    check("notification", options, notification)
    return forge.notification(login, repository, issue, options)
  },
  webhook: async (target, options) => {
    check("webhook", options, webhook)
    return forge.webhook(target, options)
  },
  comment: async (repository, body, options) => {
    check("comment", options, comment)
    return forge.comment(repository, body, options)
  },
  issue: async (repository, title, options) => {
    check("issue", options, issue)
    return forge.issue(repository, title, options)
  },
  pullRequest: async (repository, head, options) => {
    check("pullRequest", options, pullRequest)
    return forge.pullRequest(repository, head, options)
  },
  review: async (repository, pull, state, options) => {
    check("review", options, review)
    return forge.review(repository, pull, state, options)
  },
  thread: async (repository, pull, body, options) => {
    check("thread", options, thread)
    return forge.thread(repository, pull, body, options)
  },
  label: async (repository, name, options) => {
    check("label", options, label)
    return forge.label(repository, name, options)
  },
  milestone: async (repository, title, options) => {
    check("milestone", options, milestone)
    return forge.milestone(repository, title, options)
  },
  status: async (repository, state, options) => {
    check("status", options, status)
    return forge.status(repository, state, options)
  },
  checkRun: async (repository, name, options) => {
    check("checkRun", options, checkRun)
    return forge.checkRun(repository, name, options)
  },
  deployment: async (repository, options) => {
    check("deployment", options, deployment)
    return forge.deployment(repository, options)
  },
  secret: async (repository, name, text, options) => {
    check("secret", options, value)
    return forge.secret(repository, name, text, options)
  },
  variable: async (repository, name, text, options) => {
    check("variable", options, value)
    return forge.variable(repository, name, text, options)
  },
  release: async (repository, tag, options) => {
    check("release", options, release)
    return forge.release(repository, tag, options)
  },
  run: async (repository, workflow, options) => {
    check("run", options, run)
    return forge.run(repository, workflow, options)
  },
  job: async (repository, runId, name, options) => {
    check("job", options, job)
    return forge.job(repository, runId, name, options)
  },
  artifact: async (repository, files, options) => {
    check("artifact", options, artifact)
    return forge.artifact(repository, files, options)
  },
  fail: (route, status, options) => {
    check("fail", options, fault)
    forge.fail(route, status, options)
  },
  slow: (route, duration, options) => {
    check("slow", options, occurrence)
    forge.slow(route, duration, options)
  },
  cut: (route, options) => {
    check("cut", options, occurrence)
    forge.cut(route, options)
  },
  hang: (route, options) => {
    check("hang", options, occurrence)
    forge.hang(route, options)
  },
  limit: (options) => {
    check("limit", options, limit)
    forge.limit(options)
  },
  misdeliver: (fault, options) => {
    check("misdeliver", options, { times: true })
    forge.misdeliver(fault, options)
  }
})
