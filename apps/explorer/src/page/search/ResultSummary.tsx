/** How much was found, whether that is all, and what to do with the whole of it. */
import { Dialog } from "@base-ui/react/dialog"
import { Menu } from "@base-ui/react/menu"
import type { ReactNode } from "react"
import type * as Explore from "@tongs/core/explore/Explore"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import { popupContainer } from "../components/popupContainer.ts"
import { displayText } from "../model/displayText.ts"
import { indexProgress, useIndexStatus } from "../api/useIndexStatus.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import * as ResultExport from "./ResultExport.ts"
import { FacetGroups } from "./Facets.tsx"
import type * as SearchResults from "./SearchResults.ts"
import { setSavedSearch, useSearchHistory } from "../hooks/useSearchHistory.ts"

interface Props {
  readonly view: Route.Search
  readonly connection: Wire.Connection
  readonly outcome: SearchResults.SearchResults
  /** Those of the outcome that are shown. */
  readonly files: ReadonlyArray<SearchResults.FileResult>
  readonly facets: Explore.Facets
  readonly isSlow: boolean
  /** It is of the search before. */
  readonly isStale: boolean
}

export const ResultSummary = ({ connection, facets, files, isSlow, isStale, outcome, view }: Props) => {
  const hasIndex = connection.capabilities.index
  return (
    <div className="summary">
      <div className="said">
        <h1>
          <Total outcome={outcome} shownFiles={files.length} view={view} />
        </h1>
        {/* Said once, when all is there, and not at every step on the way. */}
        <p className="unseen" role="status">
          {outcome.isDone && !isStale && <Total outcome={outcome} shownFiles={files.length} view={view} />}
        </p>
        {outcome.took !== undefined && <span className="dim took">{NumberFormat.format(outcome.took)} ms</span>}
      </div>
      <div className="tools" role="group" aria-label="These results">
        <Dialog.Root>
          <Dialog.Trigger className="quiet narrow">Narrow</Dialog.Trigger>
          <Dialog.Portal container={popupContainer()}>
            <Dialog.Backdrop className="backdrop" />
            <Dialog.Popup className="sheet">
              <Dialog.Title>Narrow the results</Dialog.Title>
              <FacetGroups view={view} facets={facets} isPartial={!hasIndex} />
              <Dialog.Close className="primary">Show the results</Dialog.Close>
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
        <Save q={view.q} />
        <SortMenu view={view} hasIndex={hasIndex} />
        <ExportMenu files={files} />
      </div>
      <Incompleteness outcome={outcome} hasIndex={hasIndex} />
      {isSlow && <p className="aside dim">This search takes longer than usual…</p>}
    </div>
  )
}

const Total = ({
  outcome,
  shownFiles,
  view
}: {
  readonly outcome: SearchResults.SearchResults
  readonly shownFiles: number
  readonly view: Route.Search
}) => {
  const { files, matches } = outcome.total
  if (view.kind !== undefined) {
    return (
      <>
        <strong>{NumberFormat.quantity(shownFiles, "file")}</strong> with a {displayText(view.kind)} of that name
      </>
    )
  }
  if (files === 0 && outcome.isDone) return <strong>Nothing found</strong>
  const known = Math.max(files, outcome.files.length)
  return (
    <>
      <strong>
        {outcome.incomplete.includes("limit") && "more than "}
        {NumberFormat.quantity(known, "file")}
      </strong>
      {matches !== undefined && matches > 0 && <>, {NumberFormat.quantity(matches, "match", "matches")}</>}
      {!outcome.isDone && " so far"}
    </>
  )
}

const Save = ({ q }: { readonly q: string }) => {
  const isSaved = useSearchHistory().saved.includes(q)
  return (
    <button type="button" className="quiet" aria-pressed={isSaved} onClick={() => setSavedSearch(q, !isSaved)}>
      <span aria-hidden="true" className="star">
        {isSaved ? "★" : "☆"}
      </span>{" "}
      {isSaved ? "Saved" : "Save"}
    </button>
  )
}

const SortMenu = ({ hasIndex, view }: { readonly view: Route.Search; readonly hasIndex: boolean }) => {
  const { sort: _, ...best } = view
  const orders = hasIndex ? ORDERS : ORDERS.filter(({ sort }) => sort !== "matches")
  return (
    <DropDown label={`Sort: ${ORDERS.find(({ sort }) => sort === view.sort)?.title ?? ""}`}>
      <Menu.RadioGroup
        value={view.sort ?? "best"}
        onValueChange={(value) => {
          const sort = ORDERS.find((order) => order.sort === value)?.sort
          navigate(sort === undefined ? best : { ...view, sort }, { replace: true })
        }}
      >
        {orders.map(({ sort, title }) => (
          <Menu.RadioItem key={title} value={sort ?? "best"} className="item" closeOnClick>
            <Menu.RadioItemIndicator className="tick">✓</Menu.RadioItemIndicator>
            {title}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </DropDown>
  )
}

const ORDERS: ReadonlyArray<{ readonly sort: Route.SortOrder | undefined; readonly title: string }> = [
  { sort: undefined, title: "best match" },
  { sort: "path", title: "path" },
  { sort: "repository", title: "repository" },
  { sort: "matches", title: "most matches" }
]

const ExportMenu = ({ files }: { readonly files: ReadonlyArray<SearchResults.FileResult> }) => (
  <DropDown label="Export" disabled={files.length === 0}>
    <Menu.Item className="item" onClick={() => download("csv", "text/csv", ResultExport.csv(files))}>
      As CSV, for a spreadsheet
    </Menu.Item>
    <Menu.Item className="item" onClick={() => download("jsonl", "application/x-ndjson", ResultExport.jsonl(files))}>
      As JSON lines, for a program
    </Menu.Item>
  </DropDown>
)

const DropDown = ({
  children,
  disabled = false,
  label
}: {
  readonly label: string
  readonly disabled?: boolean
  readonly children: ReactNode
}) => (
  <Menu.Root modal={false} disabled={disabled}>
    <Menu.Trigger className="quiet drop">{label}</Menu.Trigger>
    <Menu.Portal container={popupContainer()}>
      <Menu.Positioner className="above" sideOffset={6} align="end" collisionPadding={12}>
        <Menu.Popup className="popup menu">{children}</Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

/** Hands a text over as a file. It never leaves the browser. */
const download = (extension: string, type: string, text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = `tongs-results.${extension}`
  link.click()
  URL.revokeObjectURL(url)
}

const Incompleteness = ({
  hasIndex,
  outcome
}: {
  readonly outcome: SearchResults.SearchResults
  readonly hasIndex: boolean
}) => {
  const isIndexing = outcome.incomplete.includes("indexing")
  const index = useIndexStatus(hasIndex && isIndexing)
  return (
    <>
      {isIndexing && (
        <p className="aside warn" role="status">
          The index is still being built
          {index !== undefined && `, ${Math.floor(100 * indexProgress(index))} % of it is there`}: there may be more.
        </p>
      )}
      {outcome.incomplete.includes("deadline") && (
        <p className="aside warn">
          Incomplete: the time for this search ran out. Narrow it with a qualifier, as <code>repo:</code> or{" "}
          <code>path:</code>.
        </p>
      )}
      {outcome.incomplete.includes("failed") && (
        <p className="aside warn">Incomplete: some files could not be read. The home page says what is wrong.</p>
      )}
      {outcome.incomplete.includes("limit") && (
        <p className="aside dim">
          The search ended at {NumberFormat.format(outcome.files.length)} files. There are more below, or with a
          narrower query.
        </p>
      )}
    </>
  )
}
