/** Rule suites: the results of all rules for one change of a reference. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { ObjectId, openEnum, Timestamp } from "../Scalars.ts"

const result = openEnum(["pass", "fail", "bypass"])

const suiteFields = {
  id: Schema.optionalKey(Schema.Int),
  /** Zeros for a new reference. */
  before_sha: Schema.optionalKey(ObjectId),
  /** Zeros for a deletion. */
  after_sha: Schema.optionalKey(ObjectId),
  ref: Schema.optionalKey(Schema.String),
  repository_id: Schema.optionalKey(Schema.Int),
  repository_name: Schema.optionalKey(Schema.String),
  pushed_at: Schema.optionalKey(Timestamp),
  result: Schema.optionalKey(result)
}

const presentation = Presentation.of({
  columns: {
    ID: "id",
    RESULT: "result",
    REF: "ref",
    ACTOR: "actor_name",
    REPOSITORY: "repository_name",
    PUSHED: "pushed_at"
  },
  title: "ref",
  identity: ["id"],
  arguments: { rule_suite_id: "id" }
})

/** The results of all rules for one change of a reference. */
export const RuleSuite = Schema.Struct({
  ...suiteFields,
  actor_id: Schema.optionalKey(Schema.Int),
  actor_name: Schema.optionalKey(Schema.String),
  /** The result of rulesets in evaluation mode. */
  evaluation_result: Schema.optionalKey(result)
}).annotate({ identifier: "RuleSuite", ...presentation })
export type RuleSuite = typeof RuleSuite.Type

/** The result of one rule. */
export const RuleEvaluation = Schema.Struct({
  rule_source: Schema.optionalKey(
    Schema.Struct({
      type: Schema.optionalKey(Schema.String),
      id: Schema.optionalKey(Schema.NullOr(Schema.Int)),
      name: Schema.optionalKey(Schema.NullOr(Schema.String))
    })
  ),
  enforcement: Schema.optionalKey(openEnum(["active", "evaluate", "deleted ruleset"])),
  result: Schema.optionalKey(openEnum(["pass", "fail"])),
  rule_type: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(Schema.NullOr(Schema.String))
}).annotate({
  identifier: "RuleEvaluation",
  ...Presentation.of({
    columns: { RULE: "rule_type", RESULT: "result", SOURCE: "rule_source.name", DETAILS: "details" }
  })
})
export type RuleEvaluation = typeof RuleEvaluation.Type

/** A rule suite with the result of each rule. */
export const RuleSuiteDetail = Schema.Struct({
  ...suiteFields,
  actor_id: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  actor_name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  evaluation_result: Schema.optionalKey(Schema.NullOr(result)),
  rule_evaluations: Schema.optionalKey(Schema.Array(RuleEvaluation))
}).annotate({ identifier: "RuleSuiteDetail", ...presentation })
export type RuleSuiteDetail = typeof RuleSuiteDetail.Type

const filters = {
  ref: Schema.optionalKey(
    Schema.String.annotate({ description: "Only changes of this branch or tag; the full name or the short one." })
  ),
  time_period: Schema.optionalKey(
    Schema.Literals(["hour", "day", "week", "month"]).annotate({ description: "day by default." })
  ),
  actor_name: Schema.optionalKey(Schema.String.annotate({ description: "Login of the account." })),
  rule_suite_result: Schema.optionalKey(
    Schema.Literals(["pass", "fail", "bypass", "all"]).annotate({ description: "all by default." })
  ),
  evaluate_status: Schema.optionalKey(
    Schema.Literals(["all", "active", "evaluate"]).annotate({ description: "all by default." })
  )
}

const suiteId = { rule_suite_id: Schema.Int.annotate({ description: "Id of the rule suite." }) }

const ofRepository = {
  permission: [[{ target: "repository", category: "administration", level: "write" }]],
  scopes: ["public_repo", "repo"],
  privateScopes: ["repo"],
  access: "write"
} as const // literal types

const ofOrganization = {
  permission: [[{ target: "organization", category: "administration", level: "write" }]],
  scopes: ["admin:org"],
  access: "administer"
} as const // literal types

/** Endpoints of rule suites. */
export class RuleSuites extends Group.make("ruleSuites", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/rulesets/rule-suites", {
    params: repositoryPath,
    query: { ...filters, ...pageQuery },
    success: Paged(Schema.Array(RuleSuite)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-repo-rule-suites",
      summary: "List rule suites of a repository",
      words: "rule insights, rejected pushes",
      ...ofRepository,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/rulesets/rule-suites/:rule_suite_id", {
    params: { ...repositoryPath, ...suiteId },
    success: RuleSuiteDetail,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-repo-rule-suite",
      summary: "Get a rule suite of a repository",
      ...ofRepository
    })
  ),
  HttpApiEndpoint.get("listForOrg", "/orgs/:org/rulesets/rule-suites", {
    params: organizationPath,
    query: {
      repository_name: Schema.optionalKey(Schema.String.annotate({ description: "Name of a repository." })),
      ...filters,
      ...pageQuery
    },
    success: Paged(Schema.Array(RuleSuite)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-org-rule-suites",
      summary: "List rule suites of an organization",
      words: "rule insights, rejected pushes",
      ...ofOrganization,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getForOrg", "/orgs/:org/rulesets/rule-suites/:rule_suite_id", {
    params: { ...organizationPath, ...suiteId },
    success: RuleSuiteDetail,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-org-rule-suite",
      summary: "Get a rule suite of an organization",
      ...ofOrganization
    })
  )
]) {}
