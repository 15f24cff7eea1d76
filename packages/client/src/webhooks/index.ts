/**
 * Webhooks: verified deliveries with typed payloads. Independent of the rest of the client, for any runtime with
 * `fetch`.
 */
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
