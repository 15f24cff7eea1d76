/** The types of rules in a ruleset, with their parameters. */
import * as Schema from "effect/Schema"

const Strings = Schema.Array(Schema.String)
const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Creates the schema of a rule without parameters. */
const plain = <const T extends string>(type: T) => Schema.Struct({ type: Schema.tag(type) })

const withParameters = <const T extends string, const F extends Schema.Struct.Fields>(type: T, fields: F) =>
  Schema.Struct({ type: Schema.tag(type), parameters: Schema.Struct(fields) })

/** A pattern for a name, a message or an address. `regex` has the syntax of RE2. */
export const Pattern = Schema.Struct({
  name: Schema.optionalKey(Schema.String.annotate({ description: "Displayed name of the rule." })),
  negate: Schema.optionalKey(Schema.Boolean.annotate({ description: "Reject matching values instead of others." })),
  operator: Schema.Literals(["starts_with", "ends_with", "contains", "regex"]),
  pattern: Schema.String
}).annotate({ identifier: "RulePattern" })
export type Pattern = typeof Pattern.Type

const withPattern = <const T extends string>(type: T) => Schema.Struct({ type: Schema.tag(type), parameters: Pattern })

const PullRequest = withParameters("pull_request", {
  allowed_merge_methods: Schema.optionalKey(Schema.Array(Schema.Literals(["merge", "squash", "rebase"]))),
  dismiss_stale_reviews_on_push: Schema.Boolean,
  dismissal_restriction: Schema.optionalKey(
    Schema.Struct({
      enabled: Schema.Boolean,
      allowed_actors: Schema.optionalKey(
        Schema.Array(
          Schema.Struct({
            id: Schema.Int,
            type: Schema.Literals(["User", "Team", "IntegrationInstallation", "RepositoryRole"])
          })
        )
      )
    })
  ),
  require_code_owner_review: Schema.Boolean,
  require_last_push_approval: Schema.Boolean,
  required_approving_review_count: between(0, 10),
  required_review_thread_resolution: Schema.Boolean,
  required_reviewers: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        file_patterns: Strings,
        minimum_approvals: Schema.Int,
        reviewer: Schema.Struct({ id: Schema.Int, type: Schema.Literals(["Team"]) })
      })
    )
  )
})

const CodeScanningTool = Schema.Struct({
  tool: Schema.String,
  alerts_threshold: Schema.Literals(["none", "errors", "errors_and_warnings", "all"]),
  security_alerts_threshold: Schema.Literals(["none", "critical", "high_or_higher", "medium_or_higher", "all"])
})

/** A new rule. Rules of other types are invalid. */
export const NewRule = Schema.Union([
  plain("creation"),
  withParameters("update", { update_allows_fetch_and_merge: Schema.Boolean }),
  plain("deletion"),
  plain("required_linear_history"),
  withParameters("required_deployments", { required_deployment_environments: Strings }),
  plain("required_signatures"),
  PullRequest,
  withParameters("required_status_checks", {
    do_not_enforce_on_create: Schema.optionalKey(Schema.Boolean),
    required_status_checks: Schema.Array(
      Schema.Struct({ context: Schema.String, integration_id: Schema.optionalKey(Schema.Int) })
    ),
    strict_required_status_checks_policy: Schema.Boolean
  }),
  plain("non_fast_forward"),
  withPattern("commit_message_pattern"),
  withPattern("commit_author_email_pattern"),
  withPattern("committer_email_pattern"),
  withPattern("branch_name_pattern"),
  withPattern("tag_name_pattern"),
  withParameters("file_path_restriction", { restricted_file_paths: Strings }),
  withParameters("max_file_path_length", { max_file_path_length: between(1, 32_767) }),
  withParameters("file_extension_restriction", { restricted_file_extensions: Strings }),
  withParameters("max_file_size", { max_file_size: between(1, 100).annotate({ description: "In megabytes." }) }),
  withParameters("workflows", {
    do_not_enforce_on_create: Schema.optionalKey(Schema.Boolean),
    workflows: Schema.Array(
      Schema.Struct({
        path: Schema.String,
        ref: Schema.optionalKey(Schema.String),
        repository_id: Schema.Int,
        sha: Schema.optionalKey(Schema.String)
      })
    )
  }),
  withParameters("code_scanning", { code_scanning_tools: Schema.Array(CodeScanningTool) })
]).annotate({ identifier: "NewRule", message: "Expected a type of rule, for example pull_request" })
export type NewRule = typeof NewRule.Type
