/** What `/` asks for: words of a text, rows of a list of names; elsewhere code of the repository. */
import type { Content } from "./Content.ts"
import * as Place from "./Place.ts"
import type { Prompt } from "./Prompt.ts"

export const purpose = (place: Place.Place, content: Content | undefined): Prompt["purpose"] => {
  if (content === undefined ? Place.isText(place) : content._tag === "Document") return "find"
  const isOfNames =
    place._tag === "Repositories" || (place._tag === "Repository" && (place.tab === "branches" || place.tab === "tags"))
  return isOfNames ? "filter" : "search"
}
