/** Webhooks of an organization. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Exposure from "../Exposure.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Hooks from "./Hooks.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { organizationPath, pageQuery } from "../Parameters.ts"

/** A webhook of an organization. */
export const OrganizationHook = Schema.Struct(Hooks.hookFields).annotate({
  identifier: "OrganizationHook",
  ...Hooks.presentation
})
export type OrganizationHook = typeof OrganizationHook.Type

const hookPath = { ...organizationPath, hook_id: Schema.Int.annotate({ description: "Id of the hook." }) }
const deliveryPath = { ...hookPath, delivery_id: Schema.Int.annotate({ description: "Id of the delivery." }) }
const webhooks = (level: "read" | "write") =>
  ({
    permission: [[{ target: "organization", category: "webhooks", level }]],
    scopes: ["admin:org_hook"],
    access: "administer"
  }) as const
const reads = webhooks("read")
const writes = webhooks("write")

/** What has the events that a webhook sends. */
const EVENTS = "all repositories of the organization"

/** Endpoints of webhooks of organizations. */
export class OrganizationHooks extends Group.make("organizationHooks", () => [
  HttpApiEndpoint.get("list", "/orgs/:org/hooks", {
    params: organizationPath,
    query: pageQuery,
    success: Paged(Schema.Array(OrganizationHook)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-webhooks",
      summary: "List webhooks of an organization",
      ...reads,
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("create", "/orgs/:org/hooks", {
    params: organizationPath,
    payload: Schema.Struct({
      name: Schema.String.annotate({ description: "`web`." }),
      config: Hooks.NewHookConfig.annotate({ description: "Where and how events are sent." }),
      events: Hooks.eventsInput,
      active: Hooks.activeInput
    }),
    success: OrganizationHook.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/create-webhook",
      summary: "Create a webhook of an organization",
      words: "new webhook, add webhook, add hook",
      ...writes,
      exposure: Exposure.webhook(EVENTS, "config.url")
    })
  ),
  HttpApiEndpoint.get("get", "/orgs/:org/hooks/:hook_id", {
    params: hookPath,
    success: OrganizationHook,
    error: notFound
  }).annotateMerge(
    Operation.annotations({ operationId: "orgs/get-webhook", summary: "Get a webhook of an organization", ...reads })
  ),
  HttpApiEndpoint.patch("update", "/orgs/:org/hooks/:hook_id", {
    params: hookPath,
    payload: Schema.Struct({
      config: Schema.optionalKey(
        Hooks.HookConfigReplacement.annotate({ description: "Where and how events are sent." })
      ),
      events: Hooks.eventsInput,
      active: Hooks.activeInput,
      name: Schema.optionalKey(Schema.String.annotate({ description: "`web`." }))
    }),
    success: OrganizationHook,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/update-webhook",
      summary: "Update a webhook of an organization",
      description: "A configuration without its secret removes the secret.",
      reversible: false, // the API never returns the secret
      exposure: Exposure.webhook(EVENTS, "config.url", { values: { config: "any", events: "any", active: [true] } }),
      ...writes
    })
  ),
  HttpApiEndpoint.delete("delete", "/orgs/:org/hooks/:hook_id", {
    params: hookPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/delete-webhook",
      summary: "Delete a webhook of an organization",
      ...writes
    })
  ),
  HttpApiEndpoint.get("getConfig", "/orgs/:org/hooks/:hook_id/config", {
    params: hookPath,
    success: Hooks.HookConfig,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-webhook-config-for-org",
      summary: "Get the configuration of an organization's webhook",
      ...reads
    })
  ),
  HttpApiEndpoint.patch("updateConfig", "/orgs/:org/hooks/:hook_id/config", {
    params: hookPath,
    payload: Hooks.HookConfigChange,
    success: Hooks.HookConfig,
    error: [notFound, validationFailed]
  }).annotateMerge(
    // The API never returns the secret.
    Operation.annotations({
      operationId: "orgs/update-webhook-config-for-org",
      summary: "Change parts of the configuration of an organization's webhook",
      ...writes,
      reversible: false,
      exposure: Exposure.webhook(EVENTS, "url", { values: { url: "any", secret: "any", insecure_ssl: "any" } })
    })
  ),
  HttpApiEndpoint.get("listDeliveries", "/orgs/:org/hooks/:hook_id/deliveries", {
    params: hookPath,
    query: Hooks.deliveryQuery,
    success: Paged(Schema.Array(Hooks.HookDeliverySummary)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/list-webhook-deliveries",
      summary: "List deliveries of an organization's webhook",
      command: "deliveries",
      ...reads,
      paging: "cursor"
    })
  ),
  HttpApiEndpoint.get("getDelivery", "/orgs/:org/hooks/:hook_id/deliveries/:delivery_id", {
    params: deliveryPath,
    success: Hooks.HookDelivery,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/get-webhook-delivery",
      summary: "Get a delivery of an organization's webhook",
      command: "delivery",
      ...reads
    })
  ),
  HttpApiEndpoint.post("redeliverDelivery", "/orgs/:org/hooks/:hook_id/deliveries/:delivery_id/attempts", {
    params: deliveryPath,
    success: Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(202)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/redeliver-webhook-delivery",
      summary: "Repeat a delivery of an organization's webhook",
      words: "redeliver, resend, send again, retry delivery",
      command: "redeliver",
      ...writes,
      effect: "trigger"
    })
  ),
  HttpApiEndpoint.post("ping", "/orgs/:org/hooks/:hook_id/pings", {
    params: hookPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "orgs/ping-webhook",
      summary: "Ping a webhook of an organization",
      words: "test webhook",
      ...reads,
      effect: "trigger"
    })
  )
]) {}
