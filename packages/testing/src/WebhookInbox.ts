/** Receives the deliveries of webhooks without a URL. */
import type { IncomingMessage, ServerResponse } from "node:http"

/** A delivery that the inbox received. */
export interface ReceivedDelivery {
  /** Name of the event, for example `push`. */
  readonly event: string
  /** The id of the delivery. A repeated delivery has the same id. */
  readonly guid: string
  /** Headers in lower case, with the signatures. */
  readonly headers: Readonly<Record<string, string>>
  /** The body as signed. */
  readonly body: string
  /** The parsed payload. Undefined if the body is not JSON. */
  readonly payload: unknown
}

/** Path of the inbox on the server of the forge. No endpoint of a forge begins with an underscore. */
const PREFIX = "/_test/webhooks"

/** Creates an inbox whose deliveries go into `deliveries`. */
export const make = (deliveries: Array<ReceivedDelivery>) => ({
  path: PREFIX,
  /** True for a request that belongs to the inbox. */
  receives: (path: string): boolean => path === PREFIX || path.startsWith(`${PREFIX}/`),
  /** Stores and answers a delivery. */
  receive: (request: IncomingMessage, response: ServerResponse, body: () => Buffer): void => {
    request.resume().once("end", () => {
      deliveries.push(deliveryOf(request, body().toString()))
      response.writeHead(204).end()
    })
  }
})

export type WebhookInbox = ReturnType<typeof make>

const deliveryOf = (request: IncomingMessage, body: string): ReceivedDelivery => {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? "")
    ])
  )
  const header = (suffix: string) =>
    Object.entries(headers).find(([name]) => name.startsWith("x-") && name.endsWith(suffix))?.[1] ?? ""
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true
  const json = isForm ? (new URLSearchParams(body).get("payload") ?? "null") : body
  return { event: header("-event"), guid: header("-delivery"), headers, body, payload: parsed(json) }
}

/** Any program can send a request to the inbox. */
const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
