/** Input and response of requests that the contract does not declare. */

/** Input of a request by name: path parameters first, the rest becomes the query or the body. */
export interface RawInput {
  readonly [name: string]: unknown
}

/** The response to a successful raw request. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The parsed body, or its text if it is not JSON. */
  readonly data: unknown
  /** The body as received. */
  readonly text: string
}
