/**
 * The endpoints of the API's specification. Independent of the contract, so that missing operations are found.
 */
export const documentedEndpoints: ReadonlyArray<string> = [
  // commit comments
  "GET /repos/{owner}/{repo}/comments",
  "GET /repos/{owner}/{repo}/comments/{comment_id}",
  "PATCH /repos/{owner}/{repo}/comments/{comment_id}",
  "DELETE /repos/{owner}/{repo}/comments/{comment_id}",
  // references
  "GET /repos/{owner}/{repo}/git/matching-refs/{ref}",
  "GET /repos/{owner}/{repo}/git/ref/{ref}",
  "POST /repos/{owner}/{repo}/git/refs",
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}",
  "DELETE /repos/{owner}/{repo}/git/refs/{ref}",
  // commits
  "POST /repos/{owner}/{repo}/git/commits",
  "GET /repos/{owner}/{repo}/git/commits/{commit_sha}",
  // artifacts
  "GET /repos/{owner}/{repo}/actions/artifacts",
  "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}",
  "DELETE /repos/{owner}/{repo}/actions/artifacts/{artifact_id}",
  "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}",
  "GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts",
  // review comments
  "GET /repos/{owner}/{repo}/pulls/comments",
  "GET /repos/{owner}/{repo}/pulls/comments/{comment_id}",
  "PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}",
  // repository webhooks
  "GET /repos/{owner}/{repo}/hooks",
  "POST /repos/{owner}/{repo}/hooks",
  "GET /repos/{owner}/{repo}/hooks/{hook_id}",
  "PATCH /repos/{owner}/{repo}/hooks/{hook_id}",
  "DELETE /repos/{owner}/{repo}/hooks/{hook_id}",
  // workflow policies
  "GET /orgs/{org}/actions/permissions",
  "PUT /orgs/{org}/actions/permissions",
  "GET /orgs/{org}/actions/permissions/artifact-and-log-retention",
  "PUT /orgs/{org}/actions/permissions/artifact-and-log-retention",
  "GET /orgs/{org}/actions/permissions/fork-pr-contributor-approval",
  "PUT /orgs/{org}/actions/permissions/fork-pr-contributor-approval",
  "GET /orgs/{org}/actions/permissions/fork-pr-workflows-private-repos",
  // limits of workflow caches
  "GET /enterprises/{enterprise}/actions/cache/retention-limit",
  "PUT /enterprises/{enterprise}/actions/cache/retention-limit",
  "GET /enterprises/{enterprise}/actions/cache/storage-limit",
  "PUT /enterprises/{enterprise}/actions/cache/storage-limit",
  "GET /organizations/{org}/actions/cache/retention-limit",
  "PUT /organizations/{org}/actions/cache/retention-limit",
  "GET /organizations/{org}/actions/cache/storage-limit",
  // statistics of requests
  "GET /orgs/{org}/insights/api/route-stats/{actor_type}/{actor_id}",
  "GET /orgs/{org}/insights/api/subject-stats",
  "GET /orgs/{org}/insights/api/summary-stats",
  "GET /orgs/{org}/insights/api/summary-stats/users/{user_id}",
  "GET /orgs/{org}/insights/api/summary-stats/{actor_type}/{actor_id}",
  "GET /orgs/{org}/insights/api/time-stats",
  // billing
  "GET /organizations/{org}/settings/billing/ai_credit/usage",
  "GET /organizations/{org}/settings/billing/premium_request/usage",
  "GET /organizations/{org}/settings/billing/usage",
  "GET /organizations/{org}/settings/billing/usage/summary",
  // SSH keys
  "GET /user/keys",
  "POST /user/keys",
  "GET /user/keys/{key_id}",
  "DELETE /user/keys/{key_id}",
  "GET /users/{username}/keys",
  // blocked users
  "GET /user/blocks",
  "GET /user/blocks/{username}",
  "PUT /user/blocks/{username}",
  "DELETE /user/blocks/{username}",
  // installations of apps
  "GET /installation/repositories",
  "DELETE /installation/token",
  "GET /user/installations",
  // views of projects
  "POST /orgs/{org}/projectsV2/{project_number}/views",
  "POST /users/{user_id}/projectsV2/{project_number}/views",
  // rulesets
  "GET /orgs/{org}/rulesets",
  "POST /orgs/{org}/rulesets",
  // settings of the cloud agent
  "GET /repos/{owner}/{repo}/assistant/cloud-agent/configuration",
  // organization webhooks
  "GET /orgs/{org}/hooks",
  "POST /orgs/{org}/hooks",
  "GET /orgs/{org}/hooks/{hook_id}",
  "PATCH /orgs/{org}/hooks/{hook_id}",
  "DELETE /orgs/{org}/hooks/{hook_id}",
  // code search
  "GET /search/code",
  // settings, deliveries and tests of webhooks
  "GET /repos/{owner}/{repo}/hooks/{hook_id}/config",
  "PATCH /repos/{owner}/{repo}/hooks/{hook_id}/config",
  "GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries",
  "GET /repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id}",
  "POST /repos/{owner}/{repo}/hooks/{hook_id}/deliveries/{delivery_id}/attempts",
  "POST /repos/{owner}/{repo}/hooks/{hook_id}/pings",
  "POST /repos/{owner}/{repo}/hooks/{hook_id}/tests",
  "GET /orgs/{org}/hooks/{hook_id}/config",
  "PATCH /orgs/{org}/hooks/{hook_id}/config",
  "GET /orgs/{org}/hooks/{hook_id}/deliveries",
  "GET /orgs/{org}/hooks/{hook_id}/deliveries/{delivery_id}",
  "POST /orgs/{org}/hooks/{hook_id}/deliveries/{delivery_id}/attempts",
  "POST /orgs/{org}/hooks/{hook_id}/pings",
  // rate limits
  "GET /rate_limit",
  // accounts, repositories, git objects and events
  "GET /",
  "GET /user",
  "GET /users/{username}",
  "GET /user/repos",
  "POST /user/repos",
  "POST /orgs/{org}/repos",
  "GET /repos/{owner}/{repo}",
  "PATCH /repos/{owner}/{repo}",
  "GET /repos/{owner}/{repo}/branches",
  "GET /repos/{owner}/{repo}/tags",
  "GET /repos/{owner}/{repo}/commits",
  "GET /repos/{owner}/{repo}/commits/{ref}",
  "GET /repos/{owner}/{repo}/contents/{path}",
  "GET /repos/{owner}/{repo}/git/trees/{sha}",
  "GET /repos/{owner}/{repo}/git/blobs/{sha}",
  "GET /repos/{owner}/{repo}/git/tags/{sha}",
  "GET /events",
  "GET /repos/{owner}/{repo}/events",
  "GET /orgs/{org}/events",
  "GET /users/{username}/events",
  "GET /users/{username}/events/public",
  "GET /users/{username}/received_events"
]
