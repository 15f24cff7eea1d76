/** The text of a comment in the media types raw, text, HTML or all three. */
import * as Effect from "effect/Effect"

/** The Markdown renderer, loaded on the first request for text or HTML. */
export const renderer = Effect.promise(() => import("../base/Markdown.ts"))

/** Members of a comment with the text. The media type of the request decides which members are present. */
export interface MarkdownBody {
  readonly body?: string
  readonly body_text?: string
  readonly body_html?: string
}
