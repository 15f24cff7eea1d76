/** Endpoints of branch protections, except those of restrictions. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import * as Protection from "./BranchProtection.ts"

const PROTECTION = "/repos/:owner/:repo/branches/:branch/protection"
const params = Protection.branchPath

/** Access rules of the operations on branch protections. */
export const administration = (level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "administration", level }]],
    scopes: ["public_repo", "repo"],
    privateScopes: ["repo"],
    access: "administer",
    rest: true
  }) as const // literal types
const reads = administration("read")
const writes = { ...administration("write"), reversible: false } as const // literal type
/** A POST that turns a part on can be repeated. */
const turnsOn = { ...writes, effect: "update" } as const // literal type

const names = Schema.Array(Schema.String)

/** Endpoints of branch protection. */
export class BranchProtections extends Group.make("branchProtections", () => [
  HttpApiEndpoint.get("get", PROTECTION, {
    params,
    success: Protection.BranchProtection,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-branch-protection",
      summary: "Get the protection of a branch",
      ...reads
    })
  ),
  HttpApiEndpoint.put("update", PROTECTION, {
    params,
    payload: Protection.NewBranchProtection,
    success: Protection.BranchProtection,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-branch-protection",
      summary: "Protect a branch",
      words: "set branch protection, lock branch",
      ...writes
    })
  ),
  HttpApiEndpoint.delete("delete", PROTECTION, {
    params,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-branch-protection",
      summary: "Delete the protection of a branch",
      words: "unprotect",
      ...writes
    })
  ),
  HttpApiEndpoint.get("getAdmins", `${PROTECTION}/enforce_admins`, {
    params,
    success: Protection.ProtectionFlag,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-admin-branch-protection",
      summary: "Get whether the protection of a branch applies to administrators",
      ...reads
    })
  ),
  HttpApiEndpoint.post("setAdmins", `${PROTECTION}/enforce_admins`, {
    params,
    success: Protection.ProtectionFlag,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/set-admin-branch-protection",
      summary: "Apply the protection of a branch to administrators",
      words: "enforce admins",
      ...turnsOn
    })
  ),
  HttpApiEndpoint.delete("deleteAdmins", `${PROTECTION}/enforce_admins`, {
    params,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-admin-branch-protection",
      summary: "Stop applying the protection of a branch to administrators",
      ...writes
    })
  ),
  HttpApiEndpoint.get("getReviews", `${PROTECTION}/required_pull_request_reviews`, {
    params,
    success: Protection.ReviewProtection,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-pull-request-review-protection",
      summary: "Get the reviews that a branch requires",
      ...reads
    })
  ),
  HttpApiEndpoint.patch("updateReviews", `${PROTECTION}/required_pull_request_reviews`, {
    params,
    payload: Protection.ReviewProtectionChange,
    success: Protection.ReviewProtection,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-pull-request-review-protection",
      summary: "Update the reviews that a branch requires",
      words: "required approvals",
      ...writes
    })
  ),
  HttpApiEndpoint.delete("deleteReviews", `${PROTECTION}/required_pull_request_reviews`, {
    params,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-pull-request-review-protection",
      summary: "Stop requiring reviews on a branch",
      ...writes
    })
  ),
  HttpApiEndpoint.get("getSignatures", `${PROTECTION}/required_signatures`, {
    params,
    success: Protection.ProtectionFlag,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-commit-signature-protection",
      summary: "Get whether a branch requires signed commits",
      ...reads
    })
  ),
  HttpApiEndpoint.post("createSignatures", `${PROTECTION}/required_signatures`, {
    params,
    success: Protection.ProtectionFlag,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-commit-signature-protection",
      summary: "Require signed commits on a branch",
      ...turnsOn
    })
  ),
  HttpApiEndpoint.delete("deleteSignatures", `${PROTECTION}/required_signatures`, {
    params,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-commit-signature-protection",
      summary: "Stop requiring signed commits on a branch",
      ...writes
    })
  ),
  HttpApiEndpoint.get("getChecks", `${PROTECTION}/required_status_checks`, {
    params,
    success: Protection.StatusCheckPolicy,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-status-checks-protection",
      summary: "Get the checks that a branch requires",
      ...reads
    })
  ),
  HttpApiEndpoint.patch("updateChecks", `${PROTECTION}/required_status_checks`, {
    params,
    payload: Protection.StatusChecksChange,
    success: Protection.StatusCheckPolicy,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-status-check-protection",
      summary: "Update the checks that a branch requires",
      words: "required status checks",
      ...writes
    })
  ),
  HttpApiEndpoint.delete("deleteChecks", `${PROTECTION}/required_status_checks`, {
    params,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/remove-status-check-protection",
      summary: "Stop requiring checks on a branch",
      ...writes
    })
  ),
  HttpApiEndpoint.get("listContexts", `${PROTECTION}/required_status_checks/contexts`, {
    params,
    success: names,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-all-status-check-contexts",
      summary: "List the names of the checks that a branch requires",
      ...reads
    })
  ),
  HttpApiEndpoint.post("addContexts", `${PROTECTION}/required_status_checks/contexts`, {
    params,
    payload: Schema.Struct({ contexts: Protection.contexts }),
    success: names,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/add-status-check-contexts",
      summary: "Add checks to those that a branch requires",
      ...turnsOn,
      listBody: "contexts"
    })
  ),
  HttpApiEndpoint.put("setContexts", `${PROTECTION}/required_status_checks/contexts`, {
    params,
    payload: Schema.Struct({ contexts: Protection.contexts }),
    success: names,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/set-status-check-contexts",
      summary: "Set the checks that a branch requires",
      ...writes,
      listBody: "contexts"
    })
  ),
  HttpApiEndpoint.delete("removeContexts", `${PROTECTION}/required_status_checks/contexts`, {
    params,
    payload: Schema.Struct({ contexts: Protection.contexts }),
    success: names,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/remove-status-check-contexts",
      summary: "Remove checks from those that a branch requires",
      ...writes,
      listBody: "contexts"
    })
  )
]) {}
