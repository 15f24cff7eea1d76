/** Relations between issues: sub-issues with their parent, and dependencies. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Issue } from "./Issue.ts"
import { gone, notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import { issuePath, readsIssues, textTypes, triagesIssues } from "../IssueAccess.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"

const list = Paged(Schema.Array(Issue))
const created = Issue.pipe(HttpApiSchema.status(201))
const id = (description: string) => Schema.Int.annotate({ description })

const reads = { ...readsIssues, mediaTypes: textTypes } as const // literal types
const writes = { ...triagesIssues, mediaTypes: textTypes } as const // literal types

/** Endpoints of sub-issues. */
export class SubIssues extends Group.make("subIssues", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/issues/:issue_number/sub_issues", {
    params: issuePath,
    query: pageQuery,
    success: list,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-sub-issues",
      summary: "List sub-issues of an issue",
      words: "children, tasks",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("getParent", "/repos/:owner/:repo/issues/:issue_number/parent", {
    params: issuePath,
    success: Issue,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/get-parent",
      summary: "Get the parent of a sub-issue",
      ...reads
    })
  ),
  HttpApiEndpoint.post("add", "/repos/:owner/:repo/issues/:issue_number/sub_issues", {
    params: issuePath,
    payload: Schema.Struct({
      sub_issue_id: id("Id (not the number) of the issue that becomes a sub-issue."),
      replace_parent: Schema.optionalKey(
        Schema.Boolean.annotate({ description: "True to take the sub-issue from its present parent." })
      )
    }),
    success: created,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/add-sub-issue",
      summary: "Add a sub-issue to an issue",
      description: "Both issues belong to repositories of one owner. An issue has up to 100 sub-issues.",
      ...writes,
      idempotent: true
    })
  ),
  HttpApiEndpoint.delete("remove", "/repos/:owner/:repo/issues/:issue_number/sub_issue", {
    params: issuePath,
    payload: Schema.Struct({ sub_issue_id: id("Id (not the number) of the sub-issue.") }),
    success: Issue,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/remove-sub-issue",
      summary: "Remove a sub-issue from an issue",
      ...writes,
      reversible: true
    })
  ),
  HttpApiEndpoint.patch("reprioritize", "/repos/:owner/:repo/issues/:issue_number/sub_issues/priority", {
    params: issuePath,
    payload: Schema.Struct({
      sub_issue_id: id("Id (not the number) of the sub-issue to move."),
      after_id: Schema.optionalKey(id("Id of the sub-issue before the new place.")),
      before_id: Schema.optionalKey(id("Id of the sub-issue after the new place."))
    }),
    success: Issue,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/reprioritize-sub-issue",
      summary: "Move a sub-issue in the list of its parent",
      ...writes,
      reversible: false
    })
  )
]) {}

/** Endpoints of dependencies between issues. */
export class IssueDependencies extends Group.make("issueDependencies", () => [
  HttpApiEndpoint.get("listBlockedBy", "/repos/:owner/:repo/issues/:issue_number/dependencies/blocked_by", {
    params: issuePath,
    query: pageQuery,
    success: list,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-dependencies-blocked-by",
      summary: "List issues that block an issue",
      words: "blockers, depends on",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.get("listBlocking", "/repos/:owner/:repo/issues/:issue_number/dependencies/blocking", {
    params: issuePath,
    query: pageQuery,
    success: list,
    error: [notFound, gone]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/list-dependencies-blocking",
      summary: "List issues that an issue blocks",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("addBlockedBy", "/repos/:owner/:repo/issues/:issue_number/dependencies/blocked_by", {
    params: issuePath,
    payload: Schema.Struct({ issue_id: id("Id (not the number) of the issue that blocks this one.") }),
    success: created,
    error: [notFound, gone, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "issues/add-blocked-by-dependency",
      summary: "Add an issue that blocks an issue",
      ...writes,
      idempotent: true
    })
  ),
  HttpApiEndpoint.delete(
    "removeBlockedBy",
    "/repos/:owner/:repo/issues/:issue_number/dependencies/blocked_by/:issue_id",
    {
      params: { ...issuePath, issue_id: id("Id (not the number) of the issue that blocks this one.") },
      success: Issue,
      error: [notFound, gone]
    }
  ).annotateMerge(
    Operation.annotations({
      operationId: "issues/remove-dependency-blocked-by",
      summary: "Remove an issue that blocks an issue",
      ...writes,
      reversible: true
    })
  )
]) {}
