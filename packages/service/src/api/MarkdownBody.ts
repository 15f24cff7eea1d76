/** Formats the text of a comment as the request's media type asks for: raw, text, HTML or all three. */
import * as Effect from "effect/Effect"

/** The Markdown renderer, loaded on the first request for text or HTML. */
export const renderer = Effect.promise(() => import("../base/Markdown.ts"))

/** Members of a comment with the text. The media type of the request decides which members are present. */
export interface MarkdownBody {
  readonly body?: string
  readonly body_text?: string
  readonly body_html?: string
}

/** Renders `source` for media type `raw`, `text`, `html` or `full`. Any other value means `raw`. */
export const make = (source: string, mediaType: string | undefined): Effect.Effect<MarkdownBody> => {
  switch (mediaType) {
    case "text":
      return Effect.map(renderer, ({ text }) => ({ body_text: text(source) }))
    case "html":
      return Effect.map(renderer, ({ html }) => ({ body_html: html(source) }))
    case "full":
      return Effect.map(renderer, ({ html, text }) => ({
        body: source,
        body_text: text(source),
        body_html: html(source)
      }))
    default:
      return Effect.succeed({ body: source })
  }
}
