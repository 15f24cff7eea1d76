import { type FormEvent, useState } from "react"
import type { SavedSearch, SharedSearch } from "@tongs/core/contract/groups/SavedSearches"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { useGrowingCount } from "../hooks/useGrowingCount.ts"
import { displayText } from "../model/displayText.ts"
import { SavedSearchMenu } from "./SavedSearchMenu.tsx"
import * as SavedSearches from "./SavedSearches.ts"

/** Rows that render together: each has a menu, and requests the new results of the search. */
const ROWS_PER_STEP = 8

/** The saved searches with the numbers of new results, and the shared searches. */
export const SavedSearchList = () => {
  const saved = SavedSearches.useSavedSearches()
  const shared = SavedSearches.useSharedSearches()
  const count = useGrowingCount(saved.length, ROWS_PER_STEP)
  return (
    <>
      {saved.length > 0 && (
        <>
          <h2>Saved searches</h2>
          <ul className="saved-list">
            {saved.slice(0, count).map((search) => (
              <Row key={search.id} search={search} />
            ))}
          </ul>
        </>
      )}
      {shared.length > 0 && <SharedList shared={shared} />}
    </>
  )
}

/** Number of shared searches that are listed at first: a repository can share a hundred. */
const MAX_SHARED = 5

const SharedList = ({ shared }: { readonly shared: ReadonlyArray<SharedSearch> }) => {
  const [showsAll, setShowsAll] = useState(false)
  const hidden = showsAll ? 0 : Math.max(0, shared.length - MAX_SHARED)
  return (
    <>
      <h2>Shared searches</h2>
      <ul className="saved-list">
        {shared.slice(0, shared.length - hidden).map(({ name, owner, query, repo }) => (
          <li key={`${owner}/${repo}:${name}`}>
            <Link to={{ _tag: "Search", q: query }}>{displayText(name)}</Link>
            <code className="dim">{displayText(query)}</code>
            <span className="dim">
              Shared by {displayText(owner)}/{displayText(repo)}
            </span>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className="quiet more-shared" onClick={() => setShowsAll(true)}>
          Show all {NumberFormat.format(shared.length)} shared searches
        </button>
      )}
    </>
  )
}

const Row = ({ search }: { readonly search: SavedSearch }) => {
  const { id, name, query } = search
  const [isRenaming, setIsRenaming] = useState(false)
  const [failure, setFailure] = useState<string>()
  const run = (action: Promise<void>) => {
    setFailure(undefined)
    action.catch((error: unknown) => setFailure(ExplorerClient.failureOf(error).message))
  }
  return (
    <li>
      {isRenaming ? (
        <Rename name={name} onEnd={() => setIsRenaming(false)} onName={(name) => run(SavedSearches.rename(id, name))} />
      ) : (
        <>
          <Link to={{ _tag: "Search", q: query }}>
            <span className="star" aria-hidden="true">
              ★
            </span>
            {displayText(name)}
          </Link>
          {name !== query && <code className="dim">{displayText(query)}</code>}
          <NewCount id={id} name={name} />
        </>
      )}
      <SavedSearchMenu
        search={search}
        onRename={() => setIsRenaming(true)}
        onDelete={() => run(SavedSearches.remove(id))}
        onFailure={setFailure}
      />
      {failure !== undefined && (
        <span role="alert" className="warn">
          {displayText(failure)}
        </span>
      )}
    </li>
  )
}

const NewCount = ({ id, name }: { readonly id: number; readonly name: string }) => {
  const state = SavedSearches.useNewResults(id)
  if (state._tag !== "Ready" || state.value.count === 0) return null
  const { count, incomplete } = state.value
  return (
    <Link
      to={{ _tag: "NewResults", id }}
      className="new-count"
      aria-label={`${count} new ${count === 1 ? "result" : "results"} of ${displayText(name)}`}
    >
      {NumberFormat.format(count)}
      {incomplete.length > 0 && "?"} new
    </Link>
  )
}

const Rename = ({
  name,
  onEnd,
  onName
}: {
  readonly name: string
  readonly onName: (name: string) => void
  readonly onEnd: () => void
}) => {
  const [text, setText] = useState(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== "" && text !== name) onName(text.trim())
    onEnd()
  }
  return (
    <form onSubmit={submit} className="rename-search">
      <input
        aria-label="Name of the saved search"
        value={text}
        maxLength={100}
        autoFocus
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          event.stopPropagation()
          onEnd()
        }}
      />
      <button type="submit" className="quiet">
        Rename
      </button>
      <button type="button" className="quiet" onClick={onEnd}>
        Cancel
      </button>
    </form>
  )
}
