import { useState } from "react"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { setSavedSearch, useSearchHistory } from "../hooks/useSearchHistory.ts"
import { displayText } from "../model/displayText.ts"
import { SavedSearchMenu } from "./SavedSearchMenu.tsx"
import * as SavedSearches from "./SavedSearches.ts"

/**
 * The star in the search box, which saves the query. For a saved query the star opens a menu, so that a second click
 * does not delete a named search. On a forge without saved searches the star saves in the browser.
 */
export const SaveSearchButton = ({ hasIndex, q }: { readonly q: string; readonly hasIndex: boolean }) =>
  hasIndex ? <OnForge q={q} /> : <InBrowser q={q} />

const OnForge = ({ q }: { readonly q: string }) => {
  const saved = SavedSearches.useSavedSearches()
  const [failure, setFailure] = useState<string>()
  const same = saved.find(({ query }) => query === q)
  const run = (action: Promise<void>) => {
    setFailure(undefined)
    action.catch((error: unknown) => setFailure(ExplorerClient.failureOf(error).message))
  }
  return (
    <>
      {same === undefined ? (
        <button
          type="button"
          className="save-search"
          aria-label={SAVE}
          title={SAVE}
          onClick={() =>
            run(
              SavedSearches.create(
                SavedSearches.nameOf(
                  q,
                  saved.map(({ name }) => name)
                ),
                q
              )
            )
          }
        >
          <Star isSaved={false} />
        </button>
      ) : (
        <SavedSearchMenu
          search={same}
          className="save-search"
          onDelete={() => run(SavedSearches.remove(same.id))}
          onFailure={setFailure}
        >
          <Star isSaved />
        </SavedSearchMenu>
      )}
      {failure !== undefined && (
        <span role="alert" className="save-failure warn">
          {displayText(failure)}
        </span>
      )}
    </>
  )
}

const InBrowser = ({ q }: { readonly q: string }) => {
  const isSaved = useSearchHistory().saved.includes(q)
  return (
    <button
      type="button"
      className="save-search"
      aria-label={SAVE}
      title={SAVE}
      aria-pressed={isSaved}
      onClick={() => setSavedSearch(q, !isSaved)}
    >
      <Star isSaved={isSaved} />
    </button>
  )
}

const SAVE = "Save this search"

const Star = ({ isSaved }: { readonly isSaved: boolean }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" data-saved={isSaved ? "" : undefined}>
    <path d="m8 1.8 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z" />
  </svg>
)
