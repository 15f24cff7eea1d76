import { useEffect } from "react"
import type { SavedSearch } from "@tongs/core/contract/groups/SavedSearches"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { navigate } from "../hooks/useRoute.ts"
import { displayText } from "../model/displayText.ts"
import * as Notifications from "./Notifications.ts"
import * as SavedSearches from "./SavedSearches.ts"

/** Notifies of new results of the selected saved searches, also while the page is in the background. */
export const SavedSearchWatcher = () => {
  const notified = Notifications.useNotified()
  const saved = SavedSearches.useSavedSearches(notified.size > 0)
  return saved.filter(({ id }) => notified.has(id)).map((search) => <Watch key={search.id} search={search} />)
}

const Watch = ({ search: { id, name } }: { readonly search: SavedSearch }) => {
  const state = SavedSearches.useNewResults(id, { inBackground: true })
  const results = state._tag === "Ready" ? state.value : undefined
  const { count = 0, version } = results ?? {}
  useEffect(() => {
    if (version === undefined || count === 0) return
    Notifications.show(id, version, `${NumberFormat.quantity(count, "new result")}: ${displayText(name)}`, () => {
      window.focus()
      navigate({ _tag: "NewResults", id })
    })
  }, [id, name, count, version])
  return null
}
