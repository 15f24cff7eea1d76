/** Assignees of issues: the accounts that can be assigned, and those that are. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Issue } from "./Issue.ts"
import { UserSummary } from "./User.ts"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { issuePath, readsIssues, textTypes, triagesIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"

const assignee = { assignee: Schema.String.annotate({ description: "Login of the account." }) }
const payload = Schema.Struct({
  assignees: Schema.Array(Schema.String).annotate({ description: "Logins of the accounts." })
})

/** Endpoints of assignees. */
export class Assignees extends Group.make("assignees", () => [
  HttpApiEndpoint.get("listForRepo", "/repos/:owner/:repo/assignees", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(UserSummary)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-assignees",
      summary: "List accounts that issues can be assigned to",
      command: "list",
      ...readsIssues,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("check", "/repos/:owner/:repo/assignees/:assignee", {
    params: { ...repositoryPath, ...assignee },
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/check-user-can-be-assigned",
      summary: "Check if issues can be assigned to an account",
      answers: {
        yes: "Issues can be assigned to {assignee}",
        no: "Issues cannot be assigned to {assignee}"
      },
      ...readsIssues
    })
  ),
  HttpApiEndpoint.get("checkForIssue", "/repos/:owner/:repo/issues/:issue_number/assignees/:assignee", {
    params: { ...issuePath, ...assignee },
    success: HttpApiSchema.NoContent,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/check-user-can-be-assigned-to-issue",
      summary: "Check if an issue can be assigned to an account",
      answers: {
        yes: "The issue can be assigned to {assignee}",
        no: "The issue cannot be assigned to {assignee}"
      },
      ...readsIssues
    })
  ),
  HttpApiEndpoint.post("add", "/repos/:owner/:repo/issues/:issue_number/assignees", {
    params: issuePath,
    payload,
    success: Issue.pipe(HttpApiSchema.status(201)),
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/add-assignees",
      summary: "Assign accounts to an issue",
      words: "assign issue",
      description: "An issue has up to 10 assignees. Accounts that cannot be assigned are ignored.",
      ...triagesIssues,
      idempotent: true,
      mediaTypes: textTypes
    })
  ),
  HttpApiEndpoint.delete("remove", "/repos/:owner/:repo/issues/:issue_number/assignees", {
    params: issuePath,
    payload,
    success: Issue,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/remove-assignees",
      summary: "Remove assignees from an issue",
      words: "unassign issue",
      ...triagesIssues,
      reversible: true,
      mediaTypes: textTypes
    })
  )
]) {}
