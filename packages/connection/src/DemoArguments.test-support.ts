/** Arguments of every read of the contract that find something in the demonstration (`apps/cli/fixtures/demo.json`). */
import type { CatalogEntry, InputField } from "@tongs/core/contract/Catalog"

/**
 * Arguments by parameter name. Integers that are not listed are 1. The demonstration always has the same history, and so
 * the same object ids.
 */
const byParameter: Readonly<Record<string, unknown>> = {
  owner: "north-pier",
  repo: "lighthouse",
  org: "north-pier",
  enterprise: "coast",
  team_slug: "keepers",
  username: "ada",
  target_user: "juergen",
  user_id: "1",
  ref: "heads/main",
  branch: "main",
  basehead: "v1.0.0...main",
  commit_sha: "4f647efcf57ebc342d5b8b8d3e87d6acf77b7bed",
  tree_sha: "966db5612d4489cab63b2ef7aedf3d5bbed166e8",
  file_sha: "3dd3e7770f582857fcb6fcd0ecc28f866f6184cc",
  tag_sha: "8968ae2b368d479271b19590948a9e83932bbfd6",
  path: "src/lamp.ts",
  issue_number: 8,
  pull_number: 34,
  assignee: "ada",
  symbol: "isLit",
  name: "isLit",
  q: "lamp repo:north-pier/lighthouse",
  artifact_id: 2,
  tag: "v1.0.0",
  license: "mit",
  archive_format: "zip",
  run_id: 42,
  workflow_id: "lamp.yml",
  job_id: 15,
  delivery_id: 8,
  app_slug: "harbourmaster",
  installation_id: 101,
  custom_property_name: "tier",
  actor_type: "classic_pat",
  min_timestamp: "2020-01-01T00:00:00Z",
  timestamp_increment: "1h",
  environment_name: "production",
  secret_name: "LAMP_TOKEN",
  variable_name: "TIDE_ZONE"
}

/** Arguments that differ for one group. */
const byGroup: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  repositoryRulesets: { ruleset_id: 5, version_id: 5, branch: "release/1.0" },
  branchProtections: { branch: "release/1.0" },
  branchRestrictions: { branch: "release/1.0" }
}

/** Arguments that differ for one operation. */
const byOperation: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "gitignore.getTemplate": { name: "Node" },
  "gitRefs.listMatching": { ref: "heads" },
  "commits.get": { ref: "main" },
  "pulls.checkIfMerged": { pull_number: 7 },
  "reviewComments.listForPullRequest": { pull_number: 42 },
  "reviews.list": { pull_number: 42 },
  "reviews.get": { pull_number: 42, review_id: 15 },
  "reviews.listComments": { pull_number: 42, review_id: 15 },
  "pulls.listForCommit": { commit_sha: "76d80c1f53abe8606e07af3e344e737e6c9d06ca" },
  "forks.list": { owner: "ada", repo: "knots" },
  "users.search": { q: "ada" },
  "repositories.searchTopics": { q: "lamp" },
  "labels.search": { q: "lamp", repository_id: 1 },
  "filePaths.find": { q: "lamp" },
  "blocks.checkBlocked": { username: "wrecker" },
  "blocks.checkForOrg": { username: "wrecker" },
  "followers.check": { username: "juergen" },
  "organizationHooks.get": { hook_id: 4 },
  "organizationHooks.getConfig": { hook_id: 4 },
  "organizationHooks.listDeliveries": { hook_id: 4 },
  "organizationHooks.getDelivery": { hook_id: 4, delivery_id: 10 },
  "labels.get": { name: "lamp" },
  "issueDependencies.listBlockedBy": { issue_number: 10 },
  "issueDependencies.listBlocking": { issue_number: 11 },
  "subIssues.getParent": { issue_number: 9 },
  "codeIndex.listLeftOut": { repo: "tide-tables" }
}

/** Reads that find nothing: an installation token, a README in a subfolder, immutable releases, an invitation of the owner, runs that wait are missing. */
export const unavailable: ReadonlySet<string> = new Set([
  "installations.listReposAccessibleToInstallation",
  "codeOwners.listErrors",
  "contents.getReadmeInDirectory",
  "immutableReleases.check",
  "immutableReleases.listSelected",
  "pendingDeployments.list",
  "pendingDeployments.listReviews",
  "repositoryInvitations.listForAuthenticatedUser"
])

/** Returns the required arguments of a read of the demonstration. */
export const demoArguments = ({ fields, group, name }: CatalogEntry): Readonly<Record<string, unknown>> => {
  const values = { ...byParameter, ...byGroup[group], ...byOperation[`${group}.${name}`] }
  const required = fields.filter((field) => field.required)
  const one = ({ kind }: InputField) => (kind === "integer" ? 1 : undefined)
  return Object.fromEntries(required.map((field) => [field.name, values[field.name] ?? one(field)]))
}
