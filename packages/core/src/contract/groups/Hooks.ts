/** Schemas for both repository and organization webhooks. */
import * as Schema from "effect/Schema"
import { Payload } from "./Payload.ts"
import * as Presentation from "../Presentation.ts"
import { ExternalUrl, openEnum, Timestamp } from "../Scalars.ts"

/** `"0"` verifies the host's certificate, `"1"` does not. */
const InsecureSsl = Schema.Union([Schema.String, Schema.Finite])

/** Target URL and format of deliveries. Responses contain `********` instead of the secret. */
export const HookConfig = Schema.Struct({
  url: Schema.optionalKey(ExternalUrl),
  content_type: Schema.optionalKey(openEnum(["json", "form"])),
  insecure_ssl: Schema.optionalKey(InsecureSsl),
  secret: Schema.optionalKey(Schema.String.annotate(Presentation.secret))
}).annotate({ identifier: "HookConfig" })
export type HookConfig = typeof HookConfig.Type

/** The presentation of a webhook. */
export const presentation = Presentation.of({
  columns: { ID: "id", URL: "config.url", EVENTS: "events", ACTIVE: "active", UPDATED: "updated_at" },
  title: "config.url"
})

/** Members of every webhook. */
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
  secret: Schema.optionalKey(
    Schema.String.annotate({ description: "Key for the signatures of deliveries.", ...Presentation.secret })
  ),
  insecure_ssl: Schema.optionalKey(
    InsecureSsl.annotate({ description: "1 does not verify the certificate of the receiver." })
  )
}

/** The configuration of a new hook. */
export const NewHookConfig = Schema.Struct({
  url: Schema.String.annotate({ description: "URL that receives the deliveries." }),
  ...configInput,
  username: Schema.optionalKey(Schema.String),
  password: Schema.optionalKey(Schema.String.annotate(Presentation.secret))
}).annotate({ identifier: "NewHookConfig" })

/** A webhook configuration that replaces the current one. */
export const HookConfigReplacement = Schema.Struct({
  url: Schema.String.annotate({ description: "URL that receives the deliveries." }),
  ...configInput
}).annotate({ identifier: "HookConfigReplacement" })

/** Changes to a webhook configuration. A missing member keeps the present value. */
export const HookConfigChange = Schema.Struct({
  url: Schema.optionalKey(Schema.String.annotate({ description: "URL that receives the deliveries." })),
  ...configInput
}).annotate({ identifier: "HookConfigChange" })

/** Input field for the events of a webhook. */
export const eventsInput = Schema.optionalKey(
  Schema.Array(Schema.String).annotate({ description: 'Names of events; `["push"]` by default, `["*"]` for all.' })
)
/** Input field that pauses a webhook. */
export const activeInput = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "False pauses deliveries; true by default." })
)

const deliveries = Presentation.of({
  columns: { ID: "id", EVENT: "event", ACTION: "action", CODE: "status_code", AGE: "delivered_at", STATUS: "status" },
  title: "event"
})

const deliveryFields = {
  id: Schema.Int,
  /** Identifier that all attempts of one delivery share. */
  guid: Schema.String,
  delivered_at: Schema.String.annotate(Presentation.format("age")),
  redelivery: Schema.Boolean,
  /** Duration of the delivery in seconds. */
  duration: Schema.Finite,
  status: Schema.String,
  status_code: Schema.Int,
  event: Schema.String,
  action: Schema.NullOr(Schema.String),
  installation_id: Schema.NullOr(Schema.Int),
  repository_id: Schema.NullOr(Schema.Int),
  throttled_at: Schema.optionalKey(Schema.NullOr(Schema.String))
}

/** A webhook delivery without its request and response. */
export const HookDeliverySummary = Schema.Struct(deliveryFields).annotate({
  identifier: "HookDeliverySummary",
  ...deliveries
})
export type HookDeliverySummary = typeof HookDeliverySummary.Type

const Headers = Schema.NullOr(Schema.Record(Schema.String, Schema.String))

/** A webhook delivery with its request and response. */
export const HookDelivery = Schema.Struct({
  ...deliveryFields,
  url: Schema.optionalKey(ExternalUrl),
  request: Schema.Struct({ headers: Headers, payload: Schema.NullOr(Payload) }),
  response: Schema.Struct({ headers: Headers, payload: Schema.NullOr(Schema.String) })
}).annotate({ identifier: "HookDelivery", ...deliveries })
export type HookDelivery = typeof HookDelivery.Type

/** Query parameters of a list of deliveries, which is newest first and pages by cursor. */
export const deliveryQuery = {
  per_page: Schema.optionalKey(Schema.Int.annotate({ description: "Items per page, up to 100; 30 by default." })),
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "Cursor from the `link` header of another page." })),
  status: Schema.optionalKey(
    Schema.Literals(["success", "failure"]).annotate({ description: "Only deliveries with this result." })
  )
}
