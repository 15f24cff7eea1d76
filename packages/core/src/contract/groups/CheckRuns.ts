/** Check runs: results of apps that check a commit, with a text and annotations of lines. */
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
import { ExternalUrl, ObjectId, openEnum, Timestamp } from "../Scalars.ts"
import { App } from "./App.ts"
import { PullRequestReference } from "./PullRequestReference.ts"

/** The statuses of a check run, and the conclusions of a completed one. */
export const checkStatuses = ["queued", "in_progress", "completed", "waiting", "requested", "pending"] as const // literal types
/** The conclusions of a completed check run. */
export const checkConclusions = [
  "action_required",
  "cancelled",
  "failure",
  "neutral",
  "success",
  "skipped",
  "stale",
  "timed_out"
] as const // literal types

/** The levels of an annotation. */
export const annotationLevels = ["notice", "warning", "failure"] as const // literal types

/** A check run. */
export const CheckRun = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  node_id: Schema.String,
  head_sha: ObjectId,
  external_id: Schema.NullOr(Schema.String),
  url: Schema.String,
  html_url: Schema.NullOr(Schema.String),
  details_url: Schema.NullOr(ExternalUrl),
  status: openEnum(checkStatuses),
  /** Null unless the check run is completed. */
  conclusion: Schema.NullOr(openEnum(checkConclusions)),
  started_at: Schema.NullOr(Timestamp),
  completed_at: Schema.NullOr(Timestamp),
  output: Schema.Struct({
    title: Schema.NullOr(Schema.String),
    summary: Schema.NullOr(Schema.String),
    text: Schema.NullOr(Schema.String),
    annotations_count: Schema.Int,
    annotations_url: Schema.String
  }),
  check_suite: Schema.NullOr(Schema.Struct({ id: Schema.Int })),
  app: Schema.NullOr(App),
  pull_requests: Schema.Array(PullRequestReference)
}).annotate({
  identifier: "CheckRun",
  ...Presentation.of({
    columns: {
      ID: "id",
      NAME: "name",
      STATUS: "status",
      CONCLUSION: "conclusion",
      APP: "app.name",
      STARTED: "started_at",
      TITLE: "output.title"
    },
    title: "name",
    identity: ["id"],
    arguments: {
      check_run_id: "id",
      check_suite_id: "check_suite.id",
      ref: "head_sha",
      check_name: "name",
      app_id: "app.id"
    }
  })
})
export type CheckRun = typeof CheckRun.Type

/** A page of check runs. */
export const CheckRunList = Schema.Struct({
  total_count: Schema.Int,
  check_runs: Schema.Array(CheckRun)
}).annotate({ identifier: "CheckRunList" })

/** A remark of a check run on lines of a file. */
export const CheckAnnotation = Schema.Struct({
  path: Schema.String,
  start_line: Schema.Int,
  end_line: Schema.Int,
  start_column: Schema.NullOr(Schema.Int),
  end_column: Schema.NullOr(Schema.Int),
  annotation_level: Schema.NullOr(openEnum(annotationLevels)),
  title: Schema.NullOr(Schema.String),
  message: Schema.NullOr(Schema.String),
  raw_details: Schema.NullOr(Schema.String),
  blob_href: Schema.String.annotate(Presentation.hidden)
}).annotate({
  identifier: "CheckAnnotation",
  ...Presentation.of({
    columns: { FILE: "path", LINE: "start_line", LEVEL: "annotation_level", TITLE: "title", MESSAGE: "message" },
    title: "message",
    arguments: { path: "path" }
  })
})
export type CheckAnnotation = typeof CheckAnnotation.Type

const optionalText = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))
const optionalInt = (description: string) => Schema.optionalKey(Schema.Int.annotate({ description }))

/** A new annotation. */
export const NewAnnotation = Schema.Struct({
  path: Schema.String.annotate({ description: "Path of the file." }),
  start_line: Schema.Int.annotate({ description: "First line, from 1." }),
  end_line: Schema.Int.annotate({ description: "Last line." }),
  start_column: optionalInt("First column, from 1, in an annotation of one line."),
  end_column: optionalInt("Last column, in an annotation of one line."),
  annotation_level: Schema.Literals(annotationLevels).annotate({ description: "How severe it is." }),
  message: Schema.String.annotate({ description: "The remark, up to 64 KB." }),
  title: optionalText("Title of up to 255 characters."),
  raw_details: optionalText("Further details, up to 64 KB.")
}).annotate({ identifier: "NewAnnotation" })
export type NewAnnotation = typeof NewAnnotation.Type

const outputContent = {
  summary: Schema.String.annotate({ description: "Summary in Markdown, up to 65,535 characters." }),
  text: optionalText("Details in Markdown, up to 65,535 characters."),
  annotations: Schema.optionalKey(
    Schema.Array(NewAnnotation).annotate({ description: "Up to 50 remarks on lines, added to earlier ones." })
  ),
  images: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        alt: Schema.String.annotate({ description: "Alternative text." }),
        image_url: Schema.String.annotate({ description: "URL of the image." }),
        caption: optionalText("Short description.")
      })
    ).annotate({ description: "Images of the report." })
  )
}

const actions = Schema.optionalKey(
  Schema.Array(
    Schema.Struct({
      label: Schema.String.annotate({ description: "Text of the button, up to 20 characters." }),
      description: Schema.String.annotate({ description: "What it does, up to 40 characters." }),
      identifier: Schema.String.annotate({ description: "Name for the app, up to 20 characters." })
    })
  ).annotate({ description: "Up to three buttons." })
)

const state = {
  details_url: optionalText("URL with the details, by default that of the app."),
  external_id: optionalText("Name of the run in the app's own system."),
  started_at: Schema.optionalKey(Timestamp.annotate({ description: "When the run began." })),
  status: Schema.optionalKey(
    Schema.Literals(checkStatuses).annotate({
      description: "The status; `queued` for a new run, `completed` with a conclusion."
    })
  ),
  conclusion: Schema.optionalKey(
    Schema.Literals(checkConclusions).annotate({ description: "The result; needed for a completed run." })
  ),
  completed_at: Schema.optionalKey(Timestamp.annotate({ description: "When the run ended; now by default." })),
  actions
}

/** The members of a new check run. */
export const NewCheckRun = Schema.Struct({
  name: Schema.String.annotate({ description: "Name of the check, for example `lint`." }),
  head_sha: Schema.String.annotate({ description: "Id of the commit." }),
  ...state,
  output: Schema.optionalKey(
    Schema.Struct({ title: Schema.String.annotate({ description: "Title." }), ...outputContent }).annotate({
      description: "The report."
    })
  )
}).annotate({ identifier: "NewCheckRun" })
export type NewCheckRun = typeof NewCheckRun.Type

/** The members of a check run to change. */
export const CheckRunUpdate = Schema.Struct({
  name: optionalText("The new name."),
  ...state,
  output: Schema.optionalKey(
    Schema.Struct({ title: optionalText("Title."), ...outputContent }).annotate({ description: "The new report." })
  )
}).annotate({ identifier: "CheckRunUpdate" })
export type CheckRunUpdate = typeof CheckRunUpdate.Type

const runPath = { ...repositoryPath, check_run_id: Schema.Int.annotate({ description: "Id of the check run." }) }

const filterQuery = {
  check_name: optionalText("Only runs of this name."),
  status: Schema.optionalKey(
    Schema.Literals(["queued", "in_progress", "completed"]).annotate({ description: "Only runs with this status." })
  ),
  filter: Schema.optionalKey(
    Schema.Literals(["latest", "all"]).annotate({
      description: "The newest run of each name (`latest`, by default) or `all`."
    })
  )
}

/** Endpoints of check runs. */
export class CheckRuns extends Group.make("checkRuns", () => [
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/check-runs", {
    params: repositoryPath,
    payload: NewCheckRun,
    success: CheckRun.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/create",
      summary: "Create a check run",
      words: "report, continuous integration, CI, lint",
      ...writesChecks
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/check-runs/:check_run_id", {
    params: runPath,
    success: CheckRun,
    error: notFound
  }).annotateMerge(Operation.annotations({ operationId: "checks/get", summary: "Get a check run", ...readsChecks })),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/check-runs/:check_run_id", {
    params: runPath,
    payload: CheckRunUpdate,
    success: CheckRun,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/update",
      summary: "Update a check run",
      words: "complete, conclusion",
      // Adds annotations, which no call removes.
      idempotent: false,
      reversible: false,
      ...writesChecks
    })
  ),
  HttpApiEndpoint.get("listAnnotations", "/repos/:owner/:repo/check-runs/:check_run_id/annotations", {
    params: runPath,
    query: pageQuery,
    success: Paged(Schema.Array(CheckAnnotation)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/list-annotations",
      summary: "List the annotations of a check run",
      command: "annotations",
      ...readsChecks,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("rerequest", "/repos/:owner/:repo/check-runs/:check_run_id/rerequest", {
    params: runPath,
    success: Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/rerequest-run",
      summary: "Request a check run again",
      words: "rerun, retry",
      effect: "trigger",
      permission: checkPermission("write"),
      scopes: ["public_repo", "repo"],
      privateScopes: ["repo"]
    })
  ),
  HttpApiEndpoint.get("listForSuite", "/repos/:owner/:repo/check-suites/:check_suite_id/check-runs", {
    params: { ...repositoryPath, check_suite_id: Schema.Int.annotate({ description: "Id of the check suite." }) },
    query: { ...filterQuery, ...pageQuery },
    success: Paged(CheckRunList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/list-for-suite",
      summary: "List the check runs of a check suite",
      ...readsChecks,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForRef", "/repos/:owner/:repo/commits/:ref/check-runs", {
    params: commitRefPath,
    query: { ...filterQuery, app_id: optionalInt("Only runs of the app with this id."), ...pageQuery },
    success: Paged(CheckRunList),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "checks/list-for-ref",
      summary: "List the check runs of a commit",
      words: "CI, tests, passed, failed",
      command: "list",
      ...readsChecks,
      rest: true,
      paging: "page"
    })
  )
]) {}
