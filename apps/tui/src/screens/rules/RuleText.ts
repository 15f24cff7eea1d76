/** Rules, conditions and bypass actors of a ruleset in words. */
import type { BypassActor, Conditions, Rule } from "@tongs/core/contract/groups/Rulesets"
import * as NumberFormat from "@tongs/core/text/NumberFormat"

const plain: Readonly<Record<string, string>> = {
  creation: "Nobody may create matching references",
  update: "Nobody may update matching references",
  deletion: "Nobody may delete matching references",
  required_linear_history: "No merge commits",
  required_signatures: "Commits must be signed",
  non_fast_forward: "No force pushes",
  required_deployments: "Must be deployed first",
  pull_request: "Changes need a pull request",
  required_status_checks: "Status checks must pass",
  commit_message_pattern: "Commit messages must match",
  commit_author_email_pattern: "Addresses of authors must match",
  committer_email_pattern: "Addresses of committers must match",
  branch_name_pattern: "Names of branches must match",
  tag_name_pattern: "Names of tags must match",
  file_path_restriction: "Some paths may not change",
  max_file_path_length: "Paths have a maximum length",
  file_extension_restriction: "Some file extensions are not allowed",
  max_file_size: "Files have a maximum size",
  workflows: "Workflows must pass",
  code_scanning: "Code scanning must pass"
}

const operators: Readonly<Record<string, string>> = {
  starts_with: "start with",
  ends_with: "end with",
  contains: "contain",
  regex: "match the pattern"
}

const list = (value: unknown): string =>
  Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join(", ") : ""

/** Returns a rule in words. Parameters without words follow as JSON. */
export const rule = ({ parameters = {}, type }: Rule): string => {
  const title = plain[type] ?? type.replaceAll("_", " ")
  const details = detailsOf(type, parameters)
  return details === "" ? title : `${title}: ${details}`
}

const detailsOf = (type: string, parameters: Readonly<Record<string, unknown>>): string => {
  switch (type) {
    case "update":
      return parameters.update_allows_fetch_and_merge === true ? "except to merge from upstream" : ""
    case "required_deployments":
      return list(parameters.required_deployment_environments)
    case "pull_request":
      return pullRequest(parameters)
    case "required_status_checks":
      return Array.isArray(parameters.required_status_checks)
        ? parameters.required_status_checks.map(contextOf).join(", ")
        : ""
    case "file_path_restriction":
      return list(parameters.restricted_file_paths)
    case "file_extension_restriction":
      return list(parameters.restricted_file_extensions)
    case "max_file_path_length":
      return `${String(parameters.max_file_path_length)} characters`
    case "max_file_size":
      return `${String(parameters.max_file_size)} MB`
    default: {
      if (typeof parameters.pattern === "string") return pattern(parameters, parameters.pattern)
      return Object.keys(parameters).length === 0 ? "" : JSON.stringify(parameters)
    }
  }
}

const contextOf = (check: unknown): string =>
  typeof check === "object" && check !== null && "context" in check ? String(check.context) : JSON.stringify(check)

const pattern = ({ negate, operator }: Readonly<Record<string, unknown>>, text: string): string =>
  `must ${negate === true ? "not " : ""}${operators[String(operator)] ?? String(operator)} ${text}`

const pullRequest = (parameters: Readonly<Record<string, unknown>>): string => {
  const count = Number(parameters.required_approving_review_count ?? 0)
  return [
    NumberFormat.quantity(Number.isFinite(count) ? count : 0, "approval"),
    parameters.require_code_owner_review === true ? "review by code owners" : "",
    parameters.dismiss_stale_reviews_on_push === true ? "approvals end with a push" : "",
    parameters.require_last_push_approval === true ? "the last push needs another person" : "",
    parameters.required_review_thread_resolution === true ? "conversations resolved" : "",
    list(parameters.allowed_merge_methods) === "" ? "" : `only ${list(parameters.allowed_merge_methods)}`
  ]
    .filter((part) => part !== "")
    .join(", ")
}

const names: Readonly<Record<string, string>> = {
  "~ALL": "all",
  "~DEFAULT_BRANCH": "the default branch"
}

const patterns = (all: ReadonlyArray<string> = []): string =>
  all.map((one) => names[one] ?? one.replace(/^refs\/(heads|tags)\//, "")).join(", ")

/** Returns each condition with a name: first for repositories, then for references. */
export const conditions = (self: Conditions): ReadonlyArray<readonly [name: string, words: string]> => {
  const found: Array<readonly [string, string]> = []
  const add = (name: string, words: string) => {
    if (words !== "") found.push([name, words])
  }
  const { ref_name } = self
  if ("repository_name" in self) {
    add("repositories", patterns(self.repository_name.include))
    add("except repositories", patterns(self.repository_name.exclude))
  } else if ("repository_id" in self) add("repositories", (self.repository_id.repository_ids ?? []).join(", "))
  else if ("repository_property" in self) {
    const { exclude = [], include = [] } = self.repository_property
    const words = (all: typeof include) =>
      all.map(({ name, property_values }) => `${name} is ${property_values.join(" or ")}`).join(", ")
    add("repositories whose", words(include))
    add("except those whose", words(exclude))
  }
  add("references", patterns(ref_name?.include))
  add("except references", patterns(ref_name?.exclude))
  return found
}

const actors: Readonly<Record<string, string>> = {
  Integration: "app",
  OrganizationAdmin: "owners of the organization",
  RepositoryRole: "repository role",
  Team: "team",
  DeployKey: "deploy keys",
  User: "user"
}

const modes: Readonly<Record<string, string>> = {
  always: "always",
  pull_request: "in pull requests",
  exempt: "without being asked"
}

/** Returns a bypass actor in words. */
export const bypass = ({ actor_id, actor_type, bypass_mode = "always" }: BypassActor): string => {
  const hasId = actor_type !== "OrganizationAdmin" && actor_type !== "DeployKey" && typeof actor_id === "number"
  return `${actors[actor_type] ?? actor_type}${hasId ? ` ${actor_id}` : ""}, ${modes[bypass_mode] ?? bypass_mode}`
}
