/**
 * Responses of the embedded forge in the `github` dialect validate by GitHub's description: for all operations the success
 * and all failures that a test can cause.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type CatalogEntry, entries as all } from "@tongs/core/contract/Catalog"
import { pathOf } from "@tongs/core/contract/Dialect"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { specNumbers } from "@tongs/service/access/RateLimitPolicy"
import { type OperationCall, callsOf } from "./OperationCalls.test-support.ts"
import { resolvePath, componentProblems, membersOf, problems, responses } from "./GitHubOpenApi.test-support.ts"
import { ConformanceForge } from "./ConformanceForge.test-support.ts"
import { substitute } from "./ConformanceFixture.test-support.ts"

/** GitHub does not describe extensions. */
const entries = all.filter(({ operation }) => !operation.extension)

const nameOf = ({ group, name }: CatalogEntry) => `${group}.${name}`

const events = [
  "listPublic",
  "listForRepo",
  "listPublicForOrg",
  "listForUser",
  "listPublicForUser",
  "listReceivedForUser"
]

/** Accepted deviations by operation and status: the problem that the schema reports, and the reason. */
const exceptions = new Map<string, readonly [problem: RegExp, reason: string]>([
  ...["gitBlobs.create 422", "contents.createOrUpdate 409"].map((key): [string, readonly [RegExp, string]] => [
    key,
    [/^ must match exactly one schema/, "every error also matches the description of a rule violation"]
  ]),
  ...[
    "repositories.replaceAllTopics",
    "reviews.create",
    "reviews.update",
    "reviews.deletePending",
    "reviews.dismiss",
    "reviews.submit"
  ].map((name): [string, readonly [RegExp, string]] => [
    `${name} 422`,
    [/^\/errors\/\* must be string/, "the errors of every 422 are objects, as in the specification"]
  ]),
  [
    "stars.listForAuthenticatedUser 200",
    [/^\/\*/, "the times of stars have the content type application/json, as all media types of JSON"]
  ],
  ...["deploymentStatuses.list 200", "deploymentStatuses.create 201", "deploymentStatuses.get 200"].map(
    (key): [string, readonly [RegExp, string]] => [
      key,
      [/^(\/\*)?\/environment_url must match format "uri"/, "without a URL it is empty, the described default"]
    ]
  ),
  ...events.map((name): [string, readonly [RegExp, string]] => [
    `events.${name} 200`,
    [
      /^\/\*\/payload/,
      "the description expects one kind of payload, but a payload also matches kinds with fewer members; see below"
    ]
  ])
])

/** Documented responses that no test can cause, and the reason. Server errors (500, 503) are not tested. */
const unreachable: Readonly<Record<string, ReadonlyArray<string>>> = {
  "writes have no 304": [
    "emails.add",
    "emails.delete",
    "emails.setVisibility",
    "followers.follow",
    "followers.unfollow",
    "gpgKeys.createForAuthenticatedUser",
    "gpgKeys.deleteForAuthenticatedUser",
    "sshSigningKeys.createForAuthenticatedUser",
    "sshSigningKeys.deleteForAuthenticatedUser",
    "users.update",
    "repositories.createForAuthenticatedUser",
    "markdown.render",
    "markdown.renderRaw",
    "projectViews.createForOrg",
    "projectViews.createForUser",
    "keys.createForAuthenticatedUser",
    "keys.deleteForAuthenticatedUser",
    "notifications.markRead",
    "notifications.markThreadRead",
    "notifications.setSubscription",
    "notifications.deleteSubscription",
    "repositoryInvitations.accept",
    "repositoryInvitations.decline",
    "stars.star",
    "stars.unstar",
    "blocks.block",
    "blocks.unblock",
    "installations.addRepo",
    "installations.removeRepo"
  ].map((name) => `${name} 304`),
  "notifications are marked at once": ["notifications.markRead 202", "notifications.markReadForRepo 202"],
  "its response has no body": ["blocks.checkBlocked 304", "followers.check 304", "stars.check 304"],
  "its response always changes": ["rateLimit.get 304"],
  "the authenticated user always exists": [
    "emails.add",
    "emails.list",
    "emails.listPublic",
    "emails.setVisibility",
    "gpgKeys.createForAuthenticatedUser",
    "gpgKeys.listForAuthenticatedUser",
    "sshSigningKeys.createForAuthenticatedUser",
    "sshSigningKeys.listForAuthenticatedUser",
    "users.update",
    "repositories.createForAuthenticatedUser",
    "keys.listForAuthenticatedUser",
    "keys.createForAuthenticatedUser",
    "teams.listForAuthenticatedUser",
    "repositoryInvitations.listForAuthenticatedUser",
    "blocks.listBlockedByAuthenticatedUser"
  ].map((name) => `${name} 404`),
  "renamed repositories have no redirect": [
    "repositories.get 301",
    "repositories.update 307",
    "repositories.delete 307",
    "statuses.listForRef 301"
  ],
  "no operation of REST transfers an issue": [
    "issues.listForRepo",
    "issues.get",
    "issues.update",
    "labels.listOnIssue",
    "labels.addToIssue",
    "labels.setOnIssue",
    "labels.removeAllFromIssue",
    "labels.removeFromIssue",
    "subIssues.getParent",
    "issueDependencies.listBlockedBy",
    "issueDependencies.listBlocking",
    "issueDependencies.addBlockedBy",
    "issueDependencies.removeBlockedBy"
  ].map((name) => `${name} 301`),
  "every repository has issues": ["issues.create 410"],
  "deleted comments and their events are 404": ["issueComments.pin", "issueComments.unpin", "issueEvents.get"].map(
    (name) => `${name} 410`
  ),
  "invalid issues are 404 or 422": [
    "issues.create 400",
    "issueEvents.listTimeline 400",
    "subIssues.remove 400",
    "issueDependencies.removeBlockedBy 400"
  ],
  "nothing prevents the change": [
    "issueComments.pin 422",
    "issueTypes.deleteForOrg 422",
    "organizations.update 409",
    "organizationInvitations.cancel 422",
    "repositoryInvitations.decline 409"
  ],
  "every check run can be requested again": ["checkRuns.rerequest 422"],
  "every key can be removed": ["gpgKeys.deleteForAuthenticatedUser 422"],
  "all teams are of organizations": ["teams.delete 422"],
  "changes are immediate": [
    "organizationMemberships.updateForAuthenticatedUser 202",
    "outsideCollaborators.convert 202",
    "teams.update 201"
  ],
  "others get the response of the public members": ["organizationMembers.check 302"],
  "the list has no input to validate": ["issueEvents.listForRepo 422", "stars.listStargazers 422"],
  "the signed-in user always has a list": ["issues.listInvolving 404", "issues.listForAuthenticatedUser 404"],
  "nothing prevents a deletion": ["repositories.delete 409"],
  "renamed branches have no redirect": ["branches.get 301"],
  "the fork has no conflicts": ["branches.mergeUpstream 409"],
  "invalid forks are 422": ["forks.list 400", "forks.create 400"],
  "contents are sent without a redirect": ["contents.get 302"],
  "every accepted media type has a response": ["pulls.get 406"],
  "unknown commits are 404 or 422": ["pulls.listForCommit 409", "pulls.listBranchesForHead 409"],
  "the list of files has no input to validate": ["pulls.listFiles 422"],
  "invalid names are 404": ["gitTrees.get 422"],
  "invalid queries are 422": ["commits.list", "repositoryHooks.listDeliveries", "organizationHooks.listDeliveries"].map(
    (name) => `${name} 400`
  ),
  "the request has no input to validate": ["repositoryHooks", "organizationHooks"].flatMap((group) =>
    ["getDelivery", "redeliverDelivery"].flatMap((name) => [`${group}.${name} 400`, `${group}.${name} 422`])
  ),
  "unknown revisions are 404": ["contents.getReadme 422", "contents.getReadmeInDirectory 422"],
  "the unknown commit takes precedence over the empty repository": ["commits.get 409"],
  "an equal branch policy is the response": ["deploymentBranchPolicies.create 303"],
  "no enterprise limit is set": ["workflowPolicies.setArtifactAndLogRetention 409"]
}

const seen = new Set<string>()
const needed = new Set<string>()

const send = Effect.fnUntraced(function* (
  entry: CatalogEntry,
  { body, headers = {}, params = {}, query = {}, token = "olive" }: OperationCall
) {
  const { ask } = yield* Forge.TestForge
  const { names } = yield* ConformanceForge
  const path = pathOf("github", entry).replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    assert.isDefined(value, `the path's ${name} has no value`)
    return String(value)
  })
  const search = new URLSearchParams(query)
  return yield* ask(
    entry.endpoint.method,
    substitute(search.size === 0 ? path : `${path}?${decodeURIComponent(search.toString())}`, names),
    {
      token,
      headers,
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : substitute(JSON.stringify(body), names) })
    }
  )
})

/** Validates a response. Returns problems. */
const validate = (entry: CatalogEntry, { headers, json, status, text }: Forge.Answer): ReadonlyArray<string> => {
  const key = `${nameOf(entry)} ${status}`
  seen.add(key)
  const response = responses(entry)[String(status)]
  // All operations can have these responses, also undescribed.
  if (response === undefined) {
    if (status === 304) return text === "" ? [] : ["304 with a body"]
    if (status < 400) return [`an undocumented ${status}`]
    return componentProblems(status === 422 ? "validation-error" : "basic-error", json)
  }
  const content = membersOf(resolvePath(response, "content"))
  if (Object.keys(content).length === 0) return status >= 400 || text === "" ? [] : ["unexpected body"]
  const type = (headers["content-type"] ?? "").split(";")[0] ?? ""
  const schema = resolvePath(content[type] ?? content["application/json"], "schema")
  if (schema === undefined) return [`no schema for ${type}`]
  return problems(key, schema, json ?? text)
}

const expectValid = (entry: CatalogEntry, answer: Forge.Answer) => {
  const key = `${nameOf(entry)} ${answer.status}`
  const found = validate(entry, answer)
  const exception = exceptions.get(key)
  const rest = found.filter((problem) => exception?.[0].test(problem) !== true)
  if (rest.length < found.length) needed.add(key)
  assert.isEmpty(rest, `${rest.join("\n")}\n${answer.text.slice(0, 3000)}`)
}

/** Validates each payload by the type of the event. `ref` of a new repository is null, unlike in the description. */
const validatePayloads = (
  found: ReadonlyArray<{ readonly type: string; readonly payload: { readonly ref_type?: string } }>
) => {
  for (const { payload, type } of found) {
    const kind = type.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()
    const wrong = componentProblems(kind, payload).filter(
      (problem) => payload.ref_type !== "repository" || !problem.startsWith("/ref must")
    )
    assert.isEmpty(wrong, `${wrong.join("\n")}\n${JSON.stringify(payload)}`)
  }
}

describe("responses validate by GitHub's description", () => {
  layer(ConformanceForge.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    for (const entry of entries) {
      for (const call of callsOf(entry, responses(entry))) {
        it.effect(`${nameOf(entry)}: ${call.status} ${call.name}`, () =>
          Effect.gen(function* () {
            const answer = yield* send(entry, call)
            if (call.status !== "any") assert.strictEqual(answer.status, call.status, answer.text.slice(0, 1000))
            expectValid(entry, answer)
            if (entry.group === "events" && answer.status === 200) {
              if (call.name === "") assert.isNotEmpty(answer.json)
              validatePayloads(answer.json)
            }
            if (answer.status === 200 && entry.readonly) {
              const repeat = (etag = "") =>
                send(entry, { ...call, headers: { ...call.headers, "if-none-match": etag } })
              const again = yield* repeat(answer.headers["etag"])
              assert.include([200, 304], again.status)
              expectValid(entry, again)
              // The index of the search can have grown in between.
              if (entry.group === "search" && again.status === 200)
                expectValid(entry, yield* repeat(again.headers["etag"]))
            }
          })
        )
      }
    }
  })

  layer(Forge.layer((repos) => void Forge.repository(repos, "hello"), { dialect: "github", limits: specNumbers }))(
    (it) => {
      it.effect("rateLimit.get: 200 with limits", () =>
        Effect.gen(function* () {
          const { get } = yield* Forge.TestForge
          const entry = entries.find((one) => nameOf(one) === "rateLimit.get")
          const answer = yield* get("/rate_limit")
          assert.strictEqual(answer.status, 200)
          if (entry !== undefined) expectValid(entry, answer)
        })
      )
    }
  )

  it("all documented responses are tested or listed as unreachable, and no exception is obsolete", () => {
    const missed = entries.flatMap((entry) =>
      Object.keys(responses(entry))
        .map((status) => `${nameOf(entry)} ${status}`)
        .filter((key) => !seen.has(key) && !/ 50[03]$/.test(key))
    )
    assert.sameMembers(missed, Object.values(unreachable).flat())
    assert.sameMembers([...needed], [...exceptions.keys()])
  })
})
