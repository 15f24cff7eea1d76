/** Deliveries of webhooks, verified and typed by event. */
import type { EventPayloadMap } from "@octokit/webhooks-types"
import { bytesOf, type RawBody, type Secret, verify } from "./Signature.ts"

/** Names of events whose payload has a type. */
export type EventName = keyof EventPayloadMap

/** The payload of an event, for example `Payload<"push">`. */
export type Payload<Name extends EventName> = EventPayloadMap[Name]

/** A delivery of an event with a typed payload. */
export type DeliveryOf<Name extends EventName> = Name extends EventName
  ? {
      /** Id of the delivery. A redelivery has the same id. */
      readonly id: string
      /** Name of the event. A new kind of event can have a name without a type. */
      readonly name: Name
      readonly payload: EventPayloadMap[Name]
    }
  : never

/** A delivery of any event. `delivery.name === "push"` narrows the type of the payload. */
export type Delivery = DeliveryOf<EventName>

/** The error of a request that is not a valid delivery. */
export class InvalidDelivery extends Error {
  override readonly name = "InvalidDelivery"
  /** The invalid part. Respond with the status 401 for `signature`, otherwise 400. */
  readonly reason: "signature" | "event" | "payload"
  constructor(reason: InvalidDelivery["reason"], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Headers of a request of `fetch` or of Node. */
export type RequestHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request that claims to be a delivery. */
export interface ParseOptions {
  readonly secret: Secret
  readonly headers: RequestHeaders
  /** The body, exactly as received. */
  readonly payload: RawBody
}

/**
 * Verifies the signature of a delivery and returns the event. Accepts JSON and form bodies. Rejects with
 * `InvalidDelivery`, also for a delivery without a signature. The payload is not validated, because the secret proves
 * that the forge is the sender.
 */
export const parse = async ({ headers, payload, secret }: ParseOptions): Promise<Delivery> => {
  const header = (name: string) => headerOf(headers, name)
  const signature = header("x-hub-signature-256")
  const isSigned = await verify({ secret, payload, signature })
  if (signature === undefined)
    throw new InvalidDelivery("signature", "The header X-Hub-Signature-256 is missing. Set a secret for the webhook")
  if (!isSigned) throw new InvalidDelivery("signature", "The signature belongs to another secret or another body")
  const name = header("x-github-event") ?? header("x-service-event")
  const id = header("x-github-delivery") ?? header("x-service-delivery") ?? ""
  if (name === undefined) throw new InvalidDelivery("event", "The header X-GitHub-Event is missing")
  const delivery: object = { id, name, payload: parseBody(new TextDecoder().decode(bytesOf(payload))) }
  return delivery as Delivery // oxlint-disable-line typescript/no-unsafe-type-assertion -- the forge signed it
}

const parseBody = (text: string): unknown => {
  const json = text.startsWith("payload=") ? new URLSearchParams(text).get("payload") : text
  try {
    return JSON.parse(json ?? "")
  } catch {
    throw new InvalidDelivery("payload", "The body is not JSON")
  }
}

const headerOf = (headers: RequestHeaders, name: string): string | undefined => {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  return typeof value === "string" ? value : value?.[0]
}

const isFetchHeaders = (headers: RequestHeaders): headers is Headers => typeof headers["get"] === "function"
