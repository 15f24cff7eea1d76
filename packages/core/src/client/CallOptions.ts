/** Options of a call: its priority, its time limits, and the form of its response. */
import type { Priority } from "../limits/RequestClass.ts"

export type { Priority }

/** Forms of Markdown text in a response (spec part 1 §1.3). */
export type MarkdownForm = "raw" | "text" | "html" | "full"

/** Response forms that are JSON, beyond the default. */
export type JsonForm = MarkdownForm | "text-match"

/** Response forms that are not JSON. The `raw` form of a file is not JSON either. */
export type TextForm = "diff" | "patch" | "sha"

/** Options of a call to an endpoint of the contract. */
export interface CallOptions<Form extends JsonForm = never> {
  /** Default: `normal`. */
  readonly priority?: Priority
  /** Latest time to send the request, in epoch milliseconds. A call that cannot meet it fails with `RateLimited` at once. */
  readonly deadline?: number
  /** Time limit of one attempt in milliseconds, up to the end of the response. Default: that of the client. */
  readonly timeout?: number
  /**
   * Returns a cached response of at most this age (milliseconds) at once, and refreshes it in the background.
   * `ResponseAge.age` gives the age. The same call without this option waits for the new response.
   */
  readonly staleFor?: number
  /** A JSON form of the response that the endpoint has beyond the default. */
  readonly mediaType?: Form
}

/** Options of a raw request. */
export interface RawOptions extends Omit<CallOptions, "mediaType"> {
  /** Any form of the response. `request` gives it as text, `download` as bytes. */
  readonly mediaType?: JsonForm | TextForm
  /** Headers of this request. They override those of the client, except for the credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** The request body, sent unchanged. All remaining input then goes into the query. */
  readonly body?: Uint8Array
}
