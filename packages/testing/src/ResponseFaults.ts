/** Responses of requests that fail before reaching the forge. */
import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http"
import type { Fault } from "./Faults.ts"
import type { FailOptions } from "./TestForge.ts"

type Respond = Extract<Fault, { readonly _tag: "Respond" }>

const json = { "content-type": "application/json; charset=utf-8" }

/** A response with a status. Throws a `TypeError` for an invalid status or header. */
export const failure = (status: number, { body, headers = {} }: FailOptions): Respond => {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new TypeError(`Invalid status ${status}: a number from 200 to 599`)
  }
  for (const [name, value] of Object.entries(headers)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  const content = body ?? { message: STATUS_CODES[status] ?? `Status ${status}`, status: String(status) }
  return {
    _tag: "Respond",
    status,
    headers: { ...(typeof content === "string" ? {} : json), ...headers },
    body: typeof content === "string" ? content : JSON.stringify(content)
  }
}

/** The refusal of a secondary rate limit, with GitHub's message and headers. */
export const secondaryLimit = (retryAfter: number | null): Respond => {
  const message = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
  const headers = retryAfter === null ? {} : { "retry-after": String(retryAfter) }
  return { _tag: "Respond", status: 403, headers: { ...json, ...headers }, body: JSON.stringify({ message }) }
}
