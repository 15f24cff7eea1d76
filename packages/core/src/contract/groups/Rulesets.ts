/** Rulesets, and the endpoints of those for the repositories of an organization. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { NewRule } from "./Rules.ts"
import { AnyJson, openEnum, Timestamp } from "../Scalars.ts"

const Names = Schema.Array(Schema.String)

/** An actor that may bypass the rules. */
export const BypassActor = Schema.Struct({
  actor_id: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  actor_type: openEnum(["Integration", "OrganizationAdmin", "RepositoryRole", "Team", "DeployKey", "User"]),
  bypass_mode: Schema.optionalKey(openEnum(["always", "pull_request", "exempt"]))
}).annotate({
  identifier: "BypassActor",
  ...Presentation.of({
    columns: { TYPE: "actor_type", ID: "actor_id", MODE: "bypass_mode" },
    identity: ["actor_type", "actor_id"]
  })
})
export type BypassActor = typeof BypassActor.Type

const References = Names.annotate({
  description: "Patterns of references, for example ~DEFAULT_BRANCH, ~ALL or refs/heads/release/*."
})
const ref_name = Schema.optionalKey(
  Schema.Struct({ include: Schema.optionalKey(References), exclude: Schema.optionalKey(References) })
)
const PropertyTargets = Schema.Array(
  Schema.Struct({
    name: Schema.String,
    property_values: Names,
    source: Schema.optionalKey(openEnum(["custom", "system"]).annotate({ description: "custom by default." }))
  })
).annotate({ description: 'Custom properties, for example [{"name":"tier","property_values":["gold"]}].' })

const RepositoryNames = Names.annotate({ description: "Patterns of names, for example ~ALL or docs-*." })
const RepositoryName = Schema.Struct({
  include: Schema.optionalKey(RepositoryNames),
  exclude: Schema.optionalKey(RepositoryNames),
  protected: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "True prevents changes of the names of these repositories." })
  )
})
const RepositoryIds = Schema.Struct({
  repository_ids: Schema.optionalKey(Schema.Array(Schema.Int).annotate({ description: "Ids of the repositories." }))
})
const RepositoryProperty = Schema.Struct({
  include: Schema.optionalKey(PropertyTargets),
  exclude: Schema.optionalKey(PropertyTargets)
})

/**
 * References to which the rules apply and, for rulesets of organizations, repositories: by name, by id, or by custom
 * property.
 */
export const Conditions = Schema.Union([
  Schema.Struct({ ref_name, repository_name: RepositoryName }),
  Schema.Struct({ ref_name, repository_id: RepositoryIds }),
  Schema.Struct({ ref_name, repository_property: RepositoryProperty }),
  Schema.Struct({ ref_name })
]).annotate({ identifier: "RulesetConditions" })
export type Conditions = typeof Conditions.Type

/** A rule. The type determines the parameters. Rules of unknown types decode unchanged. */
export const Rule = Schema.Struct({
  type: openEnum([
    "creation",
    "update",
    "deletion",
    "required_linear_history",
    "required_deployments",
    "required_signatures",
    "pull_request",
    "required_status_checks",
    "non_fast_forward",
    "commit_message_pattern",
    "commit_author_email_pattern",
    "committer_email_pattern",
    "branch_name_pattern",
    "tag_name_pattern",
    "file_path_restriction",
    "max_file_path_length",
    "file_extension_restriction",
    "max_file_size",
    "workflows",
    "code_scanning"
  ]),
  parameters: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}).annotate({ identifier: "Rule", ...Presentation.of({ columns: { TYPE: "type" } }) })
export type Rule = typeof Rule.Type

const Link = Schema.optionalKey(Schema.NullOr(Schema.Struct({ href: Schema.optionalKey(Schema.String) })))

/** A ruleset with its conditions and rules. */
export const Ruleset = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  target: Schema.optionalKey(openEnum(["branch", "tag", "push", "repository"])),
  source_type: Schema.optionalKey(openEnum(["Repository", "Organization", "Enterprise"])),
  source: Schema.String,
  enforcement: openEnum(["disabled", "active", "evaluate"]),
  bypass_actors: Schema.optionalKey(Schema.Array(BypassActor)),
  conditions: Schema.optionalKey(Schema.NullOr(Conditions)),
  rules: Schema.optionalKey(Schema.Array(Rule)),
  /** How the caller may bypass the rules. Only in a ruleset that was read through a repository. */
  current_user_can_bypass: Schema.optionalKey(openEnum(["always", "pull_requests_only", "never", "exempt"])),
  node_id: Schema.optionalKey(Schema.String),
  _links: Schema.optionalKey(Schema.Struct({ self: Link, html: Link })),
  created_at: Schema.optionalKey(Timestamp),
  updated_at: Schema.optionalKey(Timestamp)
}).annotate({
  identifier: "Ruleset",
  ...Presentation.of({
    columns: { ID: "id", NAME: "name", TARGET: "target", ENFORCEMENT: "enforcement", UPDATED: "updated_at" },
    title: "name"
  })
})
export type Ruleset = typeof Ruleset.Type

/** A new bypass actor. */
export const NewBypassActor = Schema.Struct({
  actor_id: Schema.optionalKey(
    Schema.NullOr(Schema.Int).annotate({ description: "Required except for OrganizationAdmin and DeployKey." })
  ),
  actor_type: Schema.Literals(["Integration", "OrganizationAdmin", "RepositoryRole", "Team", "DeployKey", "User"]),
  bypass_mode: Schema.optionalKey(
    Schema.Literals(["always", "pull_request", "exempt"]).annotate({ description: "always by default." })
  )
}).annotate({ identifier: "NewBypassActor" })
export type NewBypassActor = typeof NewBypassActor.Type

/** New conditions: exactly one selector of repositories, and `ref_name` if the target is `branch` or `tag`. */
export const NewConditions = Schema.Struct({
  ref_name,
  repository_name: Schema.optionalKey(RepositoryName),
  repository_id: Schema.optionalKey(RepositoryIds),
  repository_property: Schema.optionalKey(RepositoryProperty)
}).annotate({ identifier: "NewRulesetConditions" })
export type NewConditions = typeof NewConditions.Type

/** The members of a new ruleset. */
export const NewRuleset = Schema.Struct({
  name: Schema.String.annotate({ description: "Name, unique in the organization." }),
  target: Schema.optionalKey(
    Schema.Literals(["branch", "tag", "push", "repository"]).annotate({ description: "branch by default." })
  ),
  enforcement: Schema.Literals(["disabled", "active", "evaluate"]).annotate({
    description: "`evaluate` reports what the rules would reject."
  }),
  bypass_actors: Schema.optionalKey(
    Schema.Array(NewBypassActor).annotate({
      description: 'Actors that may bypass the rules, for example `[{"actor_type":"OrganizationAdmin"}]`.'
    })
  ),
  conditions: Schema.optionalKey(
    NewConditions.annotate({ description: "Repositories and references to which the rules apply." })
  ),
  rules: Schema.optionalKey(
    Schema.Array(NewRule).annotate({
      description: 'Rules, for example `[{"type":"deletion"},{"type":"creation"}]`.'
    })
  )
}).annotate({ identifier: "NewRuleset" })
export type NewRuleset = typeof NewRuleset.Type

const { conditions, enforcement, name, rules, target, ...furtherFields } = NewRuleset.fields

/** A change of a ruleset. Members that are left out stay as they are. */
export const RulesetChange = Schema.Struct({
  name: Schema.optionalKey(name),
  target,
  enforcement: Schema.optionalKey(enforcement),
  ...furtherFields,
  conditions,
  rules
}).annotate({ identifier: "RulesetChange" })
export type RulesetChange = typeof RulesetChange.Type

const versionFields = {
  version_id: Schema.Int,
  /** Without members if the account was deleted. */
  actor: Schema.Struct({ id: Schema.optionalKey(Schema.Int), type: Schema.optionalKey(Schema.String) }),
  updated_at: Timestamp
}
const versionPresentation = Presentation.of({
  columns: { ID: "version_id", ACTOR: "actor.id", UPDATED: "updated_at" },
  title: "version_id",
  identity: ["version_id"]
})

/** A version of a ruleset: its creation or a change. */
export const RulesetVersion = Schema.Struct(versionFields).annotate({
  identifier: "RulesetVersion",
  ...versionPresentation
})
export type RulesetVersion = typeof RulesetVersion.Type

/** A version with the ruleset as it was after the change. */
export const RulesetVersionWithState = Schema.Struct({
  ...versionFields,
  state: Schema.Record(Schema.String, AnyJson)
}).annotate({ identifier: "RulesetVersionWithState", ...versionPresentation })
export type RulesetVersionWithState = typeof RulesetVersionWithState.Type

/** Query parameter: targets of rulesets. */
export const targetsQuery = {
  targets: Schema.optionalKey(
    Schema.String.annotate({ description: "Only rulesets with these targets, separated by commas: `branch,tag`." })
  )
}

/** Path parameter: id of a ruleset. */
export const rulesetId = { ruleset_id: Schema.Int.annotate({ description: "Id of the ruleset." }) }
/** Path parameters: id of a ruleset and of one of its versions. */
export const versionIds = { ...rulesetId, version_id: Schema.Int.annotate({ description: "Id of the version." }) }

const administration = {
  permission: [[{ target: "organization", category: "administration", level: "write" }]],
  scopes: ["admin:org"],
  access: "administer"
} as const

/** Endpoints of rulesets. */
export class Rulesets extends Group.make("rulesets", () => [
  HttpApiEndpoint.get("listForOrg", "/orgs/:org/rulesets", {
    params: organizationPath,
    query: { ...targetsQuery, ...pageQuery },
    success: Paged(Schema.Array(Ruleset)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-org-rulesets",
      summary: "List rulesets of an organization",
      words: "rules, branch protection",
      command: "list",
      ...administration,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getForOrg", "/orgs/:org/rulesets/:ruleset_id", {
    params: { ...organizationPath, ...rulesetId },
    success: Ruleset,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-org-ruleset",
      summary: "Get a ruleset of an organization",
      command: "get",
      ...administration
    })
  ),
  HttpApiEndpoint.post("createForOrg", "/orgs/:org/rulesets", {
    params: organizationPath,
    payload: NewRuleset,
    success: Ruleset.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-org-ruleset",
      summary: "Create a ruleset of an organization",
      words: "new rule, protect branch",
      command: "create",
      ...administration
    })
  ),
  HttpApiEndpoint.put("updateForOrg", "/orgs/:org/rulesets/:ruleset_id", {
    params: { ...organizationPath, ...rulesetId },
    payload: RulesetChange,
    success: Ruleset,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-org-ruleset",
      summary: "Update a ruleset of an organization",
      words: "change rule, disable ruleset",
      command: "update",
      ...administration
    })
  ),
  HttpApiEndpoint.delete("deleteForOrg", "/orgs/:org/rulesets/:ruleset_id", {
    params: { ...organizationPath, ...rulesetId },
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-org-ruleset",
      summary: "Delete a ruleset of an organization",
      words: "remove rule",
      command: "delete",
      ...administration
    })
  ),
  HttpApiEndpoint.get("listVersionsForOrg", "/orgs/:org/rulesets/:ruleset_id/history", {
    params: { ...organizationPath, ...rulesetId },
    query: pageQuery,
    success: Paged(Schema.Array(RulesetVersion)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-org-ruleset-history",
      summary: "List the versions of a ruleset of an organization",
      words: "ruleset history",
      command: "history",
      ...administration,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getVersionForOrg", "/orgs/:org/rulesets/:ruleset_id/history/:version_id", {
    params: { ...organizationPath, ...versionIds },
    success: RulesetVersionWithState,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-org-ruleset-version",
      summary: "Get a version of a ruleset of an organization",
      command: "version",
      ...administration
    })
  )
]) {}
