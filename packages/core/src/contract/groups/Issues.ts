/** Issues: lists, single issues, their assignees and their lock. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Issue } from "./Issue.ts"
import { LabelName } from "./Labels.ts"
import { IssueSearchResults } from "./Search.ts"
import { searches, searchQuery } from "../SearchPage.ts"
import { issueSorts } from "../SearchSorts.ts"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { authorsIssues, issuePath, joinsIssues, readsIssues, textTypes, triagesIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery, repositoryPath } from "../Parameters.ts"
import { Timestamp } from "../Scalars.ts"

export { Issue } from "./Issue.ts"

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

const filters = {
  state: Schema.optionalKey(
    Schema.Literals(["open", "closed", "all"]).annotate({ description: "Only this state; open by default." })
  ),
  labels: text("Only issues with all of these labels, separated by commas."),
  sort: Schema.optionalKey(
    Schema.Literals(["created", "updated", "comments"]).annotate({ description: "created by default." })
  ),
  direction: Schema.optionalKey(Schema.Literals(["asc", "desc"]).annotate({ description: "desc by default." })),
  since: Schema.optionalKey(
    Timestamp.annotate({
      description: "Only issues updated at or after this time, for example 2026-01-31T12:00:00Z."
    })
  )
}

const involvement = {
  filter: Schema.optionalKey(
    Schema.Literals(["assigned", "created", "mentioned", "subscribed", "repos", "all"]).annotate({
      description: "How the signed-in user is involved; assigned by default."
    })
  ),
  ...filters
}

const title = Schema.Union([Schema.String, Schema.Finite])
/** A text has the digits of the number; an empty text stands for null. */
const milestone = Schema.optionalKey(
  Schema.NullOr(Schema.Union([Schema.Int, Schema.String]).annotate({ description: "Number of the milestone." }))
)
const assignee = Schema.optionalKey(
  Schema.NullOr(Schema.String.annotate({ description: "Login of one assignee; deprecated, use assignees." }))
)
const labels = (description: string) => Schema.optionalKey(Schema.Array(LabelName).annotate({ description }))
const logins = (description: string) => Schema.optionalKey(Schema.Array(Schema.String).annotate({ description }))
const type = Schema.optionalKey(
  Schema.NullOr(Schema.String.annotate({ description: "Name of the type, if the organization has types." }))
)

/** The members of a new issue. Labels, assignees, milestone and type need the triage role, and are ignored without it. */
export const NewIssue = Schema.Struct({
  title: title.annotate({ description: "Title." }),
  body: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ description: "Text, in Markdown." }))),
  assignee,
  milestone,
  labels: labels("Names of labels."),
  assignees: logins("Logins of the assignees, up to 10."),
  type
}).annotate({ identifier: "NewIssue" })
export type NewIssue = typeof NewIssue.Type

/** The members of an issue to change. */
export const IssueUpdate = Schema.Struct({
  title: Schema.optionalKey(Schema.NullOr(title.annotate({ description: "The new title." }))),
  body: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ description: "The new text, in Markdown." }))),
  assignee,
  state: Schema.optionalKey(Schema.Literals(["open", "closed"]).annotate({ description: "The new state." })),
  state_reason: Schema.optionalKey(
    Schema.NullOr(
      Schema.Literals(["completed", "not_planned", "duplicate", "reopened"]).annotate({
        description: "Reason of the new state."
      })
    )
  ),
  duplicate_issue_id: Schema.optionalKey(
    Schema.Int.annotate({ description: "Id of the issue that this one repeats, with the reason duplicate." })
  ),
  milestone,
  labels: labels("Names of all labels that the issue will have."),
  assignees: logins("Logins of all assignees that the issue will have, up to 10."),
  type
}).annotate({ identifier: "IssueUpdate" })
export type IssueUpdate = typeof IssueUpdate.Type

const list = Paged(Schema.Array(Issue))

/** Endpoints of issues. */
export class Issues extends Group.make("issues", () => [
  HttpApiEndpoint.get("listInvolving", "/issues", {
    query: {
      ...involvement,
      collab: text("Ignored."),
      orgs: text("Ignored."),
      owned: text("Ignored."),
      pulls: text("Ignored."),
      ...pageQuery
    },
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list",
      summary: "List issues of the signed-in user in all repositories",
      words: "my issues, assigned to me",
      command: "mine",
      ...readsIssues,
      public: false,
      scopes: ["repo"],
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/issues", {
    query: { ...involvement, ...pageQuery },
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-for-authenticated-user",
      summary: "List issues of the signed-in user in own repositories",
      command: "mine-in-own-repositories",
      ...readsIssues,
      public: false,
      scopes: ["repo"],
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForOrg", "/orgs/:org/issues", {
    params: organizationPath,
    query: { ...involvement, type: text("Only issues of this type: its name, `*` for any, `none`."), ...pageQuery },
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-for-org",
      summary: "List issues of the signed-in user in an organization",
      command: "list-for-organization",
      ...readsIssues,
      public: false,
      scopes: ["repo"],
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/issues", {
    params: repositoryPath,
    query: {
      milestone: text("Number of a milestone, `*` for any, `none`."),
      state: filters.state,
      assignee: text("Login of an assignee, `*` for any, `none`."),
      type: text("Name of a type, `*` for any, `none`."),
      creator: text("Login of the author."),
      mentioned: text("Login of a mentioned user."),
      labels: filters.labels,
      sort: filters.sort,
      direction: filters.direction,
      since: filters.since,
      ...pageQuery
    },
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-for-repo",
      summary: "List issues",
      words: "bugs, tickets, tasks",
      description: "Contains pull requests, too: they have `pull_request`.",
      command: "list",
      ...readsIssues,
      mediaTypes: textTypes,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("search", "/search/issues", {
    query: {
      ...searchQuery("crash repo:octo/hello is:open label:bug", issueSorts),
      advanced_search: Schema.optionalKey(
        Schema.String.annotate({ description: "Has no effect: every query can have operators and parentheses." })
      )
    },
    success: Paged(IssueSearchResults),
    error: validationFailed
  }).annotateMerge(
    Operation.annotations({
      operationId: "search/issues-and-pull-requests",
      summary: "Search issues and pull requests",
      words: "find bugs, find tickets",
      ...searches
    })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/issues", {
    params: repositoryPath,
    payload: NewIssue,
    success: Issue.pipe(HttpApiSchema.status(201)),
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/create",
      summary: "Create an issue",
      words: "report bug, new ticket, open issue",
      ...joinsIssues,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/issues/:issue_number", {
    params: issuePath,
    success: Issue,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/get",
      summary: "Get an issue",
      ...readsIssues,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/issues/:issue_number", {
    params: issuePath,
    payload: IssueUpdate,
    success: Issue,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/update",
      summary: "Update an issue",
      words: "close issue, reopen, edit, rename, assign",
      ...authorsIssues,
      reversible: { except: { duplicate_issue_id: "any" } },
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.put("lock", "/repos/:owner/:repo/issues/:issue_number/lock", {
    params: issuePath,
    payload: Schema.Struct({
      lock_reason: Schema.optionalKey(
        Schema.NullOr(
          Schema.Literals(["off-topic", "too heated", "resolved", "spam"]).annotate({
            description: "Reason of the lock, which everyone sees."
          })
        )
      )
    }),
    success: HttpApiSchema.NoContent,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/lock",
      summary: "Lock the conversation of an issue",
      noContent: "Locked the conversation",
      description: "Only people with write access can then comment.",
      ...triagesIssues,
      reversible: false
    })
  ),
  HttpApiEndpoint.delete("unlock", "/repos/:owner/:repo/issues/:issue_number/lock", {
    params: issuePath,
    success: HttpApiSchema.NoContent,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/unlock",
      summary: "Unlock the conversation of an issue",
      noContent: "Unlocked the conversation",
      ...triagesIssues,
      reversible: true
    })
  )
]) {}
