/** Names of repositories in sentences for the user. */
import * as NumberFormat from "@tongs/core/text/NumberFormat"

/** Maximum number of repositories that a note names. */
const MAX_NAMED = 5

/** Returns the first names, and the number of the remaining ones. */
export const nameSome = (names: ReadonlyArray<string>): string => {
  const more = names.length - MAX_NAMED
  return more > 0 ? `${names.slice(0, MAX_NAMED).join(", ")} and ${NumberFormat.format(more)} more` : names.join(", ")
}
