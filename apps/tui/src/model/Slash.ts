/** What `/` asks for: words of a text, rows of a list of names; elsewhere code of the repository. */
import type { Content } from "./ScreenContent.ts"
import * as Route from "./Route.ts"
import type { Prompt } from "./Prompt.ts"

export const slashPurpose = (place: Route.Route, content: Content | undefined): Prompt["purpose"] => {
  if (content === undefined ? Route.isDocument(place) : content._tag === "Document") return "find"
  const isOfNames =
    place._tag === "Repositories" || (place._tag === "Repository" && (place.tab === "branches" || place.tab === "tags"))
  return isOfNames ? "filter" : "search"
}
