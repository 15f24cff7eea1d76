/** Check suites: all check runs of one app on one commit. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { checkPermission, readsChecks, writesChecks } from "../CheckAccess.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { commitRefPath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { ObjectId, openEnum, Timestamp } from "../Scalars.ts"
import { App } from "./App.ts"
import { checkConclusions, checkStatuses } from "./CheckRuns.ts"
import { PullRequestReference } from "./PullRequestReference.ts"
import { RepositorySummary } from "./Repository.ts"

const Person = Schema.NullOr(Schema.Struct({ name: Schema.String, email: Schema.String }))

/** The commit of a check suite. */
export const HeadCommit = Schema.Struct({
  id: ObjectId,
  tree_id: ObjectId,
  message: Schema.String,
  timestamp: Timestamp,
  author: Person,
  committer: Person
}).annotate({ identifier: "HeadCommit" })
export type HeadCommit = typeof HeadCommit.Type

/** A check suite. Status and conclusion follow from its newest check run of each name. */
export const CheckSuite = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  /** Null unless a push to a branch created the check suite, or the commit was the newest of a branch. */
  head_branch: Schema.NullOr(Schema.String),
  head_sha: ObjectId,
  status: Schema.NullOr(openEnum(checkStatuses)),
  conclusion: Schema.NullOr(openEnum([...checkConclusions, "startup_failure"])),
  url: Schema.NullOr(Schema.String),
  before: Schema.NullOr(ObjectId),
  after: Schema.NullOr(ObjectId),
  pull_requests: Schema.NullOr(Schema.Array(PullRequestReference)),
  app: Schema.NullOr(App),
  repository: RepositorySummary,
  created_at: Schema.NullOr(Timestamp),
  updated_at: Schema.NullOr(Timestamp),
  head_commit: HeadCommit,
  latest_check_runs_count: Schema.Int,
  check_runs_url: Schema.String,
  rerequestable: Schema.optionalKey(Schema.Boolean),
  runs_rerequestable: Schema.optionalKey(Schema.Boolean)
}).annotate({
  identifier: "CheckSuite",
  ...Presentation.of({
    columns: {
      ID: "id",
      APP: "app.name",
      STATUS: "status",
      CONCLUSION: "conclusion",
      RUNS: "latest_check_runs_count",
      BRANCH: "head_branch",
      UPDATED: "updated_at"
    },
    title: "app.name",
    identity: ["id"],
    arguments: { check_suite_id: "id", ref: "head_sha", head_sha: "head_sha", app_id: "app.id" }
  })
})
export type CheckSuite = typeof CheckSuite.Type

/** A page of check suites. */
export const CheckSuiteList = Schema.Struct({
  total_count: Schema.Int,
  check_suites: Schema.Array(CheckSuite)
}).annotate({ identifier: "CheckSuiteList" })

const AutoTrigger = Schema.Struct({
  app_id: Schema.Int.annotate({ description: "Id of the app." }),
  setting: Schema.Boolean.annotate({ description: "True if a push creates a check suite of the app." })
})

/** Which apps get a check suite with each push. */
export const CheckSuitePreference = Schema.Struct({
  preferences: Schema.Struct({ auto_trigger_checks: Schema.optionalKey(Schema.Array(AutoTrigger)) }),
  repository: RepositorySummary
}).annotate({ identifier: "CheckSuitePreference" })
export type CheckSuitePreference = typeof CheckSuitePreference.Type

const suitePath = {
  ...repositoryPath,
  check_suite_id: Schema.Int.annotate({ description: "Id of the check suite." })
}

/** Endpoints of check suites. */
export class CheckSuites extends Group.make("checkSuites", () => [
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/check-suites", {
    params: repositoryPath,
    payload: Schema.Struct({ head_sha: Schema.String.annotate({ description: "Id of the commit." }) }),
    success: [CheckSuite.pipe(HttpApiSchema.status(201)), CheckSuite.pipe(HttpApiSchema.status(200))],
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/create-suite",
      summary: "Create a check suite",
      description: "Only needed if pushes do not create check suites.",
      idempotent: true,
      ...writesChecks
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/check-suites/:check_suite_id", {
    params: suitePath,
    success: CheckSuite,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "checks/get-suite", summary: "Get a check suite", ...readsChecks })
  ),
  HttpApiEndpoint.patch("setPreferences", "/repos/:owner/:repo/check-suites/preferences", {
    params: repositoryPath,
    payload: Schema.Struct({
      auto_trigger_checks: Schema.optionalKey(
        Schema.Array(AutoTrigger).annotate({ description: "The apps to change; by default all are on." })
      )
    }),
    success: CheckSuitePreference,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/set-suites-preferences",
      summary: "Set which apps get check suites",
      words: "preferences, automatic",
      command: "preferences",
      // No operation reads the previous preferences.
      reversible: false,
      permission: checkPermission("write"),
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"],
      access: "administer"
    })
  ),
  HttpApiEndpoint.post("rerequest", "/repos/:owner/:repo/check-suites/:check_suite_id/rerequest", {
    params: suitePath,
    success: Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/rerequest-suite",
      summary: "Request a check suite again",
      words: "rerun, retry",
      effect: "trigger",
      permission: checkPermission("write"),
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listForRef", "/repos/:owner/:repo/commits/:ref/check-suites", {
    params: commitRefPath,
    query: {
      app_id: Schema.optionalKey(Schema.Int.annotate({ description: "Only suites of the app with this id." })),
      check_name: Schema.optionalKey(
        Schema.String.annotate({ description: "Only suites with a check run of this name." })
      ),
      ...pageQuery
    },
    success: Paged(CheckSuiteList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/list-suites-for-ref",
      summary: "List the check suites of a commit",
      command: "list",
      ...readsChecks,
      rest: true,
      paging: "page"
    })
  )
]) {}
