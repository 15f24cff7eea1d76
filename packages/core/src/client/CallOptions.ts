/** Options of a call: its priority, its time limits, and the form of its response. */
import type { Priority } from "../limits/Budget.ts"

/** Forms of a text in Markdown, as a comment's: its answers are JSON in each of them (spec part 1 §1.3). */
export type MarkdownForm = "raw" | "text" | "html" | "full"

/** All forms of an answer beyond plain JSON that are JSON still. */
export type JsonForm = MarkdownForm | "text-match"

/** Forms that are something else. The raw form of a file is as well: its bytes. */
export type TextForm = "diff" | "patch" | "sha"

export interface CallOptions<Form extends JsonForm = never> {
  /** `normal` by default. */
  readonly priority?: Priority
  /** Epoch milliseconds by which the request must have left, or fail with `RateLimited` at once. */
  readonly deadline?: number
  /** Milliseconds that a try may take, from when it leaves until its answer is there whole; the client's by default. */
  readonly timeout?: number
  /**
   * Takes an answer that was kept no longer ago than so many milliseconds at once, while it is asked for anew in the
   * background. `ResponseAge.age` tells how old it is; the same call without this waits for the new one.
   */
  readonly staleFor?: number
  /** A form of the answer beyond plain JSON, where the endpoint has one that is JSON still. */
  readonly mediaType?: Form
}

export interface RawOptions extends Omit<CallOptions, "mediaType"> {
  /** Any form of the answer: a `request` gives it as text, a `download` as bytes. */
  readonly mediaType?: JsonForm | TextForm
  /** Headers of this request. They win over the client's own, except for the credential. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body as it is sent. The members of the input then go into the query. */
  readonly body?: Uint8Array
}
