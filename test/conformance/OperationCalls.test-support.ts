/** For each operation, calls that cause all responses, on the data of `conformance-fixture.json`. */
import type { CatalogEntry } from "@tongs/core/contract/Catalog"

export interface OperationCall {
  /** The case of the call; empty for the success. */
  readonly name: string
  /** The expected status; `any` accepts all described ones. */
  readonly status: number | "any"
  /** `olive` by default, an owner with all scopes. */
  readonly token?: string | null
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

type Own = Omit<OperationCall, "name" | "status">

/** Default values of path parameters. Integers that are not listed are 1. */
export const pathParameters: Readonly<Record<string, string | number>> = {
  owner: "harbor",
  repo: "hello",
  org: "harbor",
  enterprise: "coast",
  username: "piers",
  user_id: "olive",
  ref: "heads/main",
  branch: "main",
  basehead: "{parent}...heads/main",
  commit_sha: "{commit}",
  team_slug: "crew",
  tree_sha: "{tree}",
  file_sha: "{blob}",
  tag_sha: "{tag}",
  path: "README.md",
  dir: "src",
  archive_format: "zip",
  run_id: 7,
  pull_number: 20,
  workflow_id: "ci.yml",
  thread_id: 1,
  target_user: "olive",
  actor_type: "classic_pat",
  actor_id: 2,
  environment_name: "production",
  secret_name: "TOKEN",
  variable_name: "REGION",
  app_slug: "buoy",
  installation_id: 94,
  custom_property_name: "tier"
}

/** Ids of webhooks and deliveries are unique in the forge: the second webhook is that of the organization. */
const ofGroup: Readonly<Record<string, typeof pathParameters>> = {
  organizationHooks: { hook_id: 2, delivery_id: 2 },
  repositoryRulesets: { ruleset_id: 3, version_id: 3 },
  workflowJobs: { job_id: 3 },
  runReports: { job_id: 3 },
  branchProtections: { branch: "guarded" },
  branchRestrictions: { branch: "guarded" }
}

const since = { min_timestamp: "2020-01-01T00:00:00Z" }
const json = (url: string) => ({ config: { url, content_type: "json", secret: "s" }, events: ["push"] })
const view = { name: "Everything", layout: "table", filter: "is:open" }
const NEW_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3q7kGx1nTbq0bVqYQW4m1x0h3m2q2v1Jm0wq3sU4nN new@lamp"
const NEW_SIGNING_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFIhMsz/smCm447OWk72GMdMsvEGO9Guo+LvS6PIcn4D c@lamp"
const NEW_GPG_KEY =
  "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxiYEaVW5ABuPLQ70bWomAEgVKnSIHgOtrL1U2GdI6h5+H/uPF+1qEc0fT2xp\ndmUgTWFyc2ggPG9saXZlQG5ldy5leGFtcGxlPsLADwQTGwoAhQWCaVW5AAML\nCQcJEOS2e1p+Qik8RRQAAAAAABwAIHNhbHRAbm90YXRpb25zLm9wZW5wZ3Bq\ncy5vcmePTvTBpwZLzLyPSdiM0XvDU0/H8TTz8sFipynGwUweuAUVCggODAQW\nAAIBAhkBApsDAh4BFiEEHRB0YPH1R3dhuKr45LZ7Wn5CKTwAANulxgF8x04I\nmZ6Gi0CYhVrUOrHJGvV/0U/8VJsg8cnL2ZdN8dGuqSuen8VFP7Gl63fGoZ2Z\n54WqRl8HBvJUItbKBs4mBGlVuQAbeApB3I1h5DU5TQU26o6x6qbPxS6pKj11\n0iw9qiZe1ALCwLMEGBsKASkFgmlVuQAJEOS2e1p+Qik8RRQAAAAAABwAIHNh\nbHRAbm90YXRpb25zLm9wZW5wZ3Bqcy5vcmd/1gKnS4ichhR71JIYpFH1vote\nDfp6jvyQ5HWaxn61egKbArigBBkbCgBtBYJpVbkACRAYZjVS/qpv3UUUAAAA\nAAAcACBzYWx0QG5vdGF0aW9ucy5vcGVucGdwanMub3JnqZfQaQpV7O2UDHkX\n9NlCFcHBWTXVVitktfL4wditLaMWIQR1Rt9pMGCA6vyGOGQYZjVS/qpv3QAA\nIJjeyUfy0k4Hq35aHqb/JaT5U+eql6vjkThpSpWGD+9wmxTGEgtIeV/wlGRC\nrY6E6KKMrw1FQsIcn8+UHk5ea5AAFiEEHRB0YPH1R3dhuKr45LZ7Wn5CKTwA\nAGZQQ2pxqrg16fuQ+i/2q3gg6wO+5fJ+V+78rnUPByDqpxUW6OPP/ma/GUlR\nujttTsbnWSYxmetx3P6Z+byjZTcyAA==\n=Qb2O\n-----END PGP PUBLIC KEY BLOCK-----\n"
const goldTier = { property_name: "tier", value: "gold" }
const ruleset = {
  name: "New",
  enforcement: "active",
  conditions: { ref_name: { include: ["~ALL"], exclude: [] }, repository_name: { include: ["~ALL"], exclude: [] } },
  rules: [{ type: "deletion" }]
}

const protection = {
  required_status_checks: { strict: true, contexts: ["ci"], checks: [{ context: "lint", app_id: 9 }] },
  enforce_admins: false,
  required_pull_request_reviews: {
    required_approving_review_count: 1,
    dismissal_restrictions: { users: ["olive"], teams: ["crew"], apps: ["buoy"] },
    bypass_pull_request_allowances: { users: ["olive"], teams: ["crew"], apps: ["buoy"] }
  },
  restrictions: { users: ["olive"], teams: ["crew"], apps: ["buoy"] }
}

/** Input for the success of an operation. */
const inputs: Readonly<Record<string, Own>> = {
  "repositories.createForAuthenticatedUser": { body: { name: "made", description: "Made here", auto_init: true } },
  "repositories.createInOrg": { body: { name: "made", private: true } },
  "repositories.createUsingTemplate": {
    params: { template_owner: "harbor", template_repo: "hello" },
    body: { owner: "olive", name: "generated", description: "Made from a template" }
  },
  "repositories.transfer": {
    params: { owner: "olive", repo: "generated" },
    body: { new_owner: "harbor", new_name: "transferred" }
  },
  "repositories.update": { body: { description: "Greets all ships" } },
  "repositories.delete": { params: { repo: "made" } },
  "repositories.listContributors": { query: { anon: "1" } },
  "repositories.replaceAllTopics": { body: { names: ["ships", "Greetings"] } },
  "repositories.downloadTarball": { params: { ref: "main" } },
  "repositories.downloadZipball": { params: { ref: "refs/heads/main" } },
  "branches.rename": { params: { branch: "old" }, body: { new_name: "renamed" } },
  "branches.merge": { body: { base: "side", head: "main" } },
  "branches.mergeUpstream": { params: { owner: "olive", repo: "hello" }, body: { branch: "main" } },
  "forks.create": { body: {} },
  "gitRefs.listMatching": { params: { ref: "heads" } },
  "gitRefs.create": { body: { ref: "refs/heads/made", sha: "{commit}" } },
  "gitRefs.update": { params: { ref: "heads/made" }, body: { sha: "{parent}", force: true } },
  "gitRefs.delete": { params: { ref: "heads/made" } },
  "gitCommits.create": { body: { message: "Made", tree: "{tree}", parents: ["{commit}"] } },
  "gitTrees.get": { query: { recursive: "1" } },
  "gitTrees.create": {
    body: { base_tree: "{tree}", tree: [{ path: "src/made.txt", mode: "100644", type: "blob", content: "made" }] }
  },
  "gitBlobs.create": { body: { content: "bWFkZQo=", encoding: "base64" } },
  "gitTags.create": { body: { tag: "v2", message: "Made", object: "{commit}", type: "commit" } },
  "contents.createOrUpdate": {
    params: { path: "docs/made.txt" },
    body: { message: "Make", content: "bWFkZQo=", branch: "side" }
  },
  "contents.delete": {
    params: { path: "src/greet.ts" },
    body: { message: "Delete", sha: "05d93d10748b079b981a7468f691b2ceb9ce121f", branch: "side" }
  },
  "commits.get": { params: { ref: "main" } },
  "search.code": { query: { q: "ahoy" } },
  "commitComments.create": { body: { body: "Well *done*." } },
  "commitComments.get": { params: { comment_id: 11 } },
  "commitComments.update": { params: { comment_id: 12 }, body: { body: "Better." } },
  "commitComments.delete": { params: { comment_id: 13 } },
  "reviewComments.get": { params: { comment_id: 21 } },
  "reviewComments.create": { body: { body: "Well *done*.", commit_id: "{danish}", path: "src/danish.ts", line: 1 } },
  "reviewComments.createReply": { params: { comment_id: 21 }, body: { body: "Indeed." } },
  "reviewComments.update": { params: { comment_id: 22 }, body: { body: "Better." } },
  "reviewComments.delete": { params: { comment_id: 25 } },
  "reviews.create": {
    body: { event: "COMMENT", body: "Look", comments: [{ path: "src/danish.ts", line: 1, body: "Here." }] }
  },
  "reviews.get": { params: { review_id: 30 } },
  "reviews.update": { params: { review_id: 30 }, body: { body: "Ohoj, ships" } },
  "reviews.deletePending": { params: { pull_number: 22, review_id: 31 } },
  "reviews.listComments": { params: { review_id: 30 } },
  "reviews.dismiss": { params: { pull_number: 22, review_id: 33 }, body: { message: "On time" } },
  "reviews.submit": { params: { pull_number: 21, review_id: 32 }, body: { event: "COMMENT" } },
  "reviewRequests.list": { params: { pull_number: 22 } },
  "reviewRequests.create": { body: { reviewers: ["olive"], team_reviewers: ["crew"] } },
  "reviewRequests.delete": { params: { pull_number: 22 }, body: { reviewers: ["piers"] } },
  "suggestions.apply": { body: { suggestions: [{ comment_id: 21 }] } },
  "issues.search": { query: { q: "greet" } },
  "repositories.search": { query: { q: "hello" } },
  "repositories.searchTopics": { query: { q: "repositories:>0" } },
  "users.search": { query: { q: "olive" } },
  "commits.search": { query: { q: "first" } },
  "labels.search": { query: { q: "bug", repository_id: "1" } },
  "issues.create": { body: { title: "Greet in Danish", body: "Ohoj", labels: ["bug"], assignees: ["piers"] } },
  "pulls.create": { body: { title: "Swedish ships", head: "greet-swedish", base: "main", body: "Ahoj" } },
  "pulls.update": { body: { title: "All Danish ships" } },
  "pulls.merge": { params: { pull_number: 21 }, body: { merge_method: "squash" } },
  "pulls.checkIfMerged": { params: { pull_number: 23 } },
  "pulls.updateBranch": { params: { pull_number: 22 }, body: {} },
  "issues.update": { params: { issue_number: 5 }, body: { state: "closed", state_reason: "not_planned" } },
  "issues.lock": { params: { issue_number: 3 }, body: { lock_reason: "resolved" } },
  "issues.unlock": { params: { issue_number: 3 } },
  "issueComments.create": { body: { body: "All of *them*." } },
  "issueComments.update": { params: { comment_id: 2 }, body: { body: "Those at anchor." } },
  "issueComments.delete": { params: { comment_id: 3 } },
  "assignees.check": { params: { assignee: "piers" } },
  "assignees.checkForIssue": { params: { assignee: "piers" } },
  "assignees.add": { body: { assignees: ["piers"] } },
  "assignees.remove": { body: { assignees: ["piers"] } },
  "labels.create": { body: { name: "urgent", color: "FF0000", description: "Soon" } },
  "labels.get": { params: { name: "bug" } },
  "labels.update": { params: { name: "question" }, body: { new_name: "asked", color: "00ff00" } },
  "labels.delete": { params: { name: "wontfix" } },
  "labels.addToIssue": { body: { labels: ["invalid"] } },
  "labels.setOnIssue": { body: { labels: ["bug"] } },
  "labels.removeAllFromIssue": { params: { issue_number: 3 } },
  "labels.removeFromIssue": { params: { name: "bug" } },
  "subIssues.getParent": { params: { issue_number: 2 } },
  "subIssues.add": { body: { sub_issue_id: 4 } },
  "subIssues.remove": { body: { sub_issue_id: 5 } },
  "subIssues.reprioritize": { body: { sub_issue_id: 3, before_id: 2 } },
  "issueDependencies.addBlockedBy": { body: { issue_id: 4 } },
  "issueDependencies.removeBlockedBy": { params: { issue_number: 2, issue_id: 2 } },
  "issueTypes.createForOrg": { body: { name: "Idea", is_enabled: true } },
  "issueTypes.updateForOrg": { body: { name: "Work", is_enabled: true, color: "blue" } },
  "issueTypes.deleteForOrg": { params: { issue_type_id: 2 } },
  "reactions.createForIssue": { body: { content: "heart" } },
  "reactions.deleteForIssue": { params: { reaction_id: 3 } },
  "reactions.createForIssueComment": { body: { content: "heart" } },
  "reactions.deleteForIssueComment": { params: { reaction_id: 2 } },
  "reactions.listForCommitComment": { params: { comment_id: 11 } },
  "reactions.createForCommitComment": { params: { comment_id: 11 }, body: { content: "heart" } },
  "reactions.deleteForCommitComment": { params: { comment_id: 11, reaction_id: 1 } },
  "reactions.listForReviewComment": { params: { comment_id: 21 } },
  "reactions.createForReviewComment": { params: { comment_id: 21 }, body: { content: "heart" } },
  "reactions.deleteForReviewComment": { params: { comment_id: 21, reaction_id: 4 } },
  "milestones.create": { body: { title: "After winter", due_on: "2027-03-01T08:00:00Z" } },
  "milestones.update": { body: { state: "closed" } },
  "milestones.delete": { params: { milestone_number: 2 } },
  "statuses.create": { params: { sha: "{commit}" }, body: { state: "success", description: "Built" } },
  "checkRuns.create": {
    token: "buoy",
    body: {
      name: "tides",
      head_sha: "{commit}",
      conclusion: "neutral",
      output: { title: "Tides", summary: "Neither high nor low" }
    }
  },
  "checkRuns.update": { token: "buoy", params: { check_run_id: 2 }, body: { status: "in_progress" } },
  "checkSuites.create": { token: "buoy", body: { head_sha: "{clash}" } },
  "checkSuites.setPreferences": { body: { auto_trigger_checks: [{ app_id: 9, setting: false }] } },
  "deployments.create": { body: { ref: "main", environment: "staging", required_contexts: [] } },
  "deployments.delete": { params: { deployment_id: 2 } },
  "deploymentStatuses.create": { body: { state: "in_progress", log_url: "https://ci.example.com/3" } },
  "environments.createOrUpdate": { params: { environment_name: "review" }, body: { wait_timer: 5 } },
  "environments.delete": { params: { environment_name: "review" } },
  "deploymentBranchPolicies.create": { body: { name: "hotfix/*" } },
  "deploymentBranchPolicies.update": { body: { name: "trunk" } },
  "deploymentBranchPolicies.delete": { params: { branch_policy_id: 2 } },
  "deploymentProtectionRules.create": { params: { environment_name: "staging" }, body: { integration_id: 9 } },
  "deploymentProtectionRules.delete": { params: { environment_name: "staging", protection_rule_id: 2 } },
  "repositorySecrets.createOrUpdate": {
    params: { secret_name: "NEW" },
    body: { key_id: "{repositoryKeyId}", encrypted_value: "{repositoryBox}" }
  },
  "repositorySecrets.delete": { params: { secret_name: "OLD" } },
  "environmentSecrets.createOrUpdate": {
    params: { secret_name: "NEW" },
    body: { key_id: "{environmentKeyId}", encrypted_value: "{environmentBox}" }
  },
  "environmentSecrets.delete": { params: { secret_name: "OLD" } },
  "organizationSecrets.createOrUpdate": {
    params: { secret_name: "NEW" },
    body: { key_id: "{organizationKeyId}", encrypted_value: "{organizationBox}", visibility: "all" }
  },
  "organizationSecrets.delete": { params: { secret_name: "OLD" } },
  "organizationSecrets.setSelectedRepositories": { body: { selected_repository_ids: [1] } },
  "organizationSecrets.removeSelectedRepository": { params: { repository_id: 1 } },
  "repositoryVariables.create": { body: { name: "NEW", value: "eu" } },
  "repositoryVariables.update": { body: { value: "us" } },
  "repositoryVariables.delete": { params: { variable_name: "OLD" } },
  "environmentVariables.create": { body: { name: "NEW", value: "eu" } },
  "environmentVariables.update": { body: { value: "us" } },
  "environmentVariables.delete": { params: { variable_name: "OLD" } },
  "organizationVariables.create": { body: { name: "NEW", value: "eu", visibility: "all" } },
  "organizationVariables.update": { body: { value: "us" } },
  "organizationVariables.delete": { params: { variable_name: "OLD" } },
  "organizationVariables.setSelectedRepositories": { body: { selected_repository_ids: [1] } },
  "reactions.createForRelease": { body: { content: "rocket" } },
  "reactions.deleteForRelease": { params: { reaction_id: 6 } },
  "releases.create": { body: { tag_name: "v3", name: "Third", body: "More ships", make_latest: "false" } },
  "releases.generateNotes": { body: { tag_name: "v4" } },
  "releases.getByTag": { params: { tag: "v1" } },
  "releases.update": { body: { body: "Greets **every** ship." } },
  "releases.delete": { params: { release_id: 2 } },
  "releaseAssets.upload": {
    query: { name: "new.txt", label: "New" },
    body: "new",
    headers: { "content-type": "text/plain", "content-length": "3" }
  },
  "releaseAssets.update": { body: { label: "The text" } },
  "releaseAssets.delete": { params: { asset_id: 2 } },
  "immutableReleases.setPolicy": { body: { enforced_repositories: "selected", selected_repository_ids: [1] } },
  "immutableReleases.setSelected": { body: { selected_repository_ids: [1, 2] } },
  "immutableReleases.addSelected": { params: { repository_id: 2 } },
  "immutableReleases.removeSelected": { params: { repository_id: 1 } },
  "workflows.dispatch": { body: { ref: "main", return_run_details: true } },
  "workflows.sendEvent": { body: { event_type: "tide", client_payload: { height: 3 } } },
  "workflowRuns.rerun": { params: { run_id: 8 }, body: {} },
  "workflowRuns.rerunFailedJobs": { params: { run_id: 9 }, body: {} },
  "workflowRuns.cancel": { params: { run_id: 11 } },
  "workflowRuns.cancelForcibly": { params: { run_id: 12 } },
  "workflowRuns.approve": { params: { run_id: 13 } },
  "pendingDeployments.list": { params: { run_id: 16 } },
  "pendingDeployments.listReviews": { params: { run_id: 16 } },
  "pendingDeployments.review": {
    params: { run_id: 16 },
    body: { environment_ids: [4], state: "approved", comment: "Ahoy" }
  },
  "pendingDeployments.decide": {
    token: "buoy",
    params: { run_id: 16 },
    body: { environment_name: "gate", state: "approved" }
  },
  "workflowRuns.delete": { params: { run_id: 14 } },
  "workflowRuns.deleteLogs": { params: { run_id: 15 } },
  "workflowJobs.rerun": { params: { job_id: 7 }, body: {} },
  "actionsCaches.deleteByKey": { query: { key: "npm-2" } },
  "actionsCaches.delete": { params: { cache_id: 3 } },
  "runReports.report": {
    body: {
      external_id: "new",
      workflow: ".github/workflows/ci.yml",
      head_sha: "{commit}",
      jobs: [{ name: "new", status: "in_progress", steps: [{ name: "begin", conclusion: "success" }] }]
    }
  },
  "runReports.uploadLog": { body: "Ahoy\n" },
  "runReports.createCache": { body: { key: "cargo", version: "a", size_in_bytes: 5 } },
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
  "users.update": { body: { bio: "Lights all lamps", hireable: true } },
  "users.suspend": { token: "max", params: { username: "lou" } },
  "users.unsuspend": { token: "max", params: { username: "lou" } },
  "users.delete": { token: "max", params: { username: "lou" } },
  "followers.follow": { params: { username: "finn" } },
  "followers.listForUser": { params: { username: "olive" } },
  "emails.add": { body: { emails: ["new@harbor.example"] } },
  "emails.delete": { body: { emails: ["olive@marsh.example"] } },
  "emails.setVisibility": { body: { visibility: "private" } },
  "gpgKeys.createForAuthenticatedUser": { body: { name: "new", armored_public_key: NEW_GPG_KEY } },
  "gpgKeys.listForUser": { params: { username: "olive" } },
  "gpgKeys.deleteForAuthenticatedUser": { params: { gpg_key_id: 2 } },
  "sshSigningKeys.createForAuthenticatedUser": { body: { title: "new", key: NEW_SIGNING_KEY } },
  "sshSigningKeys.listForUser": { params: { username: "olive" } },
  "sshSigningKeys.deleteForAuthenticatedUser": { params: { ssh_signing_key_id: 2 } },
  "keys.createForAuthenticatedUser": { body: { title: "new", key: NEW_KEY } },
  "keys.listForUser": { params: { username: "olive" } },
  "keys.deleteForAuthenticatedUser": { params: { key_id: 2 } },
  "deployKeys.create": {
    body: {
      title: "new",
      key: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMEOXJy65GpZKF2kOReCy6JL2EOXP8btSMTWwNyrkKEO new@horn"
    }
  },
  "deployKeys.delete": { params: { key_id: 2 } },
  "autolinks.create": { body: { key_prefix: "BUG-", url_template: "https://bugs.example/<num>" } },
  "autolinks.delete": { params: { autolink_id: 2 } },
  "markdown.render": { body: { text: "**Ahoy**, #1", mode: "gfm", context: "harbor/hello" } },
  "markdown.renderRaw": { body: "**Ahoy**", headers: { "content-type": "text/plain" } },
  "licenses.get": { params: { license: "mit" } },
  "gitignore.getTemplate": { params: { name: "Node" } },
  "collaborators.add": { params: { username: "jon" } },
  "collaborators.remove": { params: { repo: "empty", username: "nell" } },
  "collaborators.check": { params: { username: "piers" } },
  "collaborators.getPermission": { params: { username: "piers" } },
  "repositoryInvitations.update": { params: { invitation_id: 1 }, body: { permissions: "triage" } },
  "repositoryInvitations.delete": { params: { invitation_id: 2 } },
  "repositoryInvitations.accept": { params: { invitation_id: 3 } },
  "repositoryInvitations.decline": { params: { invitation_id: 4 } },
  "organizations.update": { body: { description: "Watches the water", default_repository_permission: "read" } },
  "organizations.listForUser": { params: { username: "finn" } },
  "organizationMembers.remove": { params: { username: "greta" } },
  "organizationMembers.checkPublic": { params: { username: "finn" } },
  "organizationMembers.setPublic": { params: { username: "olive" } },
  "organizationMembers.removePublic": { params: { username: "olive" } },
  "organizationMemberships.set": { body: { role: "member" } },
  "organizationMemberships.remove": { params: { username: "jon" } },
  "organizationMemberships.updateForAuthenticatedUser": { body: { state: "active" } },
  "organizationInvitations.create": { body: { email: "kit@harbor.example", role: "admin", team_ids: [1] } },
  "organizationInvitations.cancel": { params: { invitation_id: 2 } },
  "outsideCollaborators.convert": { params: { username: "hugo" }, body: {} },
  "outsideCollaborators.remove": { params: { username: "nell" } },
  "teams.create": { body: { name: "Bridge", maintainers: ["piers"], repo_names: ["harbor/hello"], parent_team_id: 1 } },
  "teams.update": { params: { team_slug: "deck" }, body: { description: "Scrubs", parent_team_id: null } },
  "teams.delete": { params: { team_slug: "hold" } },
  "teamMembers.add": { params: { team_slug: "deck", username: "finn" }, body: { role: "maintainer" } },
  "teamMembers.remove": { params: { team_slug: "deck" } },
  "teamRepositories.add": { params: { team_slug: "deck" }, body: { permission: "triage" } },
  "teamRepositories.remove": { params: { team_slug: "galley", repo: "empty" } },
  "watching.set": { body: { subscribed: true } },
  "notifications.list": { query: { all: "true" } },
  "notifications.markRead": { body: {} },
  "notifications.markReadForRepo": { body: {} },
  "notifications.getSubscription": { params: { thread_id: 2 } },
  "notifications.setSubscription": { params: { thread_id: 2 }, body: { ignored: true } },
  "notifications.deleteSubscription": { params: { thread_id: 2 } },
  "blocks.checkBlocked": { params: { username: "nell" } },
  "blocks.block": { params: { username: "piers" } },
  "blocks.unblock": { params: { username: "piers" } },
  "blocks.checkForOrg": { params: { username: "max" } },
  "blocks.blockForOrg": { params: { username: "nell" } },
  "blocks.unblockForOrg": { params: { username: "nell" } },
  "rulesets.createForOrg": { body: ruleset },
  "rulesets.updateForOrg": { body: { enforcement: "active" } },
  "rulesets.deleteForOrg": { params: { ruleset_id: 5 } },
  "repositoryRulesets.create": {
    body: { name: "New", enforcement: "active", conditions: { ref_name: ruleset.conditions.ref_name }, rules: [] }
  },
  "repositoryRulesets.update": { body: { enforcement: "disabled" } },
  "repositoryRulesets.delete": { params: { ruleset_id: 4 } },
  "branchProtections.update": { body: protection },
  "branchProtections.delete": { params: { branch: "guarded-2" } },
  "branchProtections.updateReviews": { body: { required_approving_review_count: 2 } },
  "branchProtections.deleteReviews": { params: { branch: "guarded-4" } },
  "branchProtections.updateChecks": { body: { strict: true } },
  "branchProtections.deleteChecks": { params: { branch: "guarded-3" } },
  "branchProtections.addContexts": { body: { contexts: ["lint"] } },
  "branchProtections.setContexts": { body: { contexts: ["ci", "lint"] } },
  "branchProtections.removeContexts": { body: { contexts: ["lint"] } },
  "branchRestrictions.delete": { params: { branch: "guarded-5" } },
  "branchRestrictions.addApps": { body: { apps: ["buoy"] } },
  "branchRestrictions.setApps": { body: { apps: ["buoy"] } },
  "branchRestrictions.removeApps": { body: { apps: ["buoy"] } },
  "branchRestrictions.addTeams": { body: { teams: ["deck"] } },
  "branchRestrictions.setTeams": { body: { teams: ["crew"] } },
  "branchRestrictions.removeTeams": { body: { teams: ["crew"] } },
  "branchRestrictions.addUsers": { body: { users: ["piers"] } },
  "branchRestrictions.setUsers": { body: { users: ["olive"] } },
  "branchRestrictions.removeUsers": { body: { users: ["olive"] } },
  "installations.listReposAccessibleToInstallation": { token: "buoy" },
  "installations.revokeAccessToken": { token: "spent" },
  "installations.addRepo": { params: { repository_id: 3 } },
  "installations.removeRepo": { params: { repository_id: 2 } },
  "customProperties.setAll": { body: { properties: [{ property_name: "pier", value_type: "string" }] } },
  "customProperties.set": { body: { value_type: "single_select", allowed_values: ["gold", "silver", "tin"] } },
  "customProperties.delete": { params: { custom_property_name: "doomed" } },
  "customProperties.setValues": { body: { repository_names: ["hello"], properties: [goldTier] } },
  "customProperties.setForRepo": { body: { properties: [goldTier] } },
  "insights.getRouteStatsByActor": { query: since },
  "insights.getSubjectStats": { query: since },
  "insights.getSummaryStats": { query: since },
  "insights.getSummaryStatsByUser": { params: { user_id: 2 }, query: since },
  "insights.getSummaryStatsByActor": { query: since },
  "insights.getTimeStats": { query: { ...since, timestamp_increment: "1d" } },
  "events.listForUser": {},
  "events.listReceivedForUser": { params: { username: "olive" } }
}

/** Calls with other responses. */
const more: Readonly<Record<string, ReadonlyArray<OperationCall>>> = {
  "issues.search": [
    { name: "matches of a text", status: 200, headers: { accept: "application/vnd.github.text-match+json" } },
    { name: "no query", status: 422, query: {} }
  ],
  "repositories.search": [
    { name: "matches of a text", status: 200, headers: { accept: "application/vnd.github.text-match+json" } },
    { name: "no query", status: 422, query: {} }
  ],
  "users.search": [
    { name: "matches of a text", status: 200, headers: { accept: "application/vnd.github.text-match+json" } },
    { name: "no query", status: 422, query: {} }
  ],
  "commits.search": [
    { name: "matches of a text", status: 200, headers: { accept: "application/vnd.github.text-match+json" } },
    { name: "no query", status: 422, query: {} }
  ],
  "repositories.searchTopics": [
    { name: "matches of a text", status: 200, headers: { accept: "application/vnd.github.text-match+json" } }
  ],
  "labels.search": [
    { name: "matches of a text", status: 200, headers: { accept: "application/vnd.github.text-match+json" } },
    { name: "missing repository", status: 404, query: { q: "bug", repository_id: "999999" } },
    { name: "no query", status: 422, query: {} }
  ],
  "reactions.createForRelease": [
    { name: "again", status: 200 },
    { name: "unknown content", status: 422, body: { content: "shrug" } }
  ],
  "releases.create": [
    { name: "duplicate", status: 422, body: { tag_name: "v1" } },
    { name: "unknown category", status: 404, body: { tag_name: "v5", discussion_category_name: "News" } }
  ],
  "releases.generateNotes": [{ name: "unknown tag", status: 422, body: { tag_name: "v4", previous_tag_name: "no" } }],
  "releaseAssets.get": [{ name: "the file", status: 302, headers: { accept: "application/octet-stream" } }],
  "releaseAssets.upload": [
    {
      name: "duplicate",
      status: 422,
      query: { name: "greet.txt" },
      body: "new",
      headers: { "content-type": "text/plain", "content-length": "3" }
    }
  ],
  "immutableReleases.enable": [{ name: "enforced", status: 409, params: { repo: "empty" } }],
  "immutableReleases.disable": [{ name: "enforced", status: 409, params: { repo: "empty" } }],
  "releaseAssets.update": [{ name: "no name", status: 422, body: { name: "." } }],
  "issues.listInvolving": [{ name: "unknown state", status: 422, query: { state: "lost" } }],
  "issues.listForRepo": [{ name: "unknown assignee", status: 422, query: { assignee: "nobody-here" } }],
  "issues.create": [
    { name: "no title", status: 422, body: {} },
    { name: "unknown assignee", status: 422, body: { title: "x", assignees: ["nobody-here"] } }
  ],
  "issues.get": [
    { name: "a sub-issue", status: 200, params: { issue_number: 2 } },
    { name: "unknown number", status: 404, params: { issue_number: 999 } }
  ],
  "pulls.list": [
    { name: "unknown state", status: 422, query: { state: "lost" } },
    { name: "of a head", status: 200, query: { head: "harbor:greet-danish", sort: "updated" } }
  ],
  "pulls.create": [
    { name: "unknown head", status: 422, body: { title: "x", head: "nothing", base: "main" } },
    { name: "no head", status: 422, body: { title: "x", base: "main" } }
  ],
  "pulls.get": [{ name: "an issue", status: 404, params: { pull_number: 1 } }],
  "pulls.update": [{ name: "unknown base", status: 422, body: { base: "nothing" } }],
  "pulls.merge": [
    { name: "merged already", status: 405, params: { pull_number: 21 }, body: {} },
    { name: "another head", status: 409, params: { pull_number: 20 }, body: { sha: "{parent}" } },
    { name: "unknown method", status: 422, params: { pull_number: 20 }, body: { merge_method: "blend" } }
  ],
  "pulls.checkIfMerged": [{ name: "not merged", status: 404, params: { pull_number: 20 } }],
  "pulls.updateBranch": [
    { name: "another head", status: 422, params: { pull_number: 22 }, body: { expected_head_sha: "{parent}" } }
  ],
  "pulls.listBranchesForHead": [{ name: "unknown commit", status: 422, params: { commit_sha: "nothing" } }],
  "issues.update": [{ name: "unknown milestone", status: 422, body: { milestone: 99 } }],
  "issues.lock": [{ name: "unknown reason", status: 422, body: { lock_reason: "boring" } }],
  "issueComments.create": [{ name: "no body", status: 422, body: {} }],
  "issueComments.update": [{ name: "no body", status: 422, body: {} }],
  "issueComments.listForRepo": [{ name: "unknown order", status: 422, query: { sort: "size" } }],
  "assignees.check": [{ name: "no member", status: 404, params: { assignee: "nell" } }],
  "labels.create": [{ name: "duplicate", status: 422, body: { name: "BUG" } }],
  "labels.addToIssue": [
    { name: "a list", status: 200, body: '["invalid"]' },
    { name: "no labels", status: 422, body: {} }
  ],
  "labels.setOnIssue": [{ name: "no labels", status: 422, body: {} }],
  "subIssues.add": [{ name: "a circle", status: 422, params: { issue_number: 2 }, body: { sub_issue_id: 1 } }],
  "subIssues.reprioritize": [{ name: "no place", status: 422, body: { sub_issue_id: 3 } }],
  "issueDependencies.addBlockedBy": [{ name: "itself", status: 422, body: { issue_id: 1 } }],
  "issueTypes.createForOrg": [{ name: "duplicate", status: 422, body: { name: "idea", is_enabled: true } }],
  "issueTypes.updateForOrg": [{ name: "no name", status: 422, body: { name: " ", is_enabled: true } }],
  "reactions.createForIssue": [
    { name: "again", status: 200 },
    { name: "unknown content", status: 422, body: { content: "shrug" } }
  ],
  "reactions.createForIssueComment": [
    { name: "again", status: 200 },
    { name: "unknown content", status: 422, body: { content: "shrug" } }
  ],
  "reactions.createForCommitComment": [
    { name: "again", status: 200 },
    { name: "unknown content", status: 422, body: { content: "shrug" } }
  ],
  "reactions.createForReviewComment": [
    { name: "again", status: 200 },
    { name: "unknown content", status: 422, body: { content: "shrug" } }
  ],
  "repositories.listForAuthenticatedUser": [{ name: "unknown visibility", status: 422, query: { visibility: "some" } }],
  "repositories.createForAuthenticatedUser": [
    { name: "no name", status: 422, body: {} },
    { name: "duplicate", status: 422, body: { name: "own" } },
    { name: "invalid JSON", status: 400, body: "{" }
  ],
  "repositories.createInOrg": [
    { name: "duplicate", status: 422, body: { name: "hello" } },
    { name: "unknown license", status: 422, body: { name: "unlicensed", license_template: "none" } }
  ],
  "repositories.createUsingTemplate": [
    {
      name: "no template",
      status: 422,
      params: { template_owner: "harbor", template_repo: "empty" },
      body: { name: "new" }
    },
    {
      name: "unknown template",
      status: 404,
      params: { template_owner: "harbor", template_repo: "none" },
      body: { name: "new" }
    }
  ],
  "repositories.listPublic": [{ name: "invalid id", status: 422, query: { since: "first" } }],
  "repositories.transfer": [
    {
      name: "another account",
      status: 422,
      params: { owner: "harbor", repo: "hello" },
      body: { new_owner: "piers" }
    }
  ],
  "repositories.update": [
    { name: "unknown branch", status: 422, body: { default_branch: "none" } },
    { name: "invalid titles", status: 422, body: { merge_commit_title: "PR_TITLE", merge_commit_message: "PR_TITLE" } }
  ],
  "autolinks.create": [
    { name: "invalid prefix", status: 422, body: { key_prefix: "BUG 1", url_template: "https://bugs.example/<num>" } }
  ],
  "markdown.render": [{ name: "no text", status: 422, body: {} }],
  "licenses.get": [{ name: "unknown license", status: 404, params: { license: "none" } }],
  "gitignore.getTemplate": [{ name: "unknown template", status: 404, params: { name: "none" } }],
  "repositories.replaceAllTopics": [
    { name: "invalid topic", status: 422, body: { names: ["two words"] } },
    { name: "no names", status: 422, body: {} }
  ],
  "branches.get": [{ name: "unknown branch", status: 404, params: { branch: "none" } }],
  "branches.rename": [
    { name: "unknown branch", status: 404 },
    { name: "existing name", status: 422, params: { branch: "side" }, body: { new_name: "main" } },
    { name: "checked-out branch", status: 409, params: { branch: "main" }, body: { new_name: "trunk" } }
  ],
  "branches.merge": [
    { name: "nothing to merge", status: 204 },
    { name: "conflict", status: 409, body: { base: "side", head: "clash" } },
    { name: "unknown head", status: 404, body: { base: "side", head: "none" } },
    { name: "no head", status: 422, body: { base: "side" } }
  ],
  "branches.mergeUpstream": [
    { name: "unknown branch", status: 404, body: { branch: "none" } },
    { name: "no fork", status: 422, params: { owner: "harbor", repo: "hello" }, body: { branch: "main" } }
  ],
  "forks.create": [
    { name: "invalid name", status: 422, body: { name: "a/b" } },
    { name: "an empty repository", status: 403, params: { repo: "empty" }, body: {} }
  ],
  "forks.list": [{ name: "oldest", status: 200, query: { sort: "oldest" } }],
  "gitBlobs.create": [{ name: "invalid Base64", status: 422, body: { content: "%", encoding: "base64" } }],
  "gitTrees.create": [{ name: "no changes", status: 422, body: { tree: [] } }],
  "gitTags.create": [
    { name: "no object", status: 422, body: { tag: "v2", message: "x", object: "1".repeat(40), type: "commit" } }
  ],
  "contents.createOrUpdate": [
    {
      name: "update",
      status: 200,
      body: {
        message: "Update",
        content: "bWFkZSBhZ2Fpbgo=",
        branch: "side",
        sha: "c5f1b8eaf85917b894fea0c18c228e380290308a"
      }
    },
    { name: "no sha", status: 422 },
    { name: "outdated sha", status: 409, body: { message: "x", content: "", branch: "side", sha: "1".repeat(40) } },
    { name: "unknown branch", status: 404, body: { message: "x", content: "", branch: "none" } },
    { name: "checked-out branch", status: 409, params: { path: "new.txt" }, body: { message: "x", content: "" } }
  ],
  "contents.delete": [
    {
      name: "outdated sha",
      status: 409,
      params: { path: "README.md" },
      body: { message: "x", branch: "side", sha: "1".repeat(40) }
    },
    { name: "unknown file", status: 404, params: { path: "none" } },
    { name: "no sha", status: 422, body: { message: "x" } }
  ],
  "gitRefs.listMatching": [{ name: "no match", status: 200, params: { ref: "heads/none" } }],
  "gitRefs.create": [
    { name: "duplicate", status: 422, body: { ref: "refs/heads/main", sha: "{commit}" } },
    { name: "no commit", status: 422, body: { ref: "refs/heads/main" } }
  ],
  "gitRefs.update": [{ name: "unknown commit", status: 422, body: { sha: "1".repeat(40) } }],
  "gitRefs.delete": [{ name: "unknown reference", status: 422, params: { ref: "heads/none" } }],
  "gitCommits.create": [{ name: "unknown tree", status: 422, body: { message: "x", tree: "1".repeat(40) } }],
  "gitCommits.get": [{ name: "root commit", status: 200, params: { commit_sha: "{parent}" } }],
  "contents.get": [
    { name: "folder", status: 200, params: { path: "src" } },
    { name: "symbolic link", status: 200, params: { path: "link" } },
    { name: "unknown file", status: 404, params: { path: "none" } }
  ],
  "search.code": [{ name: "no query", status: 422, query: {} }],
  "commits.get": [{ name: "unknown commit", status: 422, params: { ref: "none" } }],
  "commits.compare": [
    { name: "equal commits", status: 200, params: { basehead: "main...main" } },
    { name: "an unknown branch", status: 404, params: { basehead: "main...none" } }
  ],
  "commitComments.listForCommit": [{ name: "an unknown revision", status: 404, params: { commit_sha: "none" } }],
  "commitComments.create": [
    { name: "unknown commit", status: 422, params: { commit_sha: "none" }, body: { body: "x" } },
    { name: "a line without a file", status: 422, body: { body: "x", line: 1 } }
  ],
  "notifications.list": [{ name: "no time", status: 422, query: { since: "yesterday" } }],
  "commitComments.get": [{ name: "comment on a line", status: 200, params: { comment_id: 12 } }],
  "commitComments.update": [{ name: "no body", status: 422, params: { comment_id: 12 }, body: {} }],
  "reviewComments.create": [
    {
      name: "a line outside of the diff",
      status: 422,
      body: { body: "x", commit_id: "{danish}", path: "src/danish.ts", line: 9 }
    }
  ],
  "reviews.create": [
    { name: "no body", status: 422, body: { event: "COMMENT" } },
    { name: "one's own pull request", status: 422, params: { pull_number: 22 }, body: { event: "APPROVE" } }
  ],
  "reviews.update": [{ name: "no body", status: 422, params: { review_id: 30 }, body: {} }],
  "reviews.deletePending": [{ name: "submitted", status: 422, params: { pull_number: 20, review_id: 30 } }],
  "reviews.dismiss": [{ name: "no message", status: 422, params: { pull_number: 20, review_id: 30 }, body: {} }],
  "reviews.submit": [
    { name: "submitted", status: 422, params: { pull_number: 20, review_id: 30 }, body: { event: "APPROVE" } }
  ],
  "reviewRequests.create": [{ name: "unknown account", status: 422, body: { reviewers: ["nell"] } }],
  "reviewRequests.delete": [{ name: "no reviewers", status: 422, body: {} }],
  "reviewComments.get": [{ name: "comment on a file", status: 200, params: { comment_id: 22 } }],
  "workflows.dispatch": [
    { name: "no details", status: 204, body: { ref: "main" } },
    { name: "unknown branch", status: 422, body: { ref: "nowhere" } }
  ],
  "workflows.sendEvent": [{ name: "no name", status: 422, body: { event_type: "" } }],
  "workflowRuns.listForRepo": [{ name: "invalid time", status: 422, query: { created: "soon" } }],
  "workflowRuns.listForWorkflow": [{ name: "invalid time", status: 422, query: { created: "soon" } }],
  "workflowRuns.cancel": [{ name: "completed", status: 409, params: { run_id: 7 } }],
  "workflowRuns.cancelForcibly": [{ name: "completed", status: 409, params: { run_id: 7 } }],
  "workflowRuns.approve": [{ name: "needs none", status: 403, params: { run_id: 7 } }],
  "workflowRuns.rerunFailedJobs": [{ name: "queued", status: 403, params: { run_id: 9 }, body: {} }],
  "pendingDeployments.review": [
    {
      name: "not a waiting environment",
      status: 422,
      params: { run_id: 16 },
      body: { environment_ids: [1], state: "rejected", comment: "" }
    }
  ],
  "pendingDeployments.decide": [
    { name: "no decision", status: 422, token: "buoy", params: { run_id: 16 }, body: { environment_name: "gate" } },
    {
      name: "not an app",
      status: 403,
      token: "olive",
      params: { run_id: 16 },
      body: { environment_name: "gate", state: "approved" }
    }
  ],
  "workflowJobs.rerun": [{ name: "queued", status: 403, params: { job_id: 7 }, body: {} }],
  "actionsCaches.deleteByKey": [{ name: "unknown key", status: 404, query: { key: "nothing" } }],
  "runReports.report": [
    { name: "a known run", status: 200, body: { run_id: 7, conclusion: "failure" } },
    { name: "an attempt that does not follow", status: 409, body: { run_id: 7, run_attempt: 9 } },
    { name: "no workflow", status: 422, body: { head_sha: "{commit}" } }
  ],
  "runReports.uploadLog": [
    { name: "a gap", status: 409, query: { offset: "99" } },
    { name: "negative offset", status: 422, query: { offset: "-1" } }
  ],
  "artifacts.download": [{ name: "expired artifact", status: 410, params: { artifact_id: 3 } }],
  "repositoryHooks.create": [{ name: "duplicate", status: 422, body: json("{receiver}/new") }],
  "repositoryHooks.update": [{ name: "invalid events", status: 422, body: { events: 1 } }],
  "organizationHooks.create": [{ name: "duplicate", status: 422, body: { name: "web", ...json("{receiver}/new") } }],
  "organizationHooks.update": [{ name: "invalid events", status: 422, body: { events: 1 } }],
  "gitBlobs.get": [{ name: "incomplete id", status: 422, params: { file_sha: "abc" } }],
  "milestones.create": [{ name: "no title", status: 422, body: {} }],
  "checkSuites.create": [{ name: "an existing suite", status: 200, body: { head_sha: "{commit}" } }],
  "milestones.update": [{ name: "no state", status: 422, body: { state: "late" } }],
  "repositoryHooks.listDeliveries": [{ name: "invalid cursor", status: 422, query: { cursor: "x" } }],
  "organizationHooks.listDeliveries": [{ name: "invalid cursor", status: 422, query: { cursor: "x" } }],
  "workflowPolicies.setArtifactAndLogRetention": [{ name: "above the maximum", status: 422, body: { days: 3650 } }],
  "workflowPolicies.setForkPrContributorApproval": [
    { name: "unknown policy", status: 422, body: { approval_policy: "nobody" } }
  ],
  "workflowPolicies.setPrivateRepoForkPrWorkflows": [{ name: "no value", status: 422, body: {} }],
  "cacheLimits.setRetentionForEnterprise": [
    { name: "negative value", status: 400, body: { max_cache_retention_days: -1 } }
  ],
  "cacheLimits.setStorageForEnterprise": [{ name: "negative value", status: 400, body: { max_cache_size_gb: -1 } }],
  "cacheLimits.setRetentionForOrg": [
    { name: "above the enterprise's limit", status: 400, body: { max_cache_retention_days: 81 } }
  ],
  "cacheLimits.setStorageForOrg": [
    { name: "above the enterprise's limit", status: 400, body: { max_cache_size_gb: 11 } }
  ],
  "billing.getAiCreditUsageReportForOrg": [{ name: "invalid month", status: 400, query: { month: "13" } }],
  "billing.getPremiumRequestUsageReportForOrg": [{ name: "invalid month", status: 400, query: { month: "13" } }],
  "billing.getUsageReportForOrg": [{ name: "invalid month", status: 400, query: { month: "13" } }],
  "billing.getUsageSummaryReportForOrg": [{ name: "invalid month", status: 400, query: { month: "13" } }],
  "projectViews.createForOrg": [{ name: "no name", status: 422, body: {} }],
  "projectViews.createForUser": [{ name: "no name", status: 422, body: {} }],
  "users.update": [{ name: "an address of others", status: 422, body: { email: "kit@harbor.example" } }],
  "users.suspend": [{ name: "an organization", status: 422, token: "max", params: { username: "harbor" } }],
  "users.delete": [{ name: "an owner", status: 422, token: "max", params: { username: "olive" } }],
  "users.list": [{ name: "no number", status: 422, query: { since: "x" } }],
  "followers.follow": [{ name: "own account", status: 422, params: { username: "olive" } }],
  "emails.add": [{ name: "no address", status: 422, body: { emails: ["x"] } }],
  "emails.delete": [
    { name: "the primary one", status: 422, body: { emails: ["olive@harbor.example"] } },
    { name: "an address of others", status: 404, body: { emails: ["kit@harbor.example"] } }
  ],
  "emails.setVisibility": [{ name: "unknown visibility", status: 422, body: { visibility: "x" } }],
  "gpgKeys.createForAuthenticatedUser": [{ name: "invalid key", status: 422, body: { armored_public_key: "x" } }],
  "sshSigningKeys.createForAuthenticatedUser": [{ name: "invalid key", status: 422, body: { key: "ssh-rsa x" } }],
  "blocks.blockForOrg": [{ name: "a member", status: 422, params: { username: "piers" } }],
  "keys.createForAuthenticatedUser": [{ name: "invalid key", status: 422, body: { title: "x", key: "ssh-rsa x" } }],
  "deployments.create": [
    { name: "merged branch", status: 202, body: { ref: "renamed" } },
    { name: "conflict", status: 409, body: { ref: "clash" } },
    { name: "unknown reference", status: 422, body: { ref: "nothing" } }
  ],
  "deployments.delete": [{ name: "active", status: 422, params: { deployment_id: 3 } }],
  "deploymentStatuses.create": [{ name: "unknown state", status: 422, body: { state: "lost" } }],
  "environments.createOrUpdate": [{ name: "too long", status: 422, body: { wait_timer: 99_999 } }],
  "deploymentBranchPolicies.create": [
    { name: "no policies", status: 404, params: { environment_name: "staging" }, body: { name: "x" } }
  ],
  "repositorySecrets.createOrUpdate": [
    { name: "an update", status: 204 },
    { name: "another key", status: 422, body: { key_id: "1", encrypted_value: "{repositoryBox}" } }
  ],
  "environmentSecrets.createOrUpdate": [
    { name: "an update", status: 204 },
    { name: "another key", status: 422, body: { key_id: "1", encrypted_value: "{environmentBox}" } }
  ],
  "organizationSecrets.createOrUpdate": [
    { name: "an update", status: 204 },
    { name: "another key", status: 422, body: { key_id: "1", encrypted_value: "{organizationBox}", visibility: "all" } }
  ],
  "organizationSecrets.addSelectedRepository": [
    { name: "visible to all", status: 409, params: { secret_name: "EVERYWHERE" } }
  ],
  "organizationSecrets.removeSelectedRepository": [
    { name: "visible to all", status: 409, params: { secret_name: "EVERYWHERE" } }
  ],
  ...Object.fromEntries(
    ["repositoryVariables", "environmentVariables", "organizationVariables"].map((group) => [
      `${group}.create`,
      [
        { name: "duplicate", status: 409, body: { name: "REGION", value: "eu", visibility: "all" } },
        { name: "invalid name", status: 422, body: { name: "1", value: "eu", visibility: "all" } }
      ]
    ])
  ),
  ...Object.fromEntries(
    ["listSelectedRepositories", "setSelectedRepositories", "addSelectedRepository", "removeSelectedRepository"].map(
      (name) => [
        `organizationVariables.${name}`,
        [{ name: "visible to all", status: 409, params: { variable_name: "EVERYWHERE" } }]
      ]
    )
  ),
  "deployKeys.create": [{ name: "invalid key", status: 422, body: { title: "x", key: "ssh-rsa x" } }],
  "collaborators.list": [{ name: "unknown affiliation", status: 422, query: { affiliation: "none" } }],
  "collaborators.add": [
    { name: "a collaborator", status: 204, params: { username: "piers" } },
    { name: "unknown permission", status: 422, params: { username: "nell" }, body: { permission: "fly" } }
  ],
  "collaborators.remove": [{ name: "an organization", status: 422, params: { username: "harbor" } }],
  "repositoryInvitations.update": [
    { name: "unknown permission", status: 422, params: { invitation_id: 1 }, body: { permissions: "fly" } }
  ],
  "repositoryInvitations.accept": [
    { name: "expired", status: 409, params: { invitation_id: 5 } },
    { name: "of another account", status: 404, params: { invitation_id: 1 } }
  ],
  "repositoryInvitations.decline": [{ name: "of another account", status: 404, params: { invitation_id: 1 } }],
  "organizations.update": [{ name: "unknown permission", status: 422, body: { default_repository_permission: "fly" } }],
  "organizationMembers.list": [{ name: "unknown role", status: 422, query: { role: "captain" } }],
  "organizationMembers.remove": [{ name: "the last owner", status: 403, params: { username: "olive" } }],
  "organizationMemberships.set": [{ name: "unknown role", status: 422, body: { role: "captain" } }],
  "organizationMemberships.listForAuthenticatedUser": [
    { name: "unknown state", status: 422, query: { state: "asleep" } }
  ],
  "organizationMemberships.updateForAuthenticatedUser": [
    { name: "unknown state", status: 422, body: { state: "pending" } }
  ],
  "organizationInvitations.create": [{ name: "no account", status: 422, body: {} }],
  "outsideCollaborators.convert": [{ name: "no member", status: 403, params: { username: "nell" }, body: {} }],
  "outsideCollaborators.remove": [{ name: "a member", status: 422, params: { username: "piers" } }],
  "teams.create": [{ name: "no name", status: 422, body: {} }],
  "teams.update": [{ name: "a cycle", status: 422, params: { team_slug: "crew" }, body: { parent_team_id: 1 } }],
  "teamMembers.add": [{ name: "unknown role", status: 422, body: { role: "captain" } }],
  "teamRepositories.check": [
    { name: "permissions", status: 200, headers: { accept: "application/vnd.github.v3.repository+json" } }
  ],
  "stars.listForAuthenticatedUser": [
    { name: "times", status: 200, headers: { accept: "application/vnd.github.star+json" } }
  ],
  "stars.listForUser": [{ name: "times", status: 200, headers: { accept: "application/vnd.github.star+json" } }],
  "stars.listStargazers": [{ name: "times", status: 200, headers: { accept: "application/vnd.github.star+json" } }],
  "blocks.block": [{ name: "own account", status: 422, params: { username: "olive" } }],
  "rulesets.createForOrg": [{ name: "no name", status: 422, body: {} }],
  "rulesets.updateForOrg": [{ name: "invalid target", status: 422, body: { target: "x" } }],
  "repositoryRulesets.create": [{ name: "no name", status: 422, body: {} }],
  "repositoryRulesets.update": [{ name: "invalid target", status: 422, body: { target: "x" } }],
  "branchProtections.update": [
    { name: "unknown user", status: 422, body: { ...protection, restrictions: { users: ["nobody-here"], teams: [] } } }
  ],
  "branchProtections.updateReviews": [{ name: "too many", status: 422, body: { required_approving_review_count: 7 } }],
  "branchProtections.updateChecks": [{ name: "no name", status: 422, body: { contexts: [""] } }],
  "branchProtections.addContexts": [{ name: "no name", status: 422, body: { contexts: [""] } }],
  "branchProtections.setContexts": [{ name: "no name", status: 422, body: { contexts: [""] } }],
  "branchProtections.removeContexts": [{ name: "no name", status: 422, body: { contexts: [""] } }],
  "branchRestrictions.addApps": [{ name: "unknown app", status: 422, body: { apps: ["nobody-here"] } }],
  "branchRestrictions.setApps": [{ name: "unknown app", status: 422, body: { apps: ["nobody-here"] } }],
  "branchRestrictions.removeApps": [{ name: "unknown app", status: 422, body: { apps: ["nobody-here"] } }],
  "branchRestrictions.addTeams": [{ name: "unknown team", status: 422, body: { teams: ["nobody-here"] } }],
  "branchRestrictions.setTeams": [{ name: "unknown team", status: 422, body: { teams: ["nobody-here"] } }],
  "branchRestrictions.removeTeams": [{ name: "unknown team", status: 422, body: { teams: ["nobody-here"] } }],
  "branchRestrictions.addUsers": [{ name: "unknown user", status: 422, body: { users: ["nobody-here"] } }],
  "branchRestrictions.setUsers": [{ name: "unknown user", status: 422, body: { users: ["nobody-here"] } }],
  "branchRestrictions.removeUsers": [{ name: "unknown user", status: 422, body: { users: ["nobody-here"] } }],
  "installations.listReposAccessibleToInstallation": [{ name: "token of a user", status: 403, token: "olive" }],
  "installations.listForAuthenticatedUser": [{ name: "token of an installation", status: 403, token: "buoy" }],
  "installations.removeRepo": [
    { name: "installation on all repositories", status: 422, params: { installation_id: 95, repository_id: 4 } }
  ],
  "customProperties.setAll": [{ name: "no definition", status: 422, body: { properties: [] } }],
  "customProperties.set": [{ name: "no values", status: 422, body: { value_type: "single_select" } }],
  "customProperties.listValues": [{ name: "a search", status: 200, query: { repository_query: "hello" } }],
  "customProperties.setValues": [
    { name: "no repository", status: 422, body: { repository_names: [], properties: [goldTier] } }
  ],
  "customProperties.setForRepo": [
    { name: "invalid value", status: 422, body: { properties: [{ ...goldTier, value: "lead" }] } }
  ]
}

/** Values of path parameters for missing resources. */
const missing: Readonly<Record<string, string | number>> = {
  owner: "nobody-here",
  org: "nobody-here",
  enterprise: "nowhere",
  username: "nobody-here",
  user_id: "nobody-here",
  target_user: "nobody-here",
  account_id: 999_999,
  gpg_key_id: 999,
  ssh_signing_key_id: 999,
  key_id: 999,
  app_slug: "nobody-here",
  installation_id: 999
}

/** Statuses of operations that cannot succeed: the forge has no limits. */
const statuses: Readonly<Record<string, number>> = { "rateLimit.get": 404 }

/** All calls of an operation, the success first. `documented` has the described statuses as members. */
export const callsOf = (entry: CatalogEntry, documented: object): ReadonlyArray<OperationCall> => {
  const name = `${entry.group}.${entry.name}`
  const own = inputs[name] ?? {}
  const parameters = entry.fields.filter((field) => field.in === "path")
  const numbers = parameters.filter(({ kind }) => kind === "integer")
  const all = {
    ...Object.fromEntries(numbers.map((number) => [number.name, 1])),
    ...pathParameters,
    ...ofGroup[entry.group]
  }
  const success: OperationCall = {
    name: "",
    status: statuses[name] ?? entry.status,
    ...own,
    params: { ...all, ...own.params }
  }
  const lost = parameters.find((parameter) => parameter.name in missing)?.name
  const failures: Array<OperationCall> = [{ ...success, name: "invalid token", status: 401, token: "wrong" }]
  if (lost !== undefined) {
    failures.push({
      ...success,
      name: `unknown ${lost}`,
      status: 404,
      params: { ...success.params, [lost]: missing[lost] ?? "" }
    })
  }
  // The repository of the success is gone.
  const isDeletion = name === "repositories.delete" || name === "repositories.transfer"
  if (!entry.operation.public && entry.operation.scopes.length > 0) {
    const params = isDeletion ? all : (success.params ?? all)
    failures.push({ ...success, name: "missing scope", status: 403, token: "scopeless", params })
  }
  if ("403" in documented)
    failures.push({ ...success, name: "no User-Agent", status: 403, headers: { "user-agent": "" } })
  // Numbers below that of the last issue were given.
  if ("410" in documented && parameters.some((parameter) => parameter.name === "issue_number"))
    failures.push({ ...success, name: "a deleted issue", status: 410, params: { ...success.params, issue_number: 7 } })
  const inRepository = parameters.some((parameter) => parameter.name === "repo")
  if (inRepository && !isDeletion)
    failures.push({
      ...success,
      name: "empty repository",
      status: "any",
      params: { ...success.params, repo: "empty" }
    })
  const others = (more[name] ?? []).map((call) => ({ ...own, ...call, params: { ...success.params, ...call.params } }))
  return [success, ...others, ...failures]
}
