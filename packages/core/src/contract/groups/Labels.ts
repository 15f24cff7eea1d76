/** Labels of a repository, and on issues and milestones. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { issuePath, readsIssues, triagesIssues, writesIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { milestonePath, pageQuery, repositoryPath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, Timestamp } from "../Scalars.ts"
import { matchFields, pageFields, searches, searchQuery } from "../SearchPage.ts"
import { labelSorts } from "../SearchSorts.ts"

/** A label. Its name is unique in the repository, whatever its case. */
export const Label = Schema.Struct({
  id: Schema.Int,
  node_id: Schema.String,
  url: Schema.String,
  name: Schema.String,
  /** Hexadecimal digits of the color, without `#`. */
  color: Schema.String,
  /** True for a label that every new repository has. */
  default: Schema.Boolean,
  description: Schema.NullOr(Schema.String),
  /** Null: the forge archives no labels. */
  archived_at: Schema.optionalKey(Schema.NullOr(Timestamp)),
  archived_by: Schema.optionalKey(Schema.NullOr(AnyJson))
}).annotate({
  identifier: "Label",
  ...Presentation.of({
    columns: { NAME: "name", COLOR: "color", DESCRIPTION: "description" },
    identity: ["name"],
    inline: true,
    arguments: { "labels.name": "name", "labels.new_name": "name" }
  })
})
export type Label = typeof Label.Type

/** A matching label. */
export const LabelSearchItem = Schema.Struct({ ...Label.fields, ...matchFields }).annotate({
  identifier: "LabelSearchItem",
  ...Presentation.of({
    columns: { NAME: "name", COLOR: "color", DESCRIPTION: "description" },
    identity: ["name"],
    arguments: {
      owner: { path: "url", pattern: "/repos/([^/]+)/[^/]+/labels/" },
      repo: { path: "url", pattern: "/repos/[^/]+/([^/]+)/labels/" },
      "labels.name": "name",
      "labels.new_name": "name"
    },
    opens: ["labels.get"]
  })
})
export type LabelSearchItem = typeof LabelSearchItem.Type

/** A page of matching labels. */
export const LabelSearchResults = Schema.Struct(pageFields(LabelSearchItem)).annotate({
  identifier: "LabelSearchResults"
})
export type LabelSearchResults = typeof LabelSearchResults.Type

const labelPath = { ...repositoryPath, name: Schema.String.annotate({ description: "Name of the label." }) }

const color = Schema.optionalKey(
  Schema.String.annotate({ description: "Color as six hexadecimal digits, without #; a random one by default." })
)
const description = Schema.optionalKey(
  Schema.NullOr(Schema.String.annotate({ description: "Description, up to 100 characters." }))
)

/** The members of a new label. */
export const NewLabel = Schema.Struct({
  name: Schema.String.annotate({ description: "Name, unique in the repository." }),
  color,
  description
}).annotate({ identifier: "NewLabel" })
export type NewLabel = typeof NewLabel.Type

/** The members of a label to change. */
export const LabelUpdate = Schema.Struct({
  new_name: Schema.optionalKey(Schema.String.annotate({ description: "The new name." })),
  color: Schema.optionalKey(Schema.String.annotate({ description: "The new color, as six hexadecimal digits." })),
  description
}).annotate({ identifier: "LabelUpdate" })
export type LabelUpdate = typeof LabelUpdate.Type

/** A label by name, as a text or as a member of an object. */
export const LabelName = Schema.Union([Schema.String, Schema.Struct({ name: Schema.String })])

const names = (text: string) => ({
  labels: Schema.Array(LabelName).annotate({ description: text })
})

const ofIssue = Paged(Schema.Array(Label))

/** Endpoints of labels. */
export class Labels extends Group.make("labels", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/labels", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(Label)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-labels-for-repo",
      summary: "List labels",
      words: "tags, categories",
      command: "list",
      ...readsIssues,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/labels", {
    params: repositoryPath,
    payload: NewLabel,
    success: Label.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({ operationId: "issues/create-label", summary: "Create a label", ...writesIssues })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/labels/:name", {
    params: labelPath,
    success: Label,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "issues/get-label", summary: "Get a label", ...readsIssues, rest: true })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/labels/:name", {
    params: labelPath,
    payload: LabelUpdate,
    success: Label,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/update-label",
      summary: "Update a label",
      words: "rename label",
      ...writesIssues,
      rest: true
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/labels/:name", {
    params: labelPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/delete-label",
      summary: "Delete a label",
      description: "Also takes it off all issues.",
      ...writesIssues,
      rest: true
    })
  ),
  HttpApiEndpoint.get("listForMilestone", "/repos/:owner/:repo/milestones/:milestone_number/labels", {
    params: milestonePath,
    query: pageQuery,
    success: Paged(Schema.Array(Label)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-labels-for-milestone",
      summary: "List labels of the issues of a milestone",
      ...readsIssues,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listOnIssue", "/repos/:owner/:repo/issues/:issue_number/labels", {
    params: issuePath,
    query: pageQuery,
    success: ofIssue,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-labels-on-issue",
      summary: "List labels of an issue",
      ...readsIssues,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("addToIssue", "/repos/:owner/:repo/issues/:issue_number/labels", {
    params: issuePath,
    payload: Schema.Struct(names("Names of the labels to add.")),
    success: Schema.Array(Label),
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/add-labels",
      summary: "Add labels to an issue",
      words: "tag issue",
      description: "Creates labels that the repository does not have.",
      ...triagesIssues,
      idempotent: true,
      listBody: "labels"
    })
  ),
  HttpApiEndpoint.put("setOnIssue", "/repos/:owner/:repo/issues/:issue_number/labels", {
    params: issuePath,
    payload: Schema.Struct(names("Names of all labels that the issue will have.")),
    success: Schema.Array(Label),
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/set-labels",
      summary: "Set the labels of an issue",
      ...triagesIssues,
      reversible: false,
      listBody: "labels"
    })
  ),
  HttpApiEndpoint.delete("removeAllFromIssue", "/repos/:owner/:repo/issues/:issue_number/labels", {
    params: issuePath,
    success: HttpApiSchema.NoContent,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/remove-all-labels",
      summary: "Remove all labels from an issue",
      ...triagesIssues,
      reversible: true
    })
  ),
  HttpApiEndpoint.delete("removeFromIssue", "/repos/:owner/:repo/issues/:issue_number/labels/:name", {
    params: { ...issuePath, name: labelPath.name },
    success: Schema.Array(Label),
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/remove-label",
      summary: "Remove a label from an issue",
      ...triagesIssues,
      reversible: true,
      rest: true
    })
  ),
  HttpApiEndpoint.get("search", "/search/labels", {
    query: {
      repository_id: Schema.Int.annotate({ description: "Id of the repository." }),
      ...searchQuery("crash OR bug", labelSorts)
    },
    success: Paged(LabelSearchResults),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "search/labels",
      summary: "Search the labels of a repository",
      words: "find labels",
      ...searches
    })
  )
]) {}
