/** The operations of a forge for tests as JSON: the only list, by method and path below `/_test`. */
import * as Schema from "effect/Schema"
import type { Files } from "../FastImport.ts"
import type { ReceivedRequest } from "../RequestLog.ts"
import type { Snapshot, TestForge } from "../TestForge.ts"
import type { RuleFixture } from "../RulesetFixture.ts"
import * as ControlInput from "./ControlInput.ts"
import { field, optional } from "./ControlInput.ts"

/** An operation of a running forge. */
export interface ControlOperation {
  /** The fields of the input, with descriptions. */
  readonly input: Readonly<Record<string, string>>
  /**
   * Runs the operation. Rejects with a `TypeError` for invalid input, or with the error of the forge. Undefined means
   * an empty response.
   */
  readonly run: (input: unknown) => Promise<unknown>
}

const operation = <const F extends ControlInput.Fields>(
  fields: F,
  run: (input: Schema.Struct<F>["Type"]) => unknown
): ControlOperation => {
  const decode = ControlInput.decoder(fields)
  return { input: ControlInput.describe(fields), run: async (input) => run(decode(input)) }
}

const Positive = Schema.Int.pipe(Schema.check(Schema.isGreaterThan(0)))
const Texts = Schema.Array(Schema.String)
const Route = Schema.TemplateLiteral([Schema.String, " /", Schema.String])
const Permission = Schema.Literals(["read", "triage", "write", "maintain", "admin"])
const PERMISSIONS = '"read", "triage", "write", "maintain" or "admin"'
const NotificationReason = Schema.Literals([
  "assign",
  "author",
  "comment",
  "manual",
  "mention",
  "review_requested",
  "state_change",
  "subscribed",
  "team_mention"
])
const ReviewState = Schema.Literals(["PENDING", "COMMENTED", "APPROVED", "CHANGES_REQUESTED", "DISMISSED"])
const REVIEW_STATES = '"PENDING", "COMMENTED", "APPROVED", "CHANGES_REQUESTED" or "DISMISSED"'
const RunStatus = Schema.Literals(["queued", "in_progress", "completed"])
const RUN_STATUSES = '"queued", "in_progress" or "completed"'
const RunConclusion = Schema.Literals([
  "action_required",
  "cancelled",
  "failure",
  "neutral",
  "success",
  "skipped",
  "timed_out"
])
const Access = Schema.Record(Schema.String, Schema.Literals(["read", "write"]))
const Bytes = Schema.Struct({ base64: Schema.Uint8ArrayFromBase64 })
const Units = ["milli", "millis", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days"] as const // literal types
const TimeSpan = Schema.Union([Schema.Finite, Schema.TemplateLiteral([Schema.Finite, " ", Schema.Literals(Units)])])

const fullName = field(Schema.String, "OWNER/NAME of a repository")
const login = field(Schema.String, "name of an account")
const route = field(Route, 'a method and a path, for example "GET /repos/{owner}/{repo}"; `*` matches any')
const duration = field(TimeSpan, 'milliseconds, or a number with a unit, for example "61 minutes"')
const branch = optional(Schema.String, 'name of a branch, by default "main"')
const message = optional(Schema.String, "text")
const permissions = optional(Access, 'an object such as {"contents": "write"}; access is "read" or "write"')
const repositories = optional(Texts, "list of OWNER/NAME; all by default")
const times = optional(Positive, "number of requests, at least 1")
const events = optional(Texts, 'list of event names, for example ["push"]; "*" means all')
const occurrence = {
  times,
  probability: optional(Schema.Finite, "a number above 0, at most 1")
}

/** Maximum number of snapshots. The oldest ones are removed. */
const MAX_SNAPSHOTS = 100

export const make = (forge: TestForge): ReadonlyMap<string, ControlOperation> => {
  const snapshots = new Map<string, Snapshot>()
  let taken = 0
  return new Map(
    Object.entries({
      "POST user": operation(
        { login, name: optional(Schema.String, "text"), email: optional(Schema.String, "an email address") },
        ({ login, ...options }) => forge.user(login, options)
      ),
      "POST organization": operation(
        {
          login,
          members: optional(Texts, "list of logins"),
          plan: optional(Schema.Literals(["free", "enterprise_cloud"]), '"free" or "enterprise_cloud"')
        },
        ({ login, ...options }) => forge.organization(login, options)
      ),
      "POST team": operation(
        {
          organization: field(Schema.String, "name of an organization"),
          name: field(Schema.String, "text"),
          description: optional(Schema.String, "text"),
          parent: optional(Schema.String, "name of another team"),
          privacy: optional(Schema.Literals(["closed", "secret"]), '"closed" or "secret"'),
          members: optional(Texts, "list of logins"),
          maintainers: optional(Texts, "list of logins"),
          repositories: optional(
            Schema.Record(Schema.String, Permission),
            `an object of permissions by OWNER/NAME: ${PERMISSIONS}`
          )
        },
        ({ name, organization, ...options }) => forge.team(organization, name, options)
      ),
      "POST collaborator": operation(
        {
          fullName,
          login,
          permission: optional(Permission, PERMISSIONS)
        },
        ({ fullName, login, permission }) => forge.collaborator(fullName, login, permission)
      ),
      "POST invitation": operation(
        {
          target: field(Schema.String, "OWNER/NAME of a repository, or name of an organization"),
          login,
          inviter: optional(Schema.String, "name of an account; the owner of the forge by default"),
          permission: optional(Permission, PERMISSIONS),
          role: optional(Schema.Literals(["owner", "member"]), '"owner" or "member"'),
          teams: optional(Texts, "list of teams")
        },
        ({ login, target, ...options }) => forge.invitation(target, login, options)
      ),
      "POST notification": operation(
        {
          login,
          fullName,
          issue: field(Schema.Int, "number of an issue"),
          reason: optional(NotificationReason, "the reason of the notification, for example mention"),
          read: optional(Schema.Boolean, "true or false")
        },
        ({ fullName, issue, login, ...options }) => forge.notification(login, fullName, issue, options)
      ),
      "POST token": operation(
        {
          user: optional(Schema.String, "name of an account; the owner of the forge by default"),
          kind: optional(
            Schema.Literals(["classic", "fine_grained", "oauth", "app_user", "workflow"]),
            '"classic", "fine_grained", "oauth", "app_user" or "workflow"'
          ),
          scopes: optional(Texts, 'list of scopes, for example ["repo"]'),
          permissions,
          repositories,
          expiresAt: optional(Schema.DateFromString, "a time, for example 2030-01-31T12:00:00Z")
        },
        async (options) => ({ token: await forge.token(options) })
      ),
      "POST repo": operation(
        {
          fullName,
          private: optional(Schema.Boolean, "true or false"),
          description: optional(Schema.String, "text"),
          topics: optional(Texts, "list of topics")
        },
        ({ fullName, ...options }) => forge.repo(fullName, options)
      ),
      "POST commit": operation(
        {
          fullName,
          files: field(
            Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Null, Bytes])),
            'an object of contents by path: text, {"base64": "…"}, or null to delete the file'
          ),
          message,
          author: optional(Schema.String, "NAME <EMAIL>"),
          date: optional(Schema.DateFromString, "a time, for example 2020-01-31T12:00:00Z"),
          branch
        },
        ({ files, fullName, ...options }) => {
          return forge.repo(fullName).commit(contents(files), options)
        }
      ),
      "POST branch": operation(
        { fullName, name: field(Schema.String, "name of the branch"), from: branch },
        ({ from, fullName, name }) => forge.repo(fullName).branch(name, { from })
      ),
      "POST tag": operation(
        { fullName, name: field(Schema.String, "name of the tag"), message, branch },
        ({ branch = "main", fullName, message, name }) =>
          // The builder tags the current branch.
          forge.repo(fullName).branch(branch, { from: branch }).tag(name, message)
      ),
      "POST app": operation(
        {
          slug: optional(Schema.String, "name in URLs"),
          account: optional(Schema.String, "name of the account with the installation"),
          permissions,
          events,
          repositories,
          webhook: optional(
            Schema.Struct({ url: Schema.optionalKey(Schema.String), secret: Schema.optionalKey(Schema.String) }),
            "the webhook of the app: url and secret"
          )
        },
        async (options) => {
          const { token, ...app } = await forge.app(options)
          return { ...app, token: await token() }
        }
      ),
      "POST webhook": operation(
        {
          target: field(Schema.String, "OWNER/NAME of a repository, or name of an organization"),
          url: optional(Schema.String, "URL of the receiver; by default GET /_test/webhooks has the deliveries"),
          events,
          secret: optional(Schema.String, "text"),
          app: optional(Schema.Struct({ id: Schema.Int, installationId: Schema.Int }), "what POST /_test/app returned")
        },
        ({ target, ...options }) => forge.webhook(target, options)
      ),
      "POST ruleset": operation(
        {
          organization: login,
          rules: field(Schema.Array(Schema.ObjectKeyword), 'a list of rules, for example [{"type": "deletion"}]'),
          name: optional(Schema.String, "text, unique in the organization"),
          target: optional(
            Schema.Literals(["branch", "tag", "push", "repository"]),
            '"branch", "tag", "push" or "repository"'
          ),
          enforcement: optional(
            Schema.Literals(["disabled", "active", "evaluate"]),
            '"disabled", "active" or "evaluate"'
          )
        },
        ({ organization, rules, ...options }) =>
          forge.ruleset(organization, rules as ReadonlyArray<RuleFixture>, options) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the forge validates them
      ),
      "POST issue": operation(
        {
          fullName,
          title: field(Schema.String, "text"),
          body: optional(Schema.String, "text in Markdown"),
          user: optional(Schema.String, "name of an account; the owner of the forge by default"),
          number: optional(Positive, "number; the next one by default"),
          labels: optional(Schema.Array(Schema.String), "a list of names"),
          assignees: optional(Schema.Array(Schema.String), "a list of names of accounts"),
          milestone: optional(Schema.String, "title of a milestone"),
          state: optional(Schema.Literals(["open", "closed"]), '"open" or "closed"')
        },
        ({ fullName, title, ...options }) => forge.issue(fullName, title, options)
      ),
      "POST pullRequest": operation(
        {
          fullName,
          head: field(Schema.String, "a branch"),
          title: optional(Schema.String, "text; the name of the branch by default"),
          base: optional(Schema.String, "a branch; the default branch by default"),
          headRepository: optional(Schema.String, "full name of a fork"),
          body: optional(Schema.String, "text in Markdown"),
          user: optional(Schema.String, "name of an account; the owner of the forge by default"),
          draft: optional(Schema.Boolean, "true or false"),
          number: optional(Positive, "number; the next one by default"),
          labels: optional(Schema.Array(Schema.String), "a list of names"),
          assignees: optional(Schema.Array(Schema.String), "a list of names of accounts"),
          state: optional(Schema.Literals(["open", "closed"]), '"open" or "closed"')
        },
        ({ fullName, head, ...options }) => forge.pullRequest(fullName, head, options)
      ),
      "POST label": operation(
        {
          fullName,
          name: field(Schema.String, "text"),
          color: optional(Schema.String, "six hexadecimal digits"),
          description: optional(Schema.String, "text")
        },
        ({ fullName, name, ...options }) => forge.label(fullName, name, options)
      ),
      "POST milestone": operation(
        {
          fullName,
          title: field(Schema.String, "text"),
          description: optional(Schema.String, "text"),
          dueOn: optional(Schema.DateFromString, "a time, for example 2030-01-31T12:00:00Z"),
          state: optional(Schema.Literals(["open", "closed"]), '"open" or "closed"')
        },
        ({ fullName, title, ...options }) => forge.milestone(fullName, title, options)
      ),
      "POST review": operation(
        {
          fullName,
          pull: field(Positive, "number of a pull request"),
          state: field(ReviewState, REVIEW_STATES),
          user: optional(Schema.String, 'login of the reviewer; "reviewer" by default'),
          body: optional(Schema.String, "text"),
          commit: optional(Schema.String, "id of the reviewed commit; the head by default")
        },
        ({ fullName, pull, state, ...options }) => forge.review(fullName, pull, state, options)
      ),
      "POST thread": operation(
        {
          fullName,
          pull: field(Positive, "number of a pull request"),
          body: field(Schema.String, "text"),
          path: field(Schema.String, "path of a changed file"),
          line: optional(Positive, "the last line; the whole file by default"),
          startLine: optional(Positive, "the first line of several"),
          side: optional(Schema.Literals(["LEFT", "RIGHT"]), '"RIGHT" (the new version) by default, or "LEFT"'),
          user: optional(Schema.String, 'login of the author; "reviewer" by default'),
          replies: optional(
            Schema.Array(Schema.Struct({ body: Schema.String, user: Schema.optionalKey(Schema.String) })),
            'list of objects such as {"body": "Because", "user": "ann"}'
          ),
          resolvedBy: optional(Schema.String, "login of the account that resolved the thread")
        },
        ({ body, fullName, pull, ...options }) => forge.thread(fullName, pull, body, options)
      ),
      "POST status": operation(
        {
          fullName,
          state: field(
            Schema.Literals(["error", "failure", "pending", "success"]),
            '"error", "failure", "pending" or "success"'
          ),
          sha: optional(Schema.String, "id of a commit, or a branch; the default branch by default"),
          context: optional(Schema.String, "text"),
          description: optional(Schema.String, "text"),
          targetUrl: optional(Schema.String, "a URL"),
          creator: optional(Schema.String, "name of an account; the owner of the forge by default")
        },
        ({ fullName, state, ...options }) => forge.status(fullName, state, options)
      ),
      "POST checkRun": operation(
        {
          fullName,
          name: field(Schema.String, "text"),
          app: optional(Schema.String, 'slug of an app; "checker" by default'),
          sha: optional(Schema.String, "id of a commit, or a branch; the default branch by default"),
          status: optional(
            Schema.Literals(["queued", "in_progress", "completed"]),
            '"queued", "in_progress" or "completed"'
          ),
          conclusion: optional(
            Schema.Literals(["action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"]),
            'a conclusion, for example "success"'
          ),
          title: optional(Schema.String, "text"),
          summary: optional(Schema.String, "text in Markdown")
        },
        ({ fullName, name, ...options }) => forge.checkRun(fullName, name, options)
      ),
      "POST deployment": operation(
        {
          fullName,
          ref: optional(Schema.String, "branch, tag or commit; the default branch by default"),
          environment: optional(Schema.String, 'name; "production" by default'),
          description: optional(Schema.String, "text"),
          state: optional(
            Schema.Literals(["error", "failure", "inactive", "in_progress", "queued", "pending", "success"]),
            'a state, for example "success"'
          ),
          creator: optional(Schema.String, "name of an account; the owner of the forge by default")
        },
        ({ fullName, ...options }) => forge.deployment(fullName, options)
      ),
      "POST secret": operation(
        {
          fullName,
          name: field(Schema.String, "text"),
          value: field(Schema.String, "text"),
          environment: optional(Schema.String, "name of an environment")
        },
        ({ fullName, name, value, ...options }) => forge.secret(fullName, name, value, options)
      ),
      "POST variable": operation(
        {
          fullName,
          name: field(Schema.String, "text"),
          value: field(Schema.String, "text"),
          environment: optional(Schema.String, "name of an environment")
        },
        ({ fullName, name, value, ...options }) => forge.variable(fullName, name, value, options)
      ),
      "POST run": operation(
        {
          fullName,
          workflow: field(Schema.String, "path of a workflow file"),
          actor: optional(Schema.String, "name of an account; the owner of the forge by default"),
          sha: optional(Schema.String, "id of a commit, or a branch; the default branch by default"),
          event: optional(Schema.String, 'name of an event; "push" by default'),
          title: optional(Schema.String, "text"),
          status: optional(RunStatus, RUN_STATUSES),
          conclusion: optional(RunConclusion, 'a conclusion, for example "success"'),
          jobs: optional(
            Schema.Array(
              Schema.Struct({
                name: Schema.String,
                status: Schema.optionalKey(RunStatus),
                conclusion: Schema.optionalKey(RunConclusion),
                log: Schema.optionalKey(Schema.String)
              })
            ),
            "list of objects with name, status, conclusion and log"
          )
        },
        async ({ fullName, workflow, ...options }) => ({ id: await forge.run(fullName, workflow, options) })
      ),
      "POST job": operation(
        {
          fullName,
          run: field(Positive, "id of a workflow run"),
          name: field(Schema.String, "text"),
          status: optional(RunStatus, RUN_STATUSES),
          conclusion: optional(RunConclusion, 'a conclusion, for example "success"'),
          labels: optional(Texts, "list of texts"),
          environment: optional(Schema.String, "name of an environment"),
          log: optional(Schema.String, "text")
        },
        async ({ fullName, name, run, ...options }) => ({ id: await forge.job(fullName, run, name, options) })
      ),
      "POST comment": operation(
        {
          fullName,
          body: field(Schema.String, "text"),
          user: optional(Schema.String, "name of an account; the owner of the forge by default"),
          issue: optional(Positive, "number of an issue; a comment on a commit by default"),
          commit: optional(Schema.String, "id of a commit; the newest one of the default branch by default"),
          path: optional(Schema.String, "path of a file"),
          line: optional(Positive, "number of a line")
        },
        ({ body, fullName, ...options }) => forge.comment(fullName, body, options)
      ),
      "POST release": operation(
        {
          fullName,
          tag: field(Schema.String, "name of a tag"),
          author: optional(Schema.String, "name of an account; the owner of the forge by default"),
          target: optional(Schema.String, "branch or commit of a missing tag"),
          name: optional(Schema.String, "text"),
          body: optional(Schema.String, "text in Markdown"),
          draft: optional(Schema.Boolean, "true or false"),
          prerelease: optional(Schema.Boolean, "true or false"),
          assets: optional(
            Schema.Record(Schema.String, Schema.Union([Schema.String, Bytes])),
            'an object of contents by name: text, or {"base64": "…"}'
          )
        },
        ({ assets, fullName, tag, ...options }) =>
          forge.release(fullName, tag, {
            ...options,
            ...(assets === undefined ? {} : { assets: contents(assets) })
          })
      ),
      "POST artifact": operation(
        {
          fullName,
          files: field(
            Schema.Record(Schema.String, Schema.Union([Schema.String, Bytes])),
            'an object of contents by path: text, or {"base64": "…"}'
          ),
          name: optional(Schema.String, "text"),
          run: optional(Positive, "id of a workflow run"),
          expiresAt: optional(Schema.DateFromString, "a time, for example 2030-01-31T12:00:00Z")
        },
        ({ files, fullName, ...options }) => forge.artifact(fullName, contents(files), options)
      ),
      "POST usage": operation(
        {
          organization: login,
          date: optional(Schema.String, "YYYY-MM-DD; today by default"),
          product: optional(Schema.String, 'text, for example "actions"'),
          sku: optional(Schema.String, "text"),
          quantity: optional(Schema.Finite, "a number"),
          unitType: optional(Schema.String, 'text, for example "minutes"'),
          pricePerUnit: optional(Schema.Finite, "US dollars")
        },
        ({ organization, ...options }) => forge.usage(organization, options)
      ),
      "POST add": operation(
        {
          rows: field(
            Schema.Record(Schema.String, Schema.Array(Schema.ObjectKeyword)),
            "lists of rows by section of the fixture file"
          )
        },
        ({ rows }) => forge.add(rows)
      ),
      "POST fail": operation(
        {
          route,
          status: field(Schema.Int, "a number from 200 to 599"),
          ...occurrence,
          headers: optional(Schema.Record(Schema.String, Schema.String), "an object of texts by name"),
          body: optional(Schema.Unknown, "text, or any JSON")
        },
        ({ route, status, ...options }) => forge.fail(route, status, options)
      ),
      "POST slow": operation({ route, duration, ...occurrence }, ({ duration, route, ...options }) =>
        forge.slow(route, duration, options)
      ),
      "POST cut": operation({ route, ...occurrence }, ({ route, ...options }) => forge.cut(route, options)),
      "POST hang": operation({ route, ...occurrence }, ({ route, ...options }) => forge.hang(route, options)),
      "POST limit": operation(
        {
          remaining: optional(Schema.Int.pipe(Schema.check(Schema.isGreaterThanOrEqualTo(0))), "number of requests"),
          secondary: optional(Schema.Boolean, "true or false"),
          retryAfter: optional(Schema.NullOr(Schema.Finite), "seconds, or null for no header"),
          route: Schema.optionalKey(route),
          ...occurrence
        },
        (options) => forge.limit(options)
      ),
      "POST misdeliver": operation(
        {
          fault: field(Schema.Literals(["lose", "repeat", "reorder"]), '"lose", "repeat" or "reorder"'),
          times: optional(Positive, "number of deliveries, at least 1")
        },
        ({ fault, ...options }) => forge.misdeliver(fault, options)
      ),
      "GET clock": operation({}, () => ({ now: forge.clock.now() })),
      "POST clock/advance": operation({ duration }, ({ duration }) => {
        forge.clock.advance(duration)
        return { now: forge.clock.now() }
      }),
      "GET webhooks": operation({}, () => forge.webhooks),
      "POST settled": operation({}, () => forge.settled()),
      "GET requests": operation({ route: Schema.optionalKey(route) }, ({ route }) =>
        (route === undefined ? [...forge.requests] : forge.requests.to(route)).map(requestJson)
      ),
      "POST snapshot": operation({}, async () => {
        const snapshot = String(++taken)
        snapshots.set(snapshot, await forge.snapshot())
        const [oldest] = snapshots.keys()
        if (snapshots.size > MAX_SNAPSHOTS && oldest !== undefined) snapshots.delete(oldest)
        return { snapshot }
      }),
      "POST restore": operation(
        { snapshot: field(Schema.String, "the value that POST /_test/snapshot returned") },
        ({ snapshot }) => {
          const state = snapshots.get(snapshot)
          if (state !== undefined) return forge.restore(state)
          const known = [...snapshots.keys()].join(", ")
          throw new TypeError(
            `Invalid snapshot ${JSON.stringify(snapshot)}: ${known === "" ? "take one with POST /_test/snapshot" : `one of ${known}`}`
          )
        }
      ),
      "POST reset": operation({}, () => forge.reset())
    })
  )
}

/** Contents of files, of which the binary ones are objects. */
const contents = (files: Readonly<Record<string, typeof Bytes.Type | string | null>>): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "object" && content !== null ? content.base64 : content
    ])
  )

const requestJson = ({ body, duration, fault, headers, method, path, query, status }: ReceivedRequest) => ({
  method,
  path,
  query: query.toString(),
  headers,
  body,
  status,
  duration,
  fault
})
