/** A comment's text in the forms that a media type asks for (spec part 1 §1.3, spec part 2 §2.1). */
import * as Effect from "effect/Effect"

/** The renderer, loaded with the first request for text or HTML. */
export const renderer = Effect.promise(() => import("../base/Markdown.ts"))

export interface MarkdownBody {
  readonly body?: string
  readonly body_text?: string
  readonly body_html?: string
}

/** `raw`, `text`, `html` or `full`; anything else is the default, which is `raw`. */
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
