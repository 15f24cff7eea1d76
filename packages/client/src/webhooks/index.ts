/** Webhooks: verified deliveries with typed payloads. Needs nothing else of the client, and runs wherever `fetch` does. */
export {
  type Delivery,
  type DeliveryOf,
  type EventName,
  InvalidDelivery,
  parse,
  type ParseOptions,
  type Payload,
  type RequestHeaders
} from "./Delivery.ts"
export { type RawBody, type Secret, sign, verify, type VerifyOptions } from "./Signature.ts"
