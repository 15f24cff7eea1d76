/** Input and response of requests that the contract does not declare. */

/** Input of a request by name: path parameters, and members that become the query or the body. */
export interface RawInput {
  readonly [name: string]: unknown
}

/** The response to a successful raw request. */
export interface RawResponse<A = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON body, or the text of any other body. */
  readonly data: A
  /** The text of the body as received. */
  readonly text: string
  /** The body as received, for a response that is not text. */
  readonly bytes: Uint8Array
}
