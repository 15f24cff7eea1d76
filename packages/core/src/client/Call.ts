/**
 * What the pipeline knows of the call that a request belongs to, beside the request itself. It travels with the fiber,
 * so that every step stays a function from HttpClient to HttpClient.
 */
import * as Context from "effect/Context"

/** Who is waiting: a person, a program, or nobody in particular. */
export type Priority = "interactive" | "normal" | "background"

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
   * background. `Freshness.age` tells how old it is; the same call without this waits for the new one.
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

export interface Call {
  /** The route, as `GET /repos/:owner/:repo`: what the points of the secondary limit are counted by. */
  readonly endpoint: string
  /** The rate limit resource that counts it; `none` costs nothing. */
  readonly resource: string
  /** Points of the secondary limit, where they are not those of the method. */
  readonly points?: number
  readonly priority: Priority
  /** Epoch milliseconds by which the request must have left. */
  readonly deadline?: number
  /** Milliseconds that a try may take. */
  readonly timeout?: number
  /** Milliseconds that a kept answer may be old. */
  readonly staleFor?: number
  /** Whether the caller gave headers, which the response can depend on: it is neither shared nor cached. */
  readonly hasHeaders?: boolean
  /** Whether the address that a 302 gives is the answer: `Download` goes there itself. */
  readonly toFile?: boolean
}

export const Call = Context.Reference<Call>("@tongs/core/client/Call", {
  defaultValue: () => ({ endpoint: "", resource: "core", priority: "normal" })
})
