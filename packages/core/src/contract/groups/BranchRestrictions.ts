/** Endpoints of the restrictions of a protected branch: the people, teams and apps that may push. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import * as Protection from "./BranchProtection.ts"
import { administration } from "./BranchProtections.ts"
import { Team } from "./Team.ts"
import { UserSummary } from "./User.ts"

const RESTRICTIONS = "/repos/:owner/:repo/branches/:branch/protection/restrictions"
const params = Protection.branchPath
const reads = administration("read")
const writes = { ...administration("write"), reversible: false } as const // literal type

const failures = [notFound, validationFailed] as const // a tuple

/** Endpoints of who may push to a protected branch. */
export class BranchRestrictions extends Group.make("branchRestrictions", () => [
  HttpApiEndpoint.get("get", RESTRICTIONS, {
    params,
    success: Protection.BranchRestrictions,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-access-restrictions",
      summary: "Get who may push to a protected branch",
      ...reads
    })
  ),
  HttpApiEndpoint.delete("delete", RESTRICTIONS, {
    params,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-access-restrictions",
      summary: "Let everybody with write access push to a protected branch",
      ...writes
    })
  ),
  HttpApiEndpoint.get("listApps", `${RESTRICTIONS}/apps`, {
    params,
    success: Schema.Array(Protection.ProtectionApp),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-apps-with-access-to-protected-branch",
      summary: "List the apps that may push to a protected branch",
      ...reads
    })
  ),
  HttpApiEndpoint.post("addApps", `${RESTRICTIONS}/apps`, {
    params,
    payload: Schema.Struct({ apps: Protection.apps }),
    success: Schema.Array(Protection.ProtectionApp),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/add-app-access-restrictions",
      summary: "Let more apps push to a protected branch",
      ...writes,
      effect: "update",
      listBody: "apps"
    })
  ),
  HttpApiEndpoint.put("setApps", `${RESTRICTIONS}/apps`, {
    params,
    payload: Schema.Struct({ apps: Protection.apps }),
    success: Schema.Array(Protection.ProtectionApp),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/set-app-access-restrictions",
      summary: "Set the apps that may push to a protected branch",
      ...writes,
      listBody: "apps"
    })
  ),
  HttpApiEndpoint.delete("removeApps", `${RESTRICTIONS}/apps`, {
    params,
    payload: Schema.Struct({ apps: Protection.apps }),
    success: Schema.Array(Protection.ProtectionApp),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/remove-app-access-restrictions",
      summary: "Stop letting apps push to a protected branch",
      ...writes,
      listBody: "apps"
    })
  ),
  HttpApiEndpoint.get("listTeams", `${RESTRICTIONS}/teams`, {
    params,
    success: Schema.Array(Team),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-teams-with-access-to-protected-branch",
      summary: "List the teams that may push to a protected branch",
      ...reads
    })
  ),
  HttpApiEndpoint.post("addTeams", `${RESTRICTIONS}/teams`, {
    params,
    payload: Schema.Struct({ teams: Protection.teams }),
    success: Schema.Array(Team),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/add-team-access-restrictions",
      summary: "Let more teams push to a protected branch",
      ...writes,
      effect: "update",
      listBody: "teams"
    })
  ),
  HttpApiEndpoint.put("setTeams", `${RESTRICTIONS}/teams`, {
    params,
    payload: Schema.Struct({ teams: Protection.teams }),
    success: Schema.Array(Team),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/set-team-access-restrictions",
      summary: "Set the teams that may push to a protected branch",
      ...writes,
      listBody: "teams"
    })
  ),
  HttpApiEndpoint.delete("removeTeams", `${RESTRICTIONS}/teams`, {
    params,
    payload: Schema.Struct({ teams: Protection.teams }),
    success: Schema.Array(Team),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/remove-team-access-restrictions",
      summary: "Stop letting teams push to a protected branch",
      ...writes,
      listBody: "teams"
    })
  ),
  HttpApiEndpoint.get("listUsers", `${RESTRICTIONS}/users`, {
    params,
    success: Schema.Array(UserSummary),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-users-with-access-to-protected-branch",
      summary: "List the people that may push to a protected branch",
      ...reads
    })
  ),
  HttpApiEndpoint.post("addUsers", `${RESTRICTIONS}/users`, {
    params,
    payload: Schema.Struct({ users: Protection.users }),
    success: Schema.Array(UserSummary),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/add-user-access-restrictions",
      summary: "Let more people push to a protected branch",
      ...writes,
      effect: "update",
      listBody: "users"
    })
  ),
  HttpApiEndpoint.put("setUsers", `${RESTRICTIONS}/users`, {
    params,
    payload: Schema.Struct({ users: Protection.users }),
    success: Schema.Array(UserSummary),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/set-user-access-restrictions",
      summary: "Set the people that may push to a protected branch",
      ...writes,
      listBody: "users"
    })
  ),
  HttpApiEndpoint.delete("removeUsers", `${RESTRICTIONS}/users`, {
    params,
    payload: Schema.Struct({ users: Protection.users }),
    success: Schema.Array(UserSummary),
    error: failures
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/remove-user-access-restrictions",
      summary: "Stop letting people push to a protected branch",
      ...writes,
      listBody: "users"
    })
  )
]) {}
