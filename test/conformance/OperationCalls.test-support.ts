/** Calls of every operation of the contract that bring about each of its answers, in the world of `conformance-fixture.json`. */
import type { Entry } from "@tongs/core/contract/Catalog"

export interface OperationCall {
  /** Why it is answered so. */
  readonly name: string
  /** `any`: whatever it is, it is as described. */
  readonly status: number | "any"
  /** `olive` by default: an owner, whose token has every scope. */
  readonly token?: string | null
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

type Own = Omit<OperationCall, "name" | "status">

/** What names in paths stand for, where an operation says nothing else. */
export const pathParameters: Readonly<Record<string, string | number>> = {
  owner: "harbor",
  repo: "hello",
  org: "harbor",
  enterprise: "coast",
  username: "piers",
  user_id: "olive",
  ref: "heads/main",
  basehead: "{parent}...heads/main",
  commit_sha: "{commit}",
  tree_sha: "{tree}",
  file_sha: "{blob}",
  tag_sha: "{tag}",
  path: "README.md",
  artifact_id: 1,
  archive_format: "zip",
  run_id: 7,
  key_id: 1,
  project_number: 1,
  actor_type: "classic_pat",
  actor_id: 2
}

const since = { min_timestamp: "2020-01-01T00:00:00Z" }
const json = (url: string) => ({ config: { url, content_type: "json", secret: "s" }, events: ["push"] })
const view = { name: "Everything", layout: "table", filter: "is:open" }
const newKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3q7kGx1nTbq0bVqYQW4m1x0h3m2q2v1Jm0wq3sU4nN new@lamp"
const ruleset = {
  name: "New",
  enforcement: "active",
  conditions: { ref_name: { include: ["~ALL"], exclude: [] }, repository_name: { include: ["~ALL"], exclude: [] } },
  rules: [{ type: "deletion" }]
}

/** What an operation needs to succeed. */
const inputs: Readonly<Record<string, Own>> = {
  "repositories.createForAuthenticatedUser": { body: { name: "made", description: "Made here", auto_init: true } },
  "repositories.createInOrg": { body: { name: "made", private: true } },
  "repositories.update": { body: { description: "Greets all ships" } },
  "gitRefs.listMatching": { params: { ref: "heads" } },
  "gitRefs.create": { body: { ref: "refs/heads/made", sha: "{commit}" } },
  "gitRefs.update": { params: { ref: "heads/made" }, body: { sha: "{parent}", force: true } },
  "gitRefs.delete": { params: { ref: "heads/made" } },
  "gitCommits.create": { body: { message: "Made", tree: "{tree}", parents: ["{commit}"] } },
  "gitTrees.get": { query: { recursive: "1" } },
  "commits.get": { params: { ref: "main" } },
  "search.code": { query: { q: "ahoy" } },
  "commitComments.get": { params: { comment_id: 11 } },
  "commitComments.update": { params: { comment_id: 12 }, body: { body: "Better." } },
  "commitComments.delete": { params: { comment_id: 13 } },
  "reviewComments.get": { params: { comment_id: 21 } },
  "reviewComments.update": { params: { comment_id: 22 }, body: { body: "Better." } },
  "artifacts.delete": { params: { artifact_id: 2 } },
  "repositoryHooks.create": { body: json("{receiver}/new") },
  "repositoryHooks.update": { body: { add_events: ["create"] } },
  "repositoryHooks.delete": { params: { hook_id: 3 } },
  "repositoryHooks.updateConfig": { body: { content_type: "form" } },
  "organizationHooks.create": { body: { name: "web", ...json("{receiver}/new") } },
  "organizationHooks.update": { body: { events: ["push", "create"] } },
  "organizationHooks.delete": { params: { hook_id: 4 } },
  "organizationHooks.updateConfig": { body: { content_type: "json" } },
  "workflowPolicies.setPermissions": { body: { enabled_repositories: "all", allowed_actions: "selected" } },
  "workflowPolicies.setArtifactAndLogRetention": { body: { days: 30 } },
  "workflowPolicies.setForkPrContributorApproval": { body: { approval_policy: "first_time_contributors" } },
  "workflowPolicies.setPrivateRepoForkPrWorkflows": { body: { run_workflows_from_fork_pull_requests: true } },
  "cacheLimits.setRetentionForEnterprise": { body: { max_cache_retention_days: 80 } },
  "cacheLimits.setStorageForEnterprise": { body: { max_cache_size_gb: 10 } },
  "cacheLimits.setRetentionForOrg": { body: { max_cache_retention_days: 8 } },
  "cacheLimits.setStorageForOrg": { body: { max_cache_size_gb: 5 } },
  "projectViews.createForOrg": { body: { ...view, sort_by: [[101, "asc"]], group_by: [102] } },
  "projectViews.createForUser": { body: view },
  "keys.createForAuthenticatedUser": { body: { title: "new", key: newKey } },
  "keys.listForUser": { params: { username: "olive" } },
  "keys.deleteForAuthenticatedUser": { params: { key_id: 2 } },
  "blocks.checkBlocked": { params: { username: "nell" } },
  "blocks.block": { params: { username: "piers" } },
  "blocks.unblock": { params: { username: "piers" } },
  "rulesets.createForOrg": { body: ruleset },
  "installations.listReposAccessibleToInstallation": { token: "buoy" },
  "installations.revokeAccessToken": { token: "spent" },
  "insights.getRouteStatsByActor": { query: since },
  "insights.getSubjectStats": { query: since },
  "insights.getSummaryStats": { query: since },
  "insights.getSummaryStatsByUser": { params: { user_id: 2 }, query: since },
  "insights.getSummaryStatsByActor": { query: since },
  "insights.getTimeStats": { query: { ...since, timestamp_increment: "1d" } },
  "events.listForUser": {},
  "events.listReceivedForUser": { params: { username: "olive" } }
}

/** Other answers, each its own. */
const more: Readonly<Record<string, ReadonlyArray<OperationCall>>> = {
  "repositories.listForAuthenticatedUser": [
    { name: "of a visibility that there is none of", status: 422, query: { visibility: "some" } }
  ],
  "repositories.createForAuthenticatedUser": [
    { name: "without a name", status: 422, body: {} },
    { name: "that is there", status: 422, body: { name: "own" } },
    { name: "of no JSON", status: 400, body: "{" }
  ],
  "repositories.createInOrg": [{ name: "that is there", status: 422, body: { name: "hello" } }],
  "repositories.update": [{ name: "to a branch that there is none of", status: 422, body: { default_branch: "none" } }],
  "gitRefs.listMatching": [{ name: "of nothing", status: 200, params: { ref: "heads/none" } }],
  "gitRefs.create": [
    { name: "that is there", status: 422, body: { ref: "refs/heads/main", sha: "{commit}" } },
    { name: "without a commit", status: 422, body: { ref: "refs/heads/main" } }
  ],
  "gitRefs.update": [{ name: "to what is not there", status: 422, body: { sha: "1".repeat(40) } }],
  "gitRefs.delete": [{ name: "that is not there", status: 422, params: { ref: "heads/none" } }],
  "gitCommits.create": [{ name: "of no tree", status: 422, body: { message: "x", tree: "1".repeat(40) } }],
  "gitCommits.get": [{ name: "at the root", status: 200, params: { commit_sha: "{parent}" } }],
  "contents.get": [
    { name: "a folder", status: 200, params: { path: "src" } },
    { name: "a link", status: 200, params: { path: "link" } },
    { name: "no such file", status: 404, params: { path: "none" } }
  ],
  "search.code": [{ name: "for nothing", status: 422, query: {} }],
  "commits.get": [{ name: "of no commit", status: 422, params: { ref: "none" } }],
  "commits.compare": [
    { name: "equal commits", status: 200, params: { basehead: "main...main" } },
    { name: "an unknown branch", status: 404, params: { basehead: "main...none" } }
  ],
  "commitComments.get": [{ name: "on a line", status: 200, params: { comment_id: 12 } }],
  "commitComments.update": [{ name: "without words", status: 422, params: { comment_id: 12 }, body: {} }],
  "reviewComments.get": [{ name: "on a file", status: 200, params: { comment_id: 22 } }],
  "artifacts.download": [{ name: "an expired one", status: 410, params: { artifact_id: 3 } }],
  "repositoryHooks.create": [{ name: "again", status: 422, body: json("{receiver}/new") }],
  "repositoryHooks.update": [{ name: "to no events", status: 422, body: { events: 1 } }],
  "organizationHooks.create": [{ name: "again", status: 422, body: { name: "web", ...json("{receiver}/new") } }],
  "organizationHooks.update": [{ name: "to no events", status: 422, body: { events: 1 } }],
  "gitBlobs.get": [{ name: "by half an id", status: 422, params: { file_sha: "abc" } }],
  "repositoryHooks.listDeliveries": [{ name: "after no cursor", status: 422, query: { cursor: "x" } }],
  "organizationHooks.listDeliveries": [{ name: "after no cursor", status: 422, query: { cursor: "x" } }],
  "workflowPolicies.setArtifactAndLogRetention": [{ name: "for ten years", status: 422, body: { days: 3650 } }],
  "workflowPolicies.setForkPrContributorApproval": [
    { name: "by nobody", status: 422, body: { approval_policy: "nobody" } }
  ],
  "workflowPolicies.setPrivateRepoForkPrWorkflows": [{ name: "without a choice", status: 422, body: {} }],
  "cacheLimits.setRetentionForEnterprise": [
    { name: "below nothing", status: 400, body: { max_cache_retention_days: -1 } }
  ],
  "cacheLimits.setStorageForEnterprise": [{ name: "below nothing", status: 400, body: { max_cache_size_gb: -1 } }],
  "cacheLimits.setRetentionForOrg": [
    { name: "above the enterprise's", status: 400, body: { max_cache_retention_days: 81 } }
  ],
  "cacheLimits.setStorageForOrg": [{ name: "above the enterprise's", status: 400, body: { max_cache_size_gb: 11 } }],
  "billing.getAiCreditUsageReportForOrg": [
    { name: "of a month that there is none of", status: 400, query: { month: "13" } }
  ],
  "billing.getPremiumRequestUsageReportForOrg": [
    { name: "of a month that there is none of", status: 400, query: { month: "13" } }
  ],
  "billing.getUsageReportForOrg": [{ name: "of a month that there is none of", status: 400, query: { month: "13" } }],
  "billing.getUsageSummaryReportForOrg": [
    { name: "of a month that there is none of", status: 400, query: { month: "13" } }
  ],
  "projectViews.createForOrg": [{ name: "without a name", status: 422, body: {} }],
  "projectViews.createForUser": [{ name: "without a name", status: 422, body: {} }],
  "keys.createForAuthenticatedUser": [{ name: "of no key", status: 422, body: { title: "x", key: "ssh-rsa x" } }],
  "blocks.block": [{ name: "oneself", status: 422, params: { username: "olive" } }],
  "rulesets.createForOrg": [{ name: "without a name", status: 422, body: {} }],
  "installations.listReposAccessibleToInstallation": [{ name: "by a user", status: 403, token: "olive" }],
  "installations.listForAuthenticatedUser": [{ name: "by an installation", status: 403, token: "buoy" }]
}

/** Numbers of hooks are the repository's or the organization's, by the group; so are those of their deliveries. */
const placesOf = ({ group }: Entry) =>
  group === "organizationHooks"
    ? { ...pathParameters, hook_id: 2, delivery_id: 2 }
    : { ...pathParameters, hook_id: 1, delivery_id: 1 }

/** The first part of a path that names something, made to name nothing. */
const nowhere: Readonly<Record<string, string | number>> = {
  owner: "nobody-here",
  org: "nobody-here",
  enterprise: "nowhere",
  username: "nobody-here",
  user_id: "nobody-here",
  key_id: 999
}

/** Every call of an operation; the first succeeds. `documented` has a member for each status that its description has. */
export const callsOf = (entry: Entry, documented: object): ReadonlyArray<OperationCall> => {
  const name = `${entry.group}.${entry.name}`
  const own = inputs[name] ?? {}
  const all = placesOf(entry)
  const success: OperationCall = {
    name: "",
    status: name === "rateLimit.get" ? 404 : entry.status,
    ...own,
    params: { ...all, ...own.params }
  }
  const parameters = [...entry.endpoint.path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => parameter)
  const [lost] = parameters.filter((parameter) => parameter in nowhere)
  const failures: Array<OperationCall> = [{ ...success, name: "with a bad token", status: 401, token: "wrong" }]
  if (lost !== undefined) {
    failures.push({
      ...success,
      name: `where ${lost} is nobody`,
      status: 404,
      params: { ...success.params, [lost]: nowhere[lost] ?? "" }
    })
  }
  if (!entry.operation.public && entry.operation.scopes.length > 0) {
    failures.push({ ...success, name: "without a scope", status: 403, token: "scopeless" })
  }
  if ("403" in documented)
    failures.push({ ...success, name: "without a User-Agent", status: 403, headers: { "user-agent": "" } })
  const inRepository = parameters.includes("repo")
  if (inRepository)
    failures.push({
      ...success,
      name: "in an empty repository",
      status: "any",
      params: { ...success.params, repo: "empty" }
    })
  const others = (more[name] ?? []).map((call) => ({ ...own, ...call, params: { ...success.params, ...call.params } }))
  return [success, ...others, ...failures]
}
