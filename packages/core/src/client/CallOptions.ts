/** Options of a call: priority, time limits and response form. */
import type { Priority } from "../limits/RequestClass.ts"

export type { Priority }

/** Forms of Markdown text in a response: the source, plain text, HTML, or all three. */
export type MarkdownForm = "raw" | "text" | "html" | "full"

/** Response forms that are JSON, in addition to the default. */
export type JsonForm = MarkdownForm | "text-match" | "star"

/** Response forms that are not JSON. The `raw` form of a file is not JSON either. */
export type TextForm = "diff" | "patch" | "sha"

/** Options of a call to an endpoint of the contract. */
export interface CallOptions<Form extends JsonForm = never> {
  /** Priority in the rate-limit queue. Default: `normal`. */
  readonly priority?: Priority
  /**
   * Latest time to send the request, in epoch milliseconds. A call that cannot meet the deadline fails with
   * `RateLimited` immediately.
   */
  readonly deadline?: number
  /** Time limit of one attempt in milliseconds, from sending to the end of the response. Default: the client's. */
  readonly timeout?: number
  /**
   * Immediately returns a cached response of at most this age in milliseconds, and refreshes the response in the
   * background. `ResponseAge.age` returns the age. The same call without this option waits for the new response.
   */
  readonly staleFor?: number
  /** JSON form of the response, if not the default of the endpoint. */
  readonly mediaType?: Form
}

/** Options of a raw request. */
export interface RawOptions extends Omit<CallOptions, "mediaType"> {
  /** Form of the response. `request` returns text, `download` bytes. */
  readonly mediaType?: JsonForm | TextForm
  /** HTTP headers of this request. The headers override those of the client, except for the credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** Request body, sent unchanged. All input that is not in the path then becomes the query. */
  readonly body?: Uint8Array
}
