/** Webhooks of a repository. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Exposure from "../Exposure.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Hooks from "./Hooks.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, repositoryPath } from "../Parameters.ts"
import { openEnum } from "../Scalars.ts"

/** A webhook of a repository with the result of its latest delivery. */
export const RepositoryHook = Schema.Struct({
  ...Hooks.hookFields,
  test_url: Schema.String,
  last_response: Schema.NullOr(
    Schema.Struct({
      code: Schema.NullOr(Schema.Int),
      status: Schema.NullOr(openEnum(["unused", "active", "misconfigured", "inactive"])),
      message: Schema.NullOr(Schema.String)
    })
  )
}).annotate({ identifier: "RepositoryHook", ...Hooks.presentation })
export type RepositoryHook = typeof RepositoryHook.Type

const hookPath = { ...repositoryPath, hook_id: Schema.Int.annotate({ description: "Id of the hook." }) }
const deliveryPath = { ...hookPath, delivery_id: Schema.Int.annotate({ description: "Id of the delivery." }) }
const webhooks = (level: "read" | "write") =>
  ({
    permission: [[{ target: "repository", category: "webhooks", level }]],
    scopes: level === "read" ? ["read:repo_hook", "repo"] : ["write:repo_hook", "repo"],
    privateScopes: level === "read" ? ["read:repo_hook", "repo"] : ["write:repo_hook", "repo"],
    access: "administer"
  }) as const
const reads = webhooks("read")
const writes = webhooks("write")

/** What has the events that a webhook sends. */
const EVENTS = "the repository"

/** Endpoints of webhooks of repositories. */
export class RepositoryHooks extends Group.make("repositoryHooks", () => [
  HttpApiEndpoint.get("list", "/repos/:owner/:repo/hooks", {
    params: repositoryPath,
    query: pageQuery,
    success: Paged(Schema.Array(RepositoryHook)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "repos/list-webhooks", summary: "List webhooks", ...reads, paging: "page" })
  ),
  HttpApiEndpoint.post("create", "/repos/:owner/:repo/hooks", {
    params: repositoryPath,
    payload: Schema.Struct({
      name: Schema.optionalKey(Schema.String.annotate({ description: "`web`." })),
      config: Hooks.NewHookConfig.annotate({ description: "Where and how events are sent." }),
      events: Hooks.eventsInput,
      active: Hooks.activeInput
    }),
    success: RepositoryHook.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/create-webhook",
      summary: "Create a webhook",
      words: "new webhook, add webhook, add hook",
      ...writes,
      exposure: Exposure.webhook(EVENTS, "config.url")
    })
  ),
  HttpApiEndpoint.get("get", "/repos/:owner/:repo/hooks/:hook_id", {
    params: hookPath,
    success: RepositoryHook,
    error: notFound
  }).annotateMerge(Operation.annotations({ operationId: "repos/get-webhook", summary: "Get a webhook", ...reads })),
  HttpApiEndpoint.patch("update", "/repos/:owner/:repo/hooks/:hook_id", {
    params: hookPath,
    payload: Schema.Struct({
      config: Schema.optionalKey(Hooks.HookConfigChange.annotate({ description: "Where and how events are sent." })),
      events: Hooks.eventsInput,
      add_events: Schema.optionalKey(
        Schema.Array(Schema.String).annotate({ description: "Events to subscribe to, in addition." })
      ),
      remove_events: Schema.optionalKey(
        Schema.Array(Schema.String).annotate({ description: "Events to unsubscribe from." })
      ),
      active: Hooks.activeInput
    }),
    success: RepositoryHook,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/update-webhook",
      summary: "Update a webhook",
      description: "A configuration without its secret removes the secret.",
      reversible: false, // the API never returns the secret
      exposure: Exposure.webhook(EVENTS, "config.url", {
        values: { config: "any", events: "any", add_events: "any", active: [true] }
      }),
      ...writes
    })
  ),
  HttpApiEndpoint.delete("delete", "/repos/:owner/:repo/hooks/:hook_id", {
    params: hookPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/delete-webhook",
      summary: "Delete a webhook",
      words: "remove webhook",
      ...writes
    })
  ),
  HttpApiEndpoint.get("getConfig", "/repos/:owner/:repo/hooks/:hook_id/config", {
    params: hookPath,
    success: Hooks.HookConfig,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-webhook-config-for-repo",
      summary: "Get a webhook's configuration",
      ...reads
    })
  ),
  HttpApiEndpoint.patch("updateConfig", "/repos/:owner/:repo/hooks/:hook_id/config", {
    params: hookPath,
    payload: Hooks.HookConfigChange,
    success: Hooks.HookConfig,
    error: [notFound, validationFailed]
  }).annotateMerge(
    // Not reversible, because the API never returns the secret, so a caller cannot restore the previous one.
    Operation.annotations({
      operationId: "repos/update-webhook-config-for-repo",
      summary: "Change parts of a webhook's configuration",
      ...writes,
      reversible: false,
      exposure: Exposure.webhook(EVENTS, "url", { values: { url: "any", secret: "any", insecure_ssl: "any" } })
    })
  ),
  HttpApiEndpoint.get("listDeliveries", "/repos/:owner/:repo/hooks/:hook_id/deliveries", {
    params: hookPath,
    query: Hooks.deliveryQuery,
    success: Paged(Schema.Array(Hooks.HookDeliverySummary)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/list-webhook-deliveries",
      summary: "List deliveries of a webhook",
      command: "deliveries",
      ...reads,
      paging: "cursor"
    })
  ),
  HttpApiEndpoint.get("getDelivery", "/repos/:owner/:repo/hooks/:hook_id/deliveries/:delivery_id", {
    params: deliveryPath,
    success: Hooks.HookDelivery,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/get-webhook-delivery",
      summary: "Get a delivery of a webhook",
      command: "delivery",
      ...reads
    })
  ),
  HttpApiEndpoint.post("redeliverDelivery", "/repos/:owner/:repo/hooks/:hook_id/deliveries/:delivery_id/attempts", {
    params: deliveryPath,
    success: Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(202)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/redeliver-webhook-delivery",
      summary: "Repeat a delivery of a webhook",
      words: "redeliver, resend, send again, retry delivery",
      command: "redeliver",
      ...writes,
      effect: "trigger"
    })
  ),
  HttpApiEndpoint.post("ping", "/repos/:owner/:repo/hooks/:hook_id/pings", {
    params: hookPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/ping-webhook",
      summary: "Ping a webhook",
      words: "test webhook",
      ...reads,
      effect: "trigger"
    })
  ),
  HttpApiEndpoint.post("testPush", "/repos/:owner/:repo/hooks/:hook_id/tests", {
    params: hookPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "repos/test-push-webhook",
      summary: "Test a webhook with the latest push",
      command: "test",
      ...reads,
      effect: "trigger"
    })
  )
]) {}
