/** Rulesets of one repository, and the rules of its branches. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum } from "../Scalars.ts"
import * as Rulesets from "./Rulesets.ts"

/** A rule of a branch, with its ruleset. */
export const BranchRule = Schema.Struct({
  ...Rulesets.Rule.fields,
  ruleset_source_type: Schema.optionalKey(openEnum(["Repository", "Organization"])),
  /** Name of the organization, or full name of the repository. */
  ruleset_source: Schema.optionalKey(Schema.String),
  ruleset_id: Schema.optionalKey(Schema.Int)
}).annotate({
  identifier: "BranchRule",
  ...Presentation.of({
    columns: { TYPE: "type", RULESET: "ruleset_id", SOURCE: "ruleset_source" },
    title: "type",
    arguments: { ruleset_id: "ruleset_id" }
  })
})
export type BranchRule = typeof BranchRule.Type

const { conditions: _, target: __, ...newFields } = Rulesets.NewRuleset.fields

const conditions = Schema.optionalKey(
  Schema.Struct({ ref_name: Rulesets.NewConditions.fields.ref_name }).annotate({
    description: "References to which the rules apply."
  })
)
const target = Schema.optionalKey(
  Schema.Literals(["branch", "tag", "push"]).annotate({ description: "branch by default." })
)

/** The members of a new ruleset of a repository. */
export const NewRepositoryRuleset = Schema.Struct({ ...newFields, target, conditions }).annotate({
  identifier: "NewRepositoryRuleset"
})
export type NewRepositoryRuleset = typeof NewRepositoryRuleset.Type

/** A change of a ruleset of a repository. Members that are left out stay as they are. */
export const RepositoryRulesetChange = Schema.Struct({
  ...newFields,
  name: Schema.optionalKey(newFields.name),
  enforcement: Schema.optionalKey(newFields.enforcement),
  target,
  conditions
}).annotate({ identifier: "RepositoryRulesetChange" })
export type RepositoryRulesetChange = typeof RepositoryRulesetChange.Type

const rulesetPath = { ...repositoryPath, ...Rulesets.rulesetId }

const includes_parents = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "With rulesets of the organization, true by default." })
)

const reads = {
  public: true,
  permission: [[Operation.metadataRead]],
  privateScopes: ["repo"]
} as const // literal types

const administration = {
  permission: [[{ target: "repository", category: "administration", level: "write" }]],
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"],
  access: "administer"
} as const // literal types

/** Endpoints of the rulesets of a repository. */
export class RepositoryRulesets extends Group.make("repositoryRulesets", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/rulesets", {
    params: repositoryPath,
    query: { includes_parents, ...Rulesets.targetsQuery, ...pageQuery },
    success: Paged(Schema.Array(Rulesets.Ruleset)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-repo-rulesets",
      summary: "List rulesets of a repository",
      words: "rules, branch protection",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/rulesets", {
    params: repositoryPath,
    payload: NewRepositoryRuleset,
    success: Rulesets.Ruleset.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-repo-ruleset",
      summary: "Create a ruleset of a repository",
      words: "new rule, protect branch",
      ...administration
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/rulesets/:ruleset_id", {
    params: rulesetPath,
    query: { includes_parents },
    success: Rulesets.Ruleset,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-repo-ruleset",
      summary: "Get a ruleset of a repository",
      ...reads
    })
  ),
  HttpApiEndpoint.put("update", "/repos/:owner/:repo/rulesets/:ruleset_id", {
    params: rulesetPath,
    payload: RepositoryRulesetChange,
    success: Rulesets.Ruleset,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-repo-ruleset",
      summary: "Update a ruleset of a repository",
      words: "change rule, disable ruleset",
      ...administration
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/rulesets/:ruleset_id", {
    params: rulesetPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-repo-ruleset",
      summary: "Delete a ruleset of a repository",
      words: "remove rule",
      ...administration
    })
  ),
  HttpApiEndpoint.get("listVersions", "/repos/:owner/:repo/rulesets/:ruleset_id/history", {
    params: rulesetPath,
    query: pageQuery,
    success: Paged(Schema.Array(Rulesets.RulesetVersion)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-repo-ruleset-history",
      summary: "List the versions of a ruleset of a repository",
      words: "ruleset history",
      ...administration,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getVersion", "/repos/:owner/:repo/rulesets/:ruleset_id/history/:version_id", {
    params: { ...repositoryPath, ...Rulesets.versionIds },
    success: Rulesets.RulesetVersionWithState,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-repo-ruleset-version",
      summary: "Get a version of a ruleset of a repository",
      ...administration
    })
  ),
  HttpApiEndpoint.get("listBranchRules", "/repos/:owner/:repo/rules/branches/:branch", {
    params: {
      ...repositoryPath,
      branch: Schema.String.annotate({ description: "Name of a branch, which need not exist." })
    },
    query: pageQuery,
    success: Paged(Schema.Array(BranchRule)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-branch-rules",
      summary: "List the rules of a branch",
      words: "active rules, branch rules",
      ...reads,
      paging: "page",
      rest: true
    })
  )
]) {}
