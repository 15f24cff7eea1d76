/** What the webhooks of repositories and of organizations have in common (spec part 2 §2.6, spec part 4 "Resources"). */
import * as Schema from "effect/Schema"
import { Payload } from "./Payload.ts"
import * as Presentation from "./Presentation.ts"
import { ExternalUrl, open, Timestamp } from "./Scalars.ts"

/** `"0"` verifies the host's certificate, `"1"` does not. */
const InsecureSsl = Schema.Union([Schema.String, Schema.Finite])

/** Where deliveries go. A secret comes back as `********`. */
export const HookConfig = Schema.Struct({
  url: Schema.optionalKey(ExternalUrl),
  content_type: Schema.optionalKey(open(["json", "form"])),
  insecure_ssl: Schema.optionalKey(InsecureSsl),
  secret: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "HookConfig" })
export type HookConfig = typeof HookConfig.Type

/** How a list of hooks and a hook look. */
export const presentation = Presentation.of({
  columns: { ID: "id", URL: "config.url", EVENTS: "events", ACTIVE: "active", UPDATED: "updated_at" },
  title: "config.url"
})

export const hookFields = {
  type: Schema.String,
  id: Schema.Int,
  name: Schema.String,
  active: Schema.Boolean,
  events: Schema.Array(Schema.String),
  config: HookConfig,
  updated_at: Timestamp,
  created_at: Timestamp,
  url: Schema.String,
  ping_url: Schema.String,
  deliveries_url: Schema.optionalKey(Schema.String)
}

const configInput = {
  content_type: Schema.optionalKey(Schema.String.annotate({ description: "`json` or `form`; form by default." })),
  secret: Schema.optionalKey(Schema.String.annotate({ description: "The key of the signatures of deliveries." })),
  insecure_ssl: Schema.optionalKey(InsecureSsl)
}

/** A new hook's configuration: `url` is where deliveries go. */
export const NewHookConfig = Schema.Struct({
  url: Schema.String.annotate({ description: "Where deliveries go." }),
  ...configInput,
  username: Schema.optionalKey(Schema.String),
  password: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "NewHookConfig" })

/** A configuration in place of the one that there is. */
export const HookConfigReplacement = Schema.Struct({
  url: Schema.String.annotate({ description: "Where deliveries go." }),
  ...configInput
}).annotate({ identifier: "HookConfigReplacement" })

/** Parts of a configuration to change; what is left out stays. */
export const HookConfigChange = Schema.Struct({
  url: Schema.optionalKey(Schema.String.annotate({ description: "Where deliveries go." })),
  ...configInput
}).annotate({ identifier: "HookConfigChange" })

export const events = Schema.optionalKey(
  Schema.Array(Schema.String).annotate({ description: 'Names of events; `["push"]` by default, `["*"]` for all.' })
)
export const active = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "Whether it delivers; true by default." })
)

const deliveries = Presentation.of({
  columns: { ID: "id", EVENT: "event", ACTION: "action", CODE: "status_code", AGE: "delivered_at", STATUS: "status" },
  title: "event"
})

const deliveryFields = {
  id: Schema.Int,
  /** The same for every attempt of one delivery. */
  guid: Schema.String,
  delivered_at: Schema.String.annotate(Presentation.format("age")),
  redelivery: Schema.Boolean,
  /** In seconds. */
  duration: Schema.Finite,
  status: Schema.String,
  status_code: Schema.Int,
  event: Schema.String,
  action: Schema.NullOr(Schema.String),
  installation_id: Schema.NullOr(Schema.Int),
  repository_id: Schema.NullOr(Schema.Int),
  throttled_at: Schema.optionalKey(Schema.NullOr(Schema.String))
}

export const HookDeliverySummary = Schema.Struct(deliveryFields).annotate({
  identifier: "HookDeliverySummary",
  ...deliveries
})
export type HookDeliverySummary = typeof HookDeliverySummary.Type

const Headers = Schema.NullOr(Schema.Record(Schema.String, Schema.String))

export const HookDelivery = Schema.Struct({
  ...deliveryFields,
  url: Schema.optionalKey(ExternalUrl),
  request: Schema.Struct({ headers: Headers, payload: Schema.NullOr(Payload) }),
  response: Schema.Struct({ headers: Headers, payload: Schema.NullOr(Schema.String) })
}).annotate({ identifier: "HookDelivery", ...deliveries })
export type HookDelivery = typeof HookDelivery.Type

/** How the list of deliveries is read: newest first, by cursor. */
export const deliveryQuery = {
  per_page: Schema.optionalKey(Schema.Int.annotate({ description: "Items a page, up to 100; 30 by default." })),
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "From the `link` of another page." })),
  status: Schema.optionalKey(Schema.Literals(["success", "failure"]))
}
