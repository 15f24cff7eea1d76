/** Creates accounts, tokens, repositories, apps and webhooks. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { OrganizationRows } from "@tongs/service/accounts/OrganizationRows"
import { UserRows } from "@tongs/service/accounts/UserRows"
import { Git } from "@tongs/service/git/process/Git"
import type { GitError } from "@tongs/service/git/values/GitError"
import * as ServedDir from "@tongs/service/git/files/ServedDir"
import type { EmbeddedForge } from "@tongs/service/main/EmbeddedForge"
import * as RunFixtures from "@tongs/service/features/runs/RunFixtures"
import * as CheckFixtures from "@tongs/service/features/checks/CheckFixtures"
import * as ReviewFixtures from "@tongs/service/features/reviews/ReviewFixtures"
import * as DeploymentFixtures from "@tongs/service/features/deployments/DeploymentFixtures"
import * as Fixtures from "@tongs/service/main/Fixtures"
import { RepositoryRegistry } from "@tongs/service/repositories/RepositoryRegistry"
import type { IssueFixture, PullRequestFixture } from "./ActivityFixtures.ts"
import type { AppWebhooks } from "./AppWebhooks.ts"
import * as ContentBuilders from "./ContentBuilders.ts"
import * as FastImport from "./FastImport.ts"
import { RepositoryBuilder, type RepositoryOptions, type TestRepository } from "./RepositoryBuilder.ts"
import type { TestForge, TestIssue, TestUser } from "./TestForge.ts"
import type * as VirtualClock from "./VirtualClock.ts"

/** The services of a running forge. */
type Services = Layer.Success<ReturnType<typeof EmbeddedForge.layer>>

/** Runs an effect with the services of a running forge. */
export type Run = <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>

interface Options {
  readonly appWebhooks: AppWebhooks
  /** Folder to which paths in rows are relative. */
  readonly folder: string
  /** URL of the inbox for webhooks without a URL. */
  readonly inbox: string
  readonly owner: TestUser
  readonly run: Run
  readonly time: VirtualClock.VirtualClock
  readonly url: string
}

type Builders = Pick<
  TestForge,
  | "user"
  | "organization"
  | "team"
  | "collaborator"
  | "invitation"
  | "notification"
  | "token"
  | "repo"
  | "app"
  | "webhook"
  | "ruleset"
  | "issue"
  | "pullRequest"
  | "review"
  | "thread"
  | "label"
  | "milestone"
  | "comment"
  | "status"
  | "checkRun"
  | "deployment"
  | "secret"
  | "variable"
  | "release"
  | "run"
  | "job"
  | "artifact"
  | "usage"
  | "add"
>

/** Login of the default author of reviews and threads. */
const REVIEWER = "reviewer"

/** The only OAuth scopes of a classic token. */
const usualScopes = ["repo", "user", "admin:org", "admin:org_hook", "workflow"]

/** Prefixes of tokens by kind. */
const tokenPrefixes = { classic: "ghp", fine_grained: "github_pat", oauth: "gho", app_user: "ghu", workflow: "ghs" }

const makeToken = (prefix: string): string => `${prefix}_${randomBytes(18).toString("hex")}`

/** Creates the builders of a running forge. */
export const make = ({ appWebhooks, folder, inbox, owner, run, time, url }: Options): Builders => {
  /** Allow one import into a repository at a time, because concurrent ones into a branch exclude each other. */
  const imports = new Map<string, Semaphore.Semaphore>()
  const add = (rows: object) => run(Fixtures.add(rows, folder))

  /** Rows of an account, if missing. */
  const missingUser = async (login: string) => {
    const known = await run(Effect.flatMap(UserRows, (users) => users.byLogin(login)))
    return known === undefined ? [{ login }] : []
  }

  const user: Builders["user"] = async (login, options = {}) => {
    const token = makeToken("ghp")
    await add({
      users: [{ login, ...options }],
      tokens: [{ token, user: login, kind: "classic", scopes: usualScopes }]
    })
    return { login, token }
  }

  const organization: Builders["organization"] = async (login, { members = [], plan = "free" } = {}) => {
    const users = (await Promise.all(members.map(missingUser))).flat()
    await add({ users, organizations: [{ login, plan, members: members.map((member) => ({ login: member })) }] })
  }

  const team: Builders["team"] = async (
    organization,
    name,
    { maintainers = [], members = [], repositories = {}, ...options } = {}
  ) => {
    const people = [
      ...members.map((login) => ({ login, role: "member" })),
      ...maintainers.map((login) => ({ login, role: "maintainer" }))
    ]
    await add({
      users: (await Promise.all(people.map(({ login }) => missingUser(login)))).flat(),
      organizations: await run(
        missingMembers(
          organization,
          people.map(({ login }) => login)
        )
      ),
      teams: [
        defined({
          organization,
          name,
          ...options,
          members: people,
          repositories: Object.entries(repositories).map(([repository, permission]) => ({ repository, permission }))
        })
      ]
    })
  }

  const collaborator: Builders["collaborator"] = async (repository, login, permission = "write") =>
    add({ users: await missingUser(login), collaborators: [{ repository, login, permission }] })

  const invitation: Builders["invitation"] = async (target, login, { inviter = owner.login, ...options } = {}) => {
    const row = { invitee: login, inviter }
    const { permission, role, teams } = options
    await add({
      users: await missingUser(login),
      ...(target.includes("/")
        ? { repository_invitations: [defined({ ...row, repository: target, permission })] }
        : { organization_invitations: [defined({ ...row, organization: target, role, teams })] })
    })
  }

  const notification: Builders["notification"] = (user, repository, issue, options = {}) =>
    add({ notifications: [defined({ user, repository, issue, ...options })] })

  const token: Builders["token"] = async ({
    expiresAt,
    permissions,
    kind = permissions === undefined ? "classic" : "fine_grained",
    repositories,
    scopes = kind === "classic" || kind === "oauth" ? usualScopes : undefined,
    user = owner.login
  } = {}) => {
    const value = makeToken(tokenPrefixes[kind])
    const row = defined({
      token: value,
      user,
      kind,
      scopes,
      permissions,
      repositories,
      expires_at: expiresAt?.toISOString()
    })
    await add({ users: await missingUser(user), tokens: [row] })
    return value
  }

  const createRepository = async (
    fullName: string,
    { forkOf, ...options }: RepositoryOptions,
    steps: ReadonlyArray<FastImport.Step>
  ): Promise<TestRepository> => {
    const [login = "", name = ""] = fullName.split("/")
    await add({
      users: await missingUser(login),
      repositories: [defined({ full_name: fullName, fork_of: forkOf, ...options })]
    })
    const key = fullName.toLowerCase()
    const lock = imports.get(key) ?? Semaphore.makeUnsafe(1)
    imports.set(key, lock)
    const built = await run(lock.withPermit(importSteps(login, name, steps, time.now())))
    return { fullName, owner: login, name, cloneUrl: `${url}/${fullName}.git`, ...built }
  }

  const app: Builders["app"] = async ({
    account = owner.login,
    events = [],
    permissions = { contents: "read" },
    repositories = "all",
    slug = "test-app",
    webhook
  } = {}) => {
    const { privateKey, publicKey } = appKey()
    const config = webhook && { webhook: defined({ url: inbox, content_type: "json", ...defined(webhook) }) }
    await add({
      users: await missingUser(account),
      apps: [{ slug, owner: owner.login, public_key: publicKey, ...config }],
      installations: [{ account, app_slug: slug, permissions, events, repositories }]
    })
    const [ids] = await run(installationIds(slug, account))
    if (ids === undefined) throw new Error(`App ${slug} is not installed on ${account}`)
    const installationToken = async () => {
      const value = makeToken("ghs")
      const expires_at = new Date(time.now() + 3_600_000).toISOString()
      await add({ tokens: [{ token: value, kind: "installation", installation: ids.installation, expires_at }] })
      return value
    }
    return { id: ids.app, slug, privateKey, installationId: ids.installation, token: installationToken }
  }

  const webhook: Builders["webhook"] = async (target, { app, events = ["push"], secret, url = inbox } = {}) => {
    const config = defined({ url, content_type: "json", secret })
    const place = target.includes("/") ? { repository: target } : { organization: target }
    const id = await run(addHook({ ...place, config, events }, folder))
    appWebhooks.set(id, app && { app: app.id, installation: app.installationId, secret })
  }

  const status: Builders["status"] = async (repository, state, options = {}) => {
    const { context, creator = owner.login, description, sha, targetUrl } = options
    await add({ users: await missingUser(creator) })
    const details = defined({ sha, context, description, target_url: targetUrl })
    await run(CheckFixtures.addStatus({ repository, state, creator, ...details }, false))
  }

  const checkRun: Builders["checkRun"] = async (repository, name, { app: slug = "checker", sha, ...options } = {}) => {
    await add({ apps: [{ slug }] })
    const details = defined({ head_sha: sha, ...options })
    await run(CheckFixtures.addCheckRun({ repository, name, app: slug, ...details }, false))
  }

  const workflowRun: Builders["run"] = async (repository, workflow, options = {}) => {
    const { actor = owner.login, sha, title, ...details } = options
    await add({ users: await missingUser(actor) })
    const row = { repository, workflow, actor, ...defined({ ...details, head_sha: sha, display_title: title }) }
    return run(RunFixtures.addNewRun(row))
  }

  const job: Builders["job"] = (repository, id, name, options = {}) =>
    run(RunFixtures.addJob(repository, id, owner.login, { name, ...defined(options) }))

  const review: Builders["review"] = async (repository, pull, state, { commit, ...options } = {}) => {
    const { user = REVIEWER, ...details } = options
    const row = { repository, pull_number: pull, state, user, ...defined({ ...details, commit_id: commit }) }
    await add({ users: await missingUser(user), reviews: [row] })
  }

  const thread: Builders["thread"] = async (repository, pull, body, options) => {
    const { line, path, replies = [], resolvedBy, side, startLine, user = REVIEWER } = options
    const people = [
      user,
      ...replies.map((reply) => reply.user ?? owner.login),
      ...(resolvedBy === undefined ? [] : [resolvedBy])
    ]
    for (const login of new Set(people)) await add({ users: await missingUser(login) })
    const common = { repository, pull_number: pull, path }
    const place =
      line === undefined ? { subject_type: "file" as const } : defined({ line, side, start_line: startLine })
    const resolved = defined({ resolved_by: resolvedBy })
    const id = await run(ReviewFixtures.addComment({ ...common, user, body, ...place, ...resolved }))
    if (id === undefined) throw new Error("The thread was not added")
    for (const { body: text, user: author = owner.login } of replies)
      await run(ReviewFixtures.addComment({ ...common, user: author, body: text, in_reply_to_id: id }))
  }

  const deployment: Builders["deployment"] = async (repository, options = {}) => {
    const { creator = owner.login, description, environment, ref, state } = options
    await add({ users: await missingUser(creator) })
    const statuses = state === undefined ? undefined : [{ state }]
    const row = { repository, creator, ...defined({ description, environment, ref, statuses }) }
    const id = await run(DeploymentFixtures.add(row, false))
    if (id === undefined) throw new Error("no deployment was added")
    return id
  }

  const secret: Builders["secret"] = (repository, name, value, options = {}) =>
    add({ secrets: [{ repository, name, value, ...defined({ environment: options.environment }) }] })

  const variable: Builders["variable"] = (repository, name, value, options = {}) =>
    add({ variables: [{ repository, name, value, ...defined({ environment: options.environment }) }] })

  const content = ContentBuilders.make({
    add,
    addIssue: (row) => run(addIssue({ issues: [row] }, folder)),
    addPullRequest: (row) => run(addIssue({ pull_requests: [row] }, folder)),
    owner,
    folder,
    ensureUser: async (login) => add({ users: await missingUser(login) })
  })

  return {
    ...content,
    add,
    user,
    organization,
    team,
    collaborator,
    invitation,
    notification,
    token,
    repo: (fullName, options = {}) => {
      if (!/^[^/\s]+\/[^/\s]+$/.test(fullName)) {
        throw new TypeError(`Invalid repository ${JSON.stringify(fullName)}: write OWNER/NAME`)
      }
      return new RepositoryBuilder((steps) => createRepository(fullName, options, steps))
    },
    app,
    webhook,
    status,
    checkRun,
    deployment,
    secret,
    variable,
    run: workflowRun,
    job,
    review,
    thread
  }
}

/** Returns the row that makes accounts members of an organization, without those that are members. */
const missingMembers = Effect.fnUntraced(function* (login: string, logins: ReadonlyArray<string>) {
  const organizations = yield* OrganizationRows
  const found = yield* organizations.byLogin(login)
  if (found === undefined) return []
  const known = new Set((yield* organizations.members(found.id)).map((one) => one.login.toLowerCase()))
  const members = logins.filter((one) => !known.has(one.toLowerCase())).map((one) => ({ login: one }))
  return [{ login: found.login, plan: found.plan, members }]
})

/** Removes the undefined members. */
const defined = <A extends object>(row: A) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without the undefined members
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof A]: Exclude<A[K], undefined>
  }

/** Adds steps to the history of a repository. Returns the ids of the commits. */
const importSteps = Effect.fnUntraced(function* (
  owner: string,
  name: string,
  steps: ReadonlyArray<FastImport.Step>,
  now: number
) {
  const found = yield* (yield* RepositoryRegistry).find(owner, name)
  if (found === undefined) return yield* Effect.die(new Error(`No repository ${owner}/${name}`))
  const { gitDir, refs } = found.git
  // The forge reads through another directory, whose HEAD is invalid on purpose.
  const path = ServedDir.of(gitDir)
  if (steps.length === 0) return { path, commits: [] }
  const branches = new Set((yield* refs("refs/heads/")).map((ref) => ref.name.slice("refs/heads/".length)))
  const input = FastImport.stream(steps, { branches, now, author: `${owner} <${owner}@users.noreply.example>` })
  const { stdout } = yield* (yield* Git)
    .run(["fast-import", "--quiet", "--date-format=raw"], { gitDir, input })
    .pipe(Effect.mapError((error) => rejectedRefs(`${owner}/${name}`, error)))
  const commits = stdout.toString().split("\n").filter(Boolean)
  return { path, commits }
})

/**
 * The error of branches or tags that git refuses, for example `fix/a` beside `fix`. Git exits with 1 only for these.
 */
const rejectedRefs = (repository: string, error: GitError): GitError | TypeError => {
  const { reason } = error
  if (reason._tag !== "CommandFailed" || reason.exitCode !== 1) return error
  const isMove = reason.stderr.includes("Not updating")
  const hint = isMove ? ". A branch keeps its commits: extend it by commit(files, { branch })" : ""
  return new TypeError(`Cannot change ${repository}: ${reason.stderr.trim()}${hint}`)
}

/** Adds a webhook and returns the id. In a transaction, because another webhook could be added in between. */
const addHook = Effect.fnUntraced(function* (row: object, folder: string) {
  const sql = yield* SqlClient.SqlClient
  const [hook] = yield* sql.withTransaction(
    Effect.andThen(Fixtures.add({ hooks: [row] }, folder), sql<{ id: number }>`SELECT max(id) AS id FROM hooks`)
  )
  return hook?.id ?? 0
})

/**
 * Adds an issue or a pull request and returns it, or the one that has the number. In a transaction for the same reason.
 */
const addIssue = Effect.fnUntraced(function* (
  rows: { readonly issues: readonly [IssueFixture] } | { readonly pull_requests: readonly [PullRequestFixture] },
  folder: string
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = "issues" in rows ? rows.issues : rows.pull_requests
  const number = row.number ?? null
  const [issue] = yield* sql.withTransaction(
    Effect.andThen(
      Fixtures.add(rows, folder),
      sql<TestIssue>`
        SELECT i.id, i.number FROM issues i
        JOIN repositories r ON r.id = i.repository_id JOIN users owner ON owner.id = r.owner_id
        WHERE lower(owner.login || '/' || r.name) = lower(${row.repository}) AND i.number = coalesce(${number}, i.number)
        ORDER BY i.id DESC LIMIT 1`
    )
  )
  return issue ?? (yield* Effect.die(new Error(`No issue ${row.title}`)))
})

/** Ids of an app and of the app's installation on an account. */
const installationIds = Effect.fnUntraced(function* (slug: string, account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ app: number; installation: number }>`
    SELECT a.id AS app, i.id AS installation FROM installations i
    JOIN apps a ON a.id = i.app_id JOIN users u ON u.id = i.account_id
    WHERE lower(a.slug) = lower(${slug}) AND lower(u.login) = lower(${account})`
})

let generatedKey: { readonly privateKey: string; readonly publicKey: string } | undefined

/** Generates the key of all apps of this process, which takes about 100 ms. */
const appKey = () => {
  generatedKey ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" }
  })
  return generatedKey
}
